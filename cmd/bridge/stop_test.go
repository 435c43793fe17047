//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/protocol"
)

// locks is the directory of the lock files.
func (s *scene) locks() string {
	s.t.Helper()
	dir := filepath.Join(s.home, ".local", "state", "bridge", project.LocksDir)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		s.t.Fatal(err)
	}
	return dir
}

// hold takes the lock of a path as another process would.
func (s *scene) hold(path string) (release func()) {
	s.t.Helper()
	lock := flock.New(filepath.Join(s.locks(), project.ID(path)))
	if err := lock.Lock(); err != nil {
		s.t.Fatal(err)
	}
	return func() { lock.Unlock() }
}

// gate starts a process for each input and gives all of them their input at once. It
// returns the answers and how long each process took. ok is false if a process may have
// given up before the last one was started, because the machine is too busy.
func (s *scene) gate(hook string, inputs []string) (answers []answer, took []time.Duration, ok bool) {
	s.t.Helper()
	type process struct {
		cmd   *exec.Cmd
		stdin *os.File
		out   *bytes.Buffer
		errs  *bytes.Buffer
	}
	// A hook waits 3 s for its input.
	const patience = 2 * time.Second
	began, all := time.Now(), make([]process, len(inputs))
	for i := range all {
		read, write, err := os.Pipe()
		if err != nil {
			s.t.Fatal(err)
		}
		p := process{s.command(hook, read), write, new(bytes.Buffer), new(bytes.Buffer)}
		p.cmd.Stdout, p.cmd.Stderr = p.out, p.errs
		if err := p.cmd.Start(); err != nil {
			s.t.Fatal(err)
		}
		read.Close()
		all[i] = p
	}
	answers, took = make([]answer, len(all)), make([]time.Duration, len(all))
	start, ok := time.Now(), true
	for i, p := range all {
		if _, err := p.stdin.WriteString(inputs[i]); errors.Is(err, syscall.EPIPE) {
			ok = false
		} else if err != nil {
			s.t.Error(err)
		}
		p.stdin.Close()
	}
	ok = ok && time.Since(began) < patience
	var wait sync.WaitGroup
	for i, p := range all {
		wait.Go(func() {
			_ = p.cmd.Wait()
			took[i] = time.Since(start)
			answers[i] = answer{p.out.String(), p.errs.String(), p.cmd.ProcessState.ExitCode()}
		})
	}
	wait.Wait()
	return answers, took, ok
}

// TestStopsAtOnceAreNotReleased: of hundreds of stops that wait for one lock at the same
// moment, at most one in a hundred is allowed. A machine that is too busy to serve nine
// in ten of them within the wait gets fewer stops.
func TestStopsAtOnceAreNotReleased(t *testing.T) {
	if testing.Short() {
		t.Skip("left out with -short: starts 900 processes")
	}
	const served = 1500 * time.Millisecond
	s := newScene(t)
	s.startLoop(1)
	blocks, sent := 0, 0
	for processes, rounds := 300, 0; rounds < 3; {
		inputs := make([]string, processes)
		for i := range inputs {
			inputs[i] = s.stopInput(sent + i)
		}
		sent += processes
		answers, took, ok := s.gate("stop", inputs)
		round := 0
		var free answer
		for _, a := range answers {
			if a.blocks() {
				round++
			} else {
				free = a
			}
		}
		if blocks += round; s.iteration() != 1+blocks {
			t.Fatalf("the counter is at %d after %d blocks", s.iteration(), blocks)
		}
		slices.Sort(took)
		t.Logf("%d at once: p50 %v, p95 %v, longest %v", processes, took[processes/2].Round(time.Millisecond),
			took[processes*95/100].Round(time.Millisecond), took[processes-1].Round(time.Millisecond))
		if (!ok || took[processes*9/10] > served) && processes > 10 {
			processes = processes * 2 / 3
			continue
		}
		rounds++
		if released := processes - round; released > processes/100 {
			t.Errorf("%d of %d stops were released: %+v", released, processes, free)
		}
	}
}

// TestStopWaitsForTheLock: a lock that is held for longer than a moment costs time, but
// no loop.
func TestStopWaitsForTheLock(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.startLoop(4)
	time.AfterFunc(700*time.Millisecond, s.hold(s.project))
	if a := s.hook("stop", s.stopInput(1)); !a.blocks() || s.iteration() != 5 {
		t.Errorf("answer %q, iteration %d", a.stdout, s.iteration())
	}
}

// TestLockWaitFollowsTheDeadline: with a shorter deadline for the chain, the answer comes
// within that deadline.
func TestLockWaitFollowsTheDeadline(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.config(`{"deadlines_ms": {"ralph": 1000, "persistent-mode": 1000, "stop-continuation": 1000}}`)
	s.startLoop(4)
	defer s.hold(s.project)()
	if a := s.hook("stop", s.stopInput(1)); !strings.Contains(a.stdout, "held by another process") || s.iteration() != 4 {
		t.Errorf("answer %q, iteration %d", a.stdout, s.iteration())
	}
}

// TestOneKeyForOneOmc: a stop waits for a command that changes a mode, wherever .omc is,
// and such a command waits for a stop.
func TestOneKeyForOneOmc(t *testing.T) {
	if testing.Short() {
		t.Skip("left out with -short: waits for deadlines")
	}
	t.Parallel()
	for name, prepare := range map[string]func(s *scene) (omc, key string){
		"OMC_STATE_DIR": func(s *scene) (string, string) {
			dir := filepath.Join(filepath.Dir(s.home), "states")
			s.env = append(s.env, "OMC_STATE_DIR="+dir)
			omc := project.FindOmc(protocol.Places{Root: s.project}, func(name string) string {
				return map[string]string{"OMC_STATE_DIR": dir, "HOME": s.home}[name]
			})
			return omc.Home, omc.Lock
		},
		"a submodule": func(s *scene) (string, string) {
			super := s.project
			s.project = filepath.Join(super, "lib")
			if err := os.MkdirAll(s.project, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(s.project, ".git"), []byte("gitdir: ../.git/modules/lib\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			return filepath.Join(super, ".omc"), super
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			omc, key := prepare(s)
			state := filepath.Join(omc, "state", "sessions", sessionID, "autopilot-state.json")
			if err := os.MkdirAll(filepath.Dir(state), 0o700); err != nil {
				t.Fatal(err)
			}
			now := time.Now().UTC().Format(time.RFC3339)
			text := fmt.Sprintf(`{"active":true,"iteration":1,"max_iterations":1000,"phase":"execution","originalIdea":"A shop.","session_id":%q,"started_at":%q,"last_checked_at":%q}`, sessionID, now, now)
			if err := os.WriteFile(state, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			release := s.hold(key)
			if a := s.hook("stop", s.stopInput(1)); !strings.Contains(a.stdout, "held by another process") {
				t.Errorf("while a mode is changed: %q", a.stdout)
			}
			release()
			if a := s.hook("stop", s.stopInput(2)); !a.blocks() {
				t.Errorf("afterwards: %q", a.stdout)
			}
		})
	}
}

// TestLocksArePruned: maintenance removes old lock files that no process holds.
func TestLocksArePruned(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	dir := s.locks()
	old := time.Now().Add(-40 * 24 * time.Hour)
	for name, made := range map[string]time.Time{"old": old, "held": old, "new": time.Now()} {
		path := filepath.Join(dir, project.ID(name))
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, made, made); err != nil {
			t.Fatal(err)
		}
	}
	defer s.hold("held")()
	s.hook("setup-maintenance", s.event("Setup", sessionID, `,"trigger":"maintenance"`))
	for name, want := range map[string]bool{"old": false, "held": true, "new": true} {
		if _, err := os.Stat(filepath.Join(dir, project.ID(name))); (err == nil) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// stopWith is a Stop payload with a message and further members.
func (s *scene) stopWith(message, more string) string {
	return fmt.Sprintf(`{"session_id":%q,"transcript_path":"","cwd":%q,"prompt_id":"p","hook_event_name":"Stop","stop_hook_active":true,"last_assistant_message":%q%s}`,
		sessionID, s.project, message, more)
}

// TestPendingWorkHoldsBackNoEnd: a loop that reaches its end while a subagent runs has
// ended; one that would continue waits, and nothing is counted.
func TestPendingWorkHoldsBackNoEnd(t *testing.T) {
	t.Parallel()
	const running = `,"background_tasks":[{"id":"a","type":"subagent","status":"running"}]`
	s := newScene(t)
	s.startLoop(4)
	if a := s.hook("stop", s.stopWith("half of it", running)); !strings.Contains(a.stdout, "waiting for background agents (1 running)") || s.iteration() != 4 {
		t.Errorf("it goes on: %q", a.stdout)
	}
	if a := s.hook("stop", s.stopWith("All of it. <promise>DONE</promise>", running)); !strings.Contains(a.stdout, "Detected <promise>DONE</promise>") {
		t.Errorf("the promise: %q", a.stdout)
	}
	if _, err := os.Stat(s.state()); err == nil {
		t.Error("the loop goes on after its promise")
	}

	state := filepath.Join(s.omc(), "state", "sessions", sessionID, "autopilot-state.json")
	if err := os.MkdirAll(filepath.Dir(state), 0o700); err != nil {
		t.Fatal(err)
	}
	now := time.Now().UTC().Format(time.RFC3339)
	text := fmt.Sprintf(`{"active":true,"iteration":1,"max_iterations":10,"phase":"qa","originalIdea":"A shop.","session_id":%q,"started_at":%q,"last_checked_at":%q}`, sessionID, now, now)
	if err := os.WriteFile(state, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if a := s.hook("stop", s.stopWith("All tests pass.\n\nQA_COMPLETE", running)); !strings.Contains(a.stdout, "waiting for background agents (1 running)") {
		t.Errorf("a phase: %q", a.stdout)
	}
	if text, err := os.ReadFile(state); err != nil || !bytes.Contains(text, []byte(`"iteration":1,`)) {
		t.Errorf("waiting was counted: %s, %v", text, err)
	}
	if a := s.hook("stop", s.stopWith("Checked.\n\nVALIDATION_COMPLETE", running)); !strings.Contains(a.stdout, "[AUTOPILOT COMPLETE]") {
		t.Errorf("the last phase: %q", a.stdout)
	}
}

// TestTasksOfAnyShape: if a client writes the members of a background task in another
// form, no loop is lost; a task whose kind is not a string does not count.
func TestTasksOfAnyShape(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.startLoop(1)
	for i, tasks := range []string{
		`[{"id":7,"type":"shell","status":"running"}]`, `[{"id":{"n":1},"type":"shell","status":"running"}]`, `[{"id":null}]`,
		`[{"id":"a","type":7,"status":"running"}]`, `[{"id":"a","type":"subagent","status":{"state":"running"}}]`,
	} {
		if a := s.hook("stop", s.stopWith(fmt.Sprint("turn ", i), `,"background_tasks":`+tasks)); !a.blocks() {
			t.Errorf("%s: %q %q", tasks, a.stdout, a.stderr)
		}
	}
	if a := s.hook("stop", s.stopWith("waiting", `,"background_tasks":[{"id":7,"type":"subagent","status":"running"}]`)); !strings.Contains(a.stdout, "waiting for background agents (1 running)") {
		t.Errorf("an agent with a number: %q", a.stdout)
	}
}

// TestParallelLinesShowANoticeOnce: if several hook lines get one event, one of them
// shows the notice.
func TestParallelLinesShowANoticeOnce(t *testing.T) {
	longer(t)
	t.Parallel()
	for round := range 5 {
		s := newScene(t)
		s.startLoop(1)
		text, err := os.ReadFile(s.state())
		if err != nil {
			t.Fatal(err)
		}
		text = bytes.Replace(text, []byte("session_id: "+sessionID+"\n"), nil, 1)
		if err := os.WriteFile(s.state(), text, 0o600); err != nil {
			t.Fatal(err)
		}
		old := time.Now().Add(-48 * time.Hour)
		if err := os.Chtimes(s.state(), old, old); err != nil {
			t.Fatal(err)
		}
		var mu sync.Mutex
		var wait sync.WaitGroup
		shown := 0
		for _, hook := range slices.Repeat([]string{"ralph", "persistent-mode", "stop-continuation"}, 4) {
			wait.Go(func() {
				a, err := execute(s.command(hook, strings.NewReader(s.stopInput(round))))
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				defer mu.Unlock()
				shown += strings.Count(a.stdout, "has no session id")
			})
		}
		wait.Wait()
		if shown != 1 {
			t.Errorf("the notice was shown %d times", shown)
		}
	}
}

// TestBoundedWithoutMemory: if bridge cannot write its records, a loop that repeats
// itself pauses after as many steps as the idle guard or the client allows. It is kept,
// and continues with a turn that uses a tool.
func TestBoundedWithoutMemory(t *testing.T) {
	longer(t)
	t.Parallel()
	for name, env := range map[string][]string{
		"no home":                   {"HOME="},
		"no directory":              {"HOME=/dev/null"},
		"a state home that is none": {"XDG_STATE_HOME=/dev/null/state"},
		"the client's own cap":      {"HOME=", "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP=8"},
	} {
		for _, active := range []string{"true", "false"} {
			t.Run(name+", stop_hook_active "+active, func(t *testing.T) {
				t.Parallel()
				s := newScene(t)
				s.env = append(s.env, env...)
				s.startLoop(1)
				transcript := filepath.Join(s.project, "transcript.jsonl")
				say := `{"type":"user","message":{"role":"user","content":"go on"}}` + "\n" + `{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"hm"}]}}` + "\n"
				if err := os.WriteFile(transcript, []byte(say), 0o600); err != nil {
					t.Fatal(err)
				}
				input := fmt.Sprintf(`{"session_id":%q,"transcript_path":%q,"cwd":%q,"prompt_id":"p","hook_event_name":"Stop","stop_hook_active":%s,"last_assistant_message":"hm"}`, sessionID, transcript, s.project, active)
				blocks := 0
				var last answer
				for range 40 {
					if last = s.hook("stop", input); last.blocks() {
						blocks++
					}
				}
				if blocks < 7 || blocks > 9 || !strings.Contains(last.stdout, "bridge cannot write its records") {
					t.Errorf("%d of 40 stops were blocked; the last: %q %q", blocks, last.stdout, last.stderr)
				}
				if got := s.iteration(); got != 1+blocks {
					t.Errorf("iteration %d after %d blocks", got, blocks)
				}
				used := strings.Replace(say, `{"type":"text","text":"hm"}`, `{"type":"tool_use","id":"t1","name":"Bash","input":{}},{"type":"text","text":"hm"}`, 1)
				if err := os.WriteFile(transcript, []byte(used), 0o600); err != nil {
					t.Fatal(err)
				}
				if a := s.hook("stop", input); !a.blocks() {
					t.Errorf("after a tool: %q", a.stdout)
				}
			})
		}
	}
}
