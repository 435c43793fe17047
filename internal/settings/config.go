// Package settings reads the user's own configuration,
// $XDG_CONFIG_HOME/bridge/config.json: JSON with comments.
package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
	"github.com/tailscale/hujson"
)

// FileName is the name of the user's configuration below the configuration home.
const FileName = "config.json"

// Config is the user's configuration. An absent file is the zero Config.
type Config struct {
	// Deadlines gives the longest run of a hook type, in milliseconds.
	Deadlines map[protocol.Type]int `json:"deadlines_ms,omitempty"`
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
	// StrictGuard allows every stop within a turn that a hook continued (seed 001);
	// without it a stop is blocked there when there was progress since.
	StrictGuard bool `json:"strict_guard,omitempty"`
	// IndexCommand is run with --quiet when a spec is complete, in the place of the
	// index that bridge writes.
	IndexCommand string `json:"index_command,omitempty"`
	// Variant is "codex" where the sibling of that name drives the specs; "specum" is
	// the default.
	Variant string `json:"variant,omitempty" jsonschema:"enum=specum,enum=codex"`
}

// Smart holds what only the user may decide about smart ralph: what is run, and
// how far a repository's .claude/ralph-smart/config.json may go (design decision
// 15). Clamps that are absent clamp nothing.
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
	// AskRulesInFiles says that every ask rule of the user stands in a settings file
	// of the client: none comes on its command line, from an SDK or over the network.
	// Then a line of several commands passes although the client offers no rule for
	// some of them.
	AskRulesInFiles bool `json:"ask_rules_in_files,omitempty"`
	// MaxBackgroundTasks is how many background tasks a session may have at once;
	// 0 is the default, a negative number no limit.
	MaxBackgroundTasks int `json:"max_background_tasks,omitempty"`
}

// defaultBackgroundTasks follows spec/omc-modes.md, section 5.7.
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

// Load reads the configuration below configHome. An empty home or an absent file
// is the zero Config; a file that cannot be read or does not parse is an error,
// which permission-request must not pass over.
func Load(configHome string) (Config, error) {
	var config Config
	if configHome == "" {
		return config, nil
	}
	path := filepath.Join(configHome, FileName)
	dir, err := statefile.OpenDir(configHome)
	if errors.Is(err, fs.ErrNotExist) || belowAFile(configHome) {
		return config, nil
	}
	if err != nil {
		return config, fmt.Errorf("open the configuration directory: %w", err)
	}
	defer dir.Close()
	file, err := dir.Read(FileName)
	if errors.Is(err, fs.ErrNotExist) {
		return config, nil
	}
	if err != nil {
		return config, fmt.Errorf("read the configuration %s: %w", path, err)
	}
	standard, err := Standardize(file.Data)
	if err != nil {
		return config, fmt.Errorf("parse the configuration %s: %w", path, err)
	}
	if err := json.Unmarshal(standard, &config, json.RejectUnknownMembers(true)); err != nil {
		return Config{}, fmt.Errorf("parse the configuration %s: %w", path, err)
	}
	for t := range config.Deadlines {
		if _, ok := protocol.Lookup(t); !ok {
			return Config{}, fmt.Errorf("parse the configuration %s: deadlines_ms has an unknown key %q; the keys are %s", path, t, hookTypes())
		}
	}
	if v := config.Specum.Variant; v != "" && v != "specum" && v != "codex" {
		return Config{}, fmt.Errorf(`parse the configuration %s: specum.variant is "specum" or "codex", got: %q`, path, v)
	}
	return config, nil
}

// hookTypes lists the hook types for a message.
func hookTypes() string {
	var names []string
	for _, row := range protocol.Rows() {
		names = append(names, string(row.Type))
	}
	return strings.Join(names, ", ")
}

// belowAFile reports a path that nothing can stand at, because something above it
// is no directory: HOME=/dev/null is a usual way to say that there is no home.
func belowAFile(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, syscall.ENOTDIR)
}

// Deadline returns how long a hook of the row may run.
func (c Config) Deadline(row protocol.Row) time.Duration {
	if ms := c.Deadlines[row.Type]; ms > 0 {
		return time.Duration(ms) * time.Millisecond
	}
	return row.Deadline
}

// maxBrackets is how many objects and arrays a file may have that is not plain JSON.
const maxBrackets = 20_000

var errBrackets = errors.New("more than 20,000 brackets in a file that is not plain JSON")

// Standardize turns JSON with comments and trailing commas into JSON. A byte order
// mark is skipped, and the last line may be a comment without an end.
func Standardize(data []byte) ([]byte, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if jsontext.Value(data).IsValid() {
		return data, nil
	}
	// hujson goes down into every bracket, and a stack that overflows ends the
	// process with exit code 2.
	if bytes.Count(data, []byte("["))+bytes.Count(data, []byte("{")) > maxBrackets {
		return nil, errBrackets
	}
	return hujson.Standardize(append(slices.Clip(data), '\n'))
}
