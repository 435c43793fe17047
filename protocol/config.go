package protocol

import "time"

// Config is the user's configuration. An absent file is the zero Config.
type Config struct {
	// Deadlines gives the longest run of a hook type, in milliseconds.
	Deadlines map[Type]int `json:"deadlines_ms,omitempty"`
	// Log names a file for the debug log, absolute or below the state home.
	Log string `json:"log,omitempty"`
	// Record keeps the payloads and answers of hooks, redacted, below the state
	// home, for bridge replay and bridge explain --last.
	Record bool `json:"record,omitempty"`
	// Permissions are the rules and options of permission-request and of the
	// tool guards.
	Permissions Permissions `json:"permissions,omitzero"`
	// Lang is the language of smart ralph's texts, "zh" or "en".
	Lang string `json:"lang,omitempty"`
	// Smart is about smart ralph.
	Smart Smart `json:"smart,omitzero"`
	// Specum is about ralph-specum and its siblings.
	Specum Specum `json:"specum,omitzero"`
	// Keywords are the words in a prompt that start a mode.
	Keywords Keywords `json:"keywords,omitzero"`
}

// Keywords are the user's wishes about words that start a mode.
type Keywords struct {
	// Disabled lists modes, such as "ralph", or single words, such as "ulw", that
	// start nothing. The words that cancel cannot be switched off.
	Disabled []string `json:"disabled,omitempty"`
}

// Specum holds what only the user may decide about ralph-specum.
type Specum struct {
	// StrictGuard allows every stop within a turn that a hook continued; without it a
	// stop is blocked there when there was progress since.
	StrictGuard bool `json:"strict_guard,omitempty"`
	// IndexCommand is run with --quiet when a spec is complete, in the place of the
	// index that bridge writes.
	IndexCommand string `json:"index_command,omitempty"`
	// Variant is "codex" where the sibling of that name drives the specs; "specum" is
	// the default.
	Variant string `json:"variant,omitempty" jsonschema:"enum=specum,enum=codex"`
}

// Smart holds what only the user may decide about smart ralph: what is run, and how far
// a repository's .claude/ralph-smart/config.json may go
// (docs/design.md#repositories-tighten). Clamps that are absent clamp nothing.
type Smart struct {
	// GitStatus lets the Stop hook run git status; TestCommand is run when the
	// model says that a task is done, for at most TestTimeout seconds (default
	// 30, and never past the hook's deadline).
	GitStatus   bool   `json:"git_status,omitempty"`
	TestCommand string `json:"test_command,omitempty"`
	TestTimeout int    `json:"test_timeout_s,omitempty"`
	// ConfidenceThreshold is a percentage; 0 is the default of 80.
	ConfidenceThreshold int        `json:"confidence_threshold,omitempty"`
	Clamp               SmartClamp `json:"clamp,omitzero"`
}

// SmartClamp bounds the values of a session, whoever asks for them: at most that
// many iterations, at least that threshold, a stall after at most that many
// iterations, never auto_approve, always strict.
type SmartClamp struct {
	MaxIterations       int   `json:"max_iterations,omitempty"`
	CompletionThreshold int   `json:"completion_threshold,omitempty"`
	StallDetection      int   `json:"stall_detection,omitempty"`
	AutoApprove         *bool `json:"auto_approve,omitempty"`
	StrictMode          *bool `json:"strict_mode,omitempty"`
}

// Permissions are the user's rules for tool calls, each Tool or Tool(pattern).
type Permissions struct {
	Deny  []string `json:"deny,omitempty"`
	Ask   []string `json:"ask,omitempty"`
	Allow []string `json:"allow,omitempty"`
	// NetworkReads lets commands that only read, but over the network, pass
	// without a dialog.
	NetworkReads bool `json:"network_reads,omitempty"`
	// AskRulesInFiles says that every ask rule of the user is in a settings file
	// of the client: none comes on its command line, from an SDK or over the network.
	// Then a line of several commands passes although the client offers no rule for
	// some of them.
	AskRulesInFiles bool `json:"ask_rules_in_files,omitempty"`
	// Secrets are more names of files that hold secrets, with * for any text:
	// "*.vault", or with directories, "config/prod.yml". One that begins with ! takes
	// names out: "!secrets".
	Secrets []string `json:"secrets,omitempty"`
	// MaxBackgroundTasks is how many background tasks a session may have at once;
	// 0 is the default, a negative number no limit.
	MaxBackgroundTasks int `json:"max_background_tasks,omitempty"`
}

// defaultBackgroundTasks follows docs/reference/records.md#background-limit.
const defaultBackgroundTasks = 5

// BackgroundLimit is the limit of background tasks; 0 is none.
func (p Permissions) BackgroundLimit() int {
	switch {
	case p.MaxBackgroundTasks < 0:
		return 0
	case p.MaxBackgroundTasks == 0:
		return defaultBackgroundTasks
	}
	return p.MaxBackgroundTasks
}

// Deadline returns how long a hook of the row may run.
func (c Config) Deadline(row Row) time.Duration {
	if ms := c.Deadlines[row.Type]; ms > 0 {
		return time.Duration(ms) * time.Millisecond
	}
	return row.Deadline
}
