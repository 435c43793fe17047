package smart_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hookbridge/bridge/hooks/ralph/smart"
	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/protocol"
)

// TestHowASessionEnded: the history says whether somebody cancelled a session or skipped
// its last task.
func TestHowASessionEnded(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		end    func(w *world) (string, error)
		reason string
	}{
		"cancelled": {func(w *world) (string, error) {
			return w.order(func(c protocol.Controlled) (string, error) { return c.Cancel() })
		}, "cancelled"},
		"skipped": {func(w *world) (string, error) { return w.resume(protocol.ResumeOptions{Force: true, Skip: true}) }, "done"},
	} {
		w := newWorld(t)
		w.start("1. 一", nil)
		w.decide(say("<task-analysis>\n## 任务 1: 一\n</task-analysis>"))
		text, err := test.end(w)
		if err != nil || text == "" || w.exists(stateFile) {
			t.Errorf("%s: %q, %v", name, text, err)
		}
		entries, err := smart.History(filepath.Join(w.root, smart.DirName))
		if err != nil || len(entries) != 1 || entries[0].EndReason != test.reason {
			t.Errorf("%s: %+v, %v", name, entries, err)
		}
	}
}

// TestWhatAStatusSays: a session that ended is stale, a paused one says why, and a damage
// counts more than both.
func TestWhatAStatusSays(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.start("1. 一\n2. 二", nil)
	w.decide(say(threeTasks))
	status := func() protocol.Status {
		t.Helper()
		all, err := smart.List(w.stop())
		if err != nil || len(all) != 1 {
			t.Fatalf("%d sessions, %v", len(all), err)
		}
		return all[0].Status
	}
	if st := status(); st.State != protocol.LoopActive || st.Problem != "" {
		t.Errorf("active: %+v", st)
	}
	store, key := session.NewStore(w.stop().Env.StateHome), session.Key{SessionID: "s1"}
	if err := store.MarkEnded(key, w.now); err != nil {
		t.Fatal(err)
	}
	if st := status(); st.State != protocol.LoopStale || !strings.Contains(st.Problem, "它的会话已经结束") {
		t.Errorf("ended: %+v", st)
	}
	if err := store.ClearEnded(key); err != nil {
		t.Fatal(err)
	}
	if _, err := w.order(func(c protocol.Controlled) (string, error) { return c.Pause() }); err != nil {
		t.Fatal(err)
	}
	paused := status()
	if paused.State != protocol.LoopPaused || paused.Problem == "" {
		t.Errorf("paused: %+v", paused)
	}
	w.write(stateFile, strings.Replace(w.read(stateFile), "max_iterations: 50", "max_iterations: lots", 1))
	if st := status(); st.State != protocol.LoopPaused || !strings.Contains(st.Problem, "max_iterations") {
		t.Errorf("unclear: %+v", st)
	}
}

// TestALimitFromATerminal: a terminal may change the limit of a session that works, but
// not skip its task.
func TestALimitFromATerminal(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.start("1. 一\n2. 二", nil)
	w.decide(say(threeTasks))
	w.session = ""
	if _, err := w.resume(protocol.ResumeOptions{MaxIterations: 70}); err != nil || w.state().MaxIterations != 70 || w.state().SessionID != "s1" {
		t.Errorf("%v, %+v", err, w.state())
	}
	if _, err := w.resume(protocol.ResumeOptions{Skip: true}); !errors.Is(err, protocol.ErrMayRun) || w.state().CurrentIndex != 0 {
		t.Errorf("%v, %+v", err, w.state())
	}
}
