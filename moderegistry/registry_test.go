package moderegistry

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// world is a home, a project and a clock.
type world struct {
	t             *testing.T
	home, project string
	now           time.Time
}

func newWorld(t *testing.T) *world {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, home: filepath.Join(root, "home"), project: filepath.Join(root, "project"), now: time.Now()}
	for _, dir := range []string{w.home, filepath.Join(w.project, ".git")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

func (w *world) getenv(name string) string {
	if name == "HOME" || name == "USERPROFILE" || name == "LOCALAPPDATA" {
		return w.home
	}
	return ""
}

func (w *world) at(sessionID string) *Registry { return At(w.project, sessionID, w.getenv, w.now) }

func (w *world) start(sessionID string, mode Mode) error {
	return w.at(sessionID).Start(w.t.Context(), StartOptions{Mode: mode, Prompt: "Work."}, time.Second)
}

func (w *world) mustStart(sessionID string, mode Mode) {
	w.t.Helper()
	if err := w.start(sessionID, mode); err != nil {
		w.t.Fatal(err)
	}
}

// TestExclusive: only one of the four exclusive modes runs, in whatever session; the
// others combine with any mode (docs/reference/hook-standard.md#exclusive-modes). A mode
// that was running stays as it was.
func TestExclusive(t *testing.T) {
	t.Parallel()
	for _, first := range Rows() {
		for _, second := range Rows() {
			for _, other := range []string{"s1", "s2"} {
				w := newWorld(t)
				w.mustStart("s1", first.Mode)
				before := files(t, w.project)
				err := w.start(other, second.Mode)
				after := files(t, w.project)
				for path, text := range before {
					// An ultrawork that a ralph started is replaced by one that the session starts itself.
					if after[path] != text && !(first.Mode == Ralph && second.Mode == Ultrawork && strings.HasSuffix(path, "ultrawork-state.json")) {
						t.Errorf("%s beside %s of %s: %s became %q", second.Mode, first.Mode, other, path, after[path])
					}
				}
				if err != nil && len(after) != len(before) {
					t.Errorf("%s was refused beside %s, and left files: %v", second.Mode, first.Mode, after)
				}
				var conflict *ConflictError
				var active *ActiveError
				switch {
				case first.Mode == second.Mode && other == "s1":
					// A swarm has only a marker, which also prevents a second swarm.
					if !errors.As(err, &active) && !errors.As(err, &conflict) {
						t.Errorf("%s twice in one session: %v", first.Mode, err)
					}
				case first.Exclusive && second.Exclusive:
					if !errors.As(err, &conflict) || !strings.Contains(err.Error(), "bridge mode stop "+string(first.Mode)) || conflict.Blocker.Mode != first.Mode {
						t.Errorf("%s beside %s: %v", second.Mode, first.Mode, err)
					}
				case err != nil && !(first.Mode == Ralph && second.Mode == Ultrawork && errors.As(err, &active)):
					t.Errorf("%s beside %s of %s: %v", second.Mode, first.Mode, other, err)
				}
			}
		}
	}
}

// TestCheckThenStartIsAtomic: if many processes start an exclusive mode at once, one
// wins.
func TestCheckThenStartIsAtomic(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	modes := []Mode{Autopilot, Ultrapilot, Swarm, Pipeline}
	var wait sync.WaitGroup
	errs := make([]error, 24)
	for i := range errs {
		wait.Go(func() {
			errs[i] = w.at(fmt.Sprintf("s%d", i)).Start(t.Context(), StartOptions{Mode: modes[i%4]}, 20*time.Second)
		})
	}
	wait.Wait()
	won := 0
	for _, err := range errs {
		var conflict *ConflictError
		switch {
		case err == nil:
			won++
		case !errors.As(err, &conflict):
			t.Error(err)
		}
	}
	if won != 1 {
		t.Errorf("%d modes started", won)
	}
}

// TestCrashedModeBlocksNobodyForEver: after its staleness an exclusive mode no longer
// prevents others from starting, and force ends it at once
// (Yeachan-Heo/oh-my-claudecode#246).
func TestCrashedModeBlocksNobodyForEver(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		mode    Mode
		after   time.Duration
		refused bool
	}{
		"a minute":                    {Pipeline, time.Minute, true},
		"just under two hours":        {Pipeline, Staleness - time.Minute, true},
		"two hours":                   {Pipeline, Staleness, false},
		"a marker, half an hour":      {Swarm, 30 * time.Minute, true},
		"a marker, an hour":           {Swarm, time.Hour + time.Second, false},
		"the clock went back an hour": {Pipeline, -time.Hour, false},
	} {
		w := newWorld(t)
		w.mustStart("crashed", test.mode)
		w.now = w.now.Add(test.after)
		if err := w.start("s1", Autopilot); (err != nil) != test.refused {
			t.Errorf("%s: %v", name, err)
		}
	}
	w := newWorld(t)
	w.mustStart("crashed", Pipeline)
	if _, err := w.at("s1").Stop(t.Context(), StopOptions{Mode: Pipeline}, time.Second); err == nil {
		t.Error("another session's mode was stopped without force")
	}
	if _, err := w.at("s1").Stop(t.Context(), StopOptions{Mode: Pipeline, Force: true}, time.Second); err != nil {
		t.Error(err)
	}
	if err := w.start("s1", Autopilot); err != nil {
		t.Error(err)
	}
}

// TestStopInATerminal: a person in a terminal means the only mode there is; with two
// modes this is unclear. A session never means the mode of another one.
func TestStopInATerminal(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	stop := func(sessionID string) error {
		_, err := w.at(sessionID).Stop(t.Context(), StopOptions{Mode: Ultrawork}, time.Second)
		return err
	}
	if err := stop(""); !errors.Is(err, ErrNotActive) {
		t.Errorf("nothing is there: %v", err)
	}
	w.mustStart("s1", Ultrawork)
	w.mustStart("s2", Ultrawork)
	before := files(t, w.project)
	var others *OthersError
	if err := stop(""); !errors.As(err, &others) || len(others.States) != 2 || !maps.Equal(before, files(t, w.project)) {
		t.Errorf("one of two: %v", err)
	}
	if err := stop("s2"); err != nil || !w.at("s1").Find(Ultrawork).OK {
		t.Errorf("the own one of two: %v", err)
	}
	if err := stop("s2"); !errors.As(err, &others) || !w.at("s1").Find(Ultrawork).OK {
		t.Errorf("another session's from a session: %v", err)
	}
	if err := stop(""); err != nil || w.at("s1").Find(Ultrawork).OK {
		t.Errorf("the only one: %v", err)
	}
}

// TestStartBesideOneThatWaits: a mode that was started in a terminal and waits for a
// session does not keep a session from starting its own, and keeps waiting.
func TestStartBesideOneThatWaits(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mustStart("", Ultrawork)
	waiting := files(t, w.project)
	w.mustStart("s1", Ultrawork)
	if found := w.at("s1").Find(Ultrawork); !found.OK || found.State.Claim != "" {
		t.Errorf("%+v", found)
	}
	if found := w.at("s2").Find(Ultrawork); !found.OK || found.State.Claim != "s2" || waiting[found.State.Path()] != string(found.State.File.Data) {
		t.Errorf("%+v", found)
	}
}

// TestStopKeepsEverything: an ended mode is in its backup, with its markers, and nothing
// else is touched (docs/reference/modes.md#clearing).
func TestStopKeepsEverything(t *testing.T) {
	t.Parallel()
	for _, row := range Rows() {
		w := newWorld(t)
		w.mustStart("s1", row.Mode)
		w.mustStart("s2", Ultraqa)
		before := files(t, w.project)
		if _, err := w.at("s1").Stop(t.Context(), StopOptions{Mode: row.Mode}, time.Second); err != nil {
			// A swarm's marker belongs to no session's folder.
			t.Errorf("%s: %v", row.Mode, err)
			continue
		}
		after := files(t, w.project)
		for path, text := range before {
			moved := after[path] != text
			if moved && after[path+".bak"] != text {
				t.Errorf("%s: %s is lost", row.Mode, path)
			}
			if moved && strings.Contains(path, "s2") {
				t.Errorf("%s: %s was moved", row.Mode, path)
			}
		}
		if found := w.at("s1").Find(row.Mode); found.OK {
			t.Errorf("%s is still active", row.Mode)
		}
	}
}

// files returns the text of every regular file below a directory.
func files(t *testing.T, root string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			text, err := os.ReadFile(path)
			found[path] = string(text)
			return err
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestRalphBringsUltraworkAlong: starting ralph also starts a linked ultrawork, and ending ralph ends it; an ultrawork
// that was started separately stays.
func TestRalphBringsUltraworkAlong(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mustStart("s1", Ralph)
	linked := w.at("s1").Find(Ultrawork)
	if !linked.OK || !linked.State.Object.Bool("linked_to_ralph") {
		t.Fatalf("no linked ultrawork: %+v", linked)
	}
	if _, err := w.at("s1").Stop(t.Context(), StopOptions{Mode: Ralph}, time.Second); err != nil {
		t.Fatal(err)
	}
	if w.at("s1").Find(Ultrawork).OK {
		t.Error("the linked ultrawork outlived its ralph")
	}
	w.mustStart("s1", Ultrawork)
	w.mustStart("s1", Ralph)
	if _, err := w.at("s1").Stop(t.Context(), StopOptions{Mode: Ralph}, time.Second); err != nil {
		t.Fatal(err)
	}
	if !w.at("s1").Find(Ultrawork).OK {
		t.Error("the user's own ultrawork ended with ralph")
	}
	w.mustStart("s2", Ralph)
	w.mustStart("s2", Ultrawork)
	if own := w.at("s2").Find(Ultrawork); !own.OK || own.State.Object.Bool("linked_to_ralph") {
		t.Error("starting ultrawork beside ralph did not make it one's own")
	}
}

// TestTerminalStartIsClaimed: a mode that a person starts in a terminal waits for the
// next session of the project, which writes its id into it; after that no other session
// may take it.
func TestTerminalStartIsClaimed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mustStart("", Ultrawork)
	found := w.at("s1").Find(Ultrawork)
	if !found.OK || found.State.Claim != "s1" {
		t.Fatalf("%+v", found)
	}
	store := session.NewStore(project.Env(w.getenv, w.now).StateHome)
	if !store.Pending(w.now)(found.State.Path()) {
		t.Error("nobody knows that it waits")
	}
	if err := found.State.Save("save", found.State.Object.Set("reinforcement_count", 1)).Do(); err != nil {
		t.Fatal(err)
	}
	if store.Pending(w.now)(found.State.Path()) {
		t.Error("it still waits after it was claimed")
	}
	if w.at("s2").Find(Ultrawork).OK || !w.at("s1").Find(Ultrawork).OK {
		t.Error("the claim does not hold")
	}
}

// TestResume: an ended mode can be resumed, at its limit only with a higher one; an exclusive mode must not conflict, as
// on a start.
func TestResume(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	resume := func(mode Mode, opts protocol.ResumeOptions) error {
		opts.SessionID, opts.Now = "s1", w.now
		list, err := Lister(mode)(&protocol.Stop{Env: project.Env(w.getenv, w.now), Places: []string{w.project}, Root: w.project})
		if err != nil || len(list) != 1 {
			t.Fatalf("%d, %v", len(list), err)
		}
		_, err = list[0].Resume(opts)
		return err
	}
	w.mustStart("s1", Autopilot)
	if _, err := w.at("s1").Stop(t.Context(), StopOptions{Mode: Autopilot}, time.Second); err != nil {
		t.Fatal(err)
	}
	w.mustStart("s2", Pipeline)
	var conflict *ConflictError
	if err := resume(Autopilot, protocol.ResumeOptions{}); !errors.As(err, &conflict) {
		t.Errorf("%v", err)
	}
	if _, err := w.at("s2").Stop(t.Context(), StopOptions{Mode: Pipeline}, time.Second); err != nil {
		t.Fatal(err)
	}
	if err := resume(Autopilot, protocol.ResumeOptions{}); err != nil {
		t.Error(err)
	}
	state := w.at("s1").Find(Autopilot).State
	if err := state.Save("save", state.Object.Set("iteration", 10)).Do(); err != nil {
		t.Fatal(err)
	}
	if _, err := w.at("s1").Stop(t.Context(), StopOptions{Mode: Autopilot}, time.Second); err != nil {
		t.Fatal(err)
	}
	if err := resume(Autopilot, protocol.ResumeOptions{}); !errors.Is(err, protocol.ErrNeedsHigherLimit) {
		t.Errorf("%v", err)
	}
	if err := resume(Autopilot, protocol.ResumeOptions{MaxIterations: 20}); err != nil {
		t.Error(err)
	}
	if got := w.at("s1").Find(Autopilot); !got.OK || got.State.Limit != 20 || got.State.Count != 10 {
		t.Errorf("%+v", got)
	}
}

// TestWhatStandsInTheWay: a start or resume in a terminal replaces only states on which no session works.
func TestWhatStandsInTheWay(t *testing.T) {
	t.Parallel()
	const stale, claimed, linked, broken = `{"active":true,"started_at":"2020-01-01T00:00:00Z"}`, `{"active":true,"session_id":"sa","started_at":"2020-01-01T00:00:00Z"}`,
		`{"active":true,"linked_to_ralph":true}`, `{"active":tr`
	ended := `{"active":true,"original_prompt":"before"}`
	for name, test := range map[string]struct {
		there, ended string // the state in the place of all sessions, and its backup
		resume       bool
		refused      bool
	}{
		"start over a stale one":              {stale, "", false, false},
		"start over a session's":              {claimed, "", false, true},
		"start over one that came with ralph": {linked, "", false, false},
		"start over one of a session's ralph": {`{"active":true,"session_id":"sa","linked_to_ralph":true}`, "", false, true},
		"start over one that has ended":       {`{"active":false}`, "", false, false},
		"start over one that ended just now":  {`{"active":false,"started_at":"{now-1s}"}`, "", false, false},
		"start over a fresh one of a ralph":   {`{"active":true,"linked_to_ralph":true,"started_at":"{now-1s}"}`, "", false, false},
		"resume a stale one in its place":     {stale, "", true, false},
		"resume with nothing in the way":      {"", ended, true, false},
		"resume with a session's in the way":  {claimed, ended, true, true},
		"resume with a broken one in the way": {broken, ended, true, true},
		"resume with an ended one in the way": {`{"active":false}`, ended, true, false},
	} {
		w := newWorld(t)
		path := filepath.Join(w.project, ".omc", "state", "ultrawork-state.json")
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		for file, text := range map[string]string{path: test.there, statefile.Backup(path): test.ended} {
			if text == "" {
				continue
			}
			if err := os.WriteFile(file, []byte(w.fill(text)), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		before := files(t, w.project)
		var err error
		if test.resume {
			list, listErr := Lister(Ultrawork)(&protocol.Stop{Env: project.Env(w.getenv, w.now), Places: []string{w.project}, Root: w.project})
			if listErr != nil || len(list) == 0 {
				t.Fatalf("%s: %d, %v", name, len(list), listErr)
			}
			_, err = list[len(list)-1].Resume(protocol.ResumeOptions{Now: w.now})
		} else {
			err = w.start("", Ultrawork)
		}
		var taken *TakenError
		if test.refused {
			if !errors.As(err, &taken) || !maps.Equal(before, files(t, w.project)) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		after := files(t, w.project)
		if err != nil || after[path] == before[path] || !test.resume && after[statefile.Backup(path)] != before[path] {
			t.Errorf("%s: %v, %v", name, err, after)
		}
		if found := w.at("s1").Find(Ultrawork); !found.OK || found.State.Claim != "s1" {
			t.Errorf("%s: nobody can claim it: %+v", name, found)
		}
	}
}

// TestResumeBesideTheOwn: a session that runs a mode cannot resume another one of the
// same kind.
func TestResumeBesideTheOwn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mustStart("s1", Ultrawork)
	stale := filepath.Join(w.project, ".omc", "state", "ultrawork-state.json")
	if err := os.WriteFile(stale, []byte(`{"active":true,"started_at":"2020-01-01T00:00:00Z"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	before := files(t, w.project)
	list, err := Lister(Ultrawork)(&protocol.Stop{Env: project.Env(w.getenv, w.now), Places: []string{w.project}, Root: w.project})
	if err != nil || len(list) != 2 || list[0].Status.Path != stale {
		t.Fatalf("%+v, %v", list, err)
	}
	var active *ActiveError
	if _, err := list[0].Resume(protocol.ResumeOptions{SessionID: "s1"}); !errors.As(err, &active) || !maps.Equal(before, files(t, w.project)) {
		t.Errorf("%v", err)
	}
}

// TestResumeLooksAgain: after the modes were listed and before the lock is taken, another process may have resumed the
// mode, or ended another one whose state is now in the same place.
func TestResumeLooksAgain(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		meanwhile func(w *world, c protocol.Controlled)
		want      error
	}{
		"resumed": {func(_ *world, c protocol.Controlled) {
			if _, err := c.Resume(protocol.ResumeOptions{SessionID: "s2"}); err != nil {
				t.Error(err)
			}
		}, statefile.ErrGone},
		"another one ended": {func(w *world, _ protocol.Controlled) {
			w.now = w.now.Add(time.Second)
			w.mustStart("s1", Ralph)
			if _, err := w.at("s1").Stop(t.Context(), StopOptions{Mode: Ralph}, time.Second); err != nil {
				t.Error(err)
			}
		}, statefile.ErrChanged},
	} {
		w := newWorld(t)
		w.mustStart("s1", Ralph)
		if _, err := w.at("s1").Stop(t.Context(), StopOptions{Mode: Ralph}, time.Second); err != nil {
			t.Fatal(err)
		}
		list, err := Lister(Ralph)(&protocol.Stop{Env: project.Env(w.getenv, w.now), Places: []string{w.project}, Root: w.project})
		if err != nil || len(list) != 1 {
			t.Fatalf("%d, %v", len(list), err)
		}
		test.meanwhile(w, list[0])
		if _, err := list[0].Resume(protocol.ResumeOptions{SessionID: "s1"}); !errors.Is(err, test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestRefusedDirectory: a state in a world-writable directory is reported and not used
// (docs/design.md#state-directories).
func TestRefusedDirectory(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mustStart("s1", Ultrawork)
	dir := filepath.Join(w.project, ".omc")
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	found := w.at("s1").Find(Ultrawork)
	if found.OK || len(found.Notices) != 1 || !strings.Contains(found.Notices[0].Text, "directory is world-writable") {
		t.Errorf("%+v", found)
	}
	if found := w.at("s1").Find(Autopilot); len(found.Notices) != 0 {
		t.Errorf("told of a mode that is not there: %+v", found)
	}
}

// TestBadSessionIDs: an id that must not be used in a path starts nothing
// (docs/design.md#session-ids).
func TestBadSessionIDs(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"../x", ".x", "-x", "a/b", "a\x00b", strings.Repeat("a", 129), "é", "a..x", "x."} {
		w := newWorld(t)
		if err := w.start(id, Ultrawork); !errors.Is(err, ErrBadSession) {
			t.Errorf("%q: %v", id, err)
		}
		if found := files(t, w.project); len(found) != 0 {
			t.Errorf("%q: %v", id, found)
		}
	}
}
