package moderegistry

import (
	"testing"
	"time"

	"github.com/hookbridge/bridge/internal/session"
)

// TestRival: only an exclusive mode that would prevent a start is a rival, whether its state is the session's or shared.
// The session's own state is never its rival.
func TestRival(t *testing.T) {
	t.Parallel()
	const fresh, old = `{"active":true,"session_id":"s2","started_at":"{now-1m}"}`, `{"active":true,"session_id":"s2","started_at":"{now-3h}"}`
	for name, test := range map[string]struct {
		file, text string
		want       Mode
	}{
		"nothing":                   {"", "", ""},
		"an exclusive one":          {"pipeline-state.json", fresh, Pipeline},
		"one that is silent":        {"pipeline-state.json", old, ""},
		"one that is not active":    {"pipeline-state.json", `{"active":false,"session_id":"s2","started_at":"{now-1m}"}`, ""},
		"one of another project":    {"pipeline-state.json", `{"active":true,"session_id":"s2","started_at":"{now-1m}","project_path":"/elsewhere"}`, ""},
		"one that is not exclusive": {"team-state.json", fresh, ""},
		"a swarm":                   {"swarm-active.marker", `{"session_id":"s2","startedAt":"{now-1m}"}`, Swarm},
	} {
		w := newWorld(t)
		w.write("state/sessions/s1/autopilot-state.json", `{"active":true,"started_at":"{now-2m}"}`)
		if test.file != "" {
			w.write("state/"+test.file, test.text)
		}
		r := w.at("s1")
		own := r.Find(Autopilot)
		if !own.OK {
			t.Fatalf("%s: %+v", name, own)
		}
		if rival, ok := r.Rival(own.State); ok != (test.want != "") || rival.Mode != test.want {
			t.Errorf("%s: %+v", name, rival)
		}
	}
}

// TestAnEndedSessionExcludesNobody: an autopilot in its last phase prevents no start either. For other modes, that phase
// has no meaning.
func TestAnEndedSessionExcludesNobody(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mustStart("s1", Pipeline)
	if err := w.start("s2", Autopilot); err == nil {
		t.Error("two at once")
	}
	if err := w.at("s1").store.MarkEnded(session.Key{SessionID: "s1"}, w.now); err != nil {
		t.Fatal(err)
	}
	w.mustStart("s2", Autopilot)

	for mode, active := range map[Mode]bool{Autopilot: false, Pipeline: true} {
		w := newWorld(t)
		w.write("state/sessions/s1/"+string(mode)+"-state.json", `{"active":true,"started_at":"{now-1m}","phase":"complete","current_phase":"complete"}`)
		if states := w.at("s1").All(); len(states) != 1 || states[0].Active() != active {
			t.Errorf("%s: %+v", mode, states)
		}
	}
}

// TestStopPassesOverWhatIsNotActive: a stop skips an inactive state and ends the active one after it.
func TestStopPassesOverWhatIsNotActive(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write("state/sessions/s1/autopilot-state.json", `{"active":false}`)
	w.mustStart("s1", Ultrawork)
	stopped, err := w.at("s1").Stop(t.Context(), StopOptions{}, time.Second)
	if err != nil || len(stopped) != 1 || stopped[0].Mode != Ultrawork {
		t.Errorf("%+v, %v", stopped, err)
	}
}
