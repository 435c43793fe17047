package normalize_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/bridge/normalize"
	"github.com/hookbridge/bridge/protocol"
)

func decode(t *testing.T, typ protocol.Type, text string) (normalize.Result, error) {
	t.Helper()
	return normalize.Decode(hookOf(t, typ), []byte(text))
}

func mustDecode(t *testing.T, typ protocol.Type, text string) normalize.Result {
	t.Helper()
	result, err := decode(t, typ, text)
	if err != nil {
		t.Fatalf("%s refuses %s: %v", typ, text, err)
	}
	return result
}

func TestFieldsReachTheirGroups(t *testing.T) {
	t.Parallel()
	text := `{"session_id":"s","transcript_path":"/t","cwd":"/p","prompt_id":"p","permission_mode":"auto",
		"agent_id":"a","agent_type":"x","scratchpad_dir":"/s","effort":{"level":"high"},`
	base := func(in protocol.Input) bool {
		return in.SessionID == "s" && in.TranscriptPath == "/t" && in.CWD == "/p" && in.PromptID == "p" &&
			in.PermissionMode == "auto" && in.AgentID == "a" && in.AgentType == "x" && in.ScratchpadDir == "/s" &&
			string(in.Effort) == `{"level":"high"}`
	}
	for _, c := range []struct {
		types []protocol.Type
		text  string
		ok    func(protocol.Input) bool
	}{
		{
			[]protocol.Type{protocol.KeywordDetector},
			`"prompt":"a \"b\" \u00e9","source":"user","session_title":"t","message":{"content":"c","role":"user"},"parts":[{"type":"text","text":"d"},null,{"type":"image"}],"tool_input":{ "prompt" : 1 }`,
			func(in protocol.Input) bool {
				p := in.Prompt
				return p.Prompt == `a "b" é` && p.Source == "user" && p.SessionTitle == "t" && p.Message.Content == "c" &&
					len(p.Parts) == 3 && p.Parts[0].Text == "d" && p.Parts[2].Type == "image" && string(p.ToolInput) == `{ "prompt" : 1 }`
			},
		},
		{
			[]protocol.Type{protocol.Ralph, protocol.PersistentMode, protocol.StopContinuation, protocol.Autopilot, protocol.SubagentStart, protocol.SubagentStop},
			`"stop_hook_active":true,"last_assistant_message":"","agent_transcript_path":"/a","background_tasks":[{"id":"1","type":"subagent","status":"running","description":"d"}],"session_crons":[ 1],"stopReason":"r","endTurnReason":"e","reason":"why","userRequested":true,"prompt":"p","tool_name":"T","tool_input":[]`,
			func(in protocol.Input) bool {
				s := in.Stop
				return s.StopHookActive && s.LastAssistantMessage != nil && *s.LastAssistantMessage == "" && s.AgentTranscriptPath == "/a" &&
					slices.Equal(s.BackgroundTasks, []protocol.BackgroundTask{{ID: "1", Type: "subagent", Status: "running"}}) &&
					string(s.SessionCrons) == `[ 1]` && s.StopReason == "r" && s.EndTurnReason == "e" && s.Reason == "why" &&
					s.UserRequested && s.Prompt == "p" && s.ToolName == "T" && string(s.ToolInput) == `[]`
			},
		},
		{
			[]protocol.Type{protocol.SubagentStart, protocol.SubagentStop},
			`"model":"m","output":"o","success":false`,
			func(in protocol.Input) bool {
				return in.Subagent.Model == "m" && in.Subagent.Output == "o" && in.Subagent.Success != nil && !*in.Subagent.Success
			},
		},
		{
			[]protocol.Type{protocol.SessionStart, protocol.SessionEnd},
			`"source":"resume","model":"m","session_title":"t","reason":"clear","seconds_since_last_response":1.5,"context_tokens":2e3,"prompt_cache_likely_expired":true,"estimated_cache_write_usd":0.01`,
			func(in protocol.Input) bool {
				return in.Session == protocol.SessionFields{
					Source: "resume", Model: "m", SessionTitle: "t", Reason: "clear", SecondsSinceLastResponse: 1.5,
					ContextTokens: 2000, PromptCacheLikelyExpired: true, EstimatedCacheWriteDollar: 0.01,
				}
			},
		},
		{
			[]protocol.Type{protocol.PreToolUse, protocol.PostToolUse, protocol.PermissionRequest},
			`"tool_name":"Bash","tool_input":{"a":1},"tool_response":"r","tool_use_id":"u","duration_ms":26,"error":"e","is_interrupt":true,"mcp_server":{"name":"n"}`,
			func(in protocol.Input) bool {
				f := in.Tool
				return f.ToolName == "Bash" && string(f.ToolInput) == `{"a":1}` && string(f.ToolResponse) == `"r"` && f.ToolUseID == "u" &&
					f.DurationMS == 26 && f.Error == "e" && f.IsInterrupt && string(f.MCPServer) == `{"name":"n"}`
			},
		},
		{
			[]protocol.Type{protocol.PermissionRequest},
			`"tool_name":"Bash","permission_suggestions":[{"type":"setMode"},null]`,
			func(in protocol.Input) bool {
				s := in.Permission.Suggestions
				return len(s) == 2 && string(s[0]) == `{"type":"setMode"}` && string(s[1]) == `null`
			},
		},
		{
			[]protocol.Type{protocol.PreCompact, protocol.SetupInit, protocol.SetupMaintenance},
			`"trigger":"manual","custom_instructions":"keep"`,
			func(in protocol.Input) bool {
				return in.Trigger == protocol.TriggerFields{Trigger: "manual", CustomInstructions: "keep"}
			},
		},
	} {
		for _, typ := range c.types {
			in := mustDecode(t, typ, text+c.text+"}").Input
			if !base(in) || !c.ok(in) {
				t.Errorf("%s: %+v", typ, in)
			}
		}
	}
}

func TestAliases(t *testing.T) {
	t.Parallel()
	in := mustDecode(t, protocol.PostToolUse, `{"sessionId":"s","directory":"/p","hookEventName":"PostToolUse","toolName":"T","toolInput":{"x":1},"toolOutput":[2],"toolResponse":[3]}`).Input
	if in.SessionID != "s" || in.CWD != "/p" || in.HookEventName != protocol.EventPostToolUse || in.Tool.ToolName != "T" ||
		string(in.Tool.ToolInput) != `{"x":1}` || string(in.Tool.ToolResponse) != `[2]` {
		t.Errorf("%+v", in)
	}
	if got := mustDecode(t, protocol.PostToolUse, `{"toolResponse":[3]}`).Input.Tool.ToolResponse; string(got) != `[3]` {
		t.Errorf("tool_response %s", got)
	}
	in = mustDecode(t, protocol.Ralph, `{"transcriptPath":"/t","permissionMode":"auto","stopReason":"r","endTurnReason":"e","userRequested":true,"toolName":"T","toolArgs":{"x":1}}`).Input
	if in.TranscriptPath != "/t" || in.PermissionMode != "auto" || in.Stop.StopReason != "r" || in.Stop.EndTurnReason != "e" || !in.Stop.UserRequested ||
		in.Stop.ToolName != "T" || string(in.Stop.ToolInput) != `{"x":1}` {
		t.Errorf("%+v", in)
	}
	// snake_case wins, whatever comes first; null counts as absent.
	for _, text := range []string{
		`{"session_id":"snake","sessionId":"camel"}`,
		`{"sessionId":"camel","session_id":"snake"}`,
		`{"sessionId":7,"session_id":"snake"}`,
		`{"sessionId":"snake","session_id":null}`,
	} {
		if got := mustDecode(t, protocol.Ralph, text).Input.SessionID; got != "snake" {
			t.Errorf("%s: session %q", text, got)
		}
	}
}

func TestAliasConflictOfSensitiveTypes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]normalize.Rule{
		`"session_id":"s","sessionId":"s"`:                                   "",
		`"session_id":"s","sessionId":null`:                                  "",
		`"session_id":"s","sessionId":"t"`:                                   normalize.RuleAliasConflict,
		`"session_id":"s","sessionId":7`:                                     normalize.RuleAliasConflict,
		`"session_id":"s","tool_input":{"a": 1},"toolInput":{"a":1}`:         "",
		`"session_id":"s","tool_input":{"a":1},"toolInput":{"a":1.0}`:        normalize.RuleAliasConflict,
		`"session_id":"s","tool_input":{"a":1,"b":2},"toolInput":{"a":1}`:    normalize.RuleAliasConflict,
		`"session_id":"s","toolOutput":1,"toolResponse":2`:                   normalize.RuleAliasConflict,
		`"session_id":"s","tool_response":null,"toolOutput":1`:               "",
		`"session_id":"s","tool_response":1,"toolOutput":1,"toolResponse":2`: normalize.RuleAliasConflict,
	} {
		_, err := decode(t, protocol.PermissionRequest, `{"cwd":"/p","tool_name":"Bash",`+text+`}`)
		if got := ruleOf(t, err); got != want {
			t.Errorf("%s: rule %q, want %q", text, got, want)
		}
		if _, err := decode(t, protocol.PreToolUse, `{"cwd":"/p","tool_name":"Bash",`+text+`}`); err != nil {
			t.Errorf("%s: pre-tool-use says %v", text, err)
		}
	}
}

func TestNullAndAbsentAreOne(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{}`,
		`{"stop_hook_active":null,"last_assistant_message":null,"background_tasks":null,"session_crons":null,"effort":null,"tool_input":null}`,
	} {
		in := mustDecode(t, protocol.Ralph, text).Input
		if in.Stop.LastAssistantMessage != nil || in.Stop.BackgroundTasks != nil || in.Stop.SessionCrons != nil || in.Effort != nil || in.Stop.ToolInput != nil {
			t.Errorf("%s: %+v", text, in)
		}
	}
	// A missing list of suggestions and an empty one mean different things.
	const permission = `{"session_id":"s","cwd":"/p","tool_name":"Bash"`
	if s := mustDecode(t, protocol.PermissionRequest, permission+`}`).Input.Permission.Suggestions; s != nil {
		t.Errorf("suggestions %v", s)
	}
	if s := mustDecode(t, protocol.PermissionRequest, permission+`,"permission_suggestions":[]}`).Input.Permission.Suggestions; s == nil {
		t.Error("an empty list of suggestions got lost")
	}
}

// Byte for byte: a handler that echoes the input of a tool must not change it.
func TestToolValuesAreVerbatim(t *testing.T) {
	t.Parallel()
	const value = `{ "b" : 1.0e+2,	"a":"\u0041\/<\u003e 𝄞 \ud834\udd1e \u0000","n":12345678901234567890123,"e":1e999999 }`
	text := `{"session_id":"s","cwd":"/p","tool_name":"Bash","tool_input":` + value + ` , "tool_response" : ` + value + "\n}"
	for _, typ := range []protocol.Type{protocol.PreToolUse, protocol.PostToolUse, protocol.PermissionRequest} {
		in := mustDecode(t, typ, text).Input
		if string(in.Tool.ToolInput) != value || string(in.Tool.ToolResponse) != value {
			t.Errorf("%s: %s, %s", typ, in.Tool.ToolInput, in.Tool.ToolResponse)
		}
		if cap(in.Tool.ToolInput) != len(value) {
			t.Errorf("%s: appending to tool_input would overwrite what follows", typ)
		}
	}
}

func TestSetupPicksItsTypeByTrigger(t *testing.T) {
	t.Parallel()
	hook, _ := protocol.ParseHook("setup")
	for trigger, want := range map[string]protocol.Type{`"init"`: protocol.SetupInit, `"maintenance"`: protocol.SetupMaintenance, `null`: protocol.SetupInit} {
		result, err := normalize.Decode(hook, []byte(`{"session_id":"s","cwd":"/p","trigger":`+trigger+`}`))
		if err != nil || !slices.Equal(result.Hook.Types, []protocol.Type{want}) {
			t.Errorf("trigger %s: %v, %v", trigger, result.Hook, err)
		}
	}
	// If the hook names a type, the trigger does not change it.
	if got := mustDecode(t, protocol.SetupInit, `{"session_id":"s","cwd":"/p","trigger":"maintenance"}`).Hook.Types[0]; got != protocol.SetupInit {
		t.Errorf("type %q", got)
	}
}

func TestAuditOfSensitiveTypes(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 100)
	text := `{"session_id":"s","cwd":"/p","tool_name":"T","sessionId":"s","__proto__":{},"b\u0061d":1,"prompt":"x","` + long + `":2}`
	want := []string{"__proto__", "bad", "prompt", strings.Repeat("é", 64)}
	if got := mustDecode(t, protocol.PermissionRequest, text).Audit; !slices.Equal(got, want) {
		t.Errorf("audit %q, want %q", got, want)
	}
	if got := mustDecode(t, protocol.PreToolUse, text).Audit; got != nil {
		t.Errorf("pre-tool-use is not sensitive, yet audits %q", got)
	}
	var many strings.Builder
	for i := range 1000 {
		many.WriteString(`"x` + strings.Repeat("x", i) + `":1,`)
	}
	if got := mustDecode(t, protocol.SessionEnd, `{`+many.String()+`"session_id":"s","cwd":"/p"}`).Audit; len(got) != 64 {
		t.Errorf("audit of %d names", len(got))
	}
}

// The form of a session id is checked where the id is used in a path
// (docs/design.md#session-ids); here it is data.
func TestSessionIDIsKeptAsItCame(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"../../etc/passwd", "a b", ".", strings.Repeat("x", 500), "\u202eid"} {
		if got := mustDecode(t, protocol.SessionEnd, `{"session_id":"`+id+`","cwd":"/p"}`).Input.SessionID; got != id {
			t.Errorf("session %q, want %q", got, id)
		}
	}
}

func TestErrorsNameTheFieldAndNothingElse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"session_id":"s","cwd":"  ","tool_name":"T"}`:                         "hook input lacks cwd",
		`{"session_id":"s","directory":5,"tool_name":"T"}`:                      "hook input has the wrong type of value in cwd",
		`{"SESSION_id":"secret"}`:                                               "hook input has a name that differs from session_id only in case",
		`{"secret":1,"secret":2}`:                                               "hook input has a name twice in one object",
		`{"session_id":"s","cwd":"a","directory":"b"}`:                          "hook input has two spellings of cwd with different values",
		`{"session_id":"s","cwd":"a","tool_name":"T","hookEventName":"secret"}`: "hook input names another event in hook_event_name",
		`{"secret":}`: "hook input is not valid JSON",
		`{} secret`:   "hook input has data after its JSON object",
	} {
		if _, err := decode(t, protocol.PermissionRequest, text); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

func TestEveryRuleHasASentence(t *testing.T) {
	t.Parallel()
	seen := map[string]normalize.Rule{}
	for _, rule := range []normalize.Rule{
		normalize.RuleEmpty, normalize.RuleTruncated, normalize.RuleTimeout, normalize.RuleTooLarge, normalize.RuleUnreadable,
		normalize.RuleBOM, normalize.RuleNotAnObject, normalize.RuleInvalidUTF8, normalize.RuleSyntax, normalize.RuleTooDeep,
		normalize.RuleDuplicateName, normalize.RuleTrailingData, normalize.RuleCaseFoldedName, normalize.RuleAliasConflict,
		normalize.RuleWrongType, normalize.RuleMissingField, normalize.RuleEventMismatch, "unheard-of",
	} {
		sentence := (&normalize.Malformed{Rule: rule, Field: "f"}).Error()
		if other, ok := seen[sentence]; ok {
			t.Errorf("%s and %s both say %q", rule, other, sentence)
		}
		seen[sentence] = rule
	}
}

const stopPayload = `{"session_id":"1d5b1db1-2ee4-4064-bbff-d571cf5b7463","transcript_path":"/home/dev/.claude/projects/-home-dev-proj/1d5b1db1.jsonl","cwd":"/home/dev/proj","prompt_id":"357edadb","permission_mode":"default","effort":{"level":"high"},"hook_event_name":"Stop","stop_hook_active":false,"last_assistant_message":"main done","background_tasks":[],"session_crons":[]}`

// TestDecodeAllocations is a budget: it fails when a change makes the hook path
// do noticeably more work. 49 allocations took 6 µs when it was set.
func TestDecodeAllocations(t *testing.T) {
	hook, _ := protocol.ParseHook("stop")
	text := []byte(stopPayload)
	n := testing.AllocsPerRun(100, func() {
		if _, err := normalize.Decode(hook, text); err != nil {
			t.Fatal(err)
		}
	})
	if n > 60 {
		t.Errorf("%.0f allocations", n)
	}
}

func BenchmarkDecode(b *testing.B) {
	hook, _ := protocol.ParseHook("stop")
	text := []byte(stopPayload)
	for b.Loop() {
		if _, err := normalize.Decode(hook, text); err != nil {
			b.Fatal(err)
		}
	}
}

// Decode must be able to fill every Go type in the inputs.
func TestEveryFieldCanBeFilled(t *testing.T) {
	t.Parallel()
	for _, row := range protocol.AllRows() {
		for _, name := range normalize.Fields(row.Type) {
			// findFolded relies on the maximum length.
			if name == "" || name == "-" || len(name) > 32 {
				t.Errorf("%s has a field with the name %q", row.Type, name)
			}
			filled := false
			for _, value := range []string{`"PermissionRequest"`, `true`, `1`, `[]`, `{}`} {
				members := `"` + name + `":` + value
				for _, required := range row.Required {
					if required != name {
						members += `,"` + required + `":"x"`
					}
				}
				if _, err := decode(t, row.Type, `{`+members+`}`); err == nil {
					filled = true
				}
			}
			if !filled {
				t.Errorf("%s: no value fills %s", row.Type, name)
			}
		}
		if normalize.Fields(row.Type) == nil {
			t.Errorf("%s has no field", row.Type)
		}
	}
	if normalize.Fields("stop") != nil {
		t.Error("stop is a hook, not a type")
	}
}

// TestHalfSurrogatePairs: JSON.stringify writes halves for a text that was cut inside a
// character, and every type reads U+FFFD for them; whole pairs and escaped backslashes
// stay.
func TestHalfSurrogatePairs(t *testing.T) {
	t.Parallel()
	for escaped, want := range map[string]string{
		`\ud83d`:               "\uFFFD",
		`# \ud83d.`:            "# \uFFFD.",
		`\uDE00x`:              "\uFFFDx",
		`\ude00\ud83d`:         "\uFFFD\uFFFD",
		`\ud83d\ud83d\ude00`:   "\uFFFD\U0001F600",
		`\uD83D\uDE00`:         "\U0001F600",
		`\ud83d\u0041`:         "\uFFFDA",
		`\ud83d\n`:             "\uFFFD\n",
		`\\ud83d`:              `\ud83d`,
		`\\\ud83d`:             "\\\uFFFD",
		`\ud7ff\ue000`:         "\uD7FF\uE000",
		`\ud83d\ud83d\\\ude00`: "\uFFFD\uFFFD\\\uFFFD",
	} {
		for _, row := range protocol.AllRows() {
			result := mustDecode(t, row.Type, `{"cwd":"/p","tool_name":"Bash","permission_mode":"`+escaped+`","tool_input":{"command":"`+escaped+`"},"session_id":"`+escaped+`"}`)
			if got := result.Input.SessionID; got != want {
				t.Errorf("%s: %s is %q, want %q", row.Type, escaped, got, want)
			}
			if got := result.Input.Tool.ToolInput; got != nil && !got.IsValid() {
				t.Errorf("%s: %s leaves %s, which is no JSON", row.Type, escaped, got)
			}
		}
	}
	result := mustDecode(t, protocol.PreToolUse, "{\"cwd\":\"/p\",\"session_id\":\"caf\xe9\",\"tool_name\":\"Bash\"}")
	if result.Input.SessionID != "caf\uFFFD" {
		t.Errorf("%q", result.Input.SessionID)
	}
}
