// Package claude has the names that only Claude Code uses: its directories, variables and tools.
package claude

import (
	"path/filepath"

	"github.com/hookbridge/bridge/internal/home"
)

// Dir is the name of the directory with the client's files, in a project and in a home
// directory.
const Dir = ".claude"

// Environment variables that the client sets or reads.
const (
	EnvConfigDir  = "CLAUDE_CONFIG_DIR"
	EnvProjectDir = "CLAUDE_PROJECT_DIR"
	// EnvPluginRoot is the directory of the plugin to which the hook belongs.
	EnvPluginRoot = "CLAUDE_PLUGIN_ROOT"
	// EnvSessionID is the id of the session whose model runs a command.
	EnvSessionID = "CLAUDE_CODE_SESSION_ID"
	// EnvFile names a file that is sourced into the session's shells.
	EnvFile = "CLAUDE_ENV_FILE"
	// EnvEntrypoint says how the client was started, such as cli.
	EnvEntrypoint = "CLAUDE_CODE_ENTRYPOINT"
	// EnvBlockCap is how many times in a row a stop may be blocked without a tool call
	// before the client ends the turn; 0 means no limit.
	EnvBlockCap = "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP"
)

// Home is the directory in which Claude Code keeps its own files,
// CLAUDE_CONFIG_DIR or ~/.claude, or "".
func Home(getenv func(string) string) string {
	if dir := getenv(EnvConfigDir); filepath.IsAbs(dir) {
		return filepath.Clean(dir)
	}
	if dir := home.Dir(getenv); dir != "" {
		return filepath.Join(dir, Dir)
	}
	return ""
}
