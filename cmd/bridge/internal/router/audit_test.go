package router_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/bridge/normalize"
	"github.com/hookbridge/bridge/protocol"
)

// audit returns the lines of the ledger.
func (w *world) audit() (lines []string) {
	w.t.Helper()
	for path, text := range w.files() {
		if strings.Contains(filepath.ToSlash(path), "/bridge/ledger/") {
			lines = append(lines, strings.Split(strings.TrimSpace(text), "\n")...)
		}
	}
	return lines
}

// TestAuditLines: every allow, deny, ask of the guard and failure has a line of its
// own, with decision and rule and without a word of the command.
func TestAuditLines(t *testing.T) {
	t.Parallel()
	tool := func(command string) func(w *world) string {
		return func(w *world) string {
			return fmt.Sprintf(`{"session_id":"s1","cwd":%q,"tool_name":"Bash","tool_input":{"command":%q},"permission_suggestions":[{"type":"setMode"}]}`, w.project, command)
		}
	}
	fails := func(h protocol.Handler) func(protocol.Type) protocol.Handler {
		return func(protocol.Type) protocol.Handler { return h }
	}
	for name, test := range map[string]struct {
		hook, config   string
		input          func(w *world) string
		handler        func(protocol.Type) protocol.Handler
		decision, rule string
	}{
		"allow":                {"permission-request", "", tool("grep -n unmistakable ."), nil, "allow", "grep"},
		"deny":                 {"permission-request", `{"permissions": {"deny": ["Bash(curl *)"]}}`, tool("curl unmistakable"), nil, "deny", "deny-rule"},
		"no opinion":           {"permission-request", "", tool("make unmistakable"), nil, "", ""},
		"broken configuration": {"permission-request", `{"unmistakable": 1}`, tool("ls"), nil, "deny", "configuration"},
		"broken input":         {"permission-request", "", func(*world) string { return `{"unmistakable"` }, nil, "deny", "malformed-"},
		"no directory": {"permission-request", "", func(*world) string {
			return `{"session_id":"s","cwd":"/unmistakable","tool_name":"Bash","tool_input":{}}`
		}, nil, "deny", "no-place"},
		"tool input": {"permission-request", "", func(w *world) string {
			return fmt.Sprintf(`{"session_id":"s","cwd":%q,"tool_name":"Bash","tool_input":{"unmistakable":1}}`, w.project)
		}, nil, "deny", "tool-input"},
		"panic": {"permission-request", "", tool("ls"), fails(func(context.Context, protocol.Request) (protocol.Outcome, error) { panic("unmistakable") }), "deny", "handler-failed"},
		"error": {"permission-request", "", tool("ls"), fails(func(context.Context, protocol.Request) (protocol.Outcome, error) {
			return protocol.Outcome{}, errors.New("unmistakable")
		}), "deny", "handler-failed"},
		"deadline":             {"permission-request", `{"deadlines_ms": {"permission-request": 20}}`, tool("ls"), fails(func(ctx context.Context, _ protocol.Request) (protocol.Outcome, error) { <-ctx.Done(); select {} }), "deny", "deadline"},
		"guard denies":         {"pre-tool-use", "", tool("rm -rf / unmistakable"), nil, "deny", "recursive-delete"},
		"guard asks":           {"pre-tool-use", `{"permissions": {"ask": ["Bash(make *)"]}}`, tool("make unmistakable"), nil, "ask", "ask-rule"},
		"guard has no opinion": {"pre-tool-use", "", tool("make unmistakable"), nil, "", ""},
		"guard fails": {"pre-tool-use", "", tool("ls"), fails(func(context.Context, protocol.Request) (protocol.Outcome, error) {
			return protocol.Outcome{}, errors.New("unmistakable")
		}), "continue", "handler-failed"},
		"bookkeeping fails":        {"post-tool-use", "", tool("ls"), fails(func(context.Context, protocol.Request) (protocol.Outcome, error) { panic("unmistakable") }), "continue", "handler-failed"},
		"bookkeeping gets rubbish": {"post-tool-use", "", func(*world) string { return "unmistakable" }, nil, "continue", "malformed-"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.handler = test.handler
			if test.config != "" {
				w.put(filepath.Join(w.home, ".config", "bridge", "config.json"), test.config)
			}
			w.call(test.hook, test.input(w))
			lines := w.audit()
			if test.decision == "" {
				if len(lines) != 0 {
					t.Errorf("%q", lines)
				}
				return
			}
			if len(lines) != 1 || !strings.Contains(lines[0], fmt.Sprintf(`"decision":%q,"rule":"%s`, test.decision, test.rule)) {
				t.Fatalf("%q, want one line of %s by %s", lines, test.decision, test.rule)
			}
			if strings.Contains(lines[0], "unmistakable") {
				t.Errorf("the ledger quotes the call: %s", lines[0])
			}
		})
	}
}

// TestFieldsThatOnlyTheClientReads: tool_kind and mcp_skill say where a tool comes from.
// They change no decision, and explain lists them as dropped.
func TestFieldsThatOnlyTheClientReads(t *testing.T) {
	t.Parallel()
	hook, ok := protocol.ParseHook("permission-request")
	if !ok {
		t.Fatal("no such hook")
	}
	for _, command := range []string{"ls", "make", "curl x"} {
		w := newWorld(t)
		w.put(filepath.Join(w.home, ".config", "bridge", "config.json"), `{"permissions": {"deny": ["Bash(curl *)"]}}`)
		plain := fmt.Sprintf(`{"session_id":"s1","cwd":%q,"tool_name":"Bash","tool_input":{"command":%q},"permission_suggestions":[{"type":"setMode"}]}`, w.project, command)
		fields := strings.TrimSuffix(plain, "}") + `,"tool_kind":"mcp_skill","mcp_skill":{"server":"x","name":"y"}}`
		want, _ := w.call("permission-request", plain)
		if got, _ := w.call("permission-request", fields); got != want {
			t.Errorf("%s: %q, without the fields %q", command, got, want)
		}
		result, err := normalize.Decode(hook, []byte(fields))
		if err != nil || !slices.Equal(result.Audit, []string{"tool_kind", "mcp_skill"}) {
			t.Errorf("%s: dropped %q, %v", command, result.Audit, err)
		}
	}
}

// TestPermissionRequestDeniesWhatItCannotRead: inputs for which bridge must print the
// deny of docs/design.md#fail-policy, in valid JSON and with exit code 0.
func TestPermissionRequestDeniesWhatItCannotRead(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	whole := fmt.Sprintf(`{"session_id":"s1","cwd":%q,"tool_name":"Bash","tool_input":{"command":"ls"},"permission_suggestions":[{"type":"setMode"}]}`, w.project)
	if out, _ := w.call("permission-request", whole); !strings.Contains(out, `"behavior": "allow"`) {
		t.Fatalf("the input that the others are made of: %q", out)
	}
	with := func(member string) string { return strings.TrimSuffix(whole, "}") + "," + member + "}" }
	row, _ := protocol.Lookup(protocol.PermissionRequest)
	for _, input := range []string{
		"", " ", "{}", "[]", "null", `""`, "0", "true", "x", "{", whole[:len(whole)-1], "\ufeff" + whole, "\x00" + whole,
		// A second value, even if it is incomplete.
		whole + whole, whole + "\n{}", whole + "null", whole + "]", whole + " x",
		// Duplicate names, and names that only look alike.
		with(`"tool_name":"Bash"`), with(`"tool_name":"Read"`), with(`"Tool_Name":"Read"`), with(`"TOOL_INPUT":{}`), with(`"ſession_id":"s2"`), with(`"tool\u005fname":"Read"`),
		// Two spellings with different values.
		with(`"toolName":"Read"`), with(`"sessionId":"s2"`), with(`"toolInput":{"command":"rm x"}`), with(`"directory":"/"`),
		// The input of another event.
		with(`"hook_event_name":"Stop"`), with(`"hook_event_name":"PreToolUse"`),
		// Wrong types, and missing values.
		strings.Replace(whole, `"Bash"`, "5", 1), strings.Replace(whole, `"Bash"`, `["Bash"]`, 1), strings.Replace(whole, `"Bash"`, "null", 1), strings.Replace(whole, `"Bash"`, `" "`, 1),
		strings.Replace(whole, `"s1"`, "{}", 1), strings.Replace(whole, `"s1"`, `""`, 1), strings.Replace(whole, `{"command":"ls"}`, "[]", 1), strings.Replace(whole, `{"command":"ls"}`, "null", 1),
		strings.Replace(whole, `"ls"`, "null", 1), strings.Replace(whole, `"ls"`, `["ls"]`, 1), strings.Replace(whole, `"command"`, `"Command"`, 1), strings.Replace(whole, `"command":"ls"`, `"command":"ls","command":"rm x"`, 1),
		strings.Replace(whole, `[{"type":"setMode"}]`, "{}", 1), strings.Replace(whole, `[{"type":"setMode"}]`, `"all"`, 1), strings.Replace(whole, `"ls"`, "\"ls\xff\"", 1),
	} {
		out, errs := w.call("permission-request", input)
		if wantFailed(t, row, out); t.Failed() {
			t.Fatalf("input %q, stderr %q", input, errs)
		}
	}
}
