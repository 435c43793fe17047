package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// openPTY opens a pseudo-terminal: keyboard is where a person types and reads.
func openPTY(t *testing.T) (keyboard, terminal *os.File) {
	t.Helper()
	keyboard, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no pseudo-terminals here: ", err)
	}
	t.Cleanup(func() { keyboard.Close() })
	if err := unix.IoctlSetPointerInt(int(keyboard.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(int(keyboard.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no pseudo-terminals here: ", err)
	}
	t.Cleanup(func() { terminal.Close() })
	if err := unix.IoctlSetWinsize(int(keyboard.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 40, Col: 100}); err != nil {
		t.Fatal(err)
	}
	return keyboard, terminal
}

// TestTheChoiceInATerminal holds R3-44: a person types the answer to an unfinished
// session. Ctrl-C, Ctrl-D and the answer to cancel change nothing.
func TestTheChoiceInATerminal(t *testing.T) {
	t.Parallel()
	const question = "and press Enter: "
	for name, test := range map[string]struct {
		keys     []string
		code     int
		replaced bool
		changed  bool
		said     string
	}{
		"continue":               {keys: []string{"1\n"}, changed: true, said: "session resumed with task 1/1"},
		"start anew":             {keys: []string{"2\n"}, changed: true, replaced: true, said: "Smart Ralph started"},
		"cancel":                 {keys: []string{"3\n"}, code: 1, said: "nothing was changed"},
		"another word, then new": {keys: []string{"maybe\n", "new\n"}, changed: true, replaced: true, said: "The old session is kept in"},
		"Enter, then cancel":     {keys: []string{"\n", "q\n"}, code: 1, said: "nothing was changed"},
		"Ctrl-D":                 {keys: []string{"\x04"}, code: 1, said: "nothing was changed"},
		"Ctrl-C":                 {keys: []string{"\x03"}, code: -1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			s.startSmart()
			s.hook("session-end", s.event("SessionEnd", "smart", `,"reason":"other"`))
			state := filepath.Join(s.project, smartState)
			before, err := os.ReadFile(state)
			if err != nil {
				t.Fatal(err)
			}
			keyboard, terminal := openPTY(t)
			var stdout bytes.Buffer
			cmd := exec.Command(binary, "ralph", "smart", "tasks.md", "--no-ai")
			cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = s.project, append(s.command("stop", nil).Env, "BRIDGE_LANG=en"), terminal, &stdout, terminal
			cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			terminal.Close()
			var screen strings.Builder
			typed := 0
			for buffer := make([]byte, 4096); ; {
				n, err := keyboard.Read(buffer)
				screen.Write(buffer[:n])
				if typed < len(test.keys) && strings.Count(screen.String(), question) > typed {
					if _, err := io.WriteString(keyboard, test.keys[typed]); err != nil {
						t.Fatal(err)
					}
					typed++
				}
				if err != nil {
					break
				}
			}
			_ = cmd.Wait()
			said := screen.String() + stdout.String()
			if code := cmd.ProcessState.ExitCode(); code != test.code || !strings.Contains(said, test.said) || !strings.Contains(said, "1) continue with tasks.md") {
				t.Errorf("exit code %d\n%s", code, said)
			}
			after, err := os.ReadFile(state)
			if err != nil || bytes.Equal(before, after) == test.changed {
				t.Errorf("%v; the state:\n%s", err, after)
			}
			history, _ := filepath.Glob(filepath.Join(s.project, ".claude/ralph-smart/history/*.md"))
			if (len(history) == 1) != test.replaced {
				t.Errorf("the history: %v", history)
			}
		})
	}
}
