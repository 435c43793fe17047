package persistentmode

import (
	"strings"
	"testing"

	"github.com/hookbridge/bridge/client/claude/tasklist"
	"github.com/hookbridge/bridge/client/claude/transcript"
	"github.com/hookbridge/bridge/moderegistry"
	"github.com/hookbridge/bridge/protocol"
)

// TestDecide has a row for each rule of docs/reference/stop-rules.md#ultrawork.
func TestDecide(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		facts Facts
		says  string
		kind  protocol.DecisionKind
		rule  string
		count int
	}{
		{"no list is not an empty list", Facts{Max: 50}, "", protocol.Continue, "reinforced", 1},
		{"open tasks", Facts{Count: 7, Max: 50, Tasks: tasklist.Tasks{Known: true, Pending: 2, Next: "Move"}}, "", protocol.Continue, "reinforced", 8},
		{"Yeachan-Heo/oh-my-claudecode#2419: nothing open", Facts{Count: 7, Max: 50, Tasks: tasklist.Tasks{Known: true, Completed: 3}}, "", protocol.Finish, "tasks-done", 0},
		{"nothing open on the part that was read", Facts{Count: 7, Max: 50, Tasks: tasklist.Tasks{Known: true, Partial: true, Completed: 200}}, "", protocol.Continue, "reinforced", 8},
		{"Yeachan-Heo/oh-my-claudecode#719: the limit", Facts{Count: 50, Max: 50, Tasks: tasklist.Tasks{Known: true, Pending: 2}}, "", protocol.Finish, "max-reinforcements", 0},
		{"beyond the limit", Facts{Count: 51, Max: 50}, "", protocol.Finish, "max-reinforcements", 0},
		{"promised, with a list", Facts{Max: 50, Tasks: tasklist.Tasks{Known: true, Pending: 1}}, promised, protocol.Continue, "reinforced", 1},
		{"promised, with a list that cannot be read", Facts{Max: 50, Tasks: tasklist.Tasks{Partial: true}}, promised, protocol.Continue, "reinforced", 1},
		{"promised instead of a list", Facts{Max: 50, Lists: transcript.Offered}, promised, protocol.Continue, "reinforced", 1},
		{"promised without a tool for lists", Facts{Max: 50, Lists: transcript.NotOffered}, promised, protocol.Finish, "promise", 0},
		{"promised, and nobody knows the tools", Facts{Max: 50}, promised, protocol.Finish, "promise", 0},
		{"promised at the limit", Facts{Count: 50, Max: 50}, promised, protocol.Finish, "promise", 0},
		{"another promise", Facts{Max: 50}, "<promise>DONE</promise>", protocol.Continue, "reinforced", 1},
		{"cancelled", Facts{Max: 50, Cancel: moderegistry.SignalHere}, "", protocol.Finish, "cancel-signal", 0},
		{"somebody cancels", Facts{Max: 50, Cancel: moderegistry.SignalAnywhere}, "", protocol.Allow, "cancel-signal", 0},
	} {
		v := Decide(test.facts, protocol.Turn{Final: test.says, HasFinal: true})
		if v.Kind != test.kind || v.Rule != test.rule || v.Count != test.count {
			t.Errorf("%s: kind %v, rule %s, count %d", test.name, v.Kind, v.Rule, v.Count)
		}
		if v.Message == "" || (v.Reason == "") == (v.Kind == protocol.Continue) {
			t.Errorf("%s: message %q, reason %q", test.name, v.Message, v.Reason)
		}
	}
}

const promised = "All done. <promise>ULTRAWORK_COMPLETE</promise>"

// TestHowToEndIsTold: the model is never asked for a list that it cannot write, and is told
// the promise only where it counts.
func TestHowToEndIsTold(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		facts         Facts
		list, promise bool
	}{
		{Facts{Max: 50}, true, true},
		{Facts{Max: 50, Lists: transcript.NotOffered}, false, true},
		{Facts{Max: 50, Lists: transcript.Offered}, true, false},
		{Facts{Max: 50, Lists: transcript.NotOffered, Tasks: tasklist.Tasks{Known: true, Pending: 1}}, false, false},
	} {
		text := Decide(test.facts, protocol.Turn{}).Reason
		if strings.Contains(text, "TaskCreate") != test.list || strings.Contains(text, "<promise>ULTRAWORK_COMPLETE</promise>") != test.promise {
			t.Errorf("%+v: %s", test.facts, text)
		}
	}
}

// TestLaterTextsAreShort: the full text comes at the first stop and at every tenth after
// it; those between say only what is next and how ultrawork ends.
func TestLaterTextsAreShort(t *testing.T) {
	t.Parallel()
	for _, facts := range []Facts{
		{}, {Lists: transcript.Offered}, {Lists: transcript.NotOffered}, {Tasks: tasklist.Tasks{Known: true, Pending: 2, Next: "the lexer"}}, {Tasks: tasklist.Tasks{Partial: true}},
	} {
		facts.Max, facts.Objective = 50, "Rewrite the parser"
		full := Decide(facts, protocol.Turn{}).Reason
		for count := 1; count < facts.Max; count++ {
			facts.Count = count
			text := Decide(facts, protocol.Turn{}).Reason
			if repeated := strings.Contains(text, "Rewrite the parser"); repeated != (count%10 == 0) || !repeated && 2*len(text) > len(full) {
				t.Errorf("stop %d: %s", count+1, text)
			}
			if strings.Contains(full, donePromise) != strings.Contains(text, donePromise) || strings.Contains(full, "the lexer") != strings.Contains(text, "the lexer") {
				t.Errorf("stop %d does not say how it ends or what is next: %s", count+1, text)
			}
		}
	}
}

// TestLongObjectiveIsClipped: a prompt that was repeated in full grew with each round
// (Yeachan-Heo/oh-my-claudecode#2542).
func TestLongObjectiveIsClipped(t *testing.T) {
	t.Parallel()
	v := Decide(Facts{Max: 50, Objective: strings.Repeat("長", 100_000), Tasks: tasklist.Tasks{Known: true, InProgress: 1, Next: strings.Repeat("長", 100_000)}}, protocol.Turn{})
	if n := len([]rune(v.Reason)); n > 1000 {
		t.Errorf("the reason has %d characters", n)
	}
}
