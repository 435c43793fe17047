package doctor

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/hookbridge/bridge/client/claude/settingsfile"
	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/self"
	"github.com/hookbridge/bridge/protocol"
)

// grace is how much longer the client must wait than a hook may take.
const grace = 5 * time.Second

// name identifies the line of a finding.
func name(l settingsfile.HookLine) string {
	return fmt.Sprintf("%s, %s: %s", l.Source.Path, l.Event, l.Text())
}

// checkLines checks each line that calls bridge.
func (e *examination) checkLines() {
	for _, l := range e.lines {
		if l.Bridge() {
			e.checkLine(l)
		}
	}
	e.merge()
}

func (e *examination) checkLine(l settingsfile.HookLine) {
	value, _ := l.Hook()
	hook, ok := protocol.ParseHook(value)
	if !ok {
		e.about(l, Finding{ID: "unknown-hook", Severity: Error, What: fmt.Sprintf("there is no hook %q%s", value, display.Meant(value, protocol.HookNames())),
			Means: "bridge answers {\"continue\": true} and does nothing.", Do: "Use a name that " + display.Bridge + " hooks lists."})
		return
	}
	if !answers(hook, protocol.Event(l.Event)) {
		e.about(l, Finding{ID: "wrong-event", Severity: Error, What: fmt.Sprintf("--hook=%s does not belong to %s", value, l.Event),
			Means: "The hook handles events of another kind and ignores this one.", Do: "Use the line that " + display.Bridge + " install would write: " + display.Bridge + " install --dry-run."})
	}
	e.checkTimeout(l, hook)
	e.checkMatcher(l)
	e.checkMembers(l)
	if l.Event == string(protocol.EventPermissionRequest) && l.OnFailure != "block" && l.Source.Scope != settingsfile.Project && l.Source.Scope != settingsfile.Managed {
		op := "add"
		if l.OnFailure != "" {
			op = "replace"
		}
		e.about(l, Finding{ID: "permission-may-fail-open", Severity: Warning, What: `the line has no "onFailure": "block"`,
			Means: "If bridge is missing or cannot start, the dialog is shown as if there were no hook.", Do: `Add "onFailure": "block".`}, member(l, op, "onFailure", "block"))
	}
}

// checkMembers checks the members that change when or how a line runs.
func (e *examination) checkMembers(l settingsfile.HookLine) {
	if l.NeverRuns() {
		e.about(l, Finding{ID: "if-never-runs", Severity: Error, What: "the line has an if",
			Means: "On this event, a hook with an if never runs.", Do: "Remove it."}, member(l, "remove", "if", nil))
	}
	if l.Async {
		e.about(l, Finding{ID: "async", Severity: Error, What: "the line has async: true",
			Means: "Claude Code does not wait for the answer, so no loop continues and no permission is decided.", Do: "Remove async."}, member(l, "remove", "async", nil))
	}
	if l.Rewake {
		e.about(l, Finding{ID: "async-rewake", Severity: Warning, What: "the line has asyncRewake: true",
			Means: "It implies async: Claude Code may not wait for the answer.", Do: "Remove asyncRewake."}, member(l, "remove", "asyncRewake", nil))
	}
	if l.Once {
		e.about(l, Finding{ID: "once", Severity: Note, What: "the line has once: true",
			Means: "In settings it has no effect: the hook runs each time.", Do: "Remove once."}, member(l, "remove", "once", nil))
	}
	if l.Shell == "powershell" && l.Args == nil && os.PathSeparator == '/' && !e.hasPowerShell() {
		e.about(l, Finding{ID: "shell-missing", Severity: Error, What: "the line is for powershell, which is not on the PATH",
			Means: "The hook never runs.", Do: sentence(again(l)) + ", which writes the line without a shell."})
		return
	}
	if l.Args == nil && l.Source.Scope != settingsfile.Managed {
		e.about(l, Finding{ID: "shell-form", Severity: Note, What: "the line is in shell form",
			Means: "A shell starts before every hook, which costs about a millisecond, and it interprets quotes and spaces.", Do: `Use "command" and "args", as ` + display.Bridge + ` install does.`})
	}
}

func (e *examination) hasPowerShell() bool {
	for range self.OnPath("pwsh", e.Getenv) {
		return true
	}
	return false
}

func answers(hook protocol.Hook, event protocol.Event) bool {
	return slices.ContainsFunc(hook.Types, func(t protocol.Type) bool {
		row, ok := protocol.Lookup(t)
		return ok && slices.Contains(row.Events, event)
	})
}

func (e *examination) checkTimeout(l settingsfile.HookLine, hook protocol.Hook) {
	deadline := e.Config.Deadline(hook.Row())
	least := math.Ceil((deadline + grace).Seconds())
	end := protocol.Event(l.Event).Row().Hurried
	do := fmt.Sprintf(`Use "timeout": %v.`, least)
	switch {
	case l.Timeout == nil && !end:
		e.about(l, Finding{ID: "timeout-missing", Severity: Note, What: "the line has no timeout",
			Means: "If a hook ever hangs, Claude Code waits ten minutes for it.", Do: fmt.Sprintf(`Add "timeout": %v.`, least)}, member(l, "add", "timeout", least))
	case l.Timeout == nil:
	case *l.Timeout <= 0:
		e.about(l, Finding{ID: "timeout-not-a-number", Severity: Error, What: "the timeout is not a positive number",
			Means: "Claude Code may reject the whole file.", Do: do}, member(l, "replace", "timeout", least))
	case *l.Timeout >= 1000:
		e.about(l, Finding{ID: "timeout-in-milliseconds", Severity: Warning, What: fmt.Sprintf("the timeout is %v", *l.Timeout),
			Means: "The unit is seconds, so this is more than a quarter of an hour; milliseconds were probably meant.", Do: do}, member(l, "replace", "timeout", least))
	case *l.Timeout < least && !end:
		e.about(l, Finding{ID: "timeout-too-short", Severity: Warning, What: fmt.Sprintf("the timeout is %v s, and the hook may take %v", *l.Timeout, deadline),
			Means: "On a busy machine Claude Code may kill the hook before it answers. A permission request then gets the dialog.", Do: do}, member(l, "replace", "timeout", least))
	}
}

func (e *examination) checkMatcher(l settingsfile.HookLine) {
	coverage, left := l.Covers()
	f := Finding{What: fmt.Sprintf("the matcher is %q", l.Matcher), Do: "Remove the matcher."}
	switch coverage {
	case settingsfile.All:
		return
	case settingsfile.Ignored:
		f.ID, f.Severity = "matcher-ignored", Note
		f.Means = "Claude Code ignores matchers for this event; the hook always runs."
	case settingsfile.None:
		f.ID, f.Severity = "matcher-never-matches", Error
		f.Means = "Matchers are compared exactly and are case-sensitive, so the hook never runs."
	case settingsfile.Invalid:
		f.ID, f.Severity, f.What = "matcher-broken", Error, fmt.Sprintf("the matcher %q is not a valid regular expression", l.Matcher)
		f.Means = "The hook never runs."
	case settingsfile.Some:
		f.ID, f.Severity, f.What = "matcher-narrow", Note, fmt.Sprintf("the hook runs only for %s", l.Matcher)
		f.Means = "bridge hears nothing of the other values" + such(left) + "."
		switch protocol.Event(l.Event) {
		case protocol.EventPermissionRequest:
			f.ID, f.Means = "permission-matcher", "For other tools"+such(left)+", only pre-tool-use applies your deny rules."
		case protocol.EventPreToolUse:
			f.Severity, f.Means = Warning, "No rule and no guard is applied to other tools"+such(left)+" before they run."
		}
	}
	group := l.Pointer[:strings.LastIndex(l.Pointer, "/hooks/")]
	for _, other := range e.lines {
		if other.Source == l.Source && strings.HasPrefix(other.Pointer, group+"/hooks/") && !other.Bridge() {
			f.Do = "Move bridge's line into a group of its own, without a matcher."
			e.about(l, f)
			return
		}
	}
	e.about(l, f, settingsfile.Operation{Op: "remove", Path: group + "/matcher"})
}

// such lists a few of the values that a matcher leaves out.
func such(left []string) string {
	const most = 2
	common := []string{"Bash", "Write", "Edit", "Read"}
	slices.SortStableFunc(left, func(a, b string) int {
		rank := func(name string) int {
			if i := slices.Index(common, name); i >= 0 {
				return i
			}
			return len(common)
		}
		return rank(a) - rank(b)
	})
	if len(left) == 0 {
		return ""
	}
	return " (such as " + strings.Join(left[:min(most, len(left))], " and ") + ")"
}
