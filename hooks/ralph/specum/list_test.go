package specum

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

func (s *scene) bind(r Record) {
	s.t.Helper()
	r.Path = s.statePath
	if r.UpdatedAt.IsZero() {
		r.UpdatedAt = s.now
	}
	if err := recordsOf(s.event("").Env.StateHome).save(r, statefile.Volatile); err != nil {
		s.t.Fatal(err)
	}
}

func (s *scene) list() []protocol.Controlled {
	s.t.Helper()
	all, err := List(s.event("s1"))
	if err != nil {
		s.t.Fatal(err)
	}
	return all
}

// TestStatusOfASpec: what bridge status says of it.
func TestStatusOfASpec(t *testing.T) {
	t.Parallel()
	const driven = `{"phase":"execution","taskIndex":1,"totalTasks":3,"taskIteration":2,"maxTaskIterations":5,"globalIteration":2,"maxGlobalIterations":9}`
	tracked := func(s *scene) { s.put("project/.git/index", gitIndex("specs/test-spec/.ralph-state.json")) }
	for name, test := range map[string]struct {
		state   string
		record  Record
		prepare func(s *scene)
		want    protocol.LoopState // "" if it is not listed
		problem string
		// progress and ends are shown; steered says that the spec can be paused and
		// cancelled.
		progress, ends string
		steered        bool
	}{
		"driven":               {driven, Record{}, nil, protocol.LoopActive, "", "task 2/3, attempt 2/5; next: \"1.2 Build the wall\"", Token + " or 9 iterations", true},
		"without a limit":      {strings.Replace(driven, `Iterations":9`, `Iterations":0`, 1), Record{}, nil, protocol.LoopActive, "", "task 2/3, attempt 2/5; next: \"1.2 Build the wall\"", Token, true},
		"worked through":       {strings.Replace(driven, `taskIndex":1`, `taskIndex":3`, 1), Record{}, nil, protocol.LoopActive, "", "all tasks (3) worked through, open boxes: 2", Token + " or 9 iterations", true},
		"no such task":         {strings.Replace(driven, `totalTasks":3`, `totalTasks":9,"x":0`, 1), Record{}, func(s *scene) { s.put("project/specs/test-spec/tasks.md", "") }, protocol.LoopActive, "", "task 2/9, attempt 2/5", Token + " or 9 iterations", true},
		"waits for approval":   {strings.Replace(driven, "{", `{"awaitingApproval":true,`, 1), Record{}, nil, protocol.LoopPaused, "", "task 2/3, attempt 2/5; next: \"1.2 Build the wall\"; waiting for your approval", Token + " or 9 iterations", true},
		"before the execution": {`{"phase":"design","maxGlobalIterations":9}`, Record{}, nil, protocol.LoopPaused, "", "", Token + " or 9 iterations", true},
		"in quick mode":        {`{"phase":"design","quickMode":true,"maxGlobalIterations":9}`, Record{}, nil, protocol.LoopActive, "", "", Token + " or 9 iterations", true},
		"broken":               {`{"phase":`, Record{}, nil, protocol.LoopBroken, "the state is not valid JSON", "", Token, true},
		"let go":               {driven, Record{Bound: true, Released: Idle}, nil, protocol.LoopPaused, "", "task 2/3, attempt 2/5; next: \"1.2 Build the wall\"", Token + " or 9 iterations", true},
		"done":                 {driven, Record{Bound: true, Released: Done}, nil, protocol.LoopEnded, "", "task 2/3, attempt 2/5; next: \"1.2 Build the wall\"", Token + " or 9 iterations", true},
		"paused":               {driven, Record{Bound: true, Released: Paused}, nil, protocol.LoopPaused, "", "task 2/3, attempt 2/5; next: \"1.2 Build the wall\"", Token + " or 9 iterations", false},
		"cancelled":            {driven, Record{Bound: true, Released: Cancelled}, nil, protocol.LoopEnded, "", "task 2/3, attempt 2/5; next: \"1.2 Build the wall\"", Token + " or 9 iterations", false},
		"tracked":              {driven, Record{}, tracked, protocol.LoopStale, "it came with the repository", "task 2/3, attempt 2/5; next: \"1.2 Build the wall\"", Token + " or 9 iterations", true},
		"tracked and bound":    {driven, Record{Bound: true, SessionID: "s1"}, tracked, protocol.LoopActive, "", "task 2/3, attempt 2/5; next: \"1.2 Build the wall\"", Token + " or 9 iterations", true},
		"abandoned":            {driven, Record{}, func(s *scene) { s.age(s.statePath, 25*time.Hour) }, protocol.LoopStale, "nobody worked on it", "task 2/3, attempt 2/5; next: \"1.2 Build the wall\"", Token + " or 9 iterations", true},
		"old and bound":        {driven, Record{Bound: true, SessionID: "s1"}, func(s *scene) { s.age(s.statePath, 25*time.Hour) }, protocol.LoopActive, "", "task 2/3, attempt 2/5; next: \"1.2 Build the wall\"", Token + " or 9 iterations", true},
		"unpacked":             {driven, Record{}, func(s *scene) { s.age(s.statePath, time.Hour) }, protocol.LoopStale, "it may come from an archive", "task 2/3, attempt 2/5; next: \"1.2 Build the wall\"", Token + " or 9 iterations", true},
		"unpacked and bound":   {driven, Record{Bound: true, SessionID: "s1"}, func(s *scene) { s.age(s.statePath, time.Hour) }, protocol.LoopActive, "", "task 2/3, attempt 2/5; next: \"1.2 Build the wall\"", Token + " or 9 iterations", true},
		"another is current":   {driven, Record{}, func(s *scene) { s.put("project/specs/.current-spec", "other") }, "", "", "", "", false},
		"somebody's":           {driven, Record{Bound: true, SessionID: "s1"}, func(s *scene) { s.put("project/specs/.current-spec", "other") }, protocol.LoopActive, "", "task 2/3, attempt 2/5; next: \"1.2 Build the wall\"", Token + " or 9 iterations", true},
		"no state":             {`[]`, Record{}, nil, "", "", "", "", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			s.put("project/specs/test-spec/.ralph-state.json", test.state)
			if test.record.Bound {
				s.bind(test.record)
			}
			if test.prepare != nil {
				test.prepare(s)
			}
			all := s.list()
			if len(all) != 1 {
				if len(all) > 0 || test.want != "" {
					t.Errorf("%+v", all)
				}
				return
			}
			st := all[0].Status
			if st.State != test.want || !strings.HasPrefix(st.Problem, test.problem) || test.problem == "" && st.Problem != "" || st.Progress != test.progress || st.EndsBy != test.ends {
				t.Errorf("%+v", st)
			}
			if (all[0].Pause != nil) != test.steered || (all[0].Cancel != nil) != test.steered || (st.Stop == "") != (test.want == protocol.LoopEnded) {
				t.Errorf("pause %v, cancel %v, %q", all[0].Pause != nil, all[0].Cancel != nil, st.Stop)
			}
			if test.steered {
				if text, err := all[0].Pause(); err != nil || !strings.HasPrefix(text, "Paused the ") {
					t.Errorf("%q, %v", text, err)
				}
			}
		})
	}
}

// TestResumeOfASpec: the session that asks for a spec owns it from then on, unless
// another session is still working on it or the coordinator's limit is reached.
func TestResumeOfASpec(t *testing.T) {
	t.Parallel()
	const at = `{"phase":"execution","taskIndex":1,"totalTasks":3,"globalIteration":%,"maxGlobalIterations":9}`
	for name, test := range map[string]struct {
		state  string
		record Record
		opts   protocol.ResumeOptions
		err    error
		said   string
	}{
		"nobody's":               {midway, Record{}, protocol.ResumeOptions{}, nil, "at task 2/3"},
		"its own":                {midway, Record{Bound: true, SessionID: "s1"}, protocol.ResumeOptions{}, nil, "at task 2/3"},
		"of a terminal":          {midway, Record{Bound: true}, protocol.ResumeOptions{}, nil, "at task 2/3"},
		"another's":              {midway, Record{Bound: true, SessionID: "s2"}, protocol.ResumeOptions{}, protocol.ErrMayRun, ""},
		"another's, by force":    {midway, Record{Bound: true, SessionID: "s2"}, protocol.ResumeOptions{Force: true}, nil, "at task 2/3"},
		"another's, paused":      {midway, Record{Bound: true, SessionID: "s2", Released: Paused}, protocol.ResumeOptions{}, nil, "at task 2/3"},
		"broken":                 {`{"phase":`, Record{}, protocol.ResumeOptions{}, errors.ErrUnsupported, "the state is not valid JSON"},
		"with another limit":     {midway, Record{}, protocol.ResumeOptions{MaxIterations: 1}, errors.ErrUnsupported, "the limit of a spec belongs to its coordinator"},
		"below its limit":        {strings.Replace(at, "%", "8", 1), Record{}, protocol.ResumeOptions{}, nil, "at task 2/3"},
		"at its limit":           {strings.Replace(at, "%", "9", 1), Record{}, protocol.ResumeOptions{}, ErrAtLimit, "at iteration 9 of 9"},
		"beyond its limit":       {strings.Replace(at, "%", "10", 1), Record{}, protocol.ResumeOptions{}, ErrAtLimit, "at iteration 10 of 9"},
		"without a limit":        {strings.Replace(strings.Replace(at, "%", "10", 1), `Iterations":9`, `Iterations":0`, 1), Record{}, protocol.ResumeOptions{}, nil, "at task 2/3"},
		"before the execution":   {`{"phase":"design"}`, Record{}, protocol.ResumeOptions{}, nil, "is in phase design"},
		"let go, another's once": {midway, Record{Bound: true, SessionID: "s2", Released: Idle}, protocol.ResumeOptions{}, nil, "at task 2/3"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			s.put("project/specs/test-spec/.ralph-state.json", test.state)
			if test.record.Bound {
				s.bind(test.record)
			}
			test.opts.SessionID = "s1"
			text, err := s.list()[0].Resume(test.opts)
			if test.err == nil {
				if r := recordsOf(s.event("").Env.StateHome).load(s.statePath); err != nil || !strings.Contains(text, test.said) || !r.Bound || r.SessionID != "s1" || r.Released != Held {
					t.Errorf("%q, %v, %+v", text, err, r)
				}
				return
			}
			if err == nil || !errors.Is(test.err, errors.ErrUnsupported) && !errors.Is(err, test.err) || !strings.Contains(err.Error(), test.said) {
				t.Errorf("%q, %v", text, err)
			}
		})
	}
}

// TestPlacesOfASpec: a place that disables specs hides those further away, and a spec is
// named by a path that the model can use.
func TestPlacesOfASpec(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	link := filepath.Join(s.base, "link")
	if err := os.Symlink(s.root, link); err != nil {
		t.Fatal(err)
	}
	for cwd, want := range map[string]string{s.root: "./specs/test-spec", link: "./specs/test-spec", filepath.Join(s.root, "sub"): s.specDir, filepath.Join(s.base, "gone"): s.specDir} {
		if err := os.MkdirAll(filepath.Join(s.root, "sub"), 0o700); err != nil {
			t.Fatal(err)
		}
		event := s.event("s1")
		event.Input.CWD = cwd
		found, err := Find(event)
		if err != nil || found.Active == nil {
			t.Fatalf("%s: %v", cwd, err)
		}
		if got := found.Active.(*run).shownPath(); got != want {
			t.Errorf("%s: %s, want %s", cwd, got, want)
		}
	}
	event := s.event("s1")
	event.Places = []string{filepath.Join(s.root, "sub"), s.root}
	for disabled, want := range map[string]int{"true": 1, "false": 0} {
		s.put("project/sub/.claude/ralph-specum.local.md", "---\nenabled: "+disabled+"\n---\n")
		found, err := Find(event)
		all, listErr := List(event)
		if err != nil || listErr != nil || (found.Active != nil) != (want == 1) || len(all) != want {
			t.Errorf("enabled %s: %v, %d, %v, %v", disabled, found.Active != nil, len(all), err, listErr)
		}
	}
}

// TestObserve: what a stop reads besides the state.
func TestObserve(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	look := func(kind string, turn protocol.Turn) *run {
		event := s.event("s1")
		event.Env.Config.Specum.Variant = Codex
		event.Input.TranscriptPath = s.put("transcript", "plain text\n")
		r := &run{spec: Spec{Dir: s.specDir, v: variantOf(kind)}, stop: event}
		r.Observe(context.Background(), turn)
		return r
	}
	for kind, want := range map[string]string{Specum: Codex, Speckit: Speckit} {
		if got := look(kind, protocol.Turn{}).spec.v.kind; got != want {
			t.Errorf("%s became %s", kind, got)
		}
	}
	for plain, turn := range map[bool]protocol.Turn{true: {Err: protocol.TranscriptUnparsable}, false: {Err: protocol.TranscriptUnparsable, HasFinal: true}} {
		if got := look(Specum, turn).plain; (got != "") != plain {
			t.Errorf("plain text %v: %q", plain, got)
		}
	}
	if got := look(Specum, protocol.Turn{}).plain; got != "" {
		t.Errorf("a transcript that was read is read again: %q", got)
	}
	tasks := filepath.Join(s.specDir, tasksName)
	s.remove(tasks)
	if look(Specum, protocol.Turn{}).tasks.Unread {
		t.Error("an absent tasks.md cannot be read")
	}
	if err := os.Mkdir(tasks, 0o700); err != nil {
		t.Fatal(err)
	}
	if !look(Specum, protocol.Turn{}).tasks.Unread {
		t.Error("a directory was read")
	}
}

// TestWhichNotesAreOld: files that nobody changed for more than an hour.
func TestWhichNotesAreOld(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	for name, age := range map[string]time.Duration{".progress-task-1.md": time.Hour, ".progress-task-2.md": time.Hour + 1, ".progress-task-3.md/x": time.Hour, ".progress-task-4.txt": 2 * time.Hour, "progress-task-5.md": 2 * time.Hour} {
		at := s.now.Add(-age)
		path := s.put("project/specs/test-spec/"+name, "x")
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	dir := filepath.Join(s.specDir, ".progress-task-3.md")
	if at := s.now.Add(-2 * time.Hour); os.Chtimes(dir, at, at) != nil {
		t.Fatal("the time cannot be set")
	}
	var old []string
	if err := statefile.In(s.specDir, func(dir stateDir) error { old = oldNotes(dir, s.now); return nil }); err != nil || strings.Join(old, " ") != ".progress-task-2.md" {
		t.Errorf("%q, %v", old, err)
	}
}

// TestNextOfAGroup: a group is named by its first task.
func TestNextOfAGroup(t *testing.T) {
	t.Parallel()
	v := View{State: State{Phase: PhaseExecution}, Tasks: ParseTasks([]byte("- [ ] a [P]\n- [ ] b [P]\n- [ ] c [P]\n- [ ] d\n"))}
	for at, want := range []string{"a [P] (and 2 in parallel)", "b [P] (and 1 in parallel)", "c [P]", "d", ""} {
		v.State.TaskIndex = at
		if got := v.Next(); got != want {
			t.Errorf("%d: %q", at, got)
		}
	}
}

// TestToldOncePerSpec: only notices that are shown once have a key, and the key names the
// spec.
func TestToldOncePerSpec(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	r, _ := s.find("s1")
	if d := r.Decide(protocol.Turn{}, s.now); d.MessageKey != "" {
		t.Errorf("%q", d.MessageKey)
	}
	r.content, r.state, r.record.SaidCorrupt = Corrupt, State{}, true
	if d := r.Decide(protocol.Turn{}, s.now); d.MessageKey != RuleCorruptSaid+":"+project.ID(s.statePath) {
		t.Errorf("%q", d.MessageKey)
	}
}
