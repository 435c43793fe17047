package policy

import (
	"errors"
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/internal/shell"
	"github.com/hookbridge/bridge/protocol"
)

// ErrToolInput means that the input of a tool is not what the tool takes, so that
// nothing can be said about the call.
var ErrToolInput = errors.New("the tool's input is not of the expected shape")

// toolInput holds the members of a tool's input that rules look at.
type toolInput struct {
	Command      *string `json:"command"`
	FilePath     *string `json:"file_path"`
	NotebookPath *string `json:"notebook_path"`
	Path         *string `json:"path"`
	Pattern      *string `json:"pattern"`
	URL          *string `json:"url"`
}

// NewCall reads a tool call. cwd is the resolved working directory and root the
// project root. The input of tools that no rule looks into is not read.
func NewCall(tool string, input jsontext.Value, cwd, root string, getenv func(string) string) (Call, error) {
	c := Call{Tool: tool, Root: filepath.ToSlash(root), Home: filepath.ToSlash(getenv("HOME"))}
	kind := claude.Kind(tool)
	if kind == protocol.ToolOther || kind == protocol.ToolAgent || kind == protocol.ToolDialog {
		return c, nil
	}
	var in toolInput
	if err := json.Unmarshal(input, &in); err != nil {
		return Call{}, fmt.Errorf("input of %s: %w", tool, ErrToolInput)
	}
	switch kind {
	case protocol.ToolShell:
		if in.Command == nil {
			return Call{}, fmt.Errorf("input of %s has no command: %w", tool, ErrToolInput)
		}
		c.Text = *in.Command
		c.Line = shell.Walk(c.Text)
		for _, simple := range c.Line.Commands {
			c.Commands = append(c.Commands, shell.Join(simple.Args))
		}
	case protocol.ToolRead, protocol.ToolSearch, protocol.ToolWrite:
		for _, p := range []*string{in.FilePath, in.NotebookPath, in.Path} {
			if p != nil {
				c.Paths = append(c.Paths, paths(*p, cwd)...)
				// The client takes blanks off and knows the home directory.
				trimmed := strings.TrimSpace(*p)
				if rest, ok := strings.CutPrefix(trimmed, "~"); ok && c.Home != "" && (rest == "" || rest[0] == '/' || rest[0] == filepath.Separator) {
					trimmed = c.Home + rest
				}
				if trimmed != *p {
					c.Paths = append(c.Paths, paths(trimmed, cwd)...)
				}
			}
		}
		if tool == claude.ToolGlob && in.Pattern != nil && filepath.IsAbs(filepath.FromSlash(*in.Pattern)) {
			// The client searches there, whatever the path.
			c.Paths = append(c.Paths, paths(searched(*in.Pattern), cwd)...)
		}
		if len(c.Paths) == 0 {
			c.Paths = paths(".", cwd)
		}
	case protocol.ToolFetch:
		if in.URL == nil {
			return Call{}, fmt.Errorf("input of %s has no url: %w", tool, ErrToolInput)
		}
		u, err := url.Parse(*in.URL)
		if err != nil {
			return Call{}, fmt.Errorf("input of %s: %w", tool, ErrToolInput)
		}
		c.Host = strings.ToLower(u.Hostname())
	case protocol.ToolOther, protocol.ToolAgent, protocol.ToolDialog:
	}
	return c, nil
}

// searched is the directory below which a pattern can match.
func searched(pattern string) string {
	pattern = path.Clean(filepath.ToSlash(pattern))
	if i := strings.IndexAny(pattern, "*?[{"); i >= 0 {
		pattern = pattern[:i]
	}
	return path.Dir(pattern + "x")
}

// paths returns a path as written and, where it differs, with its links
// followed.
func paths(p, cwd string) []string {
	abs := filepath.FromSlash(p)
	if !filepath.IsAbs(abs) {
		abs = filepath.Join(cwd, abs)
	}
	abs = filepath.Clean(abs)
	list := []string{filepath.ToSlash(abs)}
	// The file itself may not exist yet; its directory's links count all the same.
	real, err := filepath.EvalSymlinks(abs)
	if err != nil {
		if dir, dirErr := filepath.EvalSymlinks(filepath.Dir(abs)); dirErr == nil {
			real = filepath.Join(dir, filepath.Base(abs))
		}
	}
	if real = filepath.ToSlash(real); real != "" && real != list[0] {
		list = append(list, real)
	}
	return list
}
