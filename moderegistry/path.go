package moderegistry

import (
	"strings"

	"github.com/hookbridge/bridge/internal/session"
)

// File is a kind of file or directory below .omc. One table holds all their paths,
// because the worst bugs of other tools came from a reader and a writer that used different
// paths for one file (docs/reference/modes.md#one-path-table).
type File string

// The files other than the modes' own state (StateFile).
const (
	RalphVerification   File = "ralph-verification"
	UltrapilotOwnership File = "ultrapilot-ownership"
	SwarmMarker         File = "swarm-marker"
	SwarmSummary        File = "swarm-summary"
	SwarmDatabase       File = "swarm-database"
	// ToolError holds the last tool that failed.
	ToolError File = "tool-error"
	// PendingToolUse holds what a late post-tool-use still has to do
	// (docs/reference/hook-standard.md#timeouts).
	PendingToolUse File = "pending-tool-use"
	// AgentTracking lists the subagents of a session.
	AgentTracking File = "agent-tracking"
	// AgentReplay has one line for each event of a subagent.
	AgentReplay File = "agent-replay"
	// CancelSignal tells hooks that a cancel is in progress.
	CancelSignal File = "cancel-signal"
	// SkillLedger says which workflows were completed.
	SkillLedger    File = "skill-ledger"
	HUD            File = "hud"
	SessionStarted File = "session-started"
	Summary        File = "summary"
	PRD            File = "prd"
	Todos          File = "todos"
	AutopilotSpec  File = "autopilot-spec"
	AutopilotPlan  File = "autopilot-plan"
	// The directories.
	SessionsDir    File = "sessions-dir"
	CheckpointsDir File = "checkpoints-dir"
	NotepadsDir    File = "notepads-dir"
	PlansDir       File = "plans-dir"
	LogsDir        File = "logs-dir"
)

// StateFile is the state of a mode.
func StateFile(mode Mode) File { return File(string(mode) + "-state") }

// Entry is a line of the path table. {sid} stands for the session id; an empty path means
// that the file has no path of that kind.
type Entry struct {
	File            File
	Session, Legacy string
	Dir             bool
}

// Entries returns the path table (docs/reference/modes.md#paths). Paths are relative to
// .omc and use slashes.
func Entries() []Entry {
	const sessions = "state/sessions/{sid}/"
	table := []Entry{
		{File: RalphVerification, Session: sessions + "ralph-verification-state.json", Legacy: "state/ralph-verification.json"},
		{File: UltrapilotOwnership, Legacy: "state/ultrapilot-ownership.json"},
		{File: SwarmMarker, Legacy: "state/swarm-active.marker"},
		{File: SwarmSummary, Legacy: "state/swarm-summary.json"},
		{File: SwarmDatabase, Legacy: "state/swarm.db"},
		{File: ToolError, Session: sessions + "last-tool-error-state.json", Legacy: "state/last-tool-error.json"},
		{File: PendingToolUse, Session: sessions + "post-tool-use-state.json", Legacy: "state/post-tool-use-state.json"},
		{File: AgentTracking, Session: sessions + "subagent-tracking-state.json", Legacy: "state/subagent-tracking.json"},
		{File: AgentReplay, Session: "state/agent-replay-{sid}.jsonl"},
		{File: CancelSignal, Session: sessions + "cancel-signal-state.json", Legacy: "state/cancel-signal-state.json"},
		{File: SkillLedger, Session: sessions + "skill-active-state.json", Legacy: "state/skill-active-state.json"},
		{File: HUD, Session: sessions + "hud-state.json", Legacy: "state/hud-state.json"},
		{File: SessionStarted, Session: sessions + "session-started.json"},
		{File: Summary, Session: "sessions/{sid}.json"},
		{File: PRD, Session: sessions + "prd.json", Legacy: "prd.json"},
		{File: Todos, Session: sessions + "todos.json"},
		{File: AutopilotSpec, Legacy: "autopilot/spec.md"},
		{File: AutopilotPlan, Legacy: "plans/autopilot-impl.md"},
		{File: SessionsDir, Legacy: "state/sessions", Dir: true},
		{File: CheckpointsDir, Legacy: "state/checkpoints", Dir: true},
		{File: NotepadsDir, Legacy: "notepads", Dir: true},
		{File: PlansDir, Legacy: "plans", Dir: true},
		{File: LogsDir, Legacy: "logs", Dir: true},
	}
	for _, row := range Rows() {
		name := string(row.Mode) + "-state.json"
		table = append(table, Entry{File: StateFile(row.Mode), Session: sessions + name, Legacy: "state/" + name})
	}
	return table
}

// SessionPath is the file's path for one session. ok is false if the file has none, or if
// the id must not be used in a path (docs/design.md#session-ids).
func SessionPath(file File, sessionID string) (path string, ok bool) {
	e := entry(file)
	if e.Session == "" || !session.ValidID(sessionID) {
		return "", false
	}
	return strings.ReplaceAll(e.Session, "{sid}", sessionID), true
}

// LegacyPath is the file's path for all sessions; ok is false if the file has none.
func LegacyPath(file File) (path string, ok bool) {
	e := entry(file)
	return e.Legacy, e.Legacy != ""
}

// Path is where the file is written for a session: its session path if it has one,
// otherwise the legacy path.
func Path(file File, sessionID string) (path string, ok bool) {
	if path, ok = SessionPath(file, sessionID); ok {
		return path, true
	}
	return LegacyPath(file)
}

func entry(file File) Entry {
	for _, e := range Entries() {
		if e.File == file {
			return e
		}
	}
	return Entry{}
}
