//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/protocol"
)

// index reads the index of projects.
func (s *scene) index() []project.Known {
	s.t.Helper()
	known, err := project.Index(filepath.Join(s.home, ".local", "state", "bridge"))
	if err != nil {
		s.t.Fatal(err)
	}
	return known
}

// TestALineOfTheLedgerSaysWhatItIsAbout: the project, the client, the loop and its
// iteration, the prompt and the tool call; and the index knows the project and where its
// loops are.
func TestALineOfTheLedgerSaysWhatItIsAbout(t *testing.T) {
	t.Parallel()
	base := func(s *scene, event, rest string) string {
		return fmt.Sprintf(`{"session_id":%q,"cwd":%q,"prompt_id":"p7","hook_event_name":%q%s}`, sessionID, s.project, event, rest)
	}
	push := `,"tool_name":"Bash","tool_use_id":"toolu_9","tool_input":{"command":"git push --force origin main"}`
	for name, tc := range map[string]struct {
		hook, event, rest string
		setup             func(*scene)
		want              string
		loops             []string
	}{
		"stop of a loop": {"stop", "Stop", `,"stop_hook_active":true,"last_assistant_message":"part"`, func(s *scene) { s.startLoop(4) },
			`"client":"claude","loop":"loop","iteration":4,"prompt":"p7"}`, []string{"loop"}},
		"end of a loop": {"stop", "Stop", `,"last_assistant_message":"<promise>DONE</promise>"`, func(s *scene) { s.startLoop(4) },
			`"client":"claude","loop":"loop","prompt":"p7"}`, []string{"loop"}},
		"prompt that starts two modes": {"keyword-detector", "UserPromptSubmit", `,"prompt":"ralph ultrawork: fix all errors"`, nil,
			`"client":"claude","loop":"omc,ultrawork","prompt":"p7"}`, []string{"omc", "ultrawork"}},
		"tool call":               {"pre-tool-use", "PreToolUse", push, nil, `"client":"claude","prompt":"p7","tool_use":"toolu_9"}`, nil},
		"tool call of Codex":      {"pre-tool-use", "PreToolUse", push + `,"turn_id":"t"`, nil, `"client":"codex","prompt":"p7","tool_use":"toolu_9"}`, nil},
		"request for a tool call": {"permission-request", "PermissionRequest", `,"tool_name":"Bash","tool_use_id":"toolu_9","tool_input":{"command":"ls"},"permission_suggestions":[{"type":"addRules"}]`, nil, `"client":"claude","prompt":"p7","tool_use":"toolu_9"}`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			if tc.setup != nil {
				tc.setup(s)
			}
			a := s.hook(tc.hook, base(s, tc.event, tc.rest))
			line := s.ledger()
			if want := `"project":"` + project.ID(s.project) + `",` + tc.want + "\n"; !strings.HasSuffix(line, want) || strings.Count(line, "\n") != 1 || strings.Contains(line, s.project) {
				t.Errorf("%q %q: line %s\nwant the end %s", a.stdout, a.stderr, line, want)
			}
			known := s.index()
			if len(known) != 1 || known[0].Path != s.project {
				t.Fatalf("index %v", known)
			}
			var loops []string
			for _, loop := range known[0].Loops {
				loops = append(loops, loop.Kind)
				if loop.Dir != s.project {
					t.Errorf("loop %v", loop)
				}
			}
			if strings.Join(loops, " ") != strings.Join(tc.loops, " ") {
				t.Errorf("loops %v, want %v", loops, tc.loops)
			}
		})
	}
}

// TestAHookThatDecidesNothingLeavesNoNote: it writes neither to the ledger nor to the
// index.
func TestAHookThatDecidesNothingLeavesNoNote(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.hook("stop", s.stopInput(1))
	s.hook("post-tool-use", s.toolInput("PostToolUse", ""))
	if line, known := s.ledger(), s.index(); line != "" || len(known) != 0 {
		t.Errorf("ledger %q, index %v", line, known)
	}
}

// TestTheIndexKnowsALoopFromItsStartOn: this includes a loop that a command starts, in
// the directory of the command.
func TestTheIndexKnowsALoopFromItsStartOn(t *testing.T) {
	t.Parallel()
	for kind, args := range map[string][]string{
		"loop":  {"ralph", "loop", "Go on.", "--max-iterations", "5"},
		"omc":   {"mode", "start", "ralph", "Go on."},
		"smart": {"ralph", "smart", "--prompt", "Write a.txt."},
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			cmd := s.command("stop", nil, "CLAUDE_CODE_SESSION_ID="+sessionID)
			cmd.Args = append([]string{binary}, args...)
			a, err := execute(cmd)
			known := s.index()
			if err != nil || a.code != 0 || len(known) != 1 || len(known[0].Loops) != 1 || known[0].Loops[0] != (project.KnownLoop{Kind: kind, Dir: s.project}) {
				t.Errorf("%v, %+v, %v", err, a, known)
			}
		})
	}
}

// TestAnIndexThatCannotBeWrittenChangesNoAnswer: it does not change the ledger either.
func TestAnIndexThatCannotBeWrittenChangesNoAnswer(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.startLoop(1)
	place := filepath.Join(s.home, ".local", "state", "bridge", project.IndexDir)
	if err := os.MkdirAll(filepath.Dir(place), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(place, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	a := s.hook("stop", s.stopInput(1))
	if line := s.ledger(); !a.blocks() || a.stderr != "" || strings.Count(line, "\n") != 1 {
		t.Errorf("%q %q, ledger %q", a.stdout, a.stderr, line)
	}
}

// TestMaintenanceRemovesOldProjectsFromTheIndex: those in which no hook decided anything
// for a month.
func TestMaintenanceRemovesOldProjectsFromTheIndex(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	home := filepath.Join(s.home, ".local", "state", "bridge")
	now := time.Now()
	for name, age := range map[string]time.Duration{"old": 31 * 24 * time.Hour, "young": 29 * 24 * time.Hour} {
		root := filepath.Join(s.home, name)
		if err := project.Note(home, protocol.Places{Root: root}, "", now.Add(-age)); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(filepath.Join(home, project.IndexDir, project.ID(root)+".json"), now, now.Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	a := s.hook("setup-maintenance", fmt.Sprintf(`{"session_id":%q,"cwd":%q,"hook_event_name":"Setup","trigger":"maintenance"}`, sessionID, s.project))
	var left []string
	for _, known := range s.index() {
		left = append(left, filepath.Base(known.Path))
	}
	if strings.Join(left, " ") != "project young" {
		t.Errorf("left %v: %q %q", left, a.stdout, a.stderr)
	}
}
