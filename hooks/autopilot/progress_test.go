package autopilot

import (
	"strings"
	"testing"

	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// TestProgress: what a subagent event counts, and that everything else in the state stays
// as it was.
func TestProgress(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, state, agent, want string
		event                    protocol.Event
		phase                    Phase
	}{
		{"start", `{"active": true, "total_agents_spawned": 4, "x": [1]}`, "executor", `{"active": true, "total_agents_spawned": 5, "x": [1]}`, protocol.EventSubagentStart, Execution},
		{"the first start", `{"active":true}`, "executor", `{"active":true,"total_agents_spawned":1}`, protocol.EventSubagentStart, Execution},
		{"a counter that is none", `{"total_agents_spawned":"many"}`, "executor", `{"total_agents_spawned":"many"}`, protocol.EventSubagentStart, Execution},
		{"reviewer in validation", `{"total_agents_spawned":0,"validation":{"architects_spawned":1,"verdicts":[]}}`, "omc:architect",
			`{"total_agents_spawned":1,"validation":{"architects_spawned":2,"verdicts":[]}}`, protocol.EventSubagentStart, Validation},
		{"analyst is back", `{"expansion":{"spec_path":"s.md"}}`, "analyst", `{"expansion":{"spec_path":"s.md","analyst_complete":true}}`, protocol.EventSubagentStop, Expansion},
		{"architect is back", `{"expansion":{"architect_complete":false}}`, "architect", `{"expansion":{"architect_complete":true}}`, protocol.EventSubagentStop, Expansion},
		{"somebody else is back", `{"active":true}`, "executor", `{"active":true}`, protocol.EventSubagentStop, Execution},
	} {
		object, err := statefile.ParseObject([]byte(test.state))
		if err != nil {
			t.Fatal(err)
		}
		after, changed := progress(object, protocol.Input{Base: protocol.Base{HookEventName: test.event, AgentType: test.agent}}, test.phase)
		if got := strings.Join(strings.Fields(string(after.Bytes())), " "); strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(test.want, " ", "") || changed != (test.state != test.want) {
			t.Errorf("%s: %s (changed %v), want %s", test.name, got, changed, test.want)
		}
	}
}
