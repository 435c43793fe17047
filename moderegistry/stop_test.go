package moderegistry

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// TestWhatEndsWithAMode: its own markers, the verification of a ralph and the ultrawork
// that it started; nothing else.
func TestWhatEndsWithAMode(t *testing.T) {
	t.Parallel()
	const active = `{"active":true,"started_at":"{now-1s}"}`
	for name, test := range map[string]struct {
		mode  Mode
		files map[string]string // below .omc/state
		gone  []string
	}{
		"an ultrapilot and who owns what": {Ultrapilot, map[string]string{"sessions/s1/ultrapilot-state.json": active, "ultrapilot-ownership.json": "{}"},
			[]string{"sessions/s1/ultrapilot-state.json", "ultrapilot-ownership.json"}},
		"a swarm of a marker": {Swarm, map[string]string{"swarm-active.marker": `{"startedAt":"{now-1s}","session_id":"s1"}`, "swarm-summary.json": "{}"},
			[]string{"swarm-active.marker", "swarm-summary.json"}},
		"a swarm of nobody":    {Swarm, map[string]string{"swarm-state.json": active, "swarm-summary.json": "{}"}, []string{"swarm-state.json", "swarm-summary.json"}},
		"a swarm of a session": {Swarm, map[string]string{"sessions/s1/swarm-state.json": active, "swarm-summary.json": "{}"}, []string{"sessions/s1/swarm-state.json"}},
		"a ralph in its folder": {Ralph, map[string]string{"sessions/s1/ralph-state.json": active, "sessions/s1/ralph-verification-state.json": "{}", "sessions/s1/ultrawork-state.json": `{"active":true,"linked_to_ralph":true}`},
			[]string{"sessions/s1/ralph-state.json", "sessions/s1/ralph-verification-state.json", "sessions/s1/ultrawork-state.json"}},
		"a verification of another session":                 {Ralph, map[string]string{"sessions/s1/ralph-state.json": active, "sessions/s1/ralph-verification-state.json": `{"session_id":"s2"}`}, []string{"sessions/s1/ralph-state.json"}},
		"a verification of the session":                     {Ralph, map[string]string{"sessions/s1/ralph-state.json": active, "ralph-verification.json": `{"session_id":"s1"}`}, []string{"sessions/s1/ralph-state.json", "ralph-verification.json"}},
		"a verification of nobody":                          {Ralph, map[string]string{"sessions/s1/ralph-state.json": active, "ralph-verification.json": "{}"}, []string{"sessions/s1/ralph-state.json"}},
		"a verification of another, among the files of all": {Ralph, map[string]string{"ralph-state.json": `{"active":true,"session_id":"s1"}`, "ralph-verification.json": `{"session_id":"s2"}`}, []string{"ralph-state.json"}},
		"a broken verification":                             {Ralph, map[string]string{"sessions/s1/ralph-state.json": active, "ralph-verification.json": `{"session_id":"s1"`}, []string{"sessions/s1/ralph-state.json"}},
		"a ralph among the files of all": {Ralph, map[string]string{"ralph-state.json": `{"active":true,"session_id":"s1"}`, "ralph-verification.json": "{}", "ultrawork-state.json": `{"active":true,"linked_to_ralph":true,"session_id":"s1"}`, "sessions/s1/ultrawork-state.json": `{"active":true,"linked_to_ralph":true}`},
			[]string{"ralph-state.json", "ralph-verification.json", "ultrawork-state.json"}},
		"a linked ultrawork of another session": {Ralph, map[string]string{"ralph-state.json": `{"active":true,"session_id":"s1"}`, "ultrawork-state.json": `{"active":true,"linked_to_ralph":true,"session_id":"s2"}`}, []string{"ralph-state.json"}},
		"an ultrawork of its own":               {Ralph, map[string]string{"sessions/s1/ralph-state.json": active, "sessions/s1/ultrawork-state.json": active}, []string{"sessions/s1/ralph-state.json"}},
		"a linked ultrawork that is broken":     {Ralph, map[string]string{"sessions/s1/ralph-state.json": active, "sessions/s1/ultrawork-state.json": `{"active":true,"linked_to_ralph":true,"reinforcement_count":"x"}`}, []string{"sessions/s1/ralph-state.json"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			for file, text := range test.files {
				w.write("state/"+file, text)
			}
			before := files(t, w.project)
			if _, err := w.at("s1").Stop(t.Context(), StopOptions{Mode: test.mode}, time.Second); err != nil {
				t.Fatal(err)
			}
			for _, file := range test.gone {
				path := filepath.Join(w.project, ".omc", "state", filepath.FromSlash(file))
				before[statefile.Backup(path)] = before[path]
				delete(before, path)
			}
			if after := files(t, w.project); !maps.Equal(before, after) {
				t.Errorf("%q, want %q", slices.Sorted(maps.Keys(after)), slices.Sorted(maps.Keys(before)))
			}
		})
	}
}

// TestStopForgetsTheClaim: a stopped mode no longer waits for a session.
func TestStopForgetsTheClaim(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mustStart("", Ultrawork)
	path := w.at("s1").Find(Ultrawork).State.Path()
	if _, err := w.at("").Stop(t.Context(), StopOptions{Mode: Ultrawork}, time.Second); err != nil {
		t.Fatal(err)
	}
	if session.NewStore(project.Env(w.getenv, w.now).StateHome).Pending(w.now)(path) {
		t.Error("it still waits")
	}
}

// TestWhatAStartWrites: the members that the other tools read.
func TestWhatAStartWrites(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"", "s1"} {
		for limit, want := range map[int]int{0: 10, 7: 7} {
			w := newWorld(t)
			if err := w.at(id).Start(t.Context(), StartOptions{Mode: Autopilot, Limit: limit}, time.Second); err != nil {
				t.Fatal(err)
			}
			object := w.at(id).Find(Autopilot).State.Object
			_, ok := object.Raw("session_id")
			if n, err := object.Count("max_iterations", -1); err != nil || n != want || ok != (id != "") || object.Text("session_id") != id {
				t.Errorf("session %q, limit %d: %s", id, limit, object.Bytes())
			}
		}
		w := newWorld(t)
		w.mustStart(id, Swarm)
		object := w.at(id).All()[0].Object
		if _, ok := object.Raw("session_id"); ok != (id != "") || object.Text("session_id") != id {
			t.Errorf("session %q: %s", id, object.Bytes())
		}
	}
}

// TestResumeOfWhatRuns: a running mode does not block its own resume.
func TestResumeOfWhatRuns(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mustStart("s1", Autopilot)
	if _, err := w.list(Autopilot)[0].Resume(protocol.ResumeOptions{SessionID: "s1", Now: w.now}); err != nil {
		t.Error(err)
	}
}

// TestOrphans: an autopilot whose prompt is a routing text was not really started, unless it is already in a phase.
func TestOrphans(t *testing.T) {
	t.Parallel()
	for text, orphan := range map[string]bool{
		`"prompt":"/autopilot go"`:                           true,
		`"originalIdea":"[MAGIC KEYWORD: AUTOPILOT]"`:        true,
		`"original_prompt":"/oh-my-claudecode:autopilot go"`: true,
		`"phase":"Unspecified","prompt":"/autopilot go"`:     true,
		`"phase":"execution","prompt":"/autopilot go"`:       false,
		`"prompt":"go"`:                       false,
		`"prompt":"what does /autopilot do?"`: false,
		`"original_prompt":"a shop","prompt":"","originalIdea":"/autopilot x"`: true,
	} {
		w := newWorld(t)
		w.write("state/sessions/s1/autopilot-state.json", `{"active":true,`+text+`}`)
		if found := w.at("s1").Find(Autopilot); found.OK == orphan {
			t.Errorf("%s: %+v", text, found)
		}
	}
}

// TestLockWithoutAHome: without a home, the lock is in the project, but not if a link that came with the project leads
// there.
func TestLockWithoutAHome(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		prepare func(w *world)
		locks   bool
	}{
		"no .omc":        {func(*world) {}, true},
		"an .omc":        {func(w *world) { w.write("state/sessions/s1/x.json", "{}") }, true},
		"a link":         {func(w *world) { w.link("state") }, false},
		"a link further": {func(w *world) { w.link("state/" + project.LocksDir) }, false},
		"a refused .omc": {func(w *world) {
			w.write("prd.json", "{}")
			if err := os.Chmod(filepath.Join(w.project, ".omc"), 0o777); err != nil {
				w.t.Fatal(err)
			}
		}, false},
	} {
		w := newWorld(t)
		test.prepare(w)
		before := files(t, filepath.Dir(w.project))
		unlock, err := At(w.project, "s1", func(string) string { return "" }, w.now).Lock(t.Context(), time.Second)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		unlock()
		locks := 0
		for path := range files(t, filepath.Dir(w.project)) {
			if _, ok := before[path]; !ok {
				locks++
				if !strings.HasPrefix(path, filepath.Join(w.project, ".omc", "state", project.LocksDir)) {
					t.Errorf("%s: %s", name, path)
				}
			}
		}
		if (locks > 0) != test.locks {
			t.Errorf("%s: %d locks", name, locks)
		}
	}
}

// link puts a link out of the project at name below .omc.
func (w *world) link(name string) {
	w.t.Helper()
	path := filepath.Join(w.project, ".omc", filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		w.t.Fatal(err)
	}
	target := w.project + "-elsewhere"
	if err := os.Mkdir(target, 0o700); err != nil {
		w.t.Fatal(err)
	}
	if err := os.Symlink(target, path); err != nil {
		w.t.Fatal(err)
	}
}
