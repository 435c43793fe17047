// Package protocol is the ground floor: the fifteen hook types, the client's
// events, and the shapes of a hook's input, output and decision. It imports
// nothing of this module and does no I/O.
package protocol

import (
	"slices"
	"time"
)

// Type is one of the fifteen hook types of the hook execution order standard
// (seed 004, section 1.1).
type Type string

// The fifteen hook types.
const (
	KeywordDetector   Type = "keyword-detector"
	Ralph             Type = "ralph"
	PersistentMode    Type = "persistent-mode"
	StopContinuation  Type = "stop-continuation"
	SessionStart      Type = "session-start"
	SessionEnd        Type = "session-end"
	PreToolUse        Type = "pre-tool-use"
	PostToolUse       Type = "post-tool-use"
	Autopilot         Type = "autopilot"
	SubagentStart     Type = "subagent-start"
	SubagentStop      Type = "subagent-stop"
	PreCompact        Type = "pre-compact"
	SetupInit         Type = "setup-init"
	SetupMaintenance  Type = "setup-maintenance"
	PermissionRequest Type = "permission-request"
)

// Stage is a stage of the session in which types run (seed 004, section 1.1).
type Stage string

// The six stages.
const (
	StagePrompt      Stage = "UserPromptSubmit"
	StageStop        Stage = "Stop"
	StageSession     Stage = "Session"
	StageTool        Stage = "Tool"
	StageAgent       Stage = "Agent"
	StageMaintenance Stage = "Maintenance"
)

// FailPolicy says what a hook answers when it cannot do its work.
type FailPolicy string

const (
	// FailOpen answers {"continue":true}: the user's work goes on.
	FailOpen FailPolicy = "open"
	// FailClosed denies the tool. Only permission-request has it (seed 004,
	// section 2.3, D-05).
	FailClosed FailPolicy = "closed"
)

// Row describes one hook type. Required and Priority follow seed 004,
// sections 1.1 and 2.1; deadlines follow design decision 2.
type Row struct {
	Type      Type          `json:"type"`
	Events    []Event       `json:"events"`
	Stage     Stage         `json:"stage"`
	Priority  string        `json:"priority,omitempty"`
	Required  []string      `json:"required"`
	Sensitive bool          `json:"sensitive"`
	Deadline  time.Duration `json:"-"`
	Fail      FailPolicy    `json:"fail"`
}

// The deadlines of the types, by what they wait for.
const (
	chain      = 5 * time.Second
	tool       = 5 * time.Second
	permission = 4 * time.Second
	lifecycle  = 2 * time.Second
	sessionEnd = 300 * time.Millisecond
)

// table is data that the linker lays out; to build it at each look would cost every
// hook. Nothing writes to it.
var table = [...]Row{
	{KeywordDetector, []Event{EventUserPromptSubmit}, StagePrompt, "", nil, false, lifecycle, FailOpen},
	{Ralph, []Event{EventStop}, StageStop, "P1", nil, false, chain, FailOpen},
	{PersistentMode, []Event{EventStop}, StageStop, "P1.5/P2", nil, false, chain, FailOpen},
	{StopContinuation, []Event{EventStop}, StageStop, "P3", nil, false, chain, FailOpen},
	{SessionStart, []Event{EventSessionStart}, StageSession, "", nil, false, lifecycle, FailOpen},
	{SessionEnd, []Event{EventSessionEnd}, StageSession, "", []string{"session_id", "cwd"}, true, sessionEnd, FailOpen},
	{PreToolUse, []Event{EventPreToolUse}, StageTool, "", nil, false, tool, FailOpen},
	{PostToolUse, []Event{EventPostToolUse, EventPostToolUseFailure}, StageTool, "", nil, false, tool, FailOpen},
	{Autopilot, []Event{EventStop, EventSubagentStart, EventSubagentStop}, StageAgent, "P1.5", nil, false, chain, FailOpen},
	{SubagentStart, []Event{EventSubagentStart}, StageAgent, "", []string{"session_id", "cwd"}, false, lifecycle, FailOpen},
	{SubagentStop, []Event{EventSubagentStop}, StageAgent, "", []string{"session_id", "cwd"}, false, lifecycle, FailOpen},
	{PreCompact, []Event{EventPreCompact}, StageMaintenance, "", []string{"session_id", "cwd"}, false, lifecycle, FailOpen},
	{SetupInit, []Event{EventSetup}, StageMaintenance, "", []string{"session_id", "cwd"}, true, lifecycle, FailOpen},
	{SetupMaintenance, []Event{EventSetup}, StageMaintenance, "", []string{"session_id", "cwd"}, true, lifecycle, FailOpen},
	{PermissionRequest, []Event{EventPermissionRequest}, StageMaintenance, "", []string{"session_id", "cwd", "tool_name"}, true, permission, FailClosed},
}

// Rows returns the table of all fifteen types in the order of the standard.
func Rows() []Row { return slices.Clone(table[:]) }

// Lookup returns the row of t; ok is false for a string that is no type.
func Lookup(t Type) (row Row, ok bool) {
	for i := range table {
		if table[i].Type == t {
			return table[i], true
		}
	}
	return Row{}, false
}
