package doctor

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/hookbridge/bridge/client/claude/settingsfile"
	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// grace is how much longer the client must wait than a hook may take.
const grace = 5 * time.Second

// name identifies the line of a finding.
func name(l settingsfile.HookLine) string {
	return fmt.Sprintf("%s, %s: %s", l.Source.Path, l.Event, l.Text())
}

// edit returns a fix that changes a line with one operation on its file. Plugins and
// managed settings are not files that the user edits by hand.
func (e *examination) edit(l settingsfile.HookLine, op, member string, value any) func() error {
	if !e.mayEdit(l.Source) {
		return nil
	}
	return func() error {
		return settingsfile.Edit(l.Source.Path, []settingsfile.Operation{{Op: op, Path: l.Pointer + "/" + member, Value: value}})
	}
}

// checkLines checks each line that calls bridge.
func (e *examination) checkLines() {
	for _, l := range e.lines {
		if l.Bridge() {
			e.checkLine(l)
		}
	}
}

func (e *examination) checkLine(l settingsfile.HookLine) {
	value, _ := l.Hook()
	hook, ok := protocol.ParseHook(value)
	if !ok {
		e.found(Finding{ID: "unknown-hook", Severity: Error, Where: name(l), What: fmt.Sprintf("there is no hook %q", value),
			Means: "bridge answers {\"continue\": true} and does nothing.", Do: "Use a name that " + display.Bridge + " hooks lists."})
		return
	}
	if !answers(hook, protocol.Event(l.Event)) {
		e.found(Finding{ID: "wrong-event", Severity: Error, Where: name(l), What: fmt.Sprintf("--hook=%s does not belong to %s", value, l.Event),
			Means: "The hook handles events of another kind and ignores this one.", Do: "Use the line that " + display.Bridge + " install would write: " + display.Bridge + " install --dry-run."})
	}
	e.checkTimeout(l, hook)
	e.checkMatcher(l)
	if l.NeverRuns() {
		e.found(Finding{ID: "if-never-runs", Severity: Error, Where: name(l), What: "the line has an if",
			Means: "On this event, a hook with an if never runs.", Do: "Remove it.", Fix: e.edit(l, "remove", "if", nil)})
	}
	if l.Async {
		e.found(Finding{ID: "async", Severity: Error, Where: name(l), What: "the line has async: true",
			Means: "Claude Code does not wait for the answer, so no loop continues and no permission is decided.", Do: "Remove async.", Fix: e.edit(l, "remove", "async", nil)})
	}
	if l.Event == string(protocol.EventPermissionRequest) && l.OnFailure != "block" && l.Source.Scope != settingsfile.Project && l.Source.Scope != settingsfile.Managed {
		op := "add"
		if l.OnFailure != "" {
			op = "replace"
		}
		e.found(Finding{ID: "permission-may-fail-open", Severity: Warning, Where: name(l), What: `the line has no "onFailure": "block"`,
			Means: "If bridge is missing or cannot start, the dialog is shown as if there were no hook.", Do: `Add "onFailure": "block".`, Fix: e.edit(l, op, "onFailure", "block")})
	}
	if l.Args == nil && l.Source.Scope != settingsfile.Managed {
		e.found(Finding{ID: "shell-form", Severity: Note, Where: name(l), What: "the line is in shell form",
			Means: "A shell starts before every hook, which costs about a millisecond, and it interprets quotes and spaces.", Do: `Use "command" and "args", as ` + display.Bridge + ` install does.`})
	}
}

func answers(hook protocol.Hook, event protocol.Event) bool {
	return slices.ContainsFunc(hook.Types, func(t protocol.Type) bool {
		row, ok := protocol.Lookup(t)
		return ok && slices.Contains(row.Events, event)
	})
}

// program is the binary that lines call.
type program struct {
	path string
	err  error
	// lines call it; the first is named in findings.
	lines []settingsfile.HookLine
}

// programs checks whether the programs that the lines call exist, can be run, and are
// this one.
func (e *examination) programs() {
	var all []*program
	for _, l := range e.lines {
		if !l.Bridge() {
			continue
		}
		path, err := l.Program(e.Root, e.Getenv, exec.LookPath)
		i := slices.IndexFunc(all, func(p *program) bool { return p.path == path && p.lines[0].Source.Path == l.Source.Path })
		if i < 0 {
			i = len(all)
			all = append(all, &program{path: path, err: err})
		}
		all[i].lines = append(all[i].lines, l)
	}
	for _, p := range all {
		e.checkProgram(p)
	}
}

func (e *examination) checkProgram(p *program) {
	first := p.lines[0]
	where := first.Source.Path + ": " + first.Command
	lines := display.Count(len(p.lines), "hook line")
	switch {
	case p.err != nil && (p.path == "" || !filepath.IsAbs(p.path)):
		e.found(Finding{ID: "binary-not-on-path", Severity: Error, Where: where, What: fmt.Sprintf("%s: %v", lines, p.err),
			Means: "The hooks never run.", Do: "Put bridge on the PATH that Claude Code is started with, or write its full path."})
		return
	case errors.Is(p.err, fs.ErrNotExist):
		e.found(Finding{ID: "binary-missing", Severity: Error, Where: where, What: lines + ": the program does not exist: " + p.path,
			Means: "The hooks never run. With onFailure block, every tool that would need a dialog is denied.", Do: "Run " + display.Bridge + " install, or correct the path."})
		return
	case p.err != nil:
		e.found(Finding{ID: "binary-unreadable", Severity: Error, Where: where, What: p.err.Error(), Means: "The hooks never run.", Do: "Correct the permissions of that path."})
		return
	}
	info, err := os.Stat(p.path)
	if err != nil {
		return
	}
	if info.Mode().IsRegular() && info.Mode().Perm()&0o111 == 0 && os.PathSeparator == '/' {
		var fix func() error
		if first.Source.Scope.Trusted() {
			fix = func() error { return os.Chmod(p.path, info.Mode().Perm()|0o755) }
		}
		e.found(Finding{ID: "run-bit-missing", Severity: Error, Where: p.path, What: lines + ": the program is not executable (mode " + info.Mode().Perm().String() + ")",
			Means: "The hooks never run. Some archives and checkouts lose the executable bit.", Do: "chmod +x " + p.path, Fix: fix})
		return
	}
	if mine, err := os.Stat(e.Binary); err == nil && !os.SameFile(mine, info) && (mine.Size() != info.Size() || !sameContent(e.Binary, p.path)) {
		e.found(Finding{ID: "another-binary", Severity: Warning, Where: where, What: lines + ": the program is not this one but " + p.path,
			Means: "Hooks and commands may be of different versions. (It was not run to find out.)", Do: "Run " + display.Bridge + " install with the newer one, or update the plugin."})
	}
}

// maxProgram is the size above which no program is compared with this one.
const maxProgram = 256 << 20

func sameContent(a, b string) bool {
	first, err := statefile.ReadFile(a, maxProgram)
	if err != nil {
		return false
	}
	second, err := statefile.ReadFile(b, maxProgram)
	return err == nil && string(first) == string(second)
}

func (e *examination) checkTimeout(l settingsfile.HookLine, hook protocol.Hook) {
	least := math.Ceil((hook.Row().Deadline + grace).Seconds())
	end := protocol.Event(l.Event).Row().Hurried
	switch {
	case l.Timeout == nil && !end:
		e.found(Finding{ID: "timeout-missing", Severity: Note, Where: name(l), What: "the line has no timeout",
			Means: "If a hook ever hangs, Claude Code waits ten minutes for it.", Do: fmt.Sprintf(`Add "timeout": %v.`, least), Fix: e.edit(l, "add", "timeout", least)})
	case l.Timeout == nil:
	case *l.Timeout <= 0:
		e.found(Finding{ID: "timeout-not-a-number", Severity: Error, Where: name(l), What: "the timeout is not a positive number",
			Means: "Claude Code may reject the whole file.", Do: fmt.Sprintf(`Use "timeout": %v.`, least), Fix: e.edit(l, "replace", "timeout", least)})
	case *l.Timeout >= 1000:
		e.found(Finding{ID: "timeout-in-milliseconds", Severity: Warning, Where: name(l), What: fmt.Sprintf("the timeout is %v", *l.Timeout),
			Means: "The unit is seconds, so this is more than a quarter of an hour; milliseconds were probably meant.", Do: fmt.Sprintf(`Use "timeout": %v.`, least), Fix: e.edit(l, "replace", "timeout", least)})
	case *l.Timeout < least && !end:
		e.found(Finding{ID: "timeout-too-short", Severity: Warning, Where: name(l), What: fmt.Sprintf("the timeout is %v s, and the hook may take %v", *l.Timeout, hook.Row().Deadline),
			Means: "On a busy machine Claude Code may kill the hook before it answers. A permission request then gets the dialog.", Do: fmt.Sprintf(`Use "timeout": %v.`, least), Fix: e.edit(l, "replace", "timeout", least)})
	}
}

// withoutMatcher are the events whose matcher the client ignores
// (docs/reference/claude-code.md#matchers).
var withoutMatcher = []string{"UserPromptSubmit", "Stop"}

func (e *examination) checkMatcher(l settingsfile.HookLine) {
	if !l.HasMatcher || l.Matcher == "" || l.Matcher == "*" {
		return
	}
	exact := regexp.MustCompile(`^[A-Za-z0-9_\- ,|]+$`).MatchString(l.Matcher)
	_, bad := regexp.Compile(l.Matcher)
	switch {
	case slices.Contains(withoutMatcher, l.Event):
		e.found(Finding{ID: "matcher-ignored", Severity: Note, Where: name(l), What: fmt.Sprintf("the matcher %q is set for %s", l.Matcher, l.Event),
			Means: "Claude Code ignores matchers for this event; the hook always runs.", Do: "Remove it."})
	case exact && strings.HasPrefix(l.Matcher, "mcp__") && strings.Count(l.Matcher, "__") == 1:
		e.found(Finding{ID: "matcher-never-matches", Severity: Warning, Where: name(l), What: fmt.Sprintf("the matcher %q is the name of an MCP server", l.Matcher),
			Means: "It is compared exactly, and no tool has that name, so the hook never runs.", Do: "Use " + l.Matcher + "__.*"})
	case exact && slices.Contains([]string{"bash", "edit", "write", "read", "task"}, strings.ToLower(l.Matcher)) && strings.ToLower(l.Matcher) == l.Matcher:
		e.found(Finding{ID: "matcher-never-matches", Severity: Warning, Where: name(l), What: fmt.Sprintf("the matcher is %q", l.Matcher),
			Means: "Matchers are case-sensitive, so the hook never runs.", Do: "Use " + strings.ToUpper(l.Matcher[:1]) + l.Matcher[1:]})
	case !exact && bad != nil:
		e.found(Finding{ID: "matcher-broken", Severity: Error, Where: name(l), What: fmt.Sprintf("the matcher %q is not a valid regular expression", l.Matcher),
			Means: "The hook never runs.", Do: "Correct it, or remove it to match everything."})
	case l.Event == string(protocol.EventPermissionRequest):
		e.found(Finding{ID: "permission-matcher", Severity: Note, Where: name(l), What: fmt.Sprintf("the hook runs only for %s", l.Matcher),
			Means: "For other tools, only pre-tool-use applies your deny rules.", Do: "Remove the matcher, so that the hook decides about all tools."})
	}
}

// events reports events for which bridge has no hook.
func (e *examination) events() {
	wired := map[string]bool{}
	for _, l := range e.lines {
		if l.Bridge() {
			wired[l.Event] = true
		}
	}
	if len(wired) == 0 {
		e.found(Finding{ID: "not-installed", Severity: Error, Where: settingsfile.Path(settingsfile.User, e.Root, e.Getenv), What: "no hook line calls bridge",
			Means: "Nothing works: no loop continues, and no permission is decided.", Do: "Run " + display.Bridge + " install."})
		return
	}
	var missing []string
	for _, row := range protocol.WiredRows() {
		for _, event := range row.Events {
			if !wired[string(event)] && !slices.Contains(missing, string(event)) {
				missing = append(missing, string(event))
			}
		}
	}
	if len(missing) > 0 {
		e.found(Finding{ID: "events-not-wired", Severity: Note, Where: settingsfile.Path(settingsfile.User, e.Root, e.Getenv), What: "bridge has no hook for " + strings.Join(missing, ", "),
			Means: "These hooks do nothing; the others work.", Do: "Run " + display.Bridge + " install to add them."})
	}
}

// doubles reports events at which bridge is called twice.
func (e *examination) doubles() {
	seen := map[string]settingsfile.HookLine{}
	for _, l := range e.lines {
		value, _ := l.Hook()
		hook, ok := protocol.ParseHook(value)
		if !l.Bridge() || !ok {
			continue
		}
		key := l.Event + "\x00" + hook.Name + "\x00" + l.Matcher
		first, twice := seen[key]
		if !twice {
			seen[key] = l
			continue
		}
		if first.Text() == l.Text() && first.Source.Scope != settingsfile.Plugin && l.Source.Scope != settingsfile.Plugin {
			// The client runs identical lines of settings files once.
			continue
		}
		var fix func() error
		if l.Source.Scope == settingsfile.Plugin && first.Source.Scope != settingsfile.Plugin && first.Source.Scope != settingsfile.Managed {
			fix = func() error { return removeLine(first) }
		} else if l.Source.Scope != settingsfile.Plugin && l.Source.Scope != settingsfile.Managed {
			fix = func() error { return removeLine(l) }
		}
		e.found(Finding{ID: "wired-twice", Severity: Warning, Where: name(l), What: "the same hook is also in " + name(first),
			Means: "Both run for each event. bridge answers an event only once, but every event costs two processes.", Do: "Keep one: the plugin or the settings.", Fix: fix})
	}
}

// removeLine removes a handler from its file.
func removeLine(l settingsfile.HookLine) error {
	return settingsfile.Edit(l.Source.Path, []settingsfile.Operation{{Op: "remove", Path: l.Pointer}})
}
