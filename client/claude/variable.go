package claude

// Standing says how bridge treats a variable that a project's settings set. The client passes most of them to hooks and
// to the programs that it starts.
type Standing int

// The standings.
const (
	// Doubtful: the variable may change which program runs, what it reads or where it sends data, so bridge approves no
	// call that starts a program.
	Doubtful Standing = iota
	// Harmless: no value of the variable can do that.
	Harmless
	// Ignored: bridge treats the variable as unset, because it says where bridge writes or what it keeps. No other
	// approved program reads it.
	Ignored
	// KillSwitch: as Doubtful; in addition, the hooks that judge tool calls ignore it.
	KillSwitch
)

// Variable is the table of the variables.
func Variable(name string) Standing {
	switch name {
	// Limits and switches of the client, and colours.
	case "ANTHROPIC_MODEL", "ANTHROPIC_SMALL_FAST_MODEL", "CLAUDE_CODE_SUBAGENT_MODEL",
		"BASH_DEFAULT_TIMEOUT_MS", "BASH_MAX_TIMEOUT_MS", "BASH_MAX_OUTPUT_LENGTH",
		"CLAUDE_CODE_MAX_OUTPUT_TOKENS", "MAX_THINKING_TOKENS", "MAX_MCP_OUTPUT_TOKENS", "MCP_TIMEOUT", "MCP_TOOL_TIMEOUT",
		EnvBlockCap, "CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
		"DISABLE_AUTOUPDATER", "DISABLE_BUG_COMMAND", "DISABLE_COST_WARNINGS", "DISABLE_ERROR_REPORTING", "DISABLE_TELEMETRY",
		"FORCE_COLOR", "NO_COLOR":
		return Harmless
	// A language; a limit that can only be lowered; the mark of a worker, in which no loop runs.
	case "BRIDGE_LANG", "OMC_MAX_BACKGROUND_TASKS", "OMC_TEAM_WORKER":
		return Harmless
	case "BRIDGE_LOG", "OMC_STATE_DIR", "OMC_DISABLE_MULTIREPO":
		return Ignored
	case "DISABLE_OMC", "OMC_SKIP_HOOKS":
		return KillSwitch
	}
	return Doubtful
}
