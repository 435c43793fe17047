package policy

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/client/claude/settingsfile"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/protocol"
)

// ErrProjectEnv means that settings of the project set a variable with an unknown effect
// on commands.
var ErrProjectEnv = errors.New("a variable of the project's settings may change what a program does")

// ClientAsk returns an ask rule in the client's own settings that could match the call,
// or the zero Rule. A hook's allow would override such a rule
// (docs/reference/claude-code.md#allow-beats-ask), so everything doubtful counts as a
// match: a settings file that cannot be read is an error, and a pattern is compared by
// its first word only. For a call that starts a program, a variable that the project's
// settings set is an error too (ErrProjectEnv), unless it is known to be harmless.
//
// The client's deny rules need no check here: they win before any hook runs. projectDirs are those of
// project.SettingsDirs.
func ClientAsk(c Call, projectDirs []string, getenv func(string) string) (rule Rule, err error) {
	if dir := getenv(claude.EnvConfigDir); dir != "" && !filepath.IsAbs(dir) {
		return Rule{}, fmt.Errorf("%s=%s is not an absolute path, so the user's settings cannot be found", claude.EnvConfigDir, dir)
	}
	for _, source := range settingsfile.Files(projectDirs, getenv) {
		s, err := read(source)
		if err != nil {
			return Rule{}, err
		}
		for _, ask := range s.Permissions.Ask {
			if mayMatch(ask, c) {
				return Rule{Text: ask, Source: source.Path, List: "ask"}, nil
			}
		}
		if name := s.unknownVariable(); name != "" && startsProgram(c.Tool) && ofRepository(source, getenv) {
			return Rule{}, fmt.Errorf("%s in the env of %s: %w", name, source.Path, ErrProjectEnv)
		}
	}
	return Rule{}, nil
}

// ProjectSets returns the file of the project's settings whose env sets a variable,
// or cannot be understood and so may set it; "" for none.
func ProjectSets(variable string, projectDirs []string, getenv func(string) string) (file string) {
	for _, source := range settingsfile.Files(projectDirs, getenv) {
		if source.Scope.Trusted() {
			continue
		}
		s, err := read(source)
		env, ok := s.variables()
		_, sets := env[variable]
		if (err != nil || !ok || sets) && ofRepository(source, getenv) {
			return source.Path
		}
	}
	return ""
}

// Screen returns a getenv that hides the variables that bridge ignores (claude.Ignored)
// if the project's settings set them. It reads those settings only when such a variable
// is asked for and has a value. getwd returns the directory in which this process was
// started. Screen calls ignored once for each hidden variable, with the file that sets
// it.
func Screen(getenv func(string) string, getwd func() (string, error), ignored func(name, file string)) func(string) string {
	var judged sync.Map
	return func(name string) string {
		value := getenv(name)
		if value == "" || claude.Variable(name) != claude.Ignored {
			return value
		}
		screened, ok := judged.Load(name)
		if !ok {
			dir, _ := getwd()
			file := ProjectSets(name, project.SettingsDirs(project.Find(dir, getenv), dir, getenv), getenv)
			if file != "" {
				value = ""
			}
			var known bool
			if screened, known = judged.LoadOrStore(name, value); !known && file != "" {
				ignored(name, file)
			}
		}
		return screened.(string)
	}
}

// ofRepository reports whether a repository may have brought a settings file.
func ofRepository(source settingsfile.Source, getenv func(string) string) bool {
	return !source.Scope.Trusted() && !project.IsHome(filepath.Dir(filepath.Dir(source.Path)), getenv)
}

// startsProgram reports whether the client starts a program to carry out a call. Grep and Glob search with ripgrep,
// which can run other programs if RIPGREP_CONFIG_PATH says so.
func startsProgram(tool string) bool {
	kind := claude.Kind(tool)
	return kind == protocol.ToolShell || kind == protocol.ToolSearch
}

// unknownVariable returns a variable in the env of the settings that may change what a
// program does, or "". If env cannot be understood, it returns "env".
func (s settingsFile) unknownVariable() string {
	env, ok := s.variables()
	if !ok {
		return "env"
	}
	for _, name := range slices.Sorted(maps.Keys(env)) {
		if kind := env[name].Kind(); kind == '{' || kind == '[' {
			return name
		}
		switch claude.Variable(name) {
		case claude.Doubtful, claude.KillSwitch:
			return name
		case claude.Harmless, claude.Ignored:
		}
	}
	return ""
}

// variables are the variables in env; ok is false if env cannot be understood.
func (s settingsFile) variables() (env map[string]jsontext.Value, ok bool) {
	ok = s.Env == nil || s.Env.Kind() == '{' && json.Unmarshal(s.Env, &env) == nil
	return env, ok
}

// settingsFile holds the members of a settings file of the client that matter here.
type settingsFile struct {
	Permissions struct {
		Ask []string `json:"ask"`
	} `json:"permissions"`
	Env jsontext.Value `json:"env"`
}

// read reads one settings file; an absent one is empty.
func read(source settingsfile.Source) (s settingsFile, err error) {
	if err := source.Decode(&s); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return settingsFile{}, fmt.Errorf("the client's settings: %w", err)
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
	kind := claude.Kind(tool)
	return kind == protocol.ToolRead || kind == protocol.ToolSearch
}

func writesFiles(tool string) bool { return claude.Kind(tool) == protocol.ToolWrite }
