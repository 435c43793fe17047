//go:build unix

package main

import (
	"bufio"
	"encoding/json"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestLogFollows: a decision shows up while the log is followed, an interrupt ends
// it well, and a reader that leaves ends it, too.
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
