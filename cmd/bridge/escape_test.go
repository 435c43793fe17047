//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hookbridge/bridge/protocol"
)

// hostile is text that clears a terminal, colours it, turns the reading direction,
// hides itself and begins a line of its own.
const hostile = "x\x1b[2J\a\u009b31m\u0085\u202e\u2066\u200b\x7f\nFORGED: all is well\r"

// unescaped returns the first character of a text that a terminal would obey or a
// reader would not see; line ends and tabs lay a text out.
func unescaped(text string) (rune, bool) {
	for _, r := range text {
		if r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r <= 0x9f || r >= 0x200b && r <= 0x200f || r >= 0x2028 && r <= 0x202e || r >= 0x2060 && r <= 0x206f {
			return r, true
		}
	}
	return 0, false
}

// hostileScene is a project below a hostile directory with a hostile state of every
// kind.
func hostileScene(t *testing.T) *scene {
	t.Helper()
	s := newScene(t)
	s.project = filepath.Join(s.project, hostile, "project")
	quoted, err := json.Marshal(hostile)
	if err != nil {
		t.Fatal(err)
	}
	text := string(quoted)
	mode := func(rest string) string {
		return fmt.Sprintf(`{"active": true, "session_id": %q, "started_at": "2026-01-01T00:00:00Z", "prompt": %s, "original_prompt": %s, "reason": %s%s}`, sessionID, text, text, text, rest)
	}
	sessions := ".omc/state/sessions/" + sessionID + "/"
	for name, content := range map[string]string{
		".git/config":                                   "",
		".claude/ralph-loop.local.md":                   "---\nactive: true\niteration: 3\nsession_id: " + sessionID + "\nmax_iterations: 9\ncompletion_promise: " + text + "\nstarted_at: " + text + "\n---\n\nWork on " + hostile + "\n",
		".claude/ralph-smart/state.json":                `{"version": ` + text + `, "session_id": ` + text + `, "tasks": [{"title": ` + text + `}], "phase": ` + text + `}`,
		".claude/ralph-smart/config.json":               `{"max_iterations": ` + text + `, ` + text + `: 1}`,
		".claude/bridge.json":                           `{"permissions": {"deny": [` + text + `]}}`,
		".claude/settings.json":                         `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "bridge --hook=` + text[1:len(text)-1] + `"}]}]}}`,
		"specs/" + hostile + "/.ralph-state.json":       `{"phase": "execution", "taskIndex": 0, "totalTasks": 2, "name": ` + text + `, "source": ` + text + `}`,
		"specs/" + hostile + "/tasks.md":                "- [ ] 1.1 " + hostile + "\n- [ ] 1.2 more\n",
		"specs/broken" + hostile + "/.ralph-state.json": text,
		"specs/.current-spec":                           hostile,
		sessions + "autopilot-state.json":               mode(`, "phase": ` + text),
		sessions + "ultrawork-state.json":               mode(`, "max_iterations": ` + text),
		sessions + "ralph-state.json":                   mode(`, "iteration": 1, "linked_ultrawork": ` + text),
		sessions + "team-state.json":                    mode(`, "team_name": ` + text + `, "stage": ` + text),
		".omc/state/pipeline-state.json":                "{" + text,
		".omc/state/swarm-state.json":                   fmt.Sprintf(`{"active": true, "prompt": %s}`, text),
		"tasks.md":                                      "# " + hostile + "\n- [ ] one " + hostile + "\n- [ ] two\n",
	} {
		path := filepath.Join(s.project, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// wantEscaped checks that a terminal can show the text safely, and that no value of a
// state or a path begins a line.
func wantEscaped(t *testing.T, what, text string) {
	t.Helper()
	if r, found := unescaped(text); found {
		t.Errorf("%s holds %U: %q", what, r, text)
	}
	if strings.Contains(text, "\nFORGED") {
		t.Errorf("%s has a line of a foreign text: %q", what, text)
	}
}

// TestCommandsPrintNoForeignControls: control characters in names of directories and in
// state files reach neither a terminal nor a reader of JSON unescaped.
func TestCommandsPrintNoForeignControls(t *testing.T) {
	longer(t)
	t.Parallel()
	for _, line := range []string{
		"status", "status --json", "ralph status", "ralph status --json", "mode list", "mode list --json",
		"spec list", "spec list --json", "spec status", "spec status --json", "spec resolve", "spec resolve --json", "spec resolve HOSTILE", "spec resolve nope",
		"doctor", "doctor --json", "doctor --fix", "doctor --fix --json",
		"log", "log --json", "stats", "stats --json", "replay", "hooks --json", "check HOSTILE", "check HOSTILE --json",
		"explain --hook=stop", "explain --hook=stop --json", "explain --hook=session-start", "explain --hook=session-start --json",
		"install --dry-run", "install --scope project --dry-run", "install --scope project", "uninstall --scope project --dry-run", "uninstall --scope project",
		"ralph config", "ralph config --json", "ralph config --max-iterations 5", "ralph pause", "ralph pause --dialect specum", "ralph resume", "ralph resume --dialect smart", "ralph resume --history", "ralph resume --restore HOSTILE",
		"ralph cancel", "ralph cancel --dialect loop", "ralph cancel --dialect specum", "ralph cancel --dialect omc", "ralph pause --dialect omc", "ralph resume --dialect omc", "ralph clean", "ralph clean --yes",
		"ralph loop Work_on_it", "ralph loop Work_on_it --force", "ralph loop --prompt-file HOSTILE", "ralph smart tasks.md --no-ai", "ralph smart tasks.md --no-ai --new", "ralph smart HOSTILE",
		"mode start autopilot", "mode start pipeline HOSTILE", "mode start ralph --resume", "mode start HOSTILE", "mode stop", "mode stop team", "mode stop --force", "mode stop --force --json", "HOSTILE", "status --HOSTILE",
	} {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			s := hostileScene(t)
			args := strings.Fields(line)
			for i := range args {
				args[i] = strings.ReplaceAll(args[i], "HOSTILE", hostile)
			}
			cmd := exec.Command(binary, args...)
			cmd.Dir = s.project
			cmd.Env = append(s.env, "CLAUDE_CODE_SESSION_ID="+sessionID)
			cmd.Stdin = strings.NewReader(s.stopInput(1))
			a, err := execute(cmd)
			if err != nil {
				t.Fatal(err)
			}
			if a.stdout+a.stderr == "" {
				t.Error("it said nothing")
			}
			wantEscaped(t, "stdout", a.stdout)
			wantEscaped(t, "stderr", a.stderr)
			if strings.Contains(line, "--json") && a.stdout != "" && !json.Valid([]byte(a.stdout)) {
				t.Errorf("no JSON: %q", a.stdout)
			}
		})
	}
}

// TestHooksPrintNoForeignControls: the same of what the client shows; what only the
// model reads is escaped in the JSON and whole behind it.
func TestHooksPrintNoForeignControls(t *testing.T) {
	longer(t)
	t.Parallel()
	commands := []string{"ls " + hostile, "git push --force origin main " + hostile, "rm -rf ~/" + hostile}
	for name, without := range map[string][]string{
		"": nil, "no loop": {".claude/ralph-loop.local.md"}, "modes only": {".claude", "specs"}, "no mode": {".claude", ".omc"}, "another session": nil,
	} {
		for _, row := range protocol.AllRows() {
			t.Run(name+"/"+string(row.Type), func(t *testing.T) {
				t.Parallel()
				s := hostileScene(t)
				for _, dir := range without {
					if err := os.RemoveAll(filepath.Join(s.project, dir)); err != nil {
						t.Fatal(err)
					}
				}
				id := sessionID
				if name == "another session" {
					id = "another"
				}
				for turn, command := range commands {
					input, err := json.Marshal(map[string]any{
						"session_id": id, "transcript_path": "", "cwd": s.project, "prompt_id": fmt.Sprint(turn), "hook_event_name": row.Events[0],
						"permission_mode": "default", "stop_hook_active": true, "last_assistant_message": hostile, "prompt": "autopilot: " + hostile,
						"tool_name": "Bash", "tool_use_id": fmt.Sprint(turn), "tool_input": map[string]string{"command": command}, "tool_response": map[string]string{"stderr": hostile},
						"source": "startup", "trigger": "auto", "reason": "other", "agent_id": "a", "agent_type": hostile,
					})
					if err != nil {
						t.Fatal(err)
					}
					a := s.hook(string(row.Type), string(input))
					if r, found := unescaped(a.stdout); found {
						t.Errorf("stdout holds %U: %q", r, a.stdout)
					}
					wantEscaped(t, "stderr", a.stderr)
					var out struct {
						SystemMessage, StopReason string
						HookSpecificOutput        struct {
							PermissionDecisionReason string
							Decision                 struct{ Message string }
						}
					}
					if a.stdout != "" {
						if err := json.Unmarshal([]byte(a.stdout), &out); err != nil {
							t.Fatal(err)
						}
					}
					specific := out.HookSpecificOutput
					wantEscaped(t, "what the client shows", strings.Join([]string{"", out.SystemMessage, out.StopReason, specific.PermissionDecisionReason, specific.Decision.Message}, "\n"))
				}
			})
		}
	}
}

// TestAPromptComesBackWhole: only the bytes of the JSON are escaped; the model gets its
// prompt unchanged.
func TestAPromptComesBackWhole(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	prompt := "Work on\ttab \x1b[31m \u009b31m \u202e \U000e0041 👩‍💻 it."
	if err := os.WriteFile(s.state(), []byte("---\nactive: true\niteration: 1\nsession_id: "+sessionID+"\nmax_iterations: 0\ncompletion_promise: \"DONE\"\n---\n\n"+prompt+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	a := s.hook("stop", s.stopInput(1))
	var out struct{ Reason string }
	if err := json.Unmarshal([]byte(a.stdout), &out); err != nil || !strings.Contains(out.Reason, prompt) {
		t.Errorf("%v: %q", err, a.stdout)
	}
	if r, found := unescaped(a.stdout); found {
		t.Errorf("stdout holds %U: %q", r, a.stdout)
	}
}
