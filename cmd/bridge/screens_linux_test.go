package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/hookbridge/bridge/internal/ledger"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/term"
	"github.com/hookbridge/bridge/protocol"
)

var updateScreens = flag.Bool("update", false, "TestScreens keeps what the commands show")

const (
	screenColumns = 80
	screenRows    = 24
)

// TestScreens holds what commands show on a terminal of 80 columns and 24 rows:
//
//	go test ./cmd/bridge -run TestScreens -update
//
// writes testdata/screens anew; look at each file before you keep it. ␛ is an escape
// character. Screens that are laid out for a terminal have no line that is too wide.
func TestScreens(t *testing.T) {
	t.Parallel()
	if at := time.Now(); at.Add(-2*time.Minute).Day() != at.Add(2*time.Minute).Day() {
		t.Skip("it is midnight, and the log shows dates")
	}
	for name, test := range map[string]struct {
		prepare func(*scene)
		command string
		env     []string
		code    int
		// wide says that lines may be longer than the terminal.
		wide bool
	}{
		"status":         {prepare: severalLoops, command: "status"},
		"status-plain":   {prepare: severalLoops, command: "status", env: []string{"NO_COLOR=1"}},
		"status-one":     {prepare: severalLoops, command: "status 11111111"},
		"status-all":     {prepare: severalLoops, command: "status --all"},
		"status-nothing": {command: "status"},
		"log":            {prepare: someDecisions, command: "log"},
		"log-nothing":    {command: "log"},
		"stats":          {prepare: someDecisions, command: "stats"},
		"stats-nothing":  {command: "stats"},
		"check":          {command: "check 'rm -rf /'", code: 1},
		"doctor":         {prepare: brokenConfiguration, command: "doctor", code: 1},
		"doctor-name":    {prepare: installedElsewhere, command: "doctor --quick", wide: true},
		"demo":           {command: "demo"},
		"install":        {prepare: olderInstallation, command: "install --block-cap 0"},
		"uninstall":      {prepare: installedWithLoop, command: "uninstall"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			s.project = s.repository("shop")
			s.env = append(s.env, "PATH="+s.programDir(), "XDG_RUNTIME_DIR=", "TMPDIR="+s.home)
			if test.prepare != nil {
				test.prepare(s)
			}
			got, code := s.onTerminal(append(s.env, test.env...), test.command)
			if code != test.code {
				t.Errorf("exit code %d, want %d", code, test.code)
			}
			got = s.steady(got)
			for line := range strings.Lines(got) {
				if columns := term.Width(strings.TrimRight(colour.ReplaceAllString(line, ""), "\n")); columns > screenColumns && !test.wide {
					t.Errorf("a line takes %d columns: %s", columns, line)
				}
			}
			file := filepath.Join("testdata", "screens", name+".txt")
			if *updateScreens {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil || got != string(want) {
				t.Errorf("%v; the screen is now (if it is meant: -update)\n%s", err, got)
			}
		})
	}
}

var (
	colour   = regexp.MustCompile(`␛\[[0-9;]*m`)
	clock    = regexp.MustCompile(`\b\d\d:\d\d:\d\d\b`)
	moment   = regexp.MustCompile(`\b\d{4}-\d\d-\d\d \d\d:\d\d\b`)
	stamped  = regexp.MustCompile(`\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`)
	measured = regexp.MustCompile(`\(slowest: \w+, \d+\.\d ms\)`)
	seconds  = regexp.MustCompile(`\b[0-9]s\b`)
)

// steady is a screen without what differs from run to run.
func (s *scene) steady(text string) string {
	text = strings.NewReplacer("\r\n", "\n", "\x1b", "␛", s.home, "~", binary, "/usr/local/bin/bridge").Replace(text)
	text = stamped.ReplaceAllString(text, "2026-11-20T12:34:56Z")
	text = clock.ReplaceAllString(text, "12:34:56")
	text = moment.ReplaceAllString(text, "2026-11-20 12:34")
	text = measured.ReplaceAllString(text, "(slowest: UserPromptExpansion, 123.4 ms)")
	return seconds.ReplaceAllString(text, "0s")
}

// programDir is a PATH on which the program is bridge.
func (s *scene) programDir() string { return filepath.Dir(binary) + ":" + os.Getenv("PATH") }

// repository makes a project in the home directory.
func (s *scene) repository(name string) string {
	s.t.Helper()
	dir := filepath.Join(s.home, name)
	s.put(filepath.Join(dir, ".git", "HEAD"), "ref: refs/heads/main\n")
	for _, inner := range []string{"objects", "refs"} {
		if err := os.MkdirAll(filepath.Join(dir, ".git", inner), 0o700); err != nil {
			s.t.Fatal(err)
		}
	}
	return dir
}

// onTerminal runs a command line on a terminal and returns what the terminal got.
func (s *scene) onTerminal(env []string, command string) (screen string, code int) {
	s.t.Helper()
	keyboard, terminal := openPTY(s.t)
	if err := unix.IoctlSetWinsize(int(keyboard.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: screenRows, Col: screenColumns}); err != nil {
		s.t.Fatal(err)
	}
	cmd := exec.Command("sh", "-c", "exec bridge "+command)
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = s.project, env, terminal, terminal, terminal
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	terminal.Close()
	var text strings.Builder
	for buffer := make([]byte, 4096); ; {
		n, err := keyboard.Read(buffer)
		text.Write(buffer[:n])
		if err != nil {
			break
		}
	}
	_ = cmd.Wait()
	return text.String(), cmd.ProcessState.ExitCode()
}

// typed runs a command in a project as a session does.
func (s *scene) typed(dir, session string, args ...string) {
	s.t.Helper()
	cmd := exec.Command(binary, args...)
	cmd.Dir, cmd.Env = dir, append(s.env, "CLAUDE_CODE_SESSION_ID="+session)
	if out, err := cmd.CombinedOutput(); err != nil {
		s.t.Fatalf("%v: %v\n%s", args, err, out)
	}
}

// aged sets the times of files back.
func (s *scene) aged(by time.Duration, files ...string) {
	s.t.Helper()
	at := time.Now().Add(-by)
	for _, file := range files {
		if err := os.Chtimes(file, at, at); err != nil {
			s.t.Fatal(err)
		}
	}
}

// severalLoops are loops in every state, in two projects.
func severalLoops(s *scene) {
	s.typed(s.project, sessionID, "ralph", "loop", "修复所有失败的测试，然后运行一次 lint，再提交 — keep the commits small", "--max-iterations", "20", "--completion-promise", "ALL TESTS PASS")
	s.put(filepath.Join(s.project, "tasks.md"), "# Tasks\n\n1. Write the parser\n2. Write its tests\n")
	s.typed(s.project, "2e6c2ec2-5b0e-4b39-9d2b-2a9c6f7c1a10", "ralph", "smart", "tasks.md", "--no-ai")
	s.typed(s.project, "2e6c2ec2-5b0e-4b39-9d2b-2a9c6f7c1a10", "ralph", "pause")
	s.typed(s.project, "7c0a91aa-5b0e-4b39-9d2b-2a9c6f7c1a10", "mode", "start", "ultrawork", "Migrate the remaining forms to the new components")
	loop := filepath.Join(s.project, ".claude", "ralph-loop.local.md")
	text, err := os.ReadFile(loop)
	if err != nil {
		s.t.Fatal(err)
	}
	s.put(loop, strings.Replace(string(text), "iteration: 1", "iteration: 7", 1))
	s.aged(12*time.Minute, loop)
	other := s.repository("blog-of-a-long-name")
	s.typed(other, "9d2b2a9c-0000-4000-8000-000000000000", "ralph", "loop", "Translate the posts", "--max-iterations", "5")
	s.aged(3*time.Hour+time.Minute, filepath.Join(other, ".claude", "ralph-loop.local.md"))
}

// someDecisions are lines of the ledger, and hook entries of a transcript.
func someDecisions(s *scene) {
	now := time.Now()
	kept := ledger.Ledger{Dir: filepath.Join(s.home, ".local", "state", "bridge", "ledger")}
	for i, e := range []ledger.Entry{
		{Session: sessionID, Type: protocol.KeywordDetector, Event: protocol.EventUserPromptSubmit, Decision: "context", Rule: "keyword", Duration: 2100 * time.Microsecond},
		{Session: sessionID, Type: protocol.PermissionRequest, Event: protocol.EventPermissionRequest, Decision: "allow", Rule: "git-log+head", Duration: 5200 * time.Microsecond},
		{Session: sessionID, Type: protocol.PreToolUse, Event: protocol.EventPreToolUse, Decision: "deny", Rule: "recursive-delete", Duration: 900 * time.Microsecond},
		{Session: sessionID, Type: protocol.Ralph, Event: protocol.EventStop, Step: "ralph", Decision: "block", Rule: "continue", Loop: "loop", Iteration: 7, Duration: 1700 * time.Microsecond},
		{Session: "7c0a91aa-5b0e", Type: protocol.Ralph, Event: protocol.EventStop, Step: "persistent-mode", Decision: "block", Rule: "reinforce", Loop: "ultrawork", Iteration: 12, Duration: 1200 * time.Microsecond},
		{Session: "7c0a91aa-5b0e", Type: protocol.Ralph, Event: protocol.EventStop, Step: "ralph", Decision: "notice", Rule: "stopped:verification-exhausted", Loop: "smart", Duration: 1500 * time.Microsecond},
		{Session: sessionID, Type: protocol.PermissionRequest, Event: protocol.EventPermissionRequest, Decision: "deny", Rule: "configuration", Duration: 800 * time.Microsecond},
	} {
		e.Time, e.Project, e.Client, e.PID = now.Add(time.Duration(i-10)*time.Second), project.ID(s.project), "claude", 1
		kept.Append(e)
	}
	if err := project.Note(filepath.Join(s.home, ".local", "state", "bridge"), protocol.Places{Root: s.project}, "loop", now); err != nil {
		s.t.Fatal(err)
	}
	var lines strings.Builder
	for i, name := range []string{"PreToolUse:Bash", "PreToolUse:Bash", "Stop", "PreToolUse:mcp__github__create_pull_request", "UserPromptSubmit"} {
		fmt.Fprintf(&lines, `{"type":"attachment","timestamp":%q,"attachment":{"type":"hook_success","hookName":%q,"durationMs":%d}}`+"\n", now.UTC().Format(time.RFC3339), name, 9+4*i)
	}
	s.put(filepath.Join(s.home, ".claude", "projects", "p", "t.jsonl"), lines.String())
}

func brokenConfiguration(s *scene) { s.config("{\n  // mine\n  \"permisions\": {}\n}\n") }

// olderInstallation has the lines of some hooks.
func olderInstallation(s *scene) {
	s.typed(s.project, "", "install", "--hooks", "stop,permission-request,pre-tool-use,session-start,user-prompt-submit,session-end,pre-compact")
}

func installedWithLoop(s *scene) {
	s.typed(s.project, "", "install", "--block-cap", "0")
	s.typed(s.project, sessionID, "ralph", "loop", "Fix the tests", "--max-iterations", "20")
}

// installedElsewhere has another program of its name on the PATH, and ignores no states.
func installedElsewhere(s *scene) {
	s.typed(s.project, "", "install")
	s.put(filepath.Join(s.project, ".claude", "ralph-loop.1a2b.local.md.bak"), "x")
	s.put(filepath.Join(s.project, ".omc", "state", "x"), "x")
	dir := filepath.Join(s.home, "first")
	s.put(filepath.Join(dir, "bridge"), "#!/bin/sh\nexec "+binary+" \"$@\"\n")
	if err := os.Chmod(filepath.Join(dir, "bridge"), 0o755); err != nil {
		s.t.Fatal(err)
	}
	s.env = append(s.env, "PATH="+dir+":/usr/bin:/bin")
}
