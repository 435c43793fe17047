package claude

import "github.com/hookbridge/bridge/protocol"

// The tools that bridge treats specially, apart from their kind.
const (
	ToolBash      = "Bash"
	ToolEdit      = "Edit"
	ToolGlob      = "Glob"
	ToolGrep      = "Grep"
	ToolMultiEdit = "MultiEdit"
	ToolQuestion  = "AskUserQuestion"
	ToolRead      = "Read"
	ToolSkill     = "Skill"
	// ToolWakeup wakes the session up later.
	ToolWakeup = "ScheduleWakeup"
	ToolWrite  = "Write"
)

// Kind says what a tool does. Rules and guards use these names; bridge translates the tools of other clients to them.
func Kind(tool string) protocol.ToolKind {
	switch tool {
	case ToolBash, "PowerShell":
		return protocol.ToolShell
	case ToolRead, "LS", "NotebookRead":
		return protocol.ToolRead
	case ToolGlob, ToolGrep:
		return protocol.ToolSearch
	case ToolWrite, ToolEdit, ToolMultiEdit, "NotebookEdit":
		return protocol.ToolWrite
	case "WebFetch":
		return protocol.ToolFetch
	case "Task", "Agent":
		return protocol.ToolAgent
	case ToolQuestion, "ExitPlanMode":
		return protocol.ToolDialog
	}
	return protocol.ToolOther
}
