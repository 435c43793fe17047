package guard

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/go-json-experiment/json"

	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/client/claude/settingsfile"
	"github.com/hookbridge/bridge/protocol"
)

// edit is one replacement of the Edit tools.
type edit struct {
	OldString  string `json:"old_string"`
	NewString  string `json:"new_string"`
	ReplaceAll bool   `json:"replace_all"`
}

// unhooks reports whether a call removes bridge from a file with hook lines, or switches
// all hooks off there. bridge cannot know what a command line would leave in the file, so
// every command that writes to a file that calls bridge counts.
func unhooks(tool protocol.ToolFields, file string) bool {
	old, err := settingsfile.ReadFile(filepath.FromSlash(file))
	before, broken := settingsfile.Parse(old)
	switch {
	// If something is copied to a regular file, one of the paths would be below that file and cannot exist.
	case err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR):
		broken = err
	case broken != nil && !strings.Contains(string(old), hookLine):
		before, broken = settingsfile.Settings{}, nil
	}
	var in struct {
		Content string `json:"content"`
		edit
		Edits []edit `json:"edits"`
	}
	var text string
	switch tool.ToolName {
	case claude.ToolWrite:
		if json.Unmarshal(tool.ToolInput, &in) != nil {
			return false
		}
		text = in.Content
	case claude.ToolEdit, claude.ToolMultiEdit:
		if json.Unmarshal(tool.ToolInput, &in) != nil {
			return false
		}
		edits := in.Edits
		if tool.ToolName == claude.ToolEdit {
			edits = []edit{in.edit}
		}
		var ok bool
		if text, ok = apply(string(old), edits); !ok {
			// The client seems to reject such a call as well.
			return loses(edits)
		}
	default:
		return broken != nil || len(ours(before.Lines)) > 0 || slices.ContainsFunc(switches(), func(name string) bool { return strings.Contains(string(tool.ToolInput), name) })
	}
	after, err := settingsfile.Parse([]byte(text))
	switch {
	case broken != nil:
		return err != nil && !strings.Contains(text, hookLine) || err == nil && len(ours(after.Lines)) == 0
	case err != nil:
		// The client ignores a file that it cannot read.
		return len(ours(before.Lines)) > 0
	}
	return takesOut(before, after)
}

// takesOut reports whether new settings lack one of bridge's lines, or switch hooks off.
func takesOut(before, after settingsfile.Settings) bool {
	if after.DisableAllHooks && !before.DisableAllHooks || off(after) && !off(before) {
		return true
	}
	for name, on := range before.Plugins {
		if left, ok := after.Plugins[name]; on && isPlugin(name) && !(ok && left) {
			return true
		}
	}
	left := ours(after.Lines)
	return slices.ContainsFunc(ours(before.Lines), func(b settingsfile.HookLine) bool {
		return !slices.ContainsFunc(left, func(a settingsfile.HookLine) bool { return sameCall(a, b) })
	})
}

// Settings that call bridge, or have no hooks at all, contain one of these words.
const (
	hookLine    = "--hook"
	allHooksOff = "disableAllHooks"
)

// apply applies edits as the client does; ok is false for those that the client rejects.
func apply(text string, edits []edit) (after string, ok bool) {
	lf := func(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }
	text = lf(text)
	for _, e := range edits {
		old := lf(e.OldString)
		switch n := strings.Count(text, old); {
		case old == "" && text != "", old != "" && n == 0, n > 1 && !e.ReplaceAll:
			return "", false
		case e.ReplaceAll:
			text = strings.ReplaceAll(text, old, e.NewString)
		default:
			text = strings.Replace(text, old, e.NewString, 1)
		}
	}
	return text, true
}

// loses judges edits by their own text.
func loses(edits []edit) bool {
	before, after := "", ""
	for _, e := range edits {
		before, after = before+e.OldString, after+e.NewString
	}
	for _, name := range switches() {
		if strings.Contains(after, name) && !strings.Contains(before, name) {
			return true
		}
	}
	return strings.Contains(before, hookLine) && !strings.Contains(after, hookLine)
}

// switches are the words with which settings switch hooks off.
func switches() []string { return []string{allHooksOff, "DISABLE_OMC", "OMC_SKIP_HOOKS"} }

// off reports settings that switch hooks off with a variable, or switch bridge's plugin off.
func off(s settingsfile.Settings) bool {
	if s.Env["DISABLE_OMC"] != "" || s.Env["OMC_SKIP_HOOKS"] != "" {
		return true
	}
	for name, on := range s.Plugins {
		if !on && isPlugin(name) {
			return true
		}
	}
	return false
}

// isPlugin reports the name of bridge's plugin, whatever the marketplace.
func isPlugin(name string) bool {
	name, _, _ = strings.Cut(name, "@")
	return name == "bridge"
}

// ours are the lines that call bridge, also through another command.
func ours(lines []settingsfile.HookLine) (all []settingsfile.HookLine) {
	for _, l := range lines {
		if _, ok := l.Hook(); l.Bridge() || ok && l.Type == "command" && strings.Contains(l.Text(), "bridge") {
			all = append(all, l)
		}
	}
	return all
}

// minSeconds is what an edit must leave a hook as its timeout: the deadline of
// pre-tool-use.
const minSeconds = 5

// sameCall reports whether a line calls bridge at the same event, for the same hook
// and on the same occasions as another one.
func sameCall(a, b settingsfile.HookLine) bool {
	hookA, _ := a.Hook()
	hookB, _ := b.Hook()
	// With a shorter timeout, the client may not wait for the answer.
	hurried := a.Timeout != nil && *a.Timeout < minSeconds && (b.Timeout == nil || *a.Timeout < *b.Timeout)
	return a.Event == b.Event && hookA == hookB && a.Matcher == b.Matcher && a.If == b.If && a.Async == b.Async && a.OnFailure == b.OnFailure && !hurried
}
