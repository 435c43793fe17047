// Package home finds the user's home directory.
package home

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Dir is the user's home directory, or "".
func Dir(getenv func(string) string) string {
	variable := "HOME"
	if runtime.GOOS == "windows" {
		variable = "USERPROFILE"
	}
	if home := getenv(variable); filepath.IsAbs(home) {
		return filepath.Clean(home)
	}
	return ""
}

// Short is a path in which ~ replaces the user's home directory.
func Short(path string, getenv func(string) string) string {
	home := Dir(getenv)
	if home == "" || home == string(filepath.Separator) {
		return path
	}
	if rest, ok := strings.CutPrefix(path, home); ok && (rest == "" || os.IsPathSeparator(rest[0])) {
		return "~" + rest
	}
	return path
}
