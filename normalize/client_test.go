package normalize_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hookbridge/bridge/normalize"
	"github.com/hookbridge/bridge/protocol"
)

// clientOf is the client of an input for --hook=value.
func clientOf(t *testing.T, value string, text []byte) protocol.Input {
	t.Helper()
	hook, ok := protocol.ParseHook(value)
	if !ok {
		t.Fatalf("no hook %q", value)
	}
	result, err := normalize.Decode(hook, text)
	if err != nil {
		t.Fatalf("--hook=%s: %v\n%s", value, err, text)
	}
	return result.Input
}

// TestEveryPayloadShowsItsClient: the form of a payload shows which client sent it. The name of a file begins with the
// client from which it was recorded.
func TestEveryPayloadShowsItsClient(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("testdata/clients/*.json")
	if err != nil || len(paths) < 20 {
		t.Fatalf("%d payloads, %v", len(paths), err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name, _, _ := strings.Cut(filepath.Base(path), "-")
		want := protocol.Client(name)
		if name == "claude" {
			want = protocol.ClientClaude
		}
		for _, hook := range []string{"stop", "pre-tool-use", "session-start", "user-prompt-submit"} {
			if got := clientOf(t, hook, text).Client; got != want {
				t.Errorf("%s at --hook=%s: %q", path, hook, got)
			}
		}
	}
}

// TestClaudesPayloadsAreClaudes: no payload of any version of Claude Code is mistaken for
// that of another client.
func TestClaudesPayloadsAreClaudes(t *testing.T) {
	t.Parallel()
	for _, p := range payloads(t) {
		if got := clientOf(t, string(p.event), p.text).Client; got != protocol.ClientClaude {
			t.Errorf("%s: %q", p.path, got)
		}
	}
}

// TestAPayloadWithFewFieldsIsClaudes: other systems send few fields, in their own
// spelling. Only a positive sign identifies another client.
func TestAPayloadWithFewFieldsIsClaudes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]protocol.Client{
		`{}`:                            protocol.ClientClaude,
		`{"session_id":"s","cwd":"/p"}`: protocol.ClientClaude,
		`{"session_id":"s","cwd":"/p","hook_event_name":"Stop","stop_hook_active":false,"transcript_path":""}`:                             protocol.ClientClaude,
		`{"session_id":"s","cwd":"/p","hook_event_name":"Stop","stop_hook_active":true,"transcript_path":"/tmp/t.jsonl"}`:                  protocol.ClientClaude,
		`{"session_id":"s","cwd":"/p","hook_event_name":"Stop","transcript_path":"/home/u/sessions/s/transcript.jsonl"}`:                   protocol.ClientClaude,
		`{"sessionId":"s","directory":"/p","stopReason":"end_turn","userRequested":false}`:                                                 protocol.ClientClaude,
		`{"session_id":"s","cwd":"/p","permission_mode":"auto","model":"m","stop_reason":"end_turn"}`:                                      protocol.ClientClaude,
		`{"session_id":"s","timestamp":null,"turn_id":null,"conversation_id":null}`:                                                        protocol.ClientClaude,
		`{"session_id":"s","transcript_path":"/cfg/projects/-home-u-p/s.jsonl","timestamp":"2027-01-01T00:00:00Z","turn_id":"t"}`:          protocol.ClientClaude,
		`{"session_id":"s","transcript_path":"C:\\Users\\u\\.claude\\projects\\p\\s.jsonl","timestamp":"2027-01-01T00:00:00Z"}`:            protocol.ClientClaude,
		`{"session_id":"s","transcript_path":"C:\\Users\\u\\.codex\\sessions\\2026\\rollout-x.jsonl"}`:                                     "codex",
		`{"session_id":"s","turn_id":"t","transcript_path":null,"hook_event_name":"Stop"}`:                                                 "codex",
		`{"session_id":"s","transcript_path":"/moved/sessions/2026/11/21/rollout-2026-s.jsonl"}`:                                           "codex",
		`{"conversation_id":"c","generation_id":"g","hook_event_name":"stop","cursor_version":"3.7","workspace_roots":["/p"]}`:             "cursor",
		`{"sessionId":"s","cwd":"/p","hookEventName":"Stop","timestamp":"2026-11-21T19:41:08.325Z","stop_hook_active":false}`:              "copilot",
		`{"sessionId":"s","cwd":"/p","hookEventName":"Stop","permissionMode":"auto-low","stopHookActive":false}`:                           "droid",
		`{"sessionId":"s","cwd":"/p","hookEventName":"Stop","transcriptPath":"/home/u/.factory/sessions/s.jsonl"}`:                         "droid",
		`{"sessionId":"s","cwd":"/p","hookEventName":"Stop","transcriptPath":"/moved/session-state/s/events.jsonl"}`:                       "copilot",
		`{"session_id":"s","prompt_id":"s########3","cwd":"/p","hook_event_name":"Stop","transcript_path":"/moved/projects/chats/s.json"}`: "qwen",
	} {
		if got := clientOf(t, "stop", []byte(text)).Client; got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// TestCopilotsToolsAreNative: rules and guards find a tool of Copilot under the name that
// they use, even if its arguments arrive as a text.
func TestCopilotsToolsAreNative(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]string{
		`{"sessionId":"s","timestamp":1,"toolName":"bash","toolArgs":{"command":"ls"}}`:          {"Bash", `{"command":"ls"}`},
		`{"sessionId":"s","timestamp":1,"toolName":"bash","toolArgs":"{\"command\":\"ls\"}"}`:    {"Bash", `{"command":"ls"}`},
		`{"sessionId":"s","timestamp":1,"toolName":"bash","toolInput":"{\"command\":\"ls\"} x"}`: {"Bash", `"{\"command\":\"ls\"} x"`},
		`{"sessionId":"s","timestamp":1,"toolName":"create","toolArgs":{"path":"/p/a"}}`:         {"Write", `{"path":"/p/a"}`},
		`{"sessionId":"s","timestamp":1,"toolName":"other","toolArgs":{}}`:                       {"other", `{}`},
		`{"sessionId":"s","toolName":"bash","toolInput":{"command":"ls"}}`:                       {"bash", `{"command":"ls"}`},
	} {
		in := clientOf(t, "pre-tool-use", []byte(text))
		if in.Tool.ToolName != want[0] || string(in.Tool.ToolInput) != want[1] {
			t.Errorf("%s: %s %s", text, in.Tool.ToolName, in.Tool.ToolInput)
		}
	}
}
