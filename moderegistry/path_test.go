package moderegistry

import (
	"io/fs"
	"strings"
	"testing"
)

// Other programs rely on these names. If a name changes here, everybody who switches to bridge loses that state.
func TestPathTable(t *testing.T) {
	t.Parallel()
	want := map[File][2]string{
		"autopilot-state":   {"state/sessions/s1/autopilot-state.json", "state/autopilot-state.json"},
		"ultrapilot-state":  {"state/sessions/s1/ultrapilot-state.json", "state/ultrapilot-state.json"},
		"swarm-state":       {"state/sessions/s1/swarm-state.json", "state/swarm-state.json"},
		"pipeline-state":    {"state/sessions/s1/pipeline-state.json", "state/pipeline-state.json"},
		"team-state":        {"state/sessions/s1/team-state.json", "state/team-state.json"},
		"ralph-state":       {"state/sessions/s1/ralph-state.json", "state/ralph-state.json"},
		"ultrawork-state":   {"state/sessions/s1/ultrawork-state.json", "state/ultrawork-state.json"},
		"ultraqa-state":     {"state/sessions/s1/ultraqa-state.json", "state/ultraqa-state.json"},
		RalphVerification:   {"state/sessions/s1/ralph-verification-state.json", "state/ralph-verification.json"},
		UltrapilotOwnership: {"", "state/ultrapilot-ownership.json"},
		SwarmMarker:         {"", "state/swarm-active.marker"},
		SwarmSummary:        {"", "state/swarm-summary.json"},
		SwarmDatabase:       {"", "state/swarm.db"},
		ToolError:           {"state/sessions/s1/last-tool-error-state.json", "state/last-tool-error.json"},
		PendingToolUse:      {"state/sessions/s1/post-tool-use-state.json", "state/post-tool-use-state.json"},
		AgentTracking:       {"state/sessions/s1/subagent-tracking-state.json", "state/subagent-tracking.json"},
		AgentReplay:         {"state/agent-replay-s1.jsonl", ""},
		CancelSignal:        {"state/sessions/s1/cancel-signal-state.json", "state/cancel-signal-state.json"},
		SkillLedger:         {"state/sessions/s1/skill-active-state.json", "state/skill-active-state.json"},
		HUD:                 {"state/sessions/s1/hud-state.json", "state/hud-state.json"},
		SessionStarted:      {"state/sessions/s1/session-started.json", ""},
		Summary:             {"sessions/s1.json", ""},
		PRD:                 {"state/sessions/s1/prd.json", "prd.json"},
		Todos:               {"state/sessions/s1/todos.json", ""},
		AutopilotSpec:       {"", "autopilot/spec.md"},
		AutopilotPlan:       {"", "plans/autopilot-impl.md"},
		SessionsDir:         {"", "state/sessions"},
		CheckpointsDir:      {"", "state/checkpoints"},
		NotepadsDir:         {"", "notepads"},
		PlansDir:            {"", "plans"},
		LogsDir:             {"", "logs"},
	}
	seen := map[string]File{}
	for _, e := range Entries() {
		paths, ok := want[e.File]
		if !ok {
			t.Errorf("%s is not in the table of this test", e.File)
		}
		delete(want, e.File)
		if got, _ := SessionPath(e.File, "s1"); got != paths[0] {
			t.Errorf("%s for a session: %q, want %q", e.File, got, paths[0])
		}
		if got, _ := LegacyPath(e.File); got != paths[1] {
			t.Errorf("%s for all sessions: %q, want %q", e.File, got, paths[1])
		}
		for _, p := range paths {
			if p == "" {
				continue
			}
			if !fs.ValidPath(p) {
				t.Errorf("%s: %q is no path below a directory", e.File, p)
			}
			if other, taken := seen[p]; taken {
				t.Errorf("%s and %s share %s", e.File, other, p)
			}
			seen[p] = e.File
		}
	}
	for file := range want {
		t.Errorf("%s is missing from the table", file)
	}
}

// docs/reference/modes.md#path-session-ids.
func TestHostileSessionIDsNameNoPath(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"", "../../x", "..", ".hidden", "-rf", "a/b", `a\b`, "a\x00b", "a b", strings.Repeat("a", 129), "ü", ".", "a..b", "a.", "a.b.", "a/../b", "..a"} {
		for _, e := range Entries() {
			if p, ok := SessionPath(e.File, id); ok {
				t.Errorf("session %q has the path %s", id, p)
			}
			if p, ok := Path(e.File, id); ok && p != e.Legacy {
				t.Errorf("session %q writes %s to %s", id, e.File, p)
			}
		}
	}
}
