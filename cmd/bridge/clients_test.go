//go:build unix

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// clientPayload is a payload as a client sent it, in the scene's project.
func (s *scene) clientPayload(name string, change func(fields map[string]any)) (input, session string) {
	s.t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "normalize", "testdata", "clients", name+".json"))
	if err != nil {
		s.t.Fatal(err)
	}
	var fields map[string]any
	if err := json.Unmarshal(text, &fields); err != nil {
		s.t.Fatal(err)
	}
	fields["cwd"] = s.project
	if change != nil {
		change(fields)
	}
	for _, name := range []string{"session_id", "sessionId"} {
		if id, ok := fields[name].(string); ok {
			session = id
		}
	}
	text, err = json.Marshal(fields)
	if err != nil {
		s.t.Fatal(err)
	}
	return string(text), session
}

// TestOtherClientsLeaveLoopsAlone: a stop of another client does not end, claim or count
// a loop, whether the loop has no owner or belongs to that client's session.
func TestOtherClientsLeaveLoopsAlone(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"copilot-Stop", "copilot-Stop-active", "copilot-agentStop", "codex-Stop", "codex-Stop-active", "qwen-Stop", "qwen-Stop-active", "gemini-AfterAgent"} {
		for _, owned := range []bool{false, true} {
			s := newScene(t)
			input, session := s.clientPayload(name, nil)
			s.startLoop(3)
			id := "session_id: " + sessionID + "\n"
			owner := ""
			if owned {
				owner = "session_id: " + session + "\n"
			}
			before, err := os.ReadFile(s.state())
			if err != nil {
				t.Fatal(err)
			}
			before = []byte(strings.Replace(string(before), id, owner, 1))
			if err := os.WriteFile(s.state(), before, 0o600); err != nil {
				t.Fatal(err)
			}
			for _, hook := range []string{"stop", "ralph", "persistent-mode", "autopilot", "stop-continuation", "stop"} {
				if a := s.hook(hook, input); a.stdout != "" || a.stderr != "" {
					t.Errorf("%s, owned %t, --hook=%s: %q %q", name, owned, hook, a.stdout, a.stderr)
				}
			}
			after, err := os.ReadFile(s.state())
			if err != nil || string(after) != string(before) {
				t.Errorf("%s, owned %t: the loop is %q now, %v", name, owned, after, err)
			}
			if records, err := os.ReadDir(filepath.Join(s.home, ".local", "state", "bridge", "sessions")); err == nil {
				t.Errorf("%s, owned %t: recorded %v", name, owned, records)
			}
		}
	}
}

// TestClaudeGoesOnBesideOthers: payloads of the pinned and of the newer Claude Code are
// answered as before.
func TestClaudeGoesOnBesideOthers(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"claude-Stop-active", "claude-Stop"} {
		s := newScene(t)
		s.startLoop(3)
		input, _ := s.clientPayload(name, func(fields map[string]any) {
			fields["session_id"], fields["background_tasks"] = sessionID, []any{}
		})
		if a := s.hook("stop", input); !a.blocks() || s.iteration() != 4 {
			t.Errorf("%s: %q", name, a.stdout)
		}
	}
}

// object is the answer's JSON object.
func (a answer) object(t *testing.T) (fields map[string]any) {
	t.Helper()
	if err := json.Unmarshal([]byte(a.stdout), &fields); err != nil {
		t.Fatalf("%v: %q", err, a.stdout)
	}
	return fields
}

// TestDenyRulesHoldUnderCopilot: a deny is written in both forms if Copilot reads it, and
// only then.
func TestDenyRulesHoldUnderCopilot(t *testing.T) {
	t.Parallel()
	deny := func(name, args string, value any) func(s *scene) string {
		return func(s *scene) string {
			input, _ := s.clientPayload(name, func(fields map[string]any) { fields[args] = value })
			return input
		}
	}
	push := map[string]any{"command": "git push origin x"}
	for name, test := range map[string]struct {
		hook  string
		input func(s *scene) string
		flat  bool
	}{
		"a dialog": {"permission-request", deny("copilot-permissionRequest", "toolInput", push), true},
		"a dialog, the arguments as a text": {"permission-request",
			deny("copilot-permissionRequest", "toolInput", `{"command":"git push origin x"}`), true},
		"a dialog for an edit": {"permission-request", deny("copilot-permissionRequest-edit", "toolInput", map[string]any{"file_path": "/etc/passwd", "diff": "d"}), true},
		"a tool":               {"pre-tool-use", deny("copilot-PreToolUse", "tool_input", push), true},
		"a tool, camel case":   {"pre-tool-use", deny("copilot-preToolUse-camel", "toolArgs", push), true},
		"a tool, the arguments as a text": {"pre-tool-use",
			deny("copilot-preToolUse-camel", "toolArgs", `{"command":"git push origin x"}`), true},
		"Claude's tool":   {"pre-tool-use", deny("claude-PreToolUse", "tool_input", push), false},
		"Codex's tool":    {"pre-tool-use", deny("codex-PreToolUse", "tool_input", push), false},
		"Codex's request": {"permission-request", deny("codex-PermissionRequest", "tool_input", push), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			s.config(`{"permissions": {"deny": ["Bash(git push *)", "Write(//etc/**)"]}}`)
			fields := s.hook(test.hook, test.input(s)).object(t)
			specific, _ := fields["hookSpecificOutput"].(map[string]any)
			var nested, flat, why any
			if test.hook == "permission-request" {
				decision, _ := specific["decision"].(map[string]any)
				nested, flat, why = decision["behavior"], fields["behavior"], fields["message"]
			} else {
				nested, flat, why = specific["permissionDecision"], fields["permissionDecision"], fields["permissionDecisionReason"]
			}
			if nested != "deny" {
				t.Errorf("nested: %v", fields)
			}
			if (flat == "deny") != test.flat || (why != nil) != test.flat {
				t.Errorf("flat: %v", fields)
			}
		})
	}
	// What bridge cannot judge is denied in both forms, too; what no rule denies gets no
	// flat answer.
	s := newScene(t)
	s.config(`{"permissions": {"deny": ["Bash("]}}`)
	input, _ := s.clientPayload("copilot-permissionRequest", nil)
	if fields := s.hook("permission-request", input).object(t); fields["behavior"] != "deny" {
		t.Errorf("a broken configuration: %v", fields)
	}
	s.config(`{}`)
	if a := s.hook("permission-request", input); a.stdout != "" {
		t.Errorf("no rule: %q", a.stdout)
	}
}
