package policy

import (
	"errors"
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/internal/reach"
	"github.com/hookbridge/bridge/internal/shell"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// ErrToolInput means that a tool's input does not have the form that the tool expects, so bridge cannot judge the call.
var ErrToolInput = errors.New("the tool's input has an unexpected form")

// toolInput holds the members of a tool's input that rules check; nil is absent or
// null. glob and kind narrow a search, and are empty if they are not strings.
type toolInput struct {
	command, filePath, notebookPath, path, pattern, url *string
	glob, kind                                          string
}

// readInput reads the members. It does not use json.Unmarshal, which would spend more
// time on inspecting the Go type than on reading.
func readInput(text jsontext.Value) (in toolInput, err error) {
	if text.Kind() == 'n' {
		return in, nil
	}
	if !utf8.Valid(text) {
		return in, ErrToolInput
	}
	object, err := statefile.ParseObject(text)
	if err != nil {
		return in, err
	}
	for _, m := range []struct {
		name string
		to   **string
	}{
		{"command", &in.command}, {"file_path", &in.filePath}, {"notebook_path", &in.notebookPath}, {"path", &in.path},
		{"pattern", &in.pattern}, {"url", &in.url},
	} {
		value, ok := object.Raw(m.name)
		if !ok || value.Kind() == 'n' {
			continue
		}
		if value.Kind() != '"' {
			return in, ErrToolInput
		}
		unquoted, err := jsontext.AppendUnquote(nil, value)
		if err != nil {
			return in, err
		}
		word := string(unquoted)
		*m.to = &word
	}
	in.glob, in.kind = object.Text("glob"), object.Text("type")
	return in, nil
}

// NewCall reads a tool call. cwd is the resolved working directory, root the project
// root. If no rule concerns the input of a tool, it is not read.
func NewCall(tool string, input jsontext.Value, cwd, root string, getenv func(string) string) (Call, error) {
	c := Call{Tool: tool, Root: filepath.ToSlash(root), Home: filepath.ToSlash(getenv("HOME"))}
	kind := claude.Kind(tool)
	if kind == protocol.ToolOther || kind == protocol.ToolAgent || kind == protocol.ToolDialog {
		return c, nil
	}
	in, err := readInput(input)
	if err != nil {
		return Call{}, fmt.Errorf("input of %s: %w", tool, ErrToolInput)
	}
	switch kind {
	case protocol.ToolShell:
		if in.command == nil {
			return Call{}, fmt.Errorf("input of %s has no command: %w", tool, ErrToolInput)
		}
		c.Text = *in.command
		if tool == claude.ToolBash {
			c.Line = shell.Walk(c.Text)
		} else {
			c.Line = shell.Walk(shell.FromPowerShell(c.Text))
		}
		for _, simple := range c.Line.Commands {
			c.Commands = append(c.Commands, shell.Join(simple.Args))
			if plain := simple.Plain(); len(plain) != len(simple.Args) || len(plain) > 0 && plain[0] != simple.Args[0] {
				c.Commands = append(c.Commands, shell.Join(plain))
			}
		}
	case protocol.ToolRead, protocol.ToolSearch, protocol.ToolWrite:
		c.name(in, cwd)
		if tool == claude.ToolGrep {
			c.Only = shell.Searched(in.glob, in.kind)
		}
	case protocol.ToolFetch:
		if in.url == nil {
			return Call{}, fmt.Errorf("input of %s has no url: %w", tool, ErrToolInput)
		}
		u, err := url.Parse(*in.url)
		if err != nil {
			return Call{}, fmt.Errorf("input of %s: %w", tool, ErrToolInput)
		}
		c.Host = strings.ToLower(u.Hostname())
	case protocol.ToolOther, protocol.ToolAgent, protocol.ToolDialog:
	}
	return c, nil
}

// name records the paths of a file tool.
func (c *Call) name(in toolInput, cwd string) {
	known := true
	add := func(p string, meant bool) {
		written, targets, err := paths(p, cwd)
		c.Paths = append(c.Paths, written)
		for _, target := range targets {
			if target != written {
				c.Paths = append(c.Paths, target)
			}
		}
		known = known && (err == nil || !meant)
		if meant {
			c.Targets = append(c.Targets, targets...)
		}
	}
	for _, p := range []*string{in.filePath, in.notebookPath, in.path} {
		if p == nil {
			continue
		}
		// The client removes blanks at both ends and expands the home directory.
		trimmed := strings.TrimSpace(*p)
		rest, ok := strings.CutPrefix(trimmed, "~")
		home := ok && c.Home != "" && (rest == "" || rest[0] == '/' || rest[0] == filepath.Separator)
		add(*p, !home)
		if home {
			trimmed = c.Home + rest
		}
		if trimmed != *p {
			add(trimmed, true)
		}
	}
	if c.Tool == claude.ToolGlob && in.pattern != nil && filepath.IsAbs(filepath.FromSlash(*in.pattern)) {
		// The client searches in this directory, whatever the path says.
		add(searched(*in.pattern), true)
	}
	if len(c.Paths) == 0 {
		add(".", true)
	}
	if !known {
		c.Targets = nil
	}
}

// searched is the directory below which a pattern matches.
func searched(pattern string) string {
	pattern = path.Clean(filepath.ToSlash(pattern))
	if i := strings.IndexAny(pattern, "*?[{"); i >= 0 {
		pattern = pattern[:i]
	}
	return path.Dir(pattern + "x")
}

// paths returns a path as written, made absolute, and the places to which it leads. Links
// are followed; ".." is resolved by the name, as most programs do, and also on the disk.
// The error says why a place is unknown.
func paths(p, cwd string) (written string, targets []string, err error) {
	full := filepath.FromSlash(p)
	if !filepath.IsAbs(full) {
		full = filepath.Join(cwd, full)
	}
	var disk reach.Disk
	disk.Trust(cwd)
	places, err := disk.Both(cwd, p)
	for _, place := range places {
		targets = append(targets, filepath.ToSlash(place.Path))
	}
	if err != nil {
		// Deny and ask rules are compared with every place to which it may lead.
		if dir, err := filepath.EvalSymlinks(filepath.Dir(full)); err == nil {
			targets = append(targets, filepath.ToSlash(filepath.Join(dir, filepath.Base(full))))
		}
		if real, err := filepath.EvalSymlinks(full); err == nil {
			targets = append(targets, filepath.ToSlash(real))
		}
	}
	return filepath.ToSlash(filepath.Clean(full)), targets, err
}
