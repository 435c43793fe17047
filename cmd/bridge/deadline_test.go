//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/hookbridge/bridge/protocol"
	"github.com/hookbridge/bridge/schemas/schematest"
)

// buildHang builds the program whose handlers hang.
var buildHang = sync.OnceValues(func() (string, error) {
	path := filepath.Join(filepath.Dir(binary), "hang")
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", path, "./testdata/hang")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build: %w\n%s", err, out)
	}
	return path, nil
})

// hanging runs a hook whose handler hangs and returns its answer and how long it
// took.
func (s *scene) hanging(hook, input string) (answer, time.Duration) {
	s.t.Helper()
	program, err := buildHang()
	if err != nil {
		s.t.Fatal(err)
	}
	fifo := filepath.Join(s.home, "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil && !os.IsExist(err) {
		s.t.Fatal(err)
	}
	cmd := exec.Command(program, "--hook="+hook)
	cmd.Dir, cmd.Stdin, cmd.Env = s.project, strings.NewReader(input), append([]string{"HANG_FIFO=" + fifo}, s.env...)
	start := time.Now()
	a, err := execute(cmd)
	if err != nil {
		s.t.Fatal(err)
	}
	took := time.Since(start)
	if a.code != 0 {
		s.t.Errorf("--hook=%s: exit code %d, stderr %q", hook, a.code, a.stderr)
	}
	return a, took
}

// find returns the text of the one file of this name below the home, or "".
func (s *scene) find(name string) string {
	s.t.Helper()
	var texts []string
	err := filepath.WalkDir(s.home, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.Name() != name {
			return err
		}
		text, err := os.ReadFile(path)
		texts = append(texts, string(text))
		return err
	})
	if err != nil || len(texts) > 1 {
		s.t.Fatalf("%s: %q, %v", name, texts, err)
	}
	return strings.Join(texts, "")
}

// ledger is the text of all ledger files.
func (s *scene) ledger() string {
	s.t.Helper()
	names, err := filepath.Glob(filepath.Join(s.home, ".local", "state", "bridge", "ledger", "*"))
	if err != nil {
		s.t.Fatal(err)
	}
	var all strings.Builder
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			s.t.Fatal(err)
		}
		all.Write(text)
	}
	return all.String()
}

func (s *scene) toolInput(event, rest string) string {
	return fmt.Sprintf(`{"session_id":%q,"cwd":%q,"hook_event_name":%q,"tool_name":"Bash","tool_input":{"command":"ls"}%s}`, sessionID, s.project, event, rest)
}

// busy is how long a deadline may take on a busy machine. The handler itself would hang
// for ever.
const busy = 30 * time.Second

// TestDeadlinesOfTheToolHooks holds docs/reference/hook-standard.md#failures and
// docs/reference/hook-standard.md#timeouts, with the deadlines of the table and a
// handler that hangs in a system call.
func TestDeadlinesOfTheToolHooks(t *testing.T) {
	if testing.Short() {
		t.Skip("left out with -short: waits for deadlines")
	}
	t.Parallel()
	const continues = "{\"continue\": true}\n"
	t.Run("pre-tool-use", func(t *testing.T) {
		t.Parallel()
		s := newScene(t)
		a, took := s.hanging("pre-tool-use", s.toolInput("PreToolUse", ""))
		if took < 5*time.Second || took > busy || a.stdout != continues || !strings.Contains(a.stderr, "did not answer in time") {
			t.Errorf("%v, %q %q", took, a.stdout, a.stderr)
		}
		if record := s.find("last-tool-error-state.json"); !strings.Contains(record, `"hook":"pre-tool-use"`) && !strings.Contains(record, `"hook": "pre-tool-use"`) || !strings.Contains(record, "did not answer in time") {
			t.Errorf("the timeout is not recorded: %q", record)
		}
		if lines := s.ledger(); !strings.Contains(lines, `"rule":"deadline"`) {
			t.Errorf("ledger: %q", lines)
		}
	})
	t.Run("post-tool-use", func(t *testing.T) {
		t.Parallel()
		s := newScene(t)
		input := s.toolInput("PostToolUseFailure", `,"error":"Exit code 1"`)
		a, took := s.hanging("post-tool-use", input)
		if took < 5*time.Second || took > busy || a.stdout != continues {
			t.Errorf("%v, %q %q", took, a.stdout, a.stderr)
		}
		record := s.find("post-tool-use-state.json")
		for _, part := range []string{"pending-retry", "PostToolUseFailure", "timestamp"} {
			if !strings.Contains(record, part) {
				t.Errorf("no %q in the record %q", part, record)
			}
		}
		if s.find("last-tool-error-state.json") != "" {
			t.Error("the late handler wrote all the same")
		}
		// The real program records the late call at the next event.
		if a := s.hook("post-tool-use", input); a.stdout != "" || a.stderr != "" {
			t.Errorf("%q %q", a.stdout, a.stderr)
		}
		if record := s.find("last-tool-error-state.json"); !strings.Contains(record, `"retry_count": 2`) || s.find("post-tool-use-state.json") != "" {
			t.Errorf("not made up for: %q, still pending %q", record, s.find("post-tool-use-state.json"))
		}
	})
	t.Run("permission-request", func(t *testing.T) {
		t.Parallel()
		s := newScene(t)
		a, took := s.hanging("permission-request", s.toolInput("PermissionRequest", `,"permission_suggestions":[{"type":"setMode"}]`))
		if took < 4*time.Second || took > busy || !strings.HasPrefix(a.stdout, `{"continue": false, `) || !strings.Contains(a.stdout, `"decision": {"behavior": "deny"`) {
			t.Errorf("%v, %q %q", took, a.stdout, a.stderr)
		}
		schematest.ValidateStdout(t, protocol.EventPermissionRequest, []byte(a.stdout))
		if lines := s.ledger(); !strings.Contains(lines, `"decision":"deny","rule":"deadline"`) {
			t.Errorf("ledger: %q", lines)
		}
	})
}

// TestHangingHandlerOfEveryType: the user's own deadlines apply, every type follows its
// fail policy, and every failure has its line in the ledger.
func TestHangingHandlerOfEveryType(t *testing.T) {
	longer(t)
	t.Parallel()
	for _, row := range protocol.AllRows() {
		t.Run(string(row.Type), func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			config := filepath.Join(s.home, ".config", "bridge", "config.json")
			if err := os.MkdirAll(filepath.Dir(config), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(config, fmt.Appendf(nil, `{"deadlines_ms": {%q: 100}}`, row.Type), 0o600); err != nil {
				t.Fatal(err)
			}
			a, took := s.hanging(string(row.Type), s.toolInput(string(row.Events[0]), `,"trigger":"manual"`))
			if took > busy {
				t.Errorf("took %v", took)
			}
			switch row.Fail {
			case protocol.FailOpen:
				idle := "{\"continue\": true}\n"
				if row.Duty == protocol.DutySilent {
					idle = ""
				}
				if a.stdout != idle {
					t.Errorf("%q %q", a.stdout, a.stderr)
				}
			case protocol.FailClosed:
				if !strings.Contains(a.stdout, `"behavior": "deny"`) {
					t.Errorf("%q %q", a.stdout, a.stderr)
				}
			}
			if lines := s.ledger(); strings.Count(lines, "\n") != 1 || !strings.Contains(lines, `"rule":"deadline"`) {
				t.Errorf("ledger: %q", lines)
			}
		})
	}
}
