//go:build unix

package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestLogFollowsASession: the newest lines are those of the session, however many lines
// of other sessions follow; --last 0 shows none of them.
func TestLogFollowsASession(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.startLoop(1)
	s.hook("stop", s.stopInput(1))
	if err := os.Rename(s.state(), s.state()+".mine"); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		s.hook("keyword-detector", s.event("UserPromptSubmit", "other", fmt.Sprintf(`,"prompt":"ultrawork: part %d"`, i)))
	}
	// Each must show its first line before it is interrupted.
	for _, test := range []struct{ last, want string }{{"1", `"session":"` + sessionID}, {"0", `"decision":"block"`}} {
		cmd := exec.Command(binary, "log", "-f", "--json", "--last", test.last, "--session", sessionID[:8])
		cmd.Dir, cmd.Env = s.project, s.env
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := make(chan string, 10)
		go func() {
			for scanner := bufio.NewScanner(out); scanner.Scan(); {
				lines <- scanner.Text()
			}
			close(lines)
		}()
		n := 0
		for first := ""; first == ""; n++ {
			if test.last == "0" {
				s.startLoop(1)
				s.hook("stop", s.stopInput(10+n))
			}
			select {
			case first = <-lines:
				if !strings.Contains(first, test.want) {
					t.Errorf("--last %s: %q", test.last, first)
				}
			case <-time.After(100 * time.Millisecond):
				if n > 200 {
					_ = cmd.Process.Kill()
					t.Fatalf("--last %s: no line came", test.last)
				}
			}
		}
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
}

// TestLogAfterATornLine: a line that a full disk cut off does not destroy the next one.
func TestLogAfterATornLine(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.startLoop(1)
	s.hook("stop", s.stopInput(1))
	days, err := filepath.Glob(filepath.Join(s.home, ".local", "state", "bridge", "ledger", "*.jsonl"))
	if err != nil || len(days) != 1 {
		t.Fatalf("%v, %v", days, err)
	}
	file, err := os.OpenFile(days[0], os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = file.WriteString(`{"time":"2026-11-2`)
	if err := errors.Join(err, file.Close()); err != nil {
		t.Fatal(err)
	}
	s.hook("stop", s.stopInput(2))
	log := exec.Command(binary, "log", "--json")
	log.Dir, log.Env = s.project, s.env
	out, err := log.Output()
	if err != nil || strings.Count(string(out), `"decision": "block"`)+strings.Count(string(out), `"decision":"block"`) != 2 {
		t.Errorf("%v: %s", err, out)
	}
}

// TestLogFollows: a decision appears while the log is followed, an interrupt ends the
// command without an error, and so does a reader that leaves.
func TestLogFollows(t *testing.T) {
	t.Parallel()
	follow := func(s *scene) (*exec.Cmd, *bufio.Reader) {
		t.Helper()
		cmd := exec.Command(binary, "log", "-f", "--json")
		cmd.Dir, cmd.Env = s.project, s.env
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = cmd.Process.Kill() })
		return cmd, bufio.NewReader(out)
	}
	read := func(r *bufio.Reader) string {
		t.Helper()
		line := make(chan string, 1)
		go func() {
			text, _ := r.ReadString('\n')
			line <- text
		}()
		select {
		case text := <-line:
			return text
		case <-time.After(20 * time.Second):
			t.Fatal("no line came")
			return ""
		}
	}

	s := newScene(t)
	s.startLoop(1)
	s.hook("stop", s.stopInput(1))
	cmd, lines := follow(s)
	first := read(lines)
	s.hook("stop", s.stopInput(2))
	second := read(lines)
	for _, text := range []string{first, second} {
		var entry struct {
			Decision string `json:"decision"`
		}
		if err := json.Unmarshal([]byte(text), &entry); err != nil || entry.Decision != "block" {
			t.Errorf("%q: %v", text, err)
		}
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("after an interrupt: %v", err)
	}

	// head(1) leaves after its line.
	piped := exec.Command("sh", "-c", `"$0" log -f --json | head -n 1`, binary)
	piped.Dir, piped.Env = s.project, s.env
	ended := make(chan error, 1)
	var out strings.Builder
	piped.Stdout = &out
	go func() { ended <- piped.Run() }()
	for n := 3; ; n++ {
		select {
		case err := <-ended:
			if err != nil || strings.Count(out.String(), "\n") != 1 {
				t.Errorf("%v: %q", err, out.String())
			}
			return
		case <-time.After(100 * time.Millisecond):
			if n > 200 {
				t.Fatal("nobody reads any more, and the log is still followed")
			}
			s.hook("stop", s.stopInput(n))
		}
	}
}
