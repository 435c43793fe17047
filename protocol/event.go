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

// The other events at which bridge records something.
const (
	EventStopFailure      Event = "StopFailure"
	EventPostCompact      Event = "PostCompact"
	EventConfigChange     Event = "ConfigChange"
	EventPermissionDenied Event = "PermissionDenied"
	EventTaskCompleted    Event = "TaskCompleted"
	EventTeammateIdle     Event = "TeammateIdle"
)

// EventRow says what an answer to an event can do in the client
// (docs/reference/claude-code.md#output). Output holds the members that all events share.
type EventRow struct {
	Event Event
	// Blocks says that the client honours decision:"block", with its reason.
	Blocks bool
	// Specific is the shape of hookSpecificOutput; nil means that the event has none.
	Specific HookSpecific
	// Hurried says that the client itself limits the time of the event, so the hook line
	// has no timeout.
	Hurried bool
}

// events are the events at which an answer can do more than show a message.
var events = [...]EventRow{
	{Event: EventUserPromptSubmit, Blocks: true, Specific: ContextOutput{}},
	{Event: EventStop, Blocks: true, Specific: ContextOutput{}},
	{Event: EventSessionStart, Specific: ContextOutput{}},
	{Event: EventSessionEnd, Hurried: true},
	{Event: EventPreToolUse, Specific: PreToolUseOutput{}},
	{Event: EventPostToolUse, Blocks: true, Specific: ContextOutput{}},
	{Event: EventPostToolUseFailure, Specific: ContextOutput{}},
	{Event: EventSubagentStart, Specific: ContextOutput{}},
	{Event: EventSubagentStop, Blocks: true, Specific: ContextOutput{}},
	{Event: EventPreCompact, Blocks: true},
	{Event: EventSetup, Specific: ContextOutput{}},
	{Event: EventPermissionRequest, Specific: PermissionRequestOutput{}},
}

// Row returns the row of e. For an event that is not in the table, an answer can do
// nothing.
func (e Event) Row() EventRow {
	for _, row := range &events {
		if row.Event == e {
			return row
		}
	}
	return EventRow{Event: e}
}
