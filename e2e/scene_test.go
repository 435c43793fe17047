package e2e

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// stage is a workspace with a model server, for the clients of one test.
type stage struct {
	*Workspace
	t      *testing.T
	client string
	model  *Model
}

func newStage(t *testing.T, script Script) *stage {
	t.Helper()
	client := clientPath(t)
	t.Parallel()
	w, err := NewWorkspace(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	m := StartModel(script)
	t.Cleanup(m.Close)
	return &stage{Workspace: w, t: t, client: client, model: m}
}

// run drives a client to a normal end and checks what every run must fulfil.
func (s *stage) run(c Client) *Result {
	s.t.Helper()
	r := s.start(c)()
	return r
}

// start drives a client in the background; the returned function waits for its end.
func (s *stage) start(c Client) func() *Result {
	s.t.Helper()
	c.Path, c.Workspace, c.Model = s.client, s.Workspace, s.model
	var r *Result
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		r, err = c.Run(s.t.Context())
	}()
	return func() *Result {
		s.t.Helper()
		<-done
		if err != nil {
			s.t.Fatal(err)
		}
		if r.ExitCode != 0 {
			s.t.Fatalf("client exited with %d\nstdout: %s\nstderr: %s", r.ExitCode, tail(r.Stdout), r.Stderr)
		}
		for _, f := range s.model.Faults() {
			s.t.Error("model server:", f)
		}
		for _, e := range r.Transcript {
			if a := e.Attachment; a != nil && (a.Type == "hook_non_blocking_error" || a.Type == "hook_cancelled" || a.Type == "hook_error_during_execution") {
				s.t.Errorf("a hook failed: %s", e.Raw)
			}
		}
		return r
	}
}

// wired are settings in which bridge handles every event that print mode fires.
func wired(t *testing.T) Settings {
	t.Helper()
	path := bridge(t)
	var s Settings
	for event, hook := range map[string]string{
		"SessionStart": "session-start", "UserPromptSubmit": "keyword-detector", "PreToolUse": "pre-tool-use",
		"PostToolUse": "post-tool-use", "PermissionRequest": "permission-request", "Stop": "stop",
		"SubagentStart": "subagent-start", "SubagentStop": "subagent-stop", "PreCompact": "pre-compact", "SessionEnd": "session-end",
	} {
		s = s.On(event, Exec(path, "--hook="+hook))
	}
	s.Permissions = &Permissions{Allow: []string{"Bash(echo *)"}}
	return s
}

const capVariable = "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP"

// uncapped lifts the client's limit of consecutive blocks, as a user's settings may.
func uncapped(s Settings) Settings {
	s.Env = map[string]string{capVariable: "0"}
	return s
}

const (
	loopFile   = ".claude/ralph-loop.local.md"
	loopBackup = loopFile + ".bak"
)

// loop is a state file of the ralph-loop dialect, as /ralph-loop writes it.
type loop struct {
	Session string
	Max     int
	Promise string
	Prompt  string
}

func (l loop) String() string {
	promise := "null"
	if l.Promise != "" {
		promise = `"` + l.Promise + `"`
	}
	return fmt.Sprintf("---\nactive: true\niteration: 1\nsession_id: %s\nmax_iterations: %d\ncompletion_promise: %s\nstarted_at: %q\n---\n\n%s\n",
		l.Session, l.Max, promise, time.Now().UTC().Format(time.RFC3339), l.Prompt)
}

func (s *stage) startLoop(l loop) string {
	s.t.Helper()
	text := l.String()
	if err := s.Write(loopFile, text); err != nil {
		s.t.Fatal(err)
	}
	return text
}

// frontMatter returns one value of a state file.
func (s *stage) frontMatter(name, key string) string {
	s.t.Helper()
	text, err := s.Read(name)
	if err != nil {
		s.t.Fatal(err)
	}
	for line := range strings.Lines(text) {
		if value, ok := strings.CutPrefix(line, key+":"); ok {
			return strings.TrimSpace(value)
		}
	}
	s.t.Fatalf("%s has no %s:\n%s", name, key, text)
	return ""
}

// wantEnded checks that a loop has ended: its state is kept as a backup and its path is gone.
func (s *stage) wantEnded(prompt string) {
	s.t.Helper()
	if _, err := os.Lstat(filepath.Join(s.Project, loopFile)); !os.IsNotExist(err) {
		s.t.Errorf("%s is still there (%v)", loopFile, err)
	}
	text, err := s.Read(loopBackup)
	if err != nil {
		s.t.Error(err)
	} else if !strings.Contains(text, prompt) {
		s.t.Errorf("the backup lost the prompt:\n%s", text)
	}
}

// sessionID returns a random UUID, version 4.
func sessionID() string {
	var b [16]byte
	rand.Read(b[:])
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// containing returns the texts that hold part.
func containing(texts []string, part string) []string {
	var out []string
	for _, s := range texts {
		if strings.Contains(s, part) {
			out = append(out, s)
		}
	}
	return out
}

// openTerminal starts an interactive client; the caller closes it.
func openTerminal(t *testing.T, c Client) *Terminal {
	t.Helper()
	term, err := c.OpenTerminal(t.Context())
	if errors.Is(err, ErrNoTmux) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return term
}

func closeTerminal(t *testing.T, term *Terminal) {
	t.Helper()
	if err := term.Close(); err != nil {
		t.Error(err)
	}
}
