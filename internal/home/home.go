// Package home knows the user's home directory.
package home

import (
	"path/filepath"
	"runtime"
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
