package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestAFullDiskIsAnError: a script must not take an empty answer for the answer, and a
// command that repeats itself ends.
func TestAFullDiskIsAnError(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"status", "status --json", "status --watch", "log", "log --json", "stats", "check ls", "check --json ls", "hooks", "--help", "--version"} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			disk, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
			if err != nil {
				t.Skip(err)
			}
			defer disk.Close()
			var stderr strings.Builder
			cmd := exec.Command(binary, strings.Fields(command)...)
			cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = s.project, s.env, disk, &stderr
			_ = cmd.Run()
			if code := cmd.ProcessState.ExitCode(); code != 1 || !strings.Contains(stderr.String(), "bridge: the output could not be written: ") {
				t.Errorf("exit code %d, %q", code, stderr.String())
			}
		})
	}
}

// TestWhatTheModelReadsIsNotForAPerson: the part of a text that tells the model how its
// loop ends is printed for a session, and not on a terminal.
func TestWhatTheModelReadsIsNotForAPerson(t *testing.T) {
	t.Parallel()
	for _, session := range []string{"", sessionID} {
		s := newScene(t)
		env := append(s.env, "PATH="+s.programDir())
		if session != "" {
			env = append(env, "CLAUDE_CODE_SESSION_ID="+session)
		}
		screen, code := s.onTerminal(env, "ralph loop 'Make the tests pass' --max-iterations 5 --completion-promise DONE")
		if code != 0 || !strings.Contains(screen, "Max iterations: 5") || strings.Contains(screen, "output exactly this text") != (session != "") {
			t.Errorf("session %q, exit code %d:\n%s", session, code, screen)
		}
	}
}

// TestWatchRedraws: the second picture replaces the first one, and does not follow it.
func TestWatchRedraws(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.startLoop(3)
	keyboard, terminal := openPTY(t)
	cmd := exec.Command(binary, "status", "--watch", "--every", "20ms")
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = s.project, s.env, terminal, terminal, terminal
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	terminal.Close()
	var text strings.Builder
	const topLeft = "\x1b[H"
	for buffer := make([]byte, 4096); strings.Count(text.String(), topLeft) < 3; {
		n, err := keyboard.Read(buffer)
		text.Write(buffer[:n])
		if err != nil {
			t.Fatalf("it ended: %v, %q", err, text.String())
		}
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	pictures := strings.Split(text.String(), topLeft)
	if strings.Count(text.String(), "\x1b[2J") != 1 || !strings.Contains(pictures[1], "loop  3 ") || !strings.Contains(pictures[2], "loop  3 ") || !strings.HasSuffix(pictures[1], "\x1b[J") {
		t.Errorf("%q", text.String())
	}
}
