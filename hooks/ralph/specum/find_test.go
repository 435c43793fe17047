package specum

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// scene is a project with its own home directory and a spec in phase execution that
// nobody changed for a minute.
type scene struct {
	t                  *testing.T
	base, root, home   string
	now                time.Time
	specDir, statePath string
}

const midway = `{"phase":"execution","taskIndex":1,"totalTasks":3,"globalIteration":2}`

// settled is an age at which bridge does not wait for a state but still accepts it as written here. The state must not
// be much older, because the system records the moment at which the test set its age.
const settled = 3 * time.Second

func newScene(t *testing.T) *scene {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := &scene{t: t, base: dir, root: filepath.Join(dir, "project"), home: filepath.Join(dir, "home"), now: time.Now()}
	s.specDir = filepath.Join(s.root, "specs", "test-spec")
	s.statePath = filepath.Join(s.specDir, ".ralph-state.json")
	s.put("project/specs/.current-spec", "test-spec\n")
	s.put("project/specs/test-spec/.ralph-state.json", midway)
	s.put("project/specs/test-spec/tasks.md", tasksText)
	s.put("project/.git/HEAD", "ref: refs/heads/main\n")
	s.put("home/x", "")
	s.age(s.statePath, settled)
	return s
}

// put writes a file below the scene.
func (s *scene) put(name, text string) string {
	s.t.Helper()
	path := filepath.Join(s.base, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
	return path
}

func (s *scene) age(path string, by time.Duration) {
	s.t.Helper()
	at := time.Now().Add(-by)
	if err := os.Chtimes(path, at, at); err != nil {
		s.t.Fatal(err)
	}
}

func (s *scene) remove(path string) {
	s.t.Helper()
	if err := os.RemoveAll(path); err != nil {
		s.t.Fatal(err)
	}
}

func (s *scene) getenv(name string) string {
	switch name {
	case "HOME", "USERPROFILE", "LOCALAPPDATA":
		return s.home
	}
	return ""
}

func (s *scene) event(sessionID string) *protocol.Stop {
	return &protocol.Stop{
		Input:  protocol.Input{Base: protocol.Base{SessionID: sessionID, CWD: s.root}},
		Env:    project.Env(s.getenv, s.now),
		Places: []string{s.root}, Root: s.root,
	}
}

// find returns the session's spec and the notices.
func (s *scene) find(sessionID string) (*run, string) {
	s.t.Helper()
	found, err := Find(s.event(sessionID))
	if err != nil {
		s.t.Fatal(err)
	}
	var text string
	for _, n := range found.Notices {
		text += n.Text
	}
	if found.Active == nil {
		return nil, text
	}
	return found.Active.(*run), text
}

// stop handles a stop as the handler does.
func (s *scene) stop(sessionID, message string, active bool) protocol.Decision {
	s.t.Helper()
	event := s.event(sessionID)
	event.Input.Stop = protocol.StopFields{StopHookActive: active, LastAssistantMessage: &message}
	found, err := Find(event)
	if err != nil {
		s.t.Fatal(err)
	}
	if found.Active == nil {
		return protocol.Decision{Rule: "none"}
	}
	r := found.Active.(*run)
	turn := protocol.Turn{Final: message, HasFinal: true}
	r.Observe(context.Background(), turn)
	d := r.Decide(turn, s.now)
	for _, w := range d.Writes {
		if err := w.Do(); err != nil && !w.Optional {
			s.t.Fatalf("%s: %v", w.What, err)
		}
	}
	return d
}

// gitIndex is an index of version 2 that lists the files.
func gitIndex(paths ...string) string {
	slices.Sort(paths)
	b := []byte("DIRC")
	b = binary.BigEndian.AppendUint32(b, 2)
	b = binary.BigEndian.AppendUint32(b, uint32(len(paths)))
	for _, p := range paths {
		entry := append(make([]byte, 60), 0, byte(len(p)))
		entry = append(entry, p...)
		entry = append(entry, make([]byte, 8-len(entry)%8)...)
		b = append(b, entry...)
	}
	return string(append(b, make([]byte, 20)...))
}

// TestWhoseASpecIs checks docs/design.md#spec-binding: the binding is in our record, and
// the first session that stops owns the spec.
func TestWhoseASpecIs(t *testing.T) {
	t.Parallel()
	bound := func(s *scene, id string, ago time.Duration) {
		if err := recordsOf(s.event("").Env.StateHome).save(Record{Bound: true, SessionID: id, Path: s.statePath, UpdatedAt: s.now.Add(-ago)}, statefile.Volatile); err != nil {
			s.t.Fatal(err)
		}
	}
	for _, test := range []struct {
		name    string
		prepare func(s *scene)
		session string
		mine    bool
		notice  string
	}{
		{"nobody's", func(*scene) {}, "s1", true, ""},
		{"its own", func(s *scene) { bound(s, "s1", time.Hour) }, "s1", true, ""},
		{"another live session's", func(s *scene) { bound(s, "s2", time.Hour) }, "s1", false, "belongs to another session"},
		{"of a session that was not seen for a day", func(s *scene) { bound(s, "s2", 25*time.Hour) }, "s1", true, ""},
		{"of a session from beyond tomorrow: the clock was wrong", func(s *scene) { bound(s, "s2", -25*time.Hour) }, "s1", true, ""},
		{"of a session that has ended", func(s *scene) {
			bound(s, "s2", time.Minute)
			if err := session.NewStore(s.event("").Env.StateHome).MarkEnded(session.Key{SessionID: "s2"}, s.now); err != nil {
				s.t.Fatal(err)
			}
		}, "s1", true, ""},
		{"an empty id equals no other", func(s *scene) { bound(s, "s2", time.Hour) }, "", false, "belongs to another session"},
		{"without sessions on either side (an old format)", func(*scene) {}, "", true, ""},
		{"resumed in a terminal", func(s *scene) {
			bound(s, "", time.Hour)
			s.put("project/.git/index", gitIndex("specs/test-spec/.ralph-state.json"))
		}, "s1", true, ""},
		{"came with the repository", func(s *scene) { s.put("project/.git/index", gitIndex("a.go", "specs/test-spec/.ralph-state.json")) }, "s1", false, "came with the repository"},
		{"other files came with the repository", func(s *scene) { s.put("project/.git/index", gitIndex("specs/test-spec/tasks.md")) }, "s1", true, ""},
		{"abandoned a day ago", func(s *scene) { s.age(s.statePath, 25*time.Hour) }, "s1", false, "belongs to no session, so bridge ignores it"},
		{"unpacked from an archive", func(s *scene) { s.age(s.statePath, time.Hour) }, "s1", false, "may come from an archive"},
		{"its own, unpacked", func(s *scene) { bound(s, "s1", time.Hour); s.age(s.statePath, time.Hour) }, "s1", true, ""},
		{"its own of the day before", func(s *scene) { bound(s, "s1", 25*time.Hour); s.age(s.statePath, 25*time.Hour) }, "s1", true, ""},
		{"resumed in a terminal, and abandoned", func(s *scene) { bound(s, "", 25*time.Hour); s.age(s.statePath, 25*time.Hour) }, "s1", false, "belongs to no session"},
		{"of a session that has ended, and came with the repository", func(s *scene) {
			bound(s, "s2", time.Minute)
			s.put("project/.git/index", gitIndex("specs/test-spec/.ralph-state.json"))
			if err := session.NewStore(s.event("").Env.StateHome).MarkEnded(session.Key{SessionID: "s2"}, s.now); err != nil {
				s.t.Fatal(err)
			}
		}, "s1", false, "came with the repository"},
		{"abandoned, resumed in a terminal", func(s *scene) { bound(s, "", time.Hour); s.age(s.statePath, 25*time.Hour) }, "s1", true, ""},
		{"its own, committed since", func(s *scene) {
			bound(s, "s1", time.Hour)
			s.put("project/.git/index", gitIndex("specs/test-spec/.ralph-state.json"))
		}, "s1", true, ""},
		{"a record that is damaged is none", func(s *scene) { s.put("home/.local/state/bridge/specum/"+recordName(s.statePath), `{"bound": tr`) }, "s1", true, ""},
		{"a record of another path is none", func(s *scene) {
			s.put("home/.local/state/bridge/specum/"+recordName(s.statePath), string(Record{Bound: true, SessionID: "s2", Path: "/x", UpdatedAt: s.now}.encode()))
		}, "s1", true, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			test.prepare(s)
			r, notice := s.find(test.session)
			if (r != nil) != test.mine || !strings.Contains(notice, test.notice) || test.notice == "" && notice != "" {
				t.Errorf("mine %v, notice %q", r != nil, notice)
			}
		})
	}
}

// TestLinksOutOfTheProject: a specs directory, a spec or settings that are links out of
// the project are reported and not used.
func TestLinksOutOfTheProject(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(s *scene){
		"a link out of the project": func(s *scene) {
			s.put("other/.ralph-state.json", midway)
			if err := os.Symlink(filepath.Join(s.base, "other"), filepath.Join(s.root, "specs", "linked")); err != nil {
				s.t.Fatal(err)
			}
			s.put("project/specs/.current-spec", "linked")
		},
		"specs is a link out of the project": func(s *scene) {
			if err := os.Rename(filepath.Join(s.root, "specs"), filepath.Join(s.base, "specs")); err != nil {
				s.t.Fatal(err)
			}
			if err := os.Symlink(filepath.Join(s.base, "specs"), filepath.Join(s.root, "specs")); err != nil {
				s.t.Fatal(err)
			}
		},
		"the settings lie in a link out of the project": func(s *scene) {
			s.put("other/ralph-specum.local.md", "---\nspecs_dirs: [./specs]\n---\n")
			s.remove(s.statePath)
			if err := os.Symlink(filepath.Join(s.base, "other"), filepath.Join(s.root, ".claude")); err != nil {
				s.t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			prepare(s)
			if r, notice := s.find("s1"); r != nil || strings.Count(notice, "a link that leads out of the project") != 1 {
				t.Errorf("found %v, notice %q", r != nil, notice)
			}
		})
	}
}

// TestSilent covers what is ignored without a notice: rows 1 to 3 of
// docs/reference/ralph-specum.md#decision, and files that are not states.
func TestSilent(t *testing.T) {
	t.Parallel()
	state := func(text string) func(*scene) {
		return func(s *scene) {
			s.put("project/specs/test-spec/.ralph-state.json", text)
			s.age(s.statePath, settled)
		}
	}
	for name, prepare := range map[string]func(*scene){
		"row 2: disabled":                   func(s *scene) { s.put("project/.claude/ralph-specum.local.md", "---\nenabled: false\n---\n") },
		"row 3: no current spec":            func(s *scene) { s.remove(filepath.Join(s.root, "specs", ".current-spec")) },
		"row 3: an empty current spec":      func(s *scene) { s.put("project/specs/.current-spec", " \n\n") },
		"row 3: a current spec that is not": func(s *scene) { s.put("project/specs/.current-spec", "other") },
		"row 3: no state":                   func(s *scene) { s.remove(s.statePath) },
		"empty":                             state(""),
		"[]":                                state("[]"),
		"null":                              state("null"),
		"phase research":                    state(`{"phase":"research"}`),
		"phase research, from an archive":   func(s *scene) { state(`{"phase":"research"}`)(s); s.age(s.statePath, time.Hour) },
		"phase of the wrong kind":           state(`{"phase":["execution"]}`),
		"a spec that is a file":             func(s *scene) { s.put("project/specs/.current-spec", "test-spec/tasks.md") },
		"the root itself":                   func(s *scene) { s.put("project/specs/.current-spec", "./specs") },
		"the project itself":                func(s *scene) { s.put("project/specs/.current-spec", "./") },
		"defect 14: out of the project": func(s *scene) {
			s.put("other/.ralph-state.json", midway)
			s.put("project/specs/.current-spec", "../../other")
		},
		"a root that a committed settings file puts elsewhere": func(s *scene) {
			s.put("other/specs/x/.ralph-state.json", midway)
			s.put("other/specs/.current-spec", "x")
			s.put("project/specs/.current-spec", "none")
			s.put("project/.claude/ralph-specum.local.md", "---\nspecs_dirs: ["+filepath.Join(s.base, "other", "specs")+"]\n---\n")
			s.put("project/.git/index", gitIndex(".claude/ralph-specum.local.md"))
		},
		"a root that an unpacked settings file puts elsewhere": func(s *scene) {
			s.put("other/specs/x/.ralph-state.json", midway)
			s.put("other/specs/.current-spec", "x")
			s.put("project/specs/.current-spec", "none")
			s.age(filepath.Join(s.base, "other", "specs", "x", ".ralph-state.json"), settled)
			s.age(s.put("project/.claude/ralph-specum.local.md", "---\nspecs_dirs: ["+filepath.Join(s.base, "other", "specs")+"]\n---\n"), time.Hour)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			prepare(s)
			if r, notice := s.find("s1"); r != nil || notice != "" {
				t.Errorf("found %v, notice %q", r != nil, notice)
			}
		})
	}
	t.Run("row 1: no working directory", func(t *testing.T) {
		t.Parallel()
		s := newScene(t)
		event := s.event("s1")
		event.Input.CWD = ""
		if found, err := Find(event); err != nil || found.Active != nil || found.Notices != nil {
			t.Errorf("found %v, %v", found, err)
		}
	})
}

// TestHostileState: anything but a regular file of this user is ignored with a notice.
func TestHostileState(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		prepare func(s *scene)
		notice  string
	}{
		"a link": {func(s *scene) {
			other := s.put("other.json", midway)
			s.remove(s.statePath)
			if err := os.Symlink(other, s.statePath); err != nil {
				s.t.Fatal(err)
			}
		}, "not a regular file"},
		"a directory": {func(s *scene) { s.remove(s.statePath); s.put("project/specs/test-spec/.ralph-state.json/x", "") }, "not a regular file"},
		"too large":   {func(s *scene) { s.put("project/specs/test-spec/.ralph-state.json", midway+strings.Repeat(" ", 1<<20)) }, "larger than 1 MiB"},
		"world-writable": {func(s *scene) {
			if err := os.Chmod(s.specDir, 0o777); err != nil {
				s.t.Fatal(err)
			}
		}, "world-writable"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			test.prepare(s)
			if r, notice := s.find("s1"); r != nil || !strings.Contains(notice, test.notice) {
				t.Errorf("found %v, notice %q", r != nil, notice)
			}
		})
	}
}

// TestStateIsNeverWritten: whatever happens at a stop, the state, the tasks and their
// times stay the coordinator's.
func TestStateIsNeverWritten(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	before, err := os.Stat(s.statePath)
	if err != nil {
		t.Fatal(err)
	}
	for i, message := range []string{"a", "b", "ALL_TASKS_COMPLETE", "c"} {
		s.stop("s1", message, i > 0)
	}
	after, err := os.Stat(s.statePath)
	if err != nil {
		t.Fatal(err)
	}
	if !os.SameFile(before, after) || !before.ModTime().Equal(after.ModTime()) {
		t.Error("the state was written")
	}
	entries, _ := os.ReadDir(s.specDir)
	if len(entries) != 2 {
		t.Errorf("files were left beside it: %v", entries)
	}
}

// TestRaceWithTheCoordinator: bridge waits while a state is being written, but at most a
// second; it never waits for a state that nobody is writing
// (docs/reference/ralph-specum.md#row-4: the peers slept). The clock moves only while
// somebody waits, and files use it for their times.
func TestRaceWithTheCoordinator(t *testing.T) {
	t.Parallel()
	next := strings.Replace(midway, `"taskIndex":1`, `"taskIndex":2`, 1)
	for name, c := range map[string]struct {
		// first is the state at the beginning. After the pause the coordinator writes
		// second, or removes the state if second is empty. A pause falls between two
		// checks: the file gets its time only after it was written.
		first, second string
		old           bool
		pause         time.Duration
		// The expected result, and the maximum time; the last check may come earlier.
		content Content
		task    int
		took    time.Duration
	}{
		"untouched":                      {first: midway, old: true, task: 1},
		"corrupt for long":               {first: "{", old: true, content: Corrupt},
		"half written, then whole":       {first: `{"phase":"exec`, second: next, pause: 205 * time.Millisecond, task: 2, took: 260 * time.Millisecond},
		"emptied, then whole":            {first: "", second: next, pause: 205 * time.Millisecond, task: 2, took: 260 * time.Millisecond},
		"never whole":                    {first: "{", content: Corrupt, took: settleTime},
		"the last of two writes counts":  {first: midway, second: next, pause: 15 * time.Millisecond, task: 2, took: 80 * time.Millisecond},
		"removed meanwhile":              {first: "{", pause: 105 * time.Millisecond, content: Gone, took: 140 * time.Millisecond},
		"written too late to be seen":    {first: "{", second: next, pause: settleTime + tick, content: Corrupt, took: settleTime},
		"whole, but written a blink ago": {first: midway, task: 1, took: 60 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newScene(t)
				write := func(text string) {
					s.put("project/specs/test-spec/.ralph-state.json", text)
					s.age(s.statePath, 0)
				}
				write(c.first)
				if c.old {
					s.age(s.statePath, settled)
				}
				// The session owns the spec already, because the system's change time
				// cannot be set.
				if err := recordsOf(s.event("").Env.StateHome).save(Record{Bound: true, SessionID: "s1", Path: s.statePath}, statefile.Volatile); err != nil {
					t.Fatal(err)
				}
				waits := 0
				event := s.event("s1")
				event.BeforeWait = func() { waits++ }
				done := make(chan struct{})
				go func() {
					defer close(done)
					switch time.Sleep(c.pause); {
					case c.pause == 0:
					case c.second == "":
						os.Remove(s.statePath)
					default:
						write(c.second)
					}
				}()
				start := time.Now()
				found, err := Find(event)
				took := time.Since(start)
				<-done
				if err != nil || (took > 0) != (waits == 1) || took > c.took || took < c.took-tick {
					t.Errorf("after %v (want %v), %d waits, %v", took, c.took, waits, err)
				}
				r, _ := found.Active.(*run)
				if r == nil || r.content != c.content || r.state.TaskIndex != c.task {
					t.Errorf("found %+v", r)
				}
			})
		})
	}
}

// TestReleaseByTheIdleGuard: the guard releases the spec, the files stay, and progress
// resumes it.
func TestReleaseByTheIdleGuard(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.stop("s1", "a", false)
	r, _ := s.find("s1")
	r.Observe(context.Background(), protocol.Turn{})
	writes, resume := r.End(s.now)
	for _, w := range writes {
		if err := w.Do(); err != nil {
			t.Fatal(err)
		}
	}
	if !strings.Contains(resume, "bridge ralph resume") {
		t.Errorf("no way back: %q", resume)
	}
	if d := s.stop("s1", "b", false); d.Rule != "none" {
		t.Errorf("%v %s after the release", d.Kind, d.Rule)
	}
	s.put("project/specs/test-spec/tasks.md", strings.Replace(tasksText, "[ ]", "[x]", 1))
	if d := s.stop("s1", "c", false); d.Kind != protocol.Continue {
		t.Errorf("%v %s after progress", d.Kind, d.Rule)
	}
}

// TestLetGoMakesRoom: a spec about which there is nothing more to say owns no stop, so
// that another loop of the session can act, until there is progress.
func TestLetGoMakesRoom(t *testing.T) {
	t.Parallel()
	const done = `{"phase":"execution","taskIndex":3,"totalTasks":3}`
	for name, test := range map[string]struct {
		state, tasks string
		// stops are the rules of the stops until the spec is released.
		stops []string
		next  string
	}{
		"all is done":           {done, "- [x] a\n", []string{RuleVerified}, midway},
		"no tasks":              {`{"phase":"execution"}`, tasksText, []string{RuleNoTasks}, midway},
		"at its limit":          {`{"phase":"execution","totalTasks":3,"globalIteration":5,"maxGlobalIterations":5}`, tasksText, []string{RuleLimit, RuleLimitSaid}, `{"phase":"execution","totalTasks":3,"globalIteration":5,"maxGlobalIterations":50}`},
		"corrupt":               {`{"phase`, tasksText, []string{RuleCorrupt, RuleCorruptSaid}, midway},
		"boxes that stay open":  {done, tasksText, []string{RuleIncomplete, RuleIncomplete, RuleIncomplete, RuleIncompleteMax}, midway},
		"awaiting its approval": {`{"phase":"execution","totalTasks":3,"awaitingApproval":true}`, tasksText, []string{RuleApproval, RuleApproval, RuleApproval}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			s.put("project/specs/test-spec/tasks.md", test.tasks)
			write := func(state string) {
				s.put("project/specs/test-spec/.ralph-state.json", state)
				s.age(s.statePath, settled)
			}
			write(test.state)
			for i, want := range test.stops {
				if d := s.stop("s1", fmt.Sprint("stop ", i), i > 0); d.Rule != want {
					t.Fatalf("stop %d: %s, want %s", i+1, d.Rule, want)
				}
			}
			if test.next == "" {
				return
			}
			for range 3 {
				if d := s.stop("s1", "again", false); d.Rule != "none" {
					t.Fatalf("it still owns a stop: %s", d.Rule)
				}
			}
			write(test.next)
			if d := s.stop("s1", "go on", false); d.Rule != RuleContinue {
				t.Errorf("after progress: %s", d.Rule)
			}
		})
	}
}

// TestOldNotesOfParallelTasksAreRemoved (docs/reference/ralph-specum.md#row-14): notes
// that are at least an hour old, and nothing else.
func TestOldNotesOfParallelTasksAreRemoved(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.put("project/specs/test-spec/tasks.md", strings.Replace(tasksText, "1.2", "1.2 [P]", 1))
	old := s.put("project/specs/test-spec/.progress-task-1.md", "")
	s.age(old, 61*time.Minute)
	keep := []string{
		s.put("project/specs/test-spec/.progress-task-2.md", ""),
		s.put("project/specs/test-spec/.progress.md", ""),
		s.put("project/specs/test-spec/progress-task-3.md", ""),
		s.put("project/specs/test-spec/.progress-task-4.md/x", ""),
	}
	for _, path := range keep[1:] {
		s.age(path, 24*time.Hour)
	}
	s.age(filepath.Dir(keep[3]), 24*time.Hour)
	s.stop("s1", "a", false)
	if _, err := os.Stat(old); !os.IsNotExist(err) {
		t.Errorf("%s is still there (%v)", old, err)
	}
	for _, path := range keep {
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
}

// TestCompletionAfterTheStateIsGone: a coordinator removes its state before it reports.
// The epic is known from the last time that the state was read.
func TestCompletionAfterTheStateIsGone(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.put("project/specs/test-spec/.ralph-state.json", strings.Replace(midway, "}", `,"epicName":"e"}`, 1))
	s.age(s.statePath, settled)
	epic := s.put("project/specs/_epics/e/.epic-state.json", `{"specs":[{"name":"test-spec","status":"in_progress"}]}`)
	s.stop("s1", "a", false)
	s.remove(s.statePath)
	if d := s.stop("s2", "ALL_TASKS_COMPLETE", true); d.Rule != "none" {
		t.Errorf("another session's word counts: %s", d.Rule)
	}
	if d := s.stop("s1", "I check once more before ALL_TASKS_COMPLETE.", true); d.Rule != "none" {
		t.Errorf("a denial counts: %s", d.Rule)
	}
	if d := s.stop("s1", "All done.\n\nALL_TASKS_COMPLETE", true); d.Rule != RuleComplete || d.Kind != protocol.Allow {
		t.Errorf("%s", d.Rule)
	}
	if text, err := os.ReadFile(epic); err != nil || string(text) != `{"specs":[{"name":"test-spec","status":"completed"}]}` {
		t.Errorf("the epic: %s, %v", text, err)
	}
	if names, _ := filepath.Glob(filepath.Join(s.home, ".local", "state", "bridge", "specum", "*")); len(names) != 0 {
		t.Errorf("the record is still there: %v", names)
	}
	if d := s.stop("s1", "ALL_TASKS_COMPLETE", true); d.Rule != "none" {
		t.Errorf("it completes twice: %s", d.Rule)
	}
}

// TestCurrentEpic: a state that names no epic belongs to the current one, and a name that
// leads out of the directory of epics counts for nothing.
func TestCurrentEpic(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	const pending = `{"specs":[{"name":"test-spec","status":"pending"}]}`
	epic := s.put("project/specs/_epics/e/.epic-state.json", pending)
	s.put("project/specs/test-spec/tasks.md", "- [x] a\n")
	outside := s.put("project/other/.epic-state.json", pending)
	for _, name := range []string{"../../other", "e/../e", ".", ""} {
		s.put("project/specs/.current-epic", name)
		s.stop("s1", "ALL_TASKS_COMPLETE", false)
	}
	for _, path := range []string{epic, outside} {
		if text, _ := os.ReadFile(path); string(text) != pending {
			t.Errorf("%s: %s", path, text)
		}
	}
	s.put("project/specs/.current-epic", "e\n")
	s.stop("s1", "ALL_TASKS_COMPLETE", false)
	done, _ := os.ReadFile(epic)
	if !strings.Contains(string(done), "completed") {
		t.Errorf("the epic: %s", done)
	}
	s.stop("s1", "ALL_TASKS_COMPLETE", false)
	if text, _ := os.ReadFile(epic); string(text) != string(done) {
		t.Errorf("it was completed again: %s", text)
	}
}

// TestNameOfAnEpic: of several specs directories the first one with the epic counts, and
// no name leads out of the directory of epics.
func TestNameOfAnEpic(t *testing.T) {
	t.Parallel()
	const pending = `{"specs":[{"name":"a","status":"pending"}]}`
	for name, written := range map[string]string{"e": "second/_epics/e", "..": "", "": "", "x/y": "", `x\y`: ""} {
		s := newScene(t)
		dirs := []string{"first", "second", "second/_epics/e", "first/_epics/x/y"}
		for _, dir := range dirs {
			s.put("project/"+dir+"/.epic-state.json", pending)
		}
		p := place{dir: s.root, root: s.root, roots: []root{{dir: filepath.Join(s.root, "first")}, {dir: filepath.Join(s.root, "second")}}}
		s.put("project/second/.current-epic", "e")
		if err := completeEpic(p, name, "a"); err != nil {
			t.Errorf("%q: %v", name, err)
		}
		if name == "" {
			written = "second/_epics/e"
		}
		for _, dir := range dirs {
			text, _ := os.ReadFile(filepath.Join(s.root, dir, ".epic-state.json"))
			if (string(text) != pending) != (dir == written) {
				t.Errorf("%q: %s has %s", name, dir, text)
			}
		}
	}
}

// TestIndex: what the index says of each spec.
func TestIndex(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	for name, files := range map[string]map[string]string{
		"a-driven":  {".ralph-state.json": `{"phase":"execution","taskIndex":1,"totalTasks":9}`, "tasks.md": "- [x] a\n"},
		"b-corrupt": {".ralph-state.json": `{"phase":`, "tasks.md": "- [x] a\n"},
		"c-done":    {"tasks.md": "- [x] a\n- [x] b\n"},
		"d-open":    {"tasks.md": "- [x] a\n- [ ] b\n"},
		"e-empty":   {"tasks.md": "# Tasks\n"},
		"f-new":     {"requirements.md": "x"},
	} {
		for file, text := range files {
			s.put("project/specs/"+name+"/"+file, text)
		}
	}
	index := indexOf(specumVariant().lookup(s.root, s.root), s.now)
	var got []string
	for _, e := range index.Specs {
		got = append(got, fmt.Sprintf("%s %s %d/%d", e.Name, e.Phase, e.TaskIndex, e.TotalTasks))
	}
	want := "a-driven execution 1/9, b-corrupt unknown 0/1, c-done completed 2/2, d-open tasks 0/2, e-empty new 0/0, f-new new 0/0, test-spec execution 1/3"
	if strings.Join(got, ", ") != want || len(index.Directories) != 1 || index.Directories[0].SpecsCount != 7 {
		t.Errorf("%s; %+v", strings.Join(got, ", "), index.Directories)
	}
	for _, line := range []string{"| c-done | ./specs/c-done | completed | 2/2 |", "| f-new | ./specs/f-new | new |  |"} {
		if !strings.Contains(string(index.markdown()), line+"\n") {
			t.Errorf("%s is missing in\n%s", line, index.markdown())
		}
	}
}

// TestHostileEpicAndIndex: a repository cannot use a link to have files written outside
// of the specs, and a stop does not fail because of it.
func TestHostileEpicAndIndex(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	const pending = `{"specs":[{"name":"test-spec","status":"pending"}]}`
	s.put("project/specs/test-spec/tasks.md", "- [x] a\n")
	epic := s.put("outside/epic/.epic-state.json", pending)
	linked := s.put("outside/state.json", pending)
	for link, target := range map[string]string{
		"specs/.index":                       "outside",
		"specs/_epics/e":                     "outside/epic",
		"specs/_epics/file/.epic-state.json": "outside/state.json",
	} {
		path := filepath.Join(s.root, filepath.FromSlash(link))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join(s.base, filepath.FromSlash(target)), path); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"e", "file"} {
		s.put("project/specs/.current-epic", name)
		if d := s.stop("s1", "ALL_TASKS_COMPLETE", false); d.Kind != protocol.Allow || d.Rule != RuleComplete {
			t.Errorf("%v %s", d.Kind, d.Rule)
		}
	}
	for _, path := range []string{epic, linked} {
		if text, _ := os.ReadFile(path); string(text) != pending {
			t.Errorf("%s was written: %s", path, text)
		}
	}
	if entries, _ := os.ReadDir(filepath.Join(s.base, "outside")); len(entries) != 2 {
		t.Errorf("files were made outside: %v", entries)
	}
}

// TestNextSessionIsToldAnew: the next session gets the same texts as the ended one, and the progress of one does not
// count for the other.
func TestNextSessionIsToldAnew(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	end := func(id string) {
		if err := session.NewStore(s.event("").Env.StateHome).MarkEnded(session.Key{SessionID: id}, s.now); err != nil {
			t.Fatal(err)
		}
	}
	write := func(state string) {
		s.put("project/specs/test-spec/.ralph-state.json", state)
		s.age(s.statePath, settled)
	}
	s.stop("s1", "a", false)
	end("s1")
	write(strings.Replace(midway, `"taskIndex":1`, `"taskIndex":2`, 1))
	if d := s.stop("s2", "b", true); d.Rule != RuleNoProgress {
		t.Errorf("another session's progress continues this one: %s", d.Rule)
	}
	write("{")
	if d := s.stop("s2", "c", false); d.Rule != RuleCorrupt {
		t.Errorf("%s", d.Rule)
	}
	end("s2")
	if d := s.stop("s3", "d", false); d.Rule != RuleCorrupt {
		t.Errorf("the next session is not told: %s", d.Rule)
	}
	if d := s.stop("s3", "e", true); d.Rule != RuleCorruptSaid {
		t.Errorf("it is told twice: %s", d.Rule)
	}
}

// TestRecordSurvives writes a record and reads it back.
func TestRecordSurvives(t *testing.T) {
	t.Parallel()
	r := records{statefile.Own(t.TempDir())}
	want := Record{
		Bound: true, SessionID: "s\"1\u202e", Path: "/a b/ü\n", Epic: "e", Blocked: true,
		Progress: Progress{"execution", 1, 2, 3, 4, 5, 6, 7}, Blocks: 7, SaidCorrupt: true, SaidLimit: true,
		Incomplete: 2, Unchecked: 9, Released: Idle, ReleasedAt: Progress{Phase: "x", Checked: 1}, UpdatedAt: time.Now().UTC().Truncate(time.Second),
	}
	if err := r.save(want, statefile.Durable); err != nil {
		t.Fatal(err)
	}
	if got := r.load(want.Path); got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if err := r.drop(want.Path); err != nil {
		t.Fatal(err)
	}
	if got := r.load(want.Path); got != (Record{Path: want.Path}) {
		t.Errorf("after it was dropped: %+v", got)
	}
}

// TestUnsavedRecordHoldsNobody: without a record a text would be repeated for ever, so
// the write comes before the block and is not optional.
func TestUnsavedRecordHoldsNobody(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.put("home/.local/state/bridge/specum", "a file in the way")
	r, _ := s.find("s1")
	d := r.Decide(protocol.Turn{}, s.now)
	if d.Kind != protocol.Continue || d.Writes[0].Optional || d.Writes[0].Do() == nil {
		t.Errorf("%v with the writes %+v", d.Kind, d.Writes)
	}
}

// TestManySpecs: the index of a thousand specs is written in a single write.
func TestManySpecs(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	for i := range 1000 {
		s.put(fmt.Sprintf("project/specs/spec-%d/tasks.md", i), "- [x] a\n- [ ] b\n")
	}
	s.put("project/specs/test-spec/tasks.md", "- [x] a\n")
	start := time.Now()
	s.stop("s1", "ALL_TASKS_COMPLETE", false)
	if took := time.Since(start); took > time.Minute {
		t.Errorf("it took %v", took)
	}
	text, err := os.ReadFile(filepath.Join(s.root, "specs", ".index", "index-state.json"))
	if err != nil || !strings.Contains(string(text), `"specsCount": 1001`) {
		t.Errorf("%.300s, %v", text, err)
	}
	text, err = os.ReadFile(filepath.Join(s.root, "specs", ".index", "index.md"))
	if err != nil || !strings.Contains(string(text), "| ./specs | 1001 | yes |\n") {
		t.Errorf("%.300s, %v", text, err)
	}
}

// TestALongTurnKeepsTheSpec: a spec can be taken over without force only if its session
// has ended or was inactive for a day.
func TestALongTurnKeepsTheSpec(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.stop("s1", "Working.", false)
	resume := func(after time.Duration) error {
		s.now = time.Now().Add(after)
		all, err := List(s.event("s2"))
		if err != nil || len(all) != 1 {
			t.Fatal(all, err)
		}
		_, err = all[0].Resume(protocol.ResumeOptions{SessionID: "s2", Now: s.now})
		return err
	}
	for _, after := range []time.Duration{11 * time.Minute, 23 * time.Hour} {
		if err := resume(after); !errors.Is(err, protocol.ErrMayRun) {
			t.Errorf("after %v: %v", after, err)
		}
	}
	if err := resume(25 * time.Hour); err != nil {
		t.Errorf("after a day: %v", err)
	}
}

// TestLive: a session counts as running for a day after its last stop or tool call, until
// the client reports its end.
func TestLive(t *testing.T) {
	t.Parallel()
	now, key := time.Now(), session.Key{SessionID: "s1"}
	for name, test := range map[string]struct {
		stopped     time.Duration
		seen, ended bool
		want        bool
	}{
		"a stop just now":                            {0, false, false, true},
		"a stop almost a day ago":                    {session.ClaimLifetime - time.Minute, false, false, true},
		"a stop a day ago":                           {session.ClaimLifetime, false, false, false},
		"a stop a day ahead":                         {-session.ClaimLifetime, false, false, false},
		"a tool call since":                          {2 * session.ClaimLifetime, true, false, true},
		"a tool call before a stop of a clock ahead": {-session.ClaimLifetime, true, false, false},
		"ended": {0, true, true, false},
	} {
		store := session.NewStore(t.TempDir())
		if test.seen {
			if err := store.CountTools(key, 1); err != nil {
				t.Fatal(err)
			}
		}
		if test.ended {
			if err := store.MarkEnded(key, now); err != nil {
				t.Fatal(err)
			}
		}
		if got := store.AtWork("s1", now.Add(-test.stopped), now); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
