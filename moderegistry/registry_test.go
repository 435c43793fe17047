package moderegistry

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hookbridge/bridge/hooks"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/session"
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

// TestExclusive: of the four exclusive modes only one runs, in whatever session;
// the others combine with anything (seed 004, section 2.2, D-04).
func TestExclusive(t *testing.T) {
	t.Parallel()
	for _, first := range Rows() {
		for _, second := range Rows() {
			for _, other := range []string{"s1", "s2"} {
				w := newWorld(t)
				w.mustStart("s1", first.Mode)
				err := w.start(other, second.Mode)
				var conflict *ConflictError
				var active *ActiveError
				switch {
				case first.Mode == second.Mode && other == "s1":
					// A swarm has only a marker, which excludes itself as well.
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

// TestCheckThenStartIsAtomic: of many who start an exclusive mode at once, one
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

// TestCrashedModeBlocksNobodyForEver: after its staleness an exclusive mode no
// longer keeps others from starting, and force clears it at once (#246).
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

// TestStopKeepsEverything: what ends lies in its backup, with its markers, and
// nothing else is touched (spec/omc-modes.md, section 4.4).
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

// TestRalphBringsUltraworkAlong: starting ralph starts a linked ultrawork, ending
// it ends that one; one's own ultrawork stays.
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

// TestTerminalStartIsClaimed: what a person started in a terminal waits for the
// next session of the project, which writes its id into it; then nobody else may.
func TestTerminalStartIsClaimed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mustStart("", Ultrawork)
	found := w.at("s1").Find(Ultrawork)
	if !found.OK || found.State.Claim != "s1" {
		t.Fatalf("%+v", found)
	}
	store := session.NewStore(project.StateHome(w.getenv))
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

// TestResume: an ended mode goes on, at its limit only with a higher one; an
// exclusive one is refused like a start.
func TestResume(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	resume := func(mode Mode, opts hooks.ResumeOptions) error {
		opts.SessionID, opts.Now = "s1", w.now
		list, err := Lister(mode)(&hooks.Stop{Env: hooks.Env{Getenv: w.getenv, Now: w.now}, Places: []string{w.project}, Root: w.project})
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
	if err := resume(Autopilot, hooks.ResumeOptions{}); !errors.As(err, &conflict) {
		t.Errorf("%v", err)
	}
	if _, err := w.at("s2").Stop(t.Context(), StopOptions{Mode: Pipeline}, time.Second); err != nil {
		t.Fatal(err)
	}
	if err := resume(Autopilot, hooks.ResumeOptions{}); err != nil {
		t.Error(err)
	}
	state := w.at("s1").Find(Autopilot).State
	if err := state.Save("save", state.Object.Set("iteration", 10)).Do(); err != nil {
		t.Fatal(err)
	}
	if _, err := w.at("s1").Stop(t.Context(), StopOptions{Mode: Autopilot}, time.Second); err != nil {
		t.Fatal(err)
	}
	if err := resume(Autopilot, hooks.ResumeOptions{}); !errors.Is(err, ErrNeedsHigherLimit) {
		t.Errorf("%v", err)
	}
	if err := resume(Autopilot, hooks.ResumeOptions{MaxIterations: 20}); err != nil {
		t.Error(err)
	}
	if got := w.at("s1").Find(Autopilot); !got.OK || got.State.Limit != 20 || got.State.Count != 10 {
		t.Errorf("%+v", got)
	}
}

// TestRefusedDirectory: a state in a directory that everybody may write is told of
// and not used (design decision 15).
func TestRefusedDirectory(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mustStart("s1", Ultrawork)
	dir := filepath.Join(w.project, ".omc")
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	found := w.at("s1").Find(Ultrawork)
	if found.OK || len(found.Notices) != 1 || !strings.Contains(found.Notices[0].Text, "may not be used") {
		t.Errorf("%+v", found)
	}
	if found := w.at("s1").Find(Autopilot); len(found.Notices) != 0 {
		t.Errorf("told of a mode that is not there: %+v", found)
	}
}

// TestBadSessionIDs: an id that may not stand in a path starts nothing (design
// decision 15).
func TestBadSessionIDs(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"../x", ".x", "-x", "a/b", "a\x00b", strings.Repeat("a", 129), "é"} {
		w := newWorld(t)
		if err := w.start(id, Ultrawork); !errors.Is(err, ErrBadSession) {
			t.Errorf("%q: %v", id, err)
		}
		if found := files(t, w.project); len(found) != 0 {
			t.Errorf("%q: %v", id, found)
		}
	}
}
