//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// cli runs bridge with arguments, for a session or, without one, in a terminal.
func (s *scene) cli(session string, args ...string) answer {
	s.t.Helper()
	cmd := exec.Command(binary, args...)
	cmd.Dir, cmd.Env = s.project, append(append([]string{}, s.env...), "BRIDGE_LANG=en", "CLAUDE_CODE_SESSION_ID="+session)
	a, err := execute(cmd)
	if err != nil {
		s.t.Fatal(err)
	}
	return a
}

func (s *scene) write(name, text string) {
	s.t.Helper()
	path := filepath.Join(s.project, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// await waits for a file of the project. A machine that is busy takes its time.
func (s *scene) await(name string) {
	s.t.Helper()
	for range 6000 {
		if _, err := os.Stat(filepath.Join(s.project, name)); err == nil {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	s.t.Fatalf("%s never came", name)
}

// says is a stop of a session with a last message.
func (s *scene) says(session, message string) string {
	return fmt.Sprintf(`{"session_id":%q,"transcript_path":"","cwd":%q,"prompt_id":"p","hook_event_name":"Stop","stop_hook_active":true,"last_assistant_message":%q}`,
		session, s.project, message)
}

const (
	smartState = ".claude/ralph-smart/state.md"
	claimsDone = "<completion-assessment>\n**Status**: completed\n**Completion**: 100%%\n**Confidence**: 99%%\n%s</completion-assessment>"
	// untilGo runs until the test lets it continue.
	untilGo = "touch began; while [ ! -e go ]; do sleep 0.02; done"
)

// startSmart starts smart ralph with one task for the session "smart".
func (s *scene) startSmart(args ...string) {
	s.t.Helper()
	s.config(`{"deadlines_ms": {"ralph": 120000}, "smart": {"test_timeout_s": 100}}`)
	s.write("tasks.md", "1. Write the README\n")
	if a := s.cli("smart", append([]string{"ralph", "smart", "tasks.md", "--no-ai"}, args...)...); a.code != 0 {
		s.t.Fatalf("%+v", a)
	}
}

// TestNobodyWaitsForATestCommand: while the test command of one session runs, the loop of
// another one continues, and the session can be cancelled; it stays cancelled.
func TestNobodyWaitsForATestCommand(t *testing.T) {
	t.Parallel()
	for _, order := range []string{"cancel", "pause", "none"} {
		t.Run(order, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			s.startLoop(1)
			s.startSmart("--test-command", untilGo)
			ended := make(chan answer, 1)
			go func() {
				a, err := execute(s.command("stop", strings.NewReader(s.says("smart", fmt.Sprintf(claimsDone, "")))))
				if err != nil {
					t.Error(err)
				}
				ended <- a
			}()
			s.await("began")
			if a := s.hook("stop", s.stopInput(1)); !a.blocks() || s.iteration() != 2 {
				t.Errorf("the other loop: %+v", a)
			}
			var before []byte
			if order != "none" {
				if a := s.cli("", "ralph", order, "--dialect", "smart"); a.code != 0 {
					t.Errorf("%s: %+v", order, a)
				}
				before, _ = os.ReadFile(filepath.Join(s.project, smartState))
			}
			s.write("go", "")
			a := <-ended
			after, _ := os.ReadFile(filepath.Join(s.project, smartState))
			if a.blocks() || a.code != 0 || string(after) != string(before) {
				t.Errorf("%+v\nbefore %q\nafter %q", a, before, after)
			}
			if order == "none" != strings.Contains(a.stderr, "smart ralph is done. Tasks completed: 1 of 1") {
				t.Errorf("%+v", a)
			}
			if order != "none" && !strings.Contains(a.stdout, "its state was removed or changed while your commands ran") {
				t.Errorf("%+v", a)
			}
		})
	}
}

// TestTwoLinesOfOneEventTestOnce: if two hook lines get the same stop, the test command
// runs once.
func TestTwoLinesOfOneEventTestOnce(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.startSmart("--test-command", "echo x >>runs; "+untilGo)
	input := s.says("smart", fmt.Sprintf(claimsDone, ""))
	ended := make(chan answer, 1)
	go func() {
		a, err := execute(s.command("stop", strings.NewReader(input)))
		if err != nil {
			t.Error(err)
		}
		ended <- a
	}()
	s.await("began")
	second := s.hook("ralph", input, "CLAUDE_PLUGIN_ROOT=/plugin")
	s.write("go", "")
	if first := <-ended; !strings.Contains(first.stderr, "smart ralph is done") || second.stdout != "" {
		t.Errorf("first %+v\nsecond %+v", first, second)
	}
	if runs, _ := os.ReadFile(filepath.Join(s.project, "runs")); string(runs) != "x\n" {
		t.Errorf("runs: %q", runs)
	}
}

// TestALaterStopWhileTheTestsRun: if another stop of the session arrives while the test
// command runs, the answer to the first one no longer counts. A second stop from the
// same hook line is another stop.
func TestALaterStopWhileTheTestsRun(t *testing.T) {
	t.Parallel()
	for _, same := range []bool{false, true} {
		t.Run(fmt.Sprint("the same: ", same), func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			s.startSmart("--test-command", "n=1; [ ! -e began1 ] || n=2; touch began$n; while [ ! -e go$n ]; do sleep 0.02; done")
			send := func(input string) chan answer {
				ended := make(chan answer, 1)
				go func() {
					a, err := execute(s.command("stop", strings.NewReader(input)))
					if err != nil {
						t.Error(err)
					}
					ended <- a
				}()
				return ended
			}
			input := s.says("smart", fmt.Sprintf(claimsDone, ""))
			first := send(input)
			s.await("began1")
			before, _ := os.ReadFile(filepath.Join(s.project, smartState))
			if !same {
				input = strings.Replace(s.says("smart", "an agent works"), "{", `{"background_tasks":[{"id":"a1","type":"subagent","status":"running"}],`, 1)
			}
			later := send(input)
			if same {
				s.await("began2")
			} else if a := <-later; !strings.Contains(a.stdout, "1 running") {
				t.Errorf("the later one: %+v", a)
			}
			s.write("go1", "")
			a := <-first
			if after, _ := os.ReadFile(filepath.Join(s.project, smartState)); a.blocks() || !strings.Contains(a.stdout, "this stop is allowed") || string(after) != string(before) {
				t.Errorf("%+v\nbefore %q\nafter %q", a, before, after)
			}
			s.write("go2", "")
			if same {
				if a := <-later; !strings.Contains(a.stderr, "smart ralph is done") {
					t.Errorf("the later one: %+v", a)
				}
			}
		})
	}
}

// TestNobodyWaitsForAnIndexCommand: while the index command of a spec runs, the loop of
// another session continues, and the answer is already printed.
func TestNobodyWaitsForAnIndexCommand(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.startLoop(1)
	s.config(`{"specum": {"index_command": "` + untilGo + ` #"}}`)
	s.write("specs/.current-spec", "shop\n")
	s.write("specs/shop/tasks.md", "- [x] one\n")
	s.write("specs/shop/.ralph-state.json", `{"phase":"execution","taskIndex":1,"totalTasks":1}`)
	cmd := s.command("stop", strings.NewReader(s.says("spec", "ALL_TASKS_COMPLETE")))
	errs, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s.await("began")
	a := s.hook("stop", s.stopInput(1))
	line := make([]byte, 200)
	n, _ := errs.Read(line)
	s.write("go", "")
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	if !a.blocks() || s.iteration() != 2 {
		t.Errorf("the other loop: %+v", a)
	}
	if !strings.Contains(string(line[:n]), "ALL_TASKS_COMPLETE detected") {
		t.Errorf("the spec: %q", line[:n])
	}
}

// TestAnItemThatLooksLikeAKeyRemains: a task does not end while its list of remaining
// items has an entry, whatever the entry is called.
func TestAnItemThatLooksLikeAKeyRemains(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.startSmart()
	a := s.hook("stop", s.says("smart", fmt.Sprintf(claimsDone, "**Remaining items**:\n- Notes: README part missing\n- tests\n")))
	if !a.blocks() || !strings.Contains(a.stdout, "README part missing") {
		t.Errorf("%+v", a)
	}
	if a := s.hook("stop", s.says("smart", `<completion-assessment>{"completed": true, "completion_percentage": 100, "confidence": 1}</completion-assessment>`)); a.blocks() {
		t.Errorf("a confidence of 1: %+v", a)
	}
}

// TestAnAnnouncedTokenCompletesNoSpec: neither does a token that the files contradict.
func TestAnAnnouncedTokenCompletesNoSpec(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.write("specs/.current-spec", "shop\n")
	s.write("specs/shop/tasks.md", strings.Repeat("- [ ] one\n", 9))
	for i, message := range []string{"When all tasks are done I will output:\n\nALL_TASKS_COMPLETE", "ALL_TASKS_COMPLETE"} {
		s.write("specs/shop/.ralph-state.json", fmt.Sprintf(`{"phase":"execution","taskIndex":%d,"totalTasks":9}`, i))
		if a := s.hook("stop", strings.Replace(s.says("spec", message), `"stop_hook_active":true`, `"stop_hook_active":false`, 1)); !a.blocks() {
			t.Errorf("%q: %+v", message, a)
		}
	}
}

// TestALongTurnIsNotTakenOver: a session whose turn takes some minutes keeps its smart
// ralph until the client reports its end.
func TestALongTurnIsNotTakenOver(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.startSmart()
	before := time.Now().Add(-8 * time.Minute)
	if err := os.Chtimes(filepath.Join(s.project, smartState), before, before); err != nil {
		t.Fatal(err)
	}
	if a := s.cli("other", "ralph", "resume"); a.code == 0 || !strings.Contains(a.stderr, "may still be running it") {
		t.Errorf("%+v", a)
	}
	s.hook("session-end", s.event("SessionEnd", "smart", `,"reason":"other"`))
	if a := s.cli("other", "ralph", "resume"); a.code != 0 {
		t.Errorf("%+v", a)
	}
}

// TestAPromptThatCouldDoNothingIsAnswered: while another process holds the lock, a
// prompt that cancels or starts a mode says that it did nothing.
func TestAPromptThatCouldDoNothingIsAnswered(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.config(`{"deadlines_ms": {"keyword-detector": 1000}}`)
	s.startLoop(3)
	release := s.hold(s.project)
	for prompt, want := range map[string]string{"cancelomc": "could not cancel ralph loop", "ultrawork: fix all errors": "could not start ultrawork"} {
		a := s.hook("keyword-detector", s.event("UserPromptSubmit", sessionID, fmt.Sprintf(`,"prompt":%q`, prompt)))
		if a.code != 0 || !strings.Contains(a.stdout, want) || !strings.Contains(a.stdout, "in a terminal: ") {
			t.Errorf("%s: %q %q", prompt, a.stdout, a.stderr)
		}
	}
	release()
	if s.iteration() != 3 {
		t.Error("the loop changed")
	}
	if a := s.hook("keyword-detector", s.event("UserPromptSubmit", sessionID, `,"prompt":"cancelomc"`)); !strings.Contains(a.stdout, "The user cancelled") {
		t.Errorf("afterwards: %q %q", a.stdout, a.stderr)
	}
}
