package policy

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/settings"
	"github.com/hookbridge/bridge/internal/statefile"
)

// ErrProjectEnv means that settings of the project set a variable of which nobody
// knows what it makes of a command.
var ErrProjectEnv = errors.New("a variable of the project's settings may change what a program does")

// ClientAsk returns an ask rule in the client's own settings that could match
// the call, or "". A hook's allow would override such a rule (design section 2),
// so everything doubtful counts as a match: a settings file that cannot be read
// is an error, and a pattern is compared by its first word only. For a call that
// starts a program, a variable that the project's settings set is an error too
// (ErrProjectEnv), unless it is known to be harmless.
//
// The client's deny rules need no such look: they win before any hook runs.
// projectDirs are those of protocol.Places.SettingsDirs.
func ClientAsk(c Call, projectDirs []string, getenv func(string) string) (rule string, err error) {
	look := func(file string) (settingsFile, error) {
		s, err := readSettings(file)
		if err != nil {
			return s, err
		}
		for _, ask := range s.Permissions.Ask {
			if rule == "" && mayMatch(ask, c) {
				rule = ask + " in " + file
			}
		}
		return s, nil
	}
	for _, file := range usersSettings(getenv) {
		if _, err := look(file); err != nil || rule != "" {
			return rule, err
		}
	}
	for _, dir := range projectDirs {
		for _, file := range settingsOf(filepath.Join(dir, ".claude")) {
			s, err := look(file)
			if err != nil || rule != "" {
				return rule, err
			}
			if name := s.unknownVariable(); name != "" && startsProgram(c.Tool) && !project.IsHome(dir, getenv) {
				return "", fmt.Errorf("%s in the env of %s: %w", name, file, ErrProjectEnv)
			}
		}
	}
	return "", nil
}

// ProjectSets returns the file of the project's settings whose env sets a variable,
// or cannot be understood and so may set it; "" for none.
func ProjectSets(variable string, projectDirs []string, getenv func(string) string) (file string) {
	for _, dir := range projectDirs {
		for _, file := range settingsOf(filepath.Join(dir, ".claude")) {
			s, err := readSettings(file)
			env, ok := s.variables()
			_, sets := env[variable]
			if (err != nil || !ok || sets) && !project.IsHome(dir, getenv) {
				return file
			}
		}
	}
	return ""
}

// startsProgram reports whether the client starts a program to carry out a call.
// Grep and Glob search with ripgrep, which RIPGREP_CONFIG_PATH tells to run others.
func startsProgram(tool string) bool {
	return inputOf(tool) == commandInput || tool == "Grep" || tool == "Glob"
}

// unknownVariable returns a variable that the env of the settings sets and that is
// not known to be harmless, "env" if it cannot be understood, or "".
func (s settingsFile) unknownVariable() string {
	env, ok := s.variables()
	if !ok {
		return "env"
	}
	for _, name := range slices.Sorted(maps.Keys(env)) {
		if kind := env[name].Kind(); !harmless(name) || kind == '{' || kind == '[' {
			return name
		}
	}
	return ""
}

// variables are those of env; ok is false if it cannot be understood.
func (s settingsFile) variables() (env map[string]jsontext.Value, ok bool) {
	ok = s.Env == nil || s.Env.Kind() == '{' && json.Unmarshal(s.Env, &env) == nil
	return env, ok
}

// harmless reports whether no value of a variable changes which program runs, what
// it reads or where it sends something: limits and switches of the client, and
// colours.
func harmless(name string) bool {
	switch name {
	case "ANTHROPIC_MODEL", "ANTHROPIC_SMALL_FAST_MODEL", "CLAUDE_CODE_SUBAGENT_MODEL",
		"BASH_DEFAULT_TIMEOUT_MS", "BASH_MAX_TIMEOUT_MS", "BASH_MAX_OUTPUT_LENGTH",
		"CLAUDE_CODE_MAX_OUTPUT_TOKENS", "MAX_THINKING_TOKENS", "MAX_MCP_OUTPUT_TOKENS", "MCP_TIMEOUT", "MCP_TOOL_TIMEOUT",
		"CLAUDE_CODE_STOP_HOOK_BLOCK_CAP", "CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
		"DISABLE_AUTOUPDATER", "DISABLE_BUG_COMMAND", "DISABLE_COST_WARNINGS", "DISABLE_ERROR_REPORTING", "DISABLE_TELEMETRY",
		"FORCE_COLOR", "NO_COLOR":
		return true
	}
	return false
}

// usersSettings lists the settings files of the client that no repository writes:
// managed and the user's.
func usersSettings(getenv func(string) string) []string {
	managed := managedDir()
	files := []string{filepath.Join(managed, "managed-settings.json")}
	if parts, err := filepath.Glob(filepath.Join(managed, "managed-settings.d", "*.json")); err == nil {
		files = append(files, parts...)
	}
	user := getenv("CLAUDE_CONFIG_DIR")
	if user == "" {
		if home := getenv("HOME"); home != "" {
			user = filepath.Join(home, ".claude")
		} else if home := getenv("USERPROFILE"); home != "" {
			user = filepath.Join(home, ".claude")
		}
	}
	if user == "" {
		return files
	}
	// What the user's organisation sends is kept there, too.
	return append(append(files, filepath.Join(user, "remote-settings.json")), settingsOf(user)...)
}

// settingsOf lists the settings files in a directory of the client.
func settingsOf(dir string) []string {
	return []string{filepath.Join(dir, "settings.json"), filepath.Join(dir, "settings.local.json")}
}

func managedDir() string {
	switch runtime.GOOS {
	case "darwin":
		return "/Library/Application Support/ClaudeCode"
	case "windows":
		return `C:\Program Files\ClaudeCode`
	}
	return "/etc/claude-code"
}

// maxSettings is the size above which a settings file of the client is not read.
const maxSettings = 16 << 20

// settingsFile holds the members of a settings file of the client that matter here.
type settingsFile struct {
	Permissions struct {
		Ask []string `json:"ask"`
	} `json:"permissions"`
	Env jsontext.Value `json:"env"`
}

// readSettings reads one settings file; an absent one is empty.
func readSettings(file string) (s settingsFile, err error) {
	data, err := statefile.ReadFile(file, maxSettings)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err == nil {
		data, err = settings.Standardize(data)
	}
	if err == nil {
		err = json.Unmarshal(data, &s)
	}
	if err != nil {
		return s, fmt.Errorf("read the client's settings %s: %w", file, err)
	}
	return s, nil
}

// mayMatch reports whether a rule of the client could match the call. It errs
// on the side of yes.
func mayMatch(rule string, c Call) bool {
	tool, pattern, _ := strings.Cut(rule, "(")
	tool = strings.TrimSpace(tool)
	shell := c.Text != ""
	switch {
	case tool == c.Tool, tool == "*", strings.Contains(tool, "*") && glob(tool, c.Tool):
	case strings.HasPrefix(c.Tool, tool+"__"):
		// mcp__server stands for all tools of the server.
		return true
	case readsFiles(tool) && (shell || readsFiles(c.Tool)), writesFiles(tool) && (shell || writesFiles(c.Tool)):
		return true
	default:
		return false
	}
	if !shell {
		return true
	}
	word, _, _ := strings.Cut(strings.TrimSpace(pattern), "*")
	word, _, _ = strings.Cut(word, ":")
	word, _, _ = strings.Cut(strings.TrimRight(word, ")"), " ")
	if strings.Contains(c.Text, word) {
		return true
	}
	return slices.ContainsFunc(c.Commands, func(command string) bool { return strings.Contains(command, word) })
}

func readsFiles(tool string) bool {
	return slices.Contains([]string{"Read", "Grep", "Glob", "LS", "NotebookRead"}, tool)
}

func writesFiles(tool string) bool {
	return slices.Contains([]string{"Edit", "Write", "MultiEdit", "NotebookEdit"}, tool)
}
