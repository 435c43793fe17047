package protocol

import "time"

// Config is the user's configuration. If there is no file, it is the zero Config.
type Config struct {
	// Deadlines gives the maximum running time of a hook type, in milliseconds.
	Deadlines map[Type]int `json:"deadlines_ms,omitempty"`
	// Log names a file for the debug log: an absolute path, or a path below the state
	// directory.
	Log string `json:"log,omitempty"`
	// Record keeps the payloads and answers of hooks, redacted, below the state
	// directory, for bridge replay and bridge explain --last.
	Record bool `json:"record,omitempty"`
	// Permissions are the rules and options of permission-request and of the
	// tool guards.
	Permissions Permissions `json:"permissions,omitzero"`
	// Lang is the language of smart ralph's texts, "zh" or "en".
	Lang string `json:"lang,omitempty"`
	// Smart is about smart ralph.
	Smart Smart `json:"smart,omitzero"`
	// Specum is about ralph-specum, speckit and codex.
	Specum Specum `json:"specum,omitzero"`
	// StopDelivery is how a loop's text reaches the model at a stop: "block", as the
	// reason of a block, or "context", as additional context, which Claude Code sends
	// once where it sends a reason twice. The default is "block".
	StopDelivery StopDelivery `json:"stop_delivery,omitempty" jsonschema:"enum=block,enum=context"`
	// Keywords is about the words in a prompt that start a mode.
	Keywords Keywords `json:"keywords,omitzero"`
	// Prices overrides or adds list prices for bridge usage, by the name of the model.
	Prices map[string]ModelPrice `json:"prices,omitempty"`
}

// ModelPrice is what a model costs, in dollars per million tokens.
type ModelPrice struct {
	Input      float64 `json:"input" jsonschema:"minimum=0"`
	Output     float64 `json:"output" jsonschema:"minimum=0"`
	CacheWrite float64 `json:"cache_write" jsonschema:"minimum=0"`
	CacheRead  float64 `json:"cache_read" jsonschema:"minimum=0"`
}

// StopDelivery is how the text of a continuation reaches the model.
type StopDelivery string

// The deliveries; an empty one is DeliverBlock.
const (
	DeliverBlock   StopDelivery = "block"
	DeliverContext StopDelivery = "context"
)

// Keywords are the user's settings for the words that start a mode.
type Keywords struct {
	// Disabled lists modes, such as "ralph", or single words, such as "ulw", that start
	// nothing. The words that cancel cannot be switched off.
	Disabled []string `json:"disabled,omitempty"`
}

// Specum holds the settings of ralph-specum that only the user may make.
type Specum struct {
	// StrictGuard allows every stop within a turn that a hook continued. Without it, such
	// a stop is blocked if there was progress.
	StrictGuard bool `json:"strict_guard,omitempty"`
	// IndexCommand runs with --quiet when a spec is complete, instead of the index that
	// bridge writes.
	IndexCommand string `json:"index_command,omitempty"`
	// Variant is "codex" if the codex sibling drives the specs. The default is "specum".
	Variant string `json:"variant,omitempty" jsonschema:"enum=specum,enum=codex"`
}

// Smart holds the settings of smart ralph that only the user may make: which programs
// run, and the limits for a repository's .claude/ralph-smart/config.json
// (docs/design.md#repositories-tighten). An absent clamp limits nothing.
type Smart struct {
	// GitStatus lets the Stop hook run git status. TestCommand runs when the model says
	// that a task is done, for at most TestTimeout seconds (default 30, and never past
	// the hook's deadline).
	GitStatus   bool   `json:"git_status,omitempty"`
	TestCommand string `json:"test_command,omitempty"`
	TestTimeout int    `json:"test_timeout_s,omitempty"`
	// ConfidenceThreshold is a percentage; 0 means the default of 80.
	ConfidenceThreshold int        `json:"confidence_threshold,omitempty"`
	Clamp               SmartClamp `json:"clamp,omitzero"`
}

// SmartClamp limits the values of every session: at most this many iterations, at least
// this threshold, a stall after at most this many iterations, never auto_approve, always
// strict.
type SmartClamp struct {
	MaxIterations       int   `json:"max_iterations,omitempty"`
	CompletionThreshold int   `json:"completion_threshold,omitempty"`
	StallDetection      int   `json:"stall_detection,omitempty"`
	AutoApprove         *bool `json:"auto_approve,omitempty"`
	StrictMode          *bool `json:"strict_mode,omitempty"`
}

// Permissions are the user's rules for tool calls, each of the form Tool or
// Tool(pattern).
type Permissions struct {
	Deny  []string `json:"deny,omitempty"`
	Ask   []string `json:"ask,omitempty"`
	Allow []string `json:"allow,omitempty"`
	// NetworkReads lets commands pass without a dialog that only read, but over the
	// network.
	NetworkReads bool `json:"network_reads,omitempty"`
	// AskRulesInFiles says that every ask rule of the user is in a settings file of the
	// client, and none comes from its command line, from an SDK or over the network. A
	// line of several commands then passes even if the client offers no rule for some of
	// them.
	AskRulesInFiles bool `json:"ask_rules_in_files,omitempty"`
	// Secrets are additional names of files that hold secrets, with * for any text:
	// "*.vault", or "config/prod.yml" with directories. A name that begins with ! is an
	// exception: "!secrets".
	Secrets []string `json:"secrets,omitempty"`
	// MaxBackgroundTasks is how many background tasks a session may have at once; 0 means
	// the default, a negative number means no limit.
	MaxBackgroundTasks int `json:"max_background_tasks,omitempty"`
}

// defaultBackgroundTasks follows docs/reference/records.md#background-limit.
const defaultBackgroundTasks = 5

// BackgroundLimit is the limit of background tasks; 0 means no limit.
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
