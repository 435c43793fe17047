package settingsfile

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/internal/self"
)

// HookLine is one hook handler in a source.
type HookLine struct {
	Source Source
	Event  string
	// Matcher is the matcher of the group. HasMatcher distinguishes an empty matcher from
	// none.
	Matcher    string
	HasMatcher bool
	Type       string
	Command    string
	// Args are nil in shell form.
	Args []string
	// Timeout is in seconds, the unit of the client. nil means none; -1 means a value
	// that is not a number.
	Timeout   *float64
	OnFailure string
	If        string
	Async     bool
	// Rewake is asyncRewake, Once is once, and Shell is the shell of the shell form.
	Rewake, Once bool
	Shell        string
	// Pointer is the handler's position in the file (RFC 6901).
	Pointer string
}

// Settings are the members of a source that are about hooks.
type Settings struct {
	Lines           []HookLine
	DisableAllHooks bool
	// EnableHooks says that disableAllHooks is there and false, which overrides another
	// file.
	EnableHooks bool
	// OnlyOthers is the switch with which managed settings leave all hooks out except for
	// managed ones or those of plugins; "" if there is none.
	OnlyOthers string
	// Env is the environment that the client sets.
	Env map[string]string
	// Plugins are those that the source switches on or off.
	Plugins map[string]bool
}

// members are the members of a file that are about hooks. The client rejects a file in
// which env or enabledPlugins is not an object.
type members struct {
	Hooks           jsontext.Value            `json:"hooks"`
	DisableAllHooks jsontext.Value            `json:"disableAllHooks"`
	ManagedOnly     jsontext.Value            `json:"allowManagedHooksOnly"`
	PluginOnly      jsontext.Value            `json:"strictPluginOnlyCustomization"`
	Env             map[string]jsontext.Value `json:"env"`
	EnabledPlugins  map[string]jsontext.Value `json:"enabledPlugins"`
}

// Read reads a source. Like the client, it skips what does not have the form of a hook.
func Read(source Source) (Settings, error) {
	var m members
	if err := source.Decode(&m); err != nil {
		return Settings{}, err
	}
	return m.settings(source), nil
}

// Parse reads the text of a settings file.
func Parse(text []byte) (Settings, error) {
	var m members
	if err := Decode(text, &m); err != nil {
		return Settings{}, err
	}
	return m.settings(Source{}), nil
}

func (m members) settings(source Source) Settings {
	s := Settings{Lines: lines(source, m.Hooks), DisableAllHooks: m.DisableAllHooks.Kind() == 't', EnableHooks: m.DisableAllHooks.Kind() == 'f', Env: map[string]string{}}
	if source.Scope == Managed {
		s.OnlyOthers = m.onlyOthers()
	}
	for name, value := range m.EnabledPlugins {
		if s.Plugins == nil {
			s.Plugins = map[string]bool{}
		}
		s.Plugins[name] = value.Kind() != 'f'
	}
	for name, value := range m.Env {
		var text string
		if value.Kind() == '"' && json.Unmarshal(value, &text) == nil {
			s.Env[name] = text
		} else {
			s.Env[name] = string(value)
		}
	}
	return s
}

// onlyOthers is Settings.OnlyOthers. The client reads these switches in managed settings
// only (docs/reference/claude-code.md#configuration).
func (m members) onlyOthers() string {
	var surfaces []string
	switch {
	case m.ManagedOnly.Kind() == 't':
		return "allowManagedHooksOnly"
	case m.PluginOnly.Kind() == 't', json.Unmarshal(m.PluginOnly, &surfaces) == nil && slices.Contains(surfaces, "hooks"):
		return "strictPluginOnlyCustomization"
	}
	return ""
}

// HookLines returns the hook lines in the text of a settings file, whatever else is in
// it.
func HookLines(text []byte) ([]HookLine, error) {
	var file struct {
		Hooks jsontext.Value `json:"hooks"`
	}
	err := Decode(text, &file)
	return lines(Source{}, file.Hooks), err
}

func lines(source Source, value jsontext.Value) []HookLine {
	var events map[string]jsontext.Value
	if value.Kind() != '{' || json.Unmarshal(value, &events) != nil {
		return nil
	}
	var all []HookLine
	for _, event := range slices.Sorted(maps.Keys(events)) {
		var groups []jsontext.Value
		if json.Unmarshal(events[event], &groups) != nil {
			continue
		}
		for i, group := range groups {
			var g struct {
				Matcher *string          `json:"matcher"`
				Hooks   []jsontext.Value `json:"hooks"`
			}
			if json.Unmarshal(group, &g) != nil {
				continue
			}
			for j, handler := range g.Hooks {
				line, ok := parseHandler(handler)
				if !ok {
					continue
				}
				line.Source, line.Event = source, event
				if g.Matcher != nil {
					line.Matcher, line.HasMatcher = *g.Matcher, true
				}
				line.Pointer = "/hooks/" + escapePointer(event) + "/" + strconv.Itoa(i) + "/hooks/" + strconv.Itoa(j)
				all = append(all, line)
			}
		}
	}
	return all
}

func parseHandler(value jsontext.Value) (HookLine, bool) {
	var h struct {
		Type      string           `json:"type"`
		Command   string           `json:"command"`
		Args      []jsontext.Value `json:"args"`
		Timeout   jsontext.Value   `json:"timeout"`
		OnFailure string           `json:"onFailure"`
		If        string           `json:"if"`
		Async     jsontext.Value   `json:"async"`
		Rewake    jsontext.Value   `json:"asyncRewake"`
		Once      jsontext.Value   `json:"once"`
		Shell     string           `json:"shell"`
	}
	if json.Unmarshal(value, &h) != nil {
		return HookLine{}, false
	}
	line := HookLine{Type: h.Type, Command: h.Command, OnFailure: h.OnFailure, If: h.If, Async: h.Async.Kind() == 't',
		Rewake: h.Rewake.Kind() == 't', Once: h.Once.Kind() == 't', Shell: h.Shell}
	if h.Args != nil {
		line.Args = []string{}
	}
	for _, arg := range h.Args {
		var text string
		if json.Unmarshal(arg, &text) != nil {
			return HookLine{}, false
		}
		line.Args = append(line.Args, text)
	}
	if len(h.Timeout) > 0 {
		n, err := strconv.ParseFloat(string(h.Timeout), 64)
		if err != nil {
			n = -1
		}
		line.Timeout = &n
	}
	return line, true
}

func escapePointer(name string) string {
	return strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}

// Text is the line as one would type it in a shell.
func (l HookLine) Text() string { return strings.Join(append([]string{l.Command}, l.Args...), " ") }

// Hook returns the value of --hook and whether the line has one.
func (l HookLine) Hook() (value string, ok bool) {
	words := l.Args
	if words == nil {
		words = strings.Fields(l.Command)
	}
	for i, word := range words {
		word = strings.Trim(word, `"'`)
		if value, ok := strings.CutPrefix(word, "--hook="); ok {
			return value, true
		}
		if word == "--hook" && i+1 < len(words) {
			return strings.Trim(words[i+1], `"'`), true
		}
	}
	return "", false
}

// NeverRuns reports whether the client never runs the line, because it has an if and the
// event concerns no tool (docs/reference/claude-code.md#handlers).
func (l HookLine) NeverRuns() bool {
	switch l.Event {
	case "PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest", "PermissionDenied":
		return false
	}
	return l.If != ""
}

// Bridge reports whether the line is meant to call bridge: its program has that name, and
// it has --hook.
func (l HookLine) Bridge() bool {
	if _, ok := l.Hook(); !ok || l.Type != "command" {
		return false
	}
	return self.Named(filepath.Base(filepath.ToSlash(strings.ReplaceAll(l.program(), `\`, "/"))))
}

// program is the first word of the command; it may be quoted and contain spaces.
func (l HookLine) program() string {
	if l.Args != nil {
		return l.Command
	}
	program, _ := firstWord(l.Command)
	return program
}

// firstWord splits a command in shell form after its program.
func firstWord(command string) (program, rest string) {
	command = strings.TrimSpace(command)
	if command != "" && (command[0] == '"' || command[0] == '\'') {
		if end := strings.IndexByte(command[1:], command[0]); end >= 0 {
			return command[1 : end+1], command[end+2:]
		}
	}
	program, rest, _ = strings.Cut(command, " ")
	return program, rest
}

// More reports whether a shell does more with the line than to run its program: what
// follows may be the user's, so the line must not be removed as a whole.
func (l HookLine) More() bool {
	if l.Args != nil {
		return false
	}
	_, rest := firstWord(l.Command)
	return strings.ContainsAny(rest, ";|&<>`$()\n")
}

// Program is the path of the line's program, with the client's variables expanded and a
// bare name looked up in PATH. lookPath is exec.LookPath, which hooks do not link. The
// error says why there is no path.
func (l HookLine) Program(root string, getenv func(string) string, lookPath func(string) (string, error)) (string, error) {
	name := l.expand(l.program(), root, getenv)
	if strings.ContainsAny(name, `/\`) {
		if !filepath.IsAbs(name) {
			name = filepath.Join(root, name)
		}
		_, err := os.Stat(name)
		return name, err
	}
	for _, dir := range filepath.SplitList(getenv("PATH")) {
		if path, err := lookPath(filepath.Join(dir, name)); filepath.IsAbs(dir) && err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("%s is not on the PATH", name)
}

// expand replaces the client's variables in a word of the command, and ~ as a shell does.
func (l HookLine) expand(word, root string, getenv func(string) string) string {
	for variable, value := range map[string]string{claude.EnvPluginRoot: l.Source.Root, claude.EnvProjectDir: root, "HOME": getenv("HOME")} {
		if value != "" {
			word = strings.NewReplacer("${"+variable+"}", value, "$"+variable, value).Replace(word)
		}
	}
	if rest, ok := strings.CutPrefix(word, "~/"); ok && l.Args == nil {
		word = filepath.Join(getenv("HOME"), rest)
	}
	return word
}

// Files are the paths of the files with an ending that the line names.
func (l HookLine) Files(ending, root string, getenv func(string) string) (paths []string) {
	for _, word := range append(strings.Fields(l.Command), l.Args...) {
		word = strings.Trim(word, `"';&`)
		if !strings.HasSuffix(word, ending) {
			continue
		}
		path := l.expand(word, root, getenv)
		if !filepath.IsAbs(path) {
			path = filepath.Join(root, path)
		}
		paths = append(paths, path)
	}
	return paths
}
