package stop

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/protocol"
)

// TestReasons: which reasons of a payload allow a stop, and under which rule.
func TestReasons(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", maxReason-len(" abort"))
	for text, want := range map[string]string{
		"": "", "end_turn": "", "the context is long": "",
		"context limit": "context-limit", "hit the CONTEXT_LIMIT now": "context-limit", "contextLimit": "context-limit", "ContextWINDOW": "context-limit",
		"context9limit": "", "context limits": "",
		"cancel": "cancel", "please cancel": "", "cancel force": "cancel", "userCancel": "cancel",
		"user cancelled it": "user-abort", "ctrl+c": "user-abort", "aborted": "user-abort", "it was aborted": "", "user_abort": "user-abort", "interrupt": "", "interrupted": "",
		"HTTP 429": "rate-limit", "429": "rate-limit", "error 529": "rate-limit", "status 429 again": "rate-limit", "429 files": "", "line 429": "", "4290": "", "code429": "",
		"at capacity": "rate-limit", "capacity": "rate-limit", "the capacity": "", "capacity_exceeded": "rate-limit", "provider is over capacity": "rate-limit", "capacity planning": "",
		"Unauthorized": "authentication", "api 401": "authentication", "page 403": "",
		"scheduled task": "scheduled-wake-up", "ZAZ overloaded": "rate-limit", "az overloaded": "rate-limit", "overloadedZ": "rate-limit",
		long + " abort": "", "abort" + strings.Repeat(" ", maxReason) + "x": "user-abort", strings.Repeat("-", maxReason-len("aborted")) + "abortedly": "user-abort",
	} {
		for where, in := range map[string]protocol.StopFields{"stop_reason": {StopReason: text}, "end_turn_reason": {EndTurnReason: text}, "reason": {Reason: text}} {
			if why, ok := exempt(&session.Record{}, in, protocol.Turn{}); why.rule != want || ok != (want != "") {
				t.Errorf("%s %.40q: %q", where, text, why.rule)
			}
		}
		if text == "" {
			continue
		}
		if want == "" {
			want = "api-error"
		}
		if why, ok := exempt(&session.Record{}, protocol.StopFields{}, protocol.Turn{APIError: text}); why.rule != want || !ok {
			t.Errorf("the turn ended with %.40q: %q", text, why.rule)
		}
	}
	if why, ok := exempt(&session.Record{}, protocol.StopFields{UserRequested: true}, protocol.Turn{}); why.rule != "user-abort" || !ok {
		t.Errorf("%q", why.rule)
	}
}

// TestWordsOfAReason: letters and digits make words, and so does a capital letter after
// a small one.
func TestWordsOfAReason(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "", "one two": "one two", "rateLimit": "rate limit", "RATELimit": "ratelimit", "az-AZ@[`{09/:": "az az 09", "zA": "z a", "9A": "9a", "é": "", "aéB": "a b", "aB": "a b",
	} {
		if got := strings.Join(wordsOf(text), " "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestCancelling: which prompts and skills cancel; the plugin does not matter.
func TestCancelling(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"/cancel": true, "/omc:cancel": true, "/:cancel": true, "/cancel --force": true, "/Cancel": true, "cancelomc": true, "STOPOMC": true,
		"cancel": false, "/cancel it": false, "/cancel --force now": false, "cancelomc --force": false, "--force": false, "": false, "/cancellation": false, "/cancel:all": false, "/a:b:cancel": true,
	} {
		if got := isCancelCommand(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
		if why, ok := exempt(&session.Record{}, protocol.StopFields{Prompt: text}, protocol.Turn{}); ok != want || want && why.rule != "cancel" {
			t.Errorf("%q: %q", text, why.rule)
		}
	}
	entry := func(kind protocol.EntryKind, tool, input string) protocol.Turn {
		return protocol.Turn{Entries: []protocol.Entry{{Kind: kind, ToolName: tool, ToolInput: []byte(input)}}}
	}
	for name, test := range map[string]struct {
		in   protocol.StopFields
		turn protocol.Turn
		want bool
	}{
		"a skill":              {protocol.StopFields{ToolName: "proxy_Skill", ToolInput: []byte(`{"skill":"omc:cancel"}`)}, protocol.Turn{}, true},
		"a command":            {protocol.StopFields{ToolName: "Skill", ToolInput: []byte(`{"command":"cancel"}`)}, protocol.Turn{}, true},
		"another skill":        {protocol.StopFields{ToolName: "Skill", ToolInput: []byte(`{"skill":"plan"}`)}, protocol.Turn{}, false},
		"another tool":         {protocol.StopFields{ToolName: "Bash", ToolInput: []byte(`{"command":"cancel"}`)}, protocol.Turn{}, false},
		"no object":            {protocol.StopFields{ToolName: "Skill", ToolInput: []byte(`"cancel"`)}, protocol.Turn{}, false},
		"a call":               {protocol.StopFields{}, entry(protocol.EntryToolUse, claude.ToolSkill, `{"skill":"cancel"}`), true},
		"a call of another":    {protocol.StopFields{}, entry(protocol.EntryToolUse, claude.ToolSkill, `{"skill":"plan"}`), false},
		"a call of a tool":     {protocol.StopFields{}, entry(protocol.EntryToolUse, "Bash", `{"command":"cancel"}`), false},
		"the result of a call": {protocol.StopFields{}, entry(protocol.EntryToolResult, claude.ToolSkill, `{"skill":"cancel"}`), false},
		"the turn's command":   {protocol.StopFields{}, protocol.Turn{Opening: "<command-name>/cancel</command-name>"}, true},
		"another command":      {protocol.StopFields{}, protocol.Turn{Opening: "<command-name>/plan</command-name>"}, false},
	} {
		if why, ok := exempt(&session.Record{}, test.in, test.turn); ok != test.want || ok && why.rule != "cancel" {
			t.Errorf("%s: %q", name, why.rule)
		}
	}
}

// TestOwnWakeUp: only a wake-up that is the last call of the turn counts.
func TestOwnWakeUp(t *testing.T) {
	t.Parallel()
	use := func(tool string) protocol.Entry { return protocol.Entry{Kind: protocol.EntryToolUse, ToolName: tool} }
	result := protocol.Entry{Kind: protocol.EntryToolResult, ToolName: claude.ToolWakeup}
	for tool, want := range map[string]bool{
		"": false, "Bash": false, claude.ToolWakeup: true, "native.schedule_wakeup": true, "schedulewakeup": true, "mcp__x__loop_resume": true, "schedule": false, "wakeup_list": false,
	} {
		for name, turn := range map[string]protocol.Turn{"alone": {}, "as the last call": {Entries: []protocol.Entry{use("Bash"), use(tool)}}} {
			if why, ok := exempt(&session.Record{}, protocol.StopFields{ToolName: tool}, turn); ok != want || ok && why.rule != "scheduled-wake-up" {
				t.Errorf("%s, %s: %q", tool, name, why.rule)
			}
		}
		if _, ok := exempt(&session.Record{}, protocol.StopFields{ToolName: tool, SessionCrons: []byte("[]")}, protocol.Turn{}); ok {
			t.Errorf("%s counts, although nothing is scheduled", tool)
		}
		if _, ok := exempt(&session.Record{}, protocol.StopFields{ToolName: tool}, protocol.Turn{Entries: []protocol.Entry{use("Read")}}); ok {
			t.Errorf("%s counts, although it was not the last call", tool)
		}
	}
	for want, turns := range map[bool][][]protocol.Entry{
		true:  {{use(claude.ToolWakeup)}, {use("Bash"), use(claude.ToolWakeup), {Kind: protocol.EntryToolResult}}},
		false: {nil, {use("Bash")}, {use(claude.ToolWakeup), use("Bash")}, {use("Bash"), result}},
	} {
		for i, entries := range turns {
			if why, ok := exempt(&session.Record{}, protocol.StopFields{}, protocol.Turn{Entries: entries}); ok != want || ok && why.rule != "scheduled-wake-up" {
				t.Errorf("%v %d: %q", want, i, why.rule)
			}
		}
	}
}

// TestOnlyThinking: the third turn in a row without text and tools pauses a loop and resets the count.
func TestOnlyThinking(t *testing.T) {
	t.Parallel()
	thought := protocol.Turn{Thought: true, Final: " "}
	var record session.Record
	var got []string
	for _, turn := range []protocol.Turn{thought, thought, thought, thought, {Thought: true, Final: "x"}, thought, thought,
		{Thought: true, Entries: []protocol.Entry{{Kind: protocol.EntryToolUse}}}, thought, {}, thought, thought, thought} {
		why, _ := exempt(&record, protocol.StopFields{}, turn)
		got = append(got, fmt.Sprintf("%d%s", record.Thinking, why.rule))
	}
	if want := []string{"1", "2", "0thinking-only", "1", "0", "1", "2", "0", "1", "0", "1", "2", "0thinking-only"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
