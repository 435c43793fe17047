// Package protocol is the lowest layer: the table of hook types and of the client's
// events, and the types of a hook's input, output and decision. It imports nothing of
// this module and does no I/O.
package protocol

import (
	"slices"
	"time"
)

// Type is one of the fifteen hook types of the hook standard
// (docs/reference/hook-standard.md#types), or the name of another event of the client in
// kebab case (docs/reference/claude-code.md#other-events).
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

// The other events at which bridge records something. The events at which bridge stays silent need no constant.
const (
	StopFailure      Type = "stop-failure"
	PostCompact      Type = "post-compact"
	ConfigChange     Type = "config-change"
	PermissionDenied Type = "permission-denied"
	TaskCompleted    Type = "task-completed"
	TeammateIdle     Type = "teammate-idle"
)

// Duty says what bridge does at the events of a row.
type Duty int

// The duties. Install adds no hook line for a silent event.
const (
	// DutyStandard is the duty of the types of the hook standard.
	DutyStandard Duty = iota
	// DutyRecord is the duty of other events that bridge records, or about which it prints a message. bridge decides
	// nothing there.
	DutyRecord
	// DutySilent: bridge reads the input and says nothing.
	DutySilent
)

// Stage is a stage of the session in which types run
// (docs/reference/hook-standard.md#stages).
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

// FailPolicy says how a hook answers if it cannot do its work.
type FailPolicy string

const (
	// FailOpen answers {"continue":true}: the user's work continues.
	FailOpen FailPolicy = "open"
	// FailClosed denies the tool. Only permission-request has it
	// (docs/reference/hook-standard.md#failures).
	FailClosed FailPolicy = "closed"
)

// Row describes one hook type. Required and Priority follow
// docs/reference/hook-standard.md; the deadlines follow docs/design.md#deadlines.
type Row struct {
	Type Type `json:"type"`
	Duty Duty `json:"-"`
	// Aliases are the other values of --hook that call the type. An alias in several rows
	// calls all of them, in the order of the table, and the first alias of such a row is
	// the name of that hook.
	Aliases []string `json:"-"`
	Events  []Event  `json:"events"`
	// Stage is where in a session the type runs.
	Stage    Stage    `json:"stage"`
	Priority string   `json:"priority,omitempty"`
	Required []string `json:"required"`
	// Sensitive says that two spellings of a field with different values are an error,
	// and that the names of dropped fields are recorded (docs/design.md#whitelist).
	Sensitive bool `json:"sensitive"`
	// Deadline is the maximum running time of the type; the user's configuration can change it.
	Deadline time.Duration `json:"-"`
	// Fail is the fail policy of the type.
	Fail FailPolicy `json:"fail"`

	// Input returns the groups that an input of the type fills, as pointers into in.
	Input func(in *Input) []any `json:"-"`
	// Wait is how long the input may take to arrive; 0 means the usual time.
	Wait time.Duration `json:"-"`
	// Steps are the steps of the Stop chain that the type carries out.
	Steps []StepName `json:"-"`
	// Trigger picks one of the types that share an alias; the first of them handles any
	// other trigger.
	Trigger string `json:"-"`
}

// The deadlines of the types, named after who waits for them.
const (
	chain      = 5 * time.Second
	tool       = 5 * time.Second
	permission = 4 * time.Second
	lifecycle  = 2 * time.Second
	sessionEnd = 300 * time.Millisecond
)

// table is data that the linker lays out, because building it at each lookup would cost
// every hook. Nothing writes to it.
var table = [...]Row{
	{Type: KeywordDetector, Aliases: []string{"user-prompt-submit", "UserPromptSubmit"}, Events: []Event{EventUserPromptSubmit}, Stage: StagePrompt,
		Input: promptInput, Deadline: lifecycle, Fail: FailOpen},
	{Type: Ralph, Aliases: []string{"stop", "Stop"}, Events: []Event{EventStop}, Stage: StageStop, Priority: "P1",
		Input: stopInput, Deadline: chain, Fail: FailOpen, Steps: []StepName{StepRalph}},
	{Type: PersistentMode, Aliases: []string{"stop", "Stop"}, Events: []Event{EventStop}, Stage: StageStop, Priority: "P1.5/P2",
		Input: stopInput, Deadline: chain, Fail: FailOpen, Steps: []StepName{StepAutopilot, StepUltrawork}},
	{Type: StopContinuation, Aliases: []string{"stop", "Stop"}, Events: []Event{EventStop}, Stage: StageStop, Priority: "P3",
		Input: stopInput, Deadline: chain, Fail: FailOpen, Steps: []StepName{StepStopContinuation}},
	{Type: SessionStart, Aliases: []string{"SessionStart"}, Events: []Event{EventSessionStart}, Stage: StageSession,
		Input: sessionInput, Deadline: lifecycle, Fail: FailOpen},
	{Type: SessionEnd, Aliases: []string{"SessionEnd"}, Events: []Event{EventSessionEnd}, Stage: StageSession,
		Input: sessionInput, Required: []string{"session_id", "cwd"}, Sensitive: true, Deadline: sessionEnd, Fail: FailOpen, Wait: 250 * time.Millisecond},
	{Type: PreToolUse, Aliases: []string{"PreToolUse"}, Events: []Event{EventPreToolUse}, Stage: StageTool,
		Input: toolInput, Deadline: tool, Fail: FailOpen},
	{Type: PostToolUse, Aliases: []string{"post-tool-use-failure", "PostToolUse", "PostToolUseFailure"}, Events: []Event{EventPostToolUse, EventPostToolUseFailure}, Stage: StageTool,
		Input: toolInput, Deadline: tool, Fail: FailOpen},
	{Type: Autopilot, Events: []Event{EventStop, EventSubagentStart, EventSubagentStop}, Stage: StageAgent, Priority: "P1.5",
		Input: stopInput, Deadline: chain, Fail: FailOpen, Steps: []StepName{StepAutopilot}},
	{Type: SubagentStart, Aliases: []string{"SubagentStart"}, Events: []Event{EventSubagentStart}, Stage: StageAgent,
		Input: subagentInput, Required: []string{"session_id", "cwd"}, Deadline: lifecycle, Fail: FailOpen},
	{Type: SubagentStop, Aliases: []string{"SubagentStop"}, Events: []Event{EventSubagentStop}, Stage: StageAgent,
		Input: subagentInput, Required: []string{"session_id", "cwd"}, Deadline: lifecycle, Fail: FailOpen},
	{Type: PreCompact, Aliases: []string{"PreCompact"}, Events: []Event{EventPreCompact}, Stage: StageMaintenance,
		Input: triggerInput, Required: []string{"session_id", "cwd"}, Deadline: lifecycle, Fail: FailOpen},
	{Type: SetupInit, Aliases: []string{"setup", "Setup"}, Events: []Event{EventSetup}, Stage: StageMaintenance,
		Input: triggerInput, Required: []string{"session_id", "cwd"}, Sensitive: true, Deadline: lifecycle, Fail: FailOpen, Trigger: "init"},
	{Type: SetupMaintenance, Aliases: []string{"setup", "Setup"}, Events: []Event{EventSetup}, Stage: StageMaintenance,
		Input: triggerInput, Required: []string{"session_id", "cwd"}, Sensitive: true, Deadline: lifecycle, Fail: FailOpen, Trigger: "maintenance"},
	{Type: PermissionRequest, Aliases: []string{"PermissionRequest"}, Events: []Event{EventPermissionRequest}, Stage: StageMaintenance,
		Input: permissionInput, Required: []string{"session_id", "cwd", "tool_name"}, Sensitive: true, Deadline: permission, Fail: FailClosed},

	{Type: StopFailure, Duty: DutyRecord, Aliases: []string{"StopFailure"}, Events: []Event{EventStopFailure}, Stage: StageStop,
		Input: own[StopFailureFields], Required: []string{"session_id", "cwd"}, Deadline: lifecycle, Fail: FailOpen},
	{Type: PostCompact, Duty: DutyRecord, Aliases: []string{"PostCompact"}, Events: []Event{EventPostCompact}, Stage: StageMaintenance,
		Input: own[PostCompactFields], Required: []string{"session_id", "cwd"}, Deadline: lifecycle, Fail: FailOpen},
	{Type: ConfigChange, Duty: DutyRecord, Aliases: []string{"ConfigChange"}, Events: []Event{EventConfigChange}, Stage: StageMaintenance,
		Input: own[ConfigChangeFields], Required: []string{"session_id", "cwd"}, Deadline: lifecycle, Fail: FailOpen},
	{Type: PermissionDenied, Duty: DutyRecord, Aliases: []string{"PermissionDenied"}, Events: []Event{EventPermissionDenied}, Stage: StageTool,
		Input: deniedInput, Required: []string{"session_id", "cwd"}, Deadline: lifecycle, Fail: FailOpen},
	{Type: TaskCompleted, Duty: DutyRecord, Aliases: []string{"TaskCompleted"}, Events: []Event{EventTaskCompleted}, Stage: StageAgent,
		Input: own[TaskFields], Required: []string{"session_id", "cwd"}, Deadline: lifecycle, Fail: FailOpen},
	{Type: TeammateIdle, Duty: DutyRecord, Aliases: []string{"TeammateIdle"}, Events: []Event{EventTeammateIdle}, Stage: StageAgent,
		Input: own[TeammateIdleFields], Required: []string{"session_id", "cwd"}, Deadline: lifecycle, Fail: FailOpen},
	{Type: "user-prompt-expansion", Duty: DutySilent, Aliases: []string{"UserPromptExpansion"}, Events: []Event{"UserPromptExpansion"}, Stage: StagePrompt,
		Input: own[UserPromptExpansionFields], Required: []string{"session_id", "cwd"}, Deadline: lifecycle, Fail: FailOpen},
	{Type: "post-tool-batch", Duty: DutySilent, Aliases: []string{"PostToolBatch"}, Events: []Event{"PostToolBatch"}, Stage: StageTool,
		Input: own[PostToolBatchFields], Required: []string{"session_id", "cwd"}, Deadline: lifecycle, Fail: FailOpen},
	{Type: "notification", Duty: DutySilent, Aliases: []string{"Notification"}, Events: []Event{"Notification"}, Stage: StageSession,
		Input: own[NotificationFields], Required: []string{"session_id", "cwd"}, Deadline: lifecycle, Fail: FailOpen},
	{Type: "message-display", Duty: DutySilent, Aliases: []string{"MessageDisplay"}, Events: []Event{"MessageDisplay"}, Stage: StageSession,
		Input: own[MessageDisplayFields], Required: []string{"session_id", "cwd"}, Deadline: lifecycle, Fail: FailOpen},
	{Type: "task-created", Duty: DutySilent, Aliases: []string{"TaskCreated"}, Events: []Event{"TaskCreated"}, Stage: StageAgent,
		Input: own[TaskFields], Required: []string{"session_id", "cwd"}, Deadline: lifecycle, Fail: FailOpen},
	{Type: "elicitation", Duty: DutySilent, Aliases: []string{"Elicitation"}, Events: []Event{"Elicitation"}, Stage: StageTool,
		Input: own[ElicitationFields], Required: []string{"session_id", "cwd"}, Deadline: lifecycle, Fail: FailOpen},
	{Type: "elicitation-result", Duty: DutySilent, Aliases: []string{"ElicitationResult"}, Events: []Event{"ElicitationResult"}, Stage: StageTool,
		Input: own[ElicitationResultFields], Required: []string{"session_id", "cwd"}, Deadline: lifecycle, Fail: FailOpen},
	{Type: "pre-model-switch", Duty: DutySilent, Aliases: []string{"PreModelSwitch"}, Events: []Event{"PreModelSwitch"}, Stage: StageSession,
		Input: own[ModelSwitchFields], Required: []string{"session_id", "cwd"}, Deadline: lifecycle, Fail: FailOpen},
	{Type: "post-model-switch", Duty: DutySilent, Aliases: []string{"PostModelSwitch"}, Events: []Event{"PostModelSwitch"}, Stage: StageSession,
		Input: own[ModelSwitchFields], Required: []string{"session_id", "cwd"}, Deadline: lifecycle, Fail: FailOpen},
	{Type: "instructions-loaded", Duty: DutySilent, Aliases: []string{"InstructionsLoaded"}, Events: []Event{"InstructionsLoaded"}, Stage: StageSession,
		Input: own[InstructionsLoadedFields], Required: []string{"session_id", "cwd"}, Deadline: lifecycle, Fail: FailOpen},
	{Type: "cwd-changed", Duty: DutySilent, Aliases: []string{"CwdChanged"}, Events: []Event{"CwdChanged"}, Stage: StageSession,
		Input: own[CwdChangedFields], Required: []string{"session_id", "cwd"}, Deadline: lifecycle, Fail: FailOpen},
	{Type: "file-changed", Duty: DutySilent, Aliases: []string{"FileChanged"}, Events: []Event{"FileChanged"}, Stage: StageSession,
		Input: own[FileChangedFields], Required: []string{"session_id", "cwd"}, Deadline: lifecycle, Fail: FailOpen},
	{Type: "directory-added", Duty: DutySilent, Aliases: []string{"DirectoryAdded"}, Events: []Event{"DirectoryAdded"}, Stage: StageSession,
		Input: own[DirectoryAddedFields], Required: []string{"session_id", "cwd"}, Deadline: lifecycle, Fail: FailOpen},
	{Type: "worktree-create", Duty: DutySilent, Aliases: []string{"WorktreeCreate"}, Events: []Event{"WorktreeCreate"}, Stage: StageSession,
		Input: own[WorktreeCreateFields], Required: []string{"session_id", "cwd"}, Deadline: lifecycle, Fail: FailOpen},
	{Type: "worktree-remove", Duty: DutySilent, Aliases: []string{"WorktreeRemove"}, Events: []Event{"WorktreeRemove"}, Stage: StageSession,
		Input: own[WorktreeRemoveFields], Required: []string{"session_id", "cwd"}, Deadline: lifecycle, Fail: FailOpen},
}

// AllRows returns the whole table: the types of the standard in its order, then the other
// events of the client.
func AllRows() []Row { return slices.Clone(table[:]) }

// Rows returns the rows of the types of the standard, in its order.
func Rows() []Row {
	return slices.DeleteFunc(AllRows(), func(row Row) bool { return row.Duty != DutyStandard })
}

// WiredRows returns the rows whose events have a hook line: all but the silent ones.
func WiredRows() []Row {
	return slices.DeleteFunc(AllRows(), func(row Row) bool { return row.Duty == DutySilent })
}

// Lookup returns the row of t; ok is false if t is not a type.
func Lookup(t Type) (row Row, ok bool) {
	for i := range table {
		if table[i].Type == t {
			return table[i], true
		}
	}
	return Row{}, false
}
