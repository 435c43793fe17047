package moderegistry

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

func (w *world) list(modes ...Mode) []protocol.Controlled {
	w.t.Helper()
	list, err := Lister(modes...)(&protocol.Stop{Env: project.Env(w.getenv, w.now), Places: []string{w.project}, Root: w.project})
	if err != nil {
		w.t.Fatal(err)
	}
	return list
}

// TestStatus: what bridge status says of each state.
func TestStatus(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		files map[string]string
		// want has a line for each state: STATE STOP | the beginning of PROBLEM.
		want []string
	}{
		"of a session":                           {map[string]string{"sessions/s1/ultrawork-state.json": `{"active":true}`}, []string{"active mode stop ultrawork --session s1 | "}},
		"of nobody, fresh":                       {map[string]string{"ultrawork-state.json": `{"active":true,"started_at":"{now-1s}"}`}, []string{"active mode stop ultrawork | "}},
		"of nobody, old":                         {map[string]string{"ultrawork-state.json": `{"active":true,"started_at":"{now-25h}"}`}, []string{"stale mode stop ultrawork | no session id"}},
		"of a session, old":                      {map[string]string{"sessions/s1/ultrawork-state.json": `{"active":true,"started_at":"{now-25h}"}`}, []string{"active mode stop ultrawork --session s1 | "}},
		"not active":                             {map[string]string{"sessions/s1/ultrawork-state.json": `{"active":false}`}, nil},
		"broken":                                 {map[string]string{"sessions/s1/ultrawork-state.json": `{"act`}, []string{"broken mode stop ultrawork --force | it is "}},
		"ended":                                  {map[string]string{"sessions/s1/ultrawork-state.json.bak": `{"active":true}`}, []string{"ended  | "}},
		"exclusive and silent":                   {map[string]string{"sessions/s1/pipeline-state.json": `{"active":true,"started_at":"{now-2h}"}`}, []string{"stale mode stop pipeline --session s1 | inactive"}},
		"exclusive and live":                     {map[string]string{"sessions/s1/pipeline-state.json": `{"active":true,"started_at":"{now-119m}"}`}, []string{"active mode stop pipeline --session s1 | "}},
		"exclusive, from a clock that went back": {map[string]string{"sessions/s1/pipeline-state.json": `{"active":true,"started_at":"{now59s}"}`}, []string{"active mode stop pipeline --session s1 | "}},
		"exclusive, from the future":             {map[string]string{"sessions/s1/pipeline-state.json": `{"active":true,"started_at":"{now1m}"}`}, []string{"stale mode stop pipeline --session s1 | inactive"}},
		"exclusive, without a time":              {map[string]string{"sessions/s1/pipeline-state.json": `{"active":true}`}, []string{"stale mode stop pipeline --session s1 | inactive"}},
		"a swarm":                                {map[string]string{"swarm-active.marker": `{"startedAt":"{now-1s}"}`}, []string{"active mode stop swarm | "}},
		"two that exclude":                       {map[string]string{"sessions/s1/autopilot-state.json": `{"active":true,"started_at":"{now-1m}"}`, "sessions/s2/pipeline-state.json": `{"active":true,"started_at":"{now-2m}"}`}, []string{"active mode stop autopilot --session s1 | ignored, because pipeline (", "active mode stop pipeline --session s2 | "}},
		"beside a silent one":                    {map[string]string{"sessions/s1/autopilot-state.json": `{"active":true,"started_at":"{now-1m}"}`, "sessions/s2/pipeline-state.json": `{"active":true,"started_at":"{now-3h}"}`}, []string{"active mode stop autopilot --session s1 | ", "stale mode stop pipeline --session s2 | inactive"}},
		"beside one of no kind":                  {map[string]string{"sessions/s1/autopilot-state.json": `{"active":true,"started_at":"{now-1m}"}`, "sessions/s2/team-state.json": `{"active":true,"started_at":"{now-2m}"}`}, []string{"active mode stop autopilot --session s1 | ", "active mode stop team --session s2 | "}},
		"at the same time":                       {map[string]string{"sessions/s1/autopilot-state.json": `{"active":true,"started_at":"{now-1m}"}`, "sessions/s2/pipeline-state.json": `{"active":true,"started_at":"{now-1m}"}`}, []string{"active mode stop autopilot --session s1 | ", "active mode stop pipeline --session s2 | ignored, because autopilot ("}},
		"at the same time, same":                 {map[string]string{"sessions/s1/pipeline-state.json": `{"active":true,"started_at":"{now-1m}"}`, "sessions/s2/pipeline-state.json": `{"active":true,"started_at":"{now-1m}"}`}, []string{"active mode stop pipeline --session s1 | ", "active mode stop pipeline --session s2 | ignored, because pipeline ("}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			for file, text := range test.files {
				w.write("state/"+file, text)
			}
			var got []string
			for _, c := range w.list(AllModes()...) {
				_, stop, _ := strings.Cut(c.Status.Stop, " ")
				got = append(got, string(c.Status.State)+" "+stop+" | "+c.Status.Problem)
			}
			if len(got) != len(test.want) {
				t.Fatalf("%q", got)
			}
			for i, want := range test.want {
				if !strings.HasPrefix(got[i], want) || strings.HasSuffix(want, "| ") && got[i] != want {
					t.Errorf("%q, want %q", got[i], want)
				}
			}
		})
	}
}

// TestResumeWrites: what a resume writes: the state in the place of the session that
// resumes it, with the id of that session or none, and no backup.
func TestResumeWrites(t *testing.T) {
	t.Parallel()
	const shared, own = "state/ultrawork-state.json", "state/sessions/s1/ultrawork-state.json"
	for name, test := range map[string]struct {
		from, text, session, to string
		id                      string // the session_id in the resumed state; "none" if there is no such member
		pending                 bool
	}{
		"a session takes up its own":          {own, `{"session_id":"s1"}`, "s1", own, "s1", false},
		"a session takes up nobody's":         {shared, `{}`, "s1", own, "s1", false},
		"a terminal takes up nobody's":        {shared, `{}`, "", shared, "none", true},
		"a terminal takes up one of sessions": {own, `{"session_id":"s1"}`, "", shared, "", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			from := statefile.Backup(w.write(test.from, test.text))
			if err := os.Rename(strings.TrimSuffix(from, ".bak"), from); err != nil {
				t.Fatal(err)
			}
			list := w.list(Ultrawork)
			if len(list) != 1 {
				t.Fatalf("%+v", list)
			}
			if _, err := list[0].Resume(protocol.ResumeOptions{SessionID: test.session, Now: w.now}); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(w.project, ".omc", filepath.FromSlash(test.to))
			after := files(t, w.project)
			if after[path] == "" || after[from] != "" {
				t.Fatalf("%v", after)
			}
			object, err := statefile.ParseObject([]byte(after[path]))
			if err != nil {
				t.Fatal(err)
			}
			id := "none"
			if _, ok := object.Raw("session_id"); ok {
				id = object.Text("session_id")
			}
			if pending := session.NewStore(project.Env(w.getenv, w.now).StateHome).Pending(w.now)(path); id != test.id || pending != test.pending {
				t.Errorf("session %q, waits %v: %s", id, pending, after[path])
			}
		})
	}
}

// TestResumeOfWhatIsDone: an autopilot in its last phase cannot be resumed; the phase of
// another mode does not matter.
func TestResumeOfWhatIsDone(t *testing.T) {
	t.Parallel()
	for mode, refused := range map[Mode]bool{Autopilot: true, Pipeline: false} {
		w := newWorld(t)
		w.write("state/sessions/s1/"+string(mode)+"-state.json.bak", `{"phase":"complete","session_id":"s1"}`)
		_, err := w.list(mode)[0].Resume(protocol.ResumeOptions{SessionID: "s1", Now: w.now})
		if (err != nil) != refused || refused && !strings.Contains(err.Error(), "it is already complete") {
			t.Errorf("%s: %v", mode, err)
		}
	}
}

// TestSwarmsLastSign: the summary beside a swarm's marker says when the swarm was last active.
func TestSwarmsLastSign(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		summary string
		state   protocol.LoopState
	}{
		"no summary":         {"", protocol.LoopStale},
		"a broken summary":   {`{"last_checked_at":"{now-1m}"`, protocol.LoopStale},
		"a summary that old": {`{"last_checked_at":"{now-3h}"}`, protocol.LoopStale},
		"a fresh summary":    {`{"last_checked_at":"{now-1m}"}`, protocol.LoopActive},
	} {
		w := newWorld(t)
		marker := w.write("state/swarm-active.marker", `{"startedAt":"{now-2h}"}`)
		if test.summary != "" {
			w.write("state/swarm-summary.json", test.summary)
		}
		if at := w.now.Add(-2 * time.Hour); os.Chtimes(marker, at, at) != nil {
			t.Fatal("the time cannot be set")
		}
		if list := w.list(Swarm); len(list) != 1 || list[0].Status.State != test.state {
			t.Errorf("%s: %+v", name, list)
		}
	}
}
