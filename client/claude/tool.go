package claude

import "github.com/hookbridge/bridge/protocol"

// The tools about which more is known than their kind.
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

// Kind says what a tool does. Rules and guards are written for these names; the tools of
// other clients are translated to them.
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
