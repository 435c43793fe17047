package project

import (
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/hookbridge/bridge/internal/home"
	"github.com/hookbridge/bridge/protocol"
)

// Request is a call with an input.
func Request(in protocol.Input, env protocol.Env) protocol.Request {
	return protocol.Request{Input: in, Env: env, Places: Places(in, env)}
}

// Places finds the project of a call the first time it is asked to.
func Places(in protocol.Input, env protocol.Env) func() protocol.Places {
	return sync.OnceValue(func() protocol.Places { return Find(in.CWD, env.Getenv) })
}

// Env is the environment of a call that began at now: our own directories
// ($XDG_STATE_HOME/bridge and $XDG_CONFIG_HOME/bridge) and the kill switches. The user's
// configuration is not read yet.
func Env(getenv func(string) string, now time.Time) protocol.Env {
	return protocol.Env{
		Getenv: getenv, Now: now,
		StateHome:  ownDir(getenv, "XDG_STATE_HOME", filepath.Join(".local", "state")),
		ConfigHome: ownDir(getenv, "XDG_CONFIG_HOME", ".config"),
		Off:        protocol.ParseKillSwitches(getenv("DISABLE_OMC"), getenv("OMC_SKIP_HOOKS")),
	}
}

// ownDir is one of our directories, or "" if there is no usable home. An XDG value counts
// only if it is absolute, because a relative one would depend on the repository.
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
	if home := home.Dir(getenv); home != "" {
		return filepath.Join(home, below, "bridge")
	}
	return ""
}

// BinaryPath is the path to which install copies the program, so that the copy is
// independent of the original: $XDG_DATA_HOME/bridge/bin/bridge, by default in
// ~/.local/share, on Windows in %LOCALAPPDATA%. It is "" without a home.
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
