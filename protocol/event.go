package protocol

// Event is a hook event of the client, in the client's own spelling.
type Event string

// The events that the fifteen types answer.
const (
	EventUserPromptSubmit   Event = "UserPromptSubmit"
	EventStop               Event = "Stop"
	EventSessionStart       Event = "SessionStart"
	EventSessionEnd         Event = "SessionEnd"
	EventPreToolUse         Event = "PreToolUse"
	EventPostToolUse        Event = "PostToolUse"
	EventPostToolUseFailure Event = "PostToolUseFailure"
	EventSubagentStart      Event = "SubagentStart"
	EventSubagentStop       Event = "SubagentStop"
	EventPreCompact         Event = "PreCompact"
	EventSetup              Event = "Setup"
	EventPermissionRequest  Event = "PermissionRequest"
)
