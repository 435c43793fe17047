package project

import (
	"path/filepath"
	"runtime"
)

// StateHome is the directory of our own records, $XDG_STATE_HOME/bridge, or ""
// when there is no usable home (design decision 17). An XDG value counts only if
// it is absolute: a relative one would depend on the repository.
func StateHome(getenv func(string) string) string {
	return ownDir(getenv, "XDG_STATE_HOME", filepath.Join(".local", "state"))
}

// ConfigHome is the directory of the user's configuration,
// $XDG_CONFIG_HOME/bridge, or "".
func ConfigHome(getenv func(string) string) string {
	return ownDir(getenv, "XDG_CONFIG_HOME", ".config")
}

func ownDir(getenv func(string) string, variable, below string) string {
	if dir := getenv(variable); filepath.IsAbs(dir) {
		return filepath.Join(dir, "bridge")
	}
	if runtime.GOOS == "windows" {
		if dir := getenv("LOCALAPPDATA"); filepath.IsAbs(dir) {
			return filepath.Join(dir, "bridge")
		}
		return ""
	}
	home := homeDir(getenv)
	if home == "" {
		return ""
	}
	return filepath.Join(home, below, "bridge")
}

// homeDir is the user's home directory, or "".
func homeDir(getenv func(string) string) string {
	variable := "HOME"
	if runtime.GOOS == "windows" {
		variable = "USERPROFILE"
	}
	if home := getenv(variable); filepath.IsAbs(home) {
		return filepath.Clean(home)
	}
	return ""
}

// BinaryPath is where install puts the program, so that it outlives the place it
// was started from: $XDG_DATA_HOME/bridge/bin/bridge, by default in ~/.local/share,
// on Windows in %LOCALAPPDATA%. It is "" without a home.
func BinaryPath(getenv func(string) string) string {
	if runtime.GOOS == "windows" {
		if dir := getenv("LOCALAPPDATA"); filepath.IsAbs(dir) {
			return filepath.Join(dir, "bridge", "bin", "bridge.exe")
		}
		return ""
	}
	if dir := getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "bridge", "bin", "bridge")
	}
	if home := getenv("HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, ".local", "share", "bridge", "bin", "bridge")
	}
	return ""
}

// ClientHome is the directory in which Claude Code keeps its own files,
// CLAUDE_CONFIG_DIR or ~/.claude, or "".
func ClientHome(getenv func(string) string) string {
	if dir := getenv("CLAUDE_CONFIG_DIR"); filepath.IsAbs(dir) {
		return filepath.Clean(dir)
	}
	home := homeDir(getenv)
	if home == "" {
		return ""
	}
	return filepath.Join(home, ".claude")
}
