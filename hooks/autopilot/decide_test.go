package autopilot

import (
	"strings"
	"testing"

	"github.com/hookbridge/bridge/protocol"
)

func said(text string) protocol.Turn { return protocol.Turn{Final: text, HasFinal: true} }

// TestDecide has a row for each rule of docs/reference/stop-rules.md#autopilot.
func TestDecide(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		facts Facts
		said  string
		kind  protocol.DecisionKind
		rule  string
		phase Phase
		n     int
	}{
		{"first stop", Facts{Phase: Expansion, Iteration: 1, Max: 10}, "Thinking about it.", protocol.Continue, "continue", Expansion, 2},
		{"a keyword left no phase", Facts{Iteration: 1, Max: 10}, "x", protocol.Continue, "continue", Expansion, 2},
		{"unspecified phase", Facts{Phase: "unspecified", Iteration: 1, Max: 10}, "EXPANSION_COMPLETE", protocol.Continue, "phase-expansion-done", Planning, 2},
		{"expansion done", Facts{Phase: Expansion, Iteration: 1, Max: 10}, "EXPANSION_COMPLETE", protocol.Continue, "phase-expansion-done", Planning, 2},
		{"planning done", Facts{Phase: Planning, Iteration: 2, Max: 10}, "PLANNING_COMPLETE", protocol.Continue, "phase-planning-done", Execution, 3},
		{"execution done", Facts{Phase: Execution, Iteration: 3, Max: 10}, "EXECUTION_COMPLETE", protocol.Continue, "phase-execution-done", QA, 4},
		{"qa done", Facts{Phase: QA, Iteration: 4, Max: 10}, "QA_COMPLETE", protocol.Continue, "phase-qa-done", Validation, 5},
		{"validation done", Facts{Phase: Validation, Iteration: 5, Max: 10}, "VALIDATION_COMPLETE", protocol.Finish, "complete", Complete, 0},
		{"the signal of another phase", Facts{Phase: Execution, Iteration: 3, Max: 10}, "VALIDATION_COMPLETE", protocol.Continue, "continue", Execution, 4},
		{"one phase at a time", Facts{Phase: Expansion, Iteration: 1, Max: 10}, "EXPANSION_COMPLETE\nPLANNING_COMPLETE", protocol.Continue, "phase-expansion-done", Planning, 2},
		{"at the limit", Facts{Phase: Execution, Iteration: 10, Max: 10}, "x", protocol.Finish, "max-iterations", Execution, 0},
		{"done at the limit", Facts{Phase: Validation, Iteration: 10, Max: 10}, "VALIDATION_COMPLETE", protocol.Finish, "complete", Complete, 0},
		{"a phase done at the limit", Facts{Phase: QA, Iteration: 10, Max: 10}, "QA_COMPLETE", protocol.Finish, "max-iterations", Validation, 0},
		{"unknown phase", Facts{Phase: "ralplan", Iteration: 1, Max: 10}, "x", protocol.Allow, "unknown-phase", "ralplan", 0},
		{"cancelled", Facts{Phase: QA, Iteration: 1, Max: 10, Cancelled: true}, "QA_COMPLETE", protocol.Finish, "cancel-signal", QA, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			v, phase := Decide(test.facts, said(test.said))
			if v.Kind != test.kind || v.Rule != test.rule || phase != test.phase || v.Count != test.n {
				t.Fatalf("kind %v, rule %s, phase %s, iteration %d", v.Kind, v.Rule, phase, v.Count)
			}
			if v.Message == "" || (v.Reason == "") == (v.Kind == protocol.Continue) {
				t.Errorf("message %q, reason %q", v.Message, v.Reason)
			}
			if v.Kind == protocol.Continue && (!strings.Contains(v.Reason, "bridge mode stop autopilot") || !strings.Contains(v.Message, "bridge mode stop autopilot")) {
				t.Errorf("nobody is told how to end it: %q, %q", v.Reason, v.Message)
			}
		})
	}
}

// TestSignal: which texts say that a phase is done, and which only mention its signal.
func TestSignal(t *testing.T) {
	t.Parallel()
	const signal = "EXPANSION_COMPLETE"
	for text, want := range map[string]bool{
		"EXPANSION_COMPLETE":                                      true,
		"All written.\n\nEXPANSION_COMPLETE\n":                    true,
		"**EXPANSION_COMPLETE**":                                  true,
		"`EXPANSION_COMPLETE`.":                                   true,
		"Phase 0 is done: EXPANSION_COMPLETE":                     true,
		"Signal: EXPANSION_COMPLETE":                              true,
		"规格已写好。EXPANSION_COMPLETE":                                true,
		"EXPANSION_COMPLETE\r\n\r\nNext I will plan.":             true,
		"```\nEXPANSION_COMPLETE\n```":                            true,
		"I will say EXPANSION_COMPLETE":                           false,
		"When it is written, I say EXPANSION_COMPLETE":            false,
		"This is not EXPANSION_COMPLETE":                          false,
		"还没有 EXPANSION_COMPLETE":                                  false,
		"EXPANSION_COMPLETE is what I say at the end.":            false,
		"> EXPANSION_COMPLETE":                                    false,
		"MY_EXPANSION_COMPLETE_X":                                 false,
		"expansion_complete":                                      false,
		"EXPANSION COMPLETE":                                      false,
		"":                                                        false,
		"```\necho EXPANSION_COMPLETE\n```":                       false,
		"The hook wants a line that says only EXPANSION_COMPLETE": false,
	} {
		if got := signalled(said(text), signal); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	earlier := protocol.Turn{Final: "That was it.", HasFinal: true, Entries: []protocol.Entry{
		{Kind: protocol.EntryText, Text: "EXPANSION_COMPLETE"}, {Kind: protocol.EntryToolUse, ToolName: "Bash"},
	}}
	if !signalled(earlier, signal) {
		t.Error("a signal in an earlier message of the turn was not seen")
	}
	echoed := protocol.Turn{Final: "That was it.", HasFinal: true, Entries: []protocol.Entry{{Kind: protocol.EntryToolResult, Text: "EXPANSION_COMPLETE"}}}
	if signalled(echoed, signal) {
		t.Error("a tool said the signal, and it counted")
	}
}

// TestAutopilotEnds runs through the phases and to the limit: counters advance by one
// each time, and there are at most Max iterations.
func TestAutopilotEnds(t *testing.T) {
	t.Parallel()
	f := Facts{Iteration: 1, Max: 10, Idea: strings.Repeat("長", 100_000)}
	for blocks := 0; ; blocks++ {
		v, phase := Decide(f, said("still at it"))
		if v.Kind == protocol.Finish {
			if blocks != 9 {
				t.Errorf("ended after %d blocks", blocks)
			}
			return
		}
		if v.Count != f.Iteration+1 || blocks > 20 || len([]rune(v.Reason)) > 2000 {
			t.Fatalf("iteration %d after %d, reason of %d characters", v.Count, f.Iteration, len([]rune(v.Reason)))
		}
		f.Iteration, f.Phase = v.Count, phase
	}
}
