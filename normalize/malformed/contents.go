package malformed

import (
	"strings"

	"github.com/hookbridge/bridge/normalize"
)

// types has one value of a wrong type for each kind of field.
func types() []Shape {
	var shapes []Shape
	for _, c := range []struct{ field, value string }{
		{"transcript_path", `{}`},
		{"hook_event_name", `7`},
		{"prompt_id", `[]`},
		{"agent_id", `false`},
		{"permission_mode", `["default"]`},
		{"stop_hook_active", `"false"`},
		{"stop_hook_active", `0`},
		{"last_assistant_message", `{"text":"done"}`},
		{"background_tasks", `{}`},
		{"background_tasks", `[1]`},
		{"user_requested", `"yes"`},
		{"prompt", `["a"]`},
		{"message", `"text"`},
		{"message", `{"content":[]}`},
		{"parts", `{"type":"text"}`},
		{"parts", `[{"type":"text","text":1}]`},
		{"tool_use_id", `1`},
		{"duration_ms", `"12"`},
		{"duration_ms", `1e999999`},
		{"duration_ms", `-1e400`},
		{"is_interrupt", `1`},
		{"error", `{}`},
		{"permission_suggestions", `{}`},
		{"permission_suggestions", `"all"`},
		{"source", `[]`},
		{"model", `{}`},
		{"context_tokens", `true`},
		{"reason", `1`},
		{"success", `"true"`},
		{"trigger", `1`},
		{"custom_instructions", `[]`},
	} {
		rule := known(c.field, normalize.RuleWrongType)
		if c.field == "message" && c.value == `"text"` {
			// The message of a prompt is an object; that of a notification is a text.
			rule = known("parts", normalize.RuleWrongType)
		}
		shapes = append(shapes, Shape{c.field + " is " + c.value, []byte(body(`,"` + c.field + `":` + c.value)), rule})
	}
	return append(shapes,
		Shape{"session_id is a number", []byte(`{"session_id":1,"cwd":"/p","tool_name":"Bash"}`), always(normalize.RuleWrongType)},
		Shape{"cwd is an array", []byte(`{"session_id":"s","cwd":["/p"],"tool_name":"Bash"}`), always(normalize.RuleWrongType)},
		Shape{"tool_name is an object", []byte(`{"session_id":"s","cwd":"/p","tool_name":{}}`), known("tool_name", normalize.RuleWrongType)},
		Shape{"sessionId is an object", []byte(`{"sessionId":{},"cwd":"/p","tool_name":"Bash"}`), always(normalize.RuleWrongType)},
	)
}

func syntax() []Shape {
	shapes := []Shape{
		{"brackets that do not match", []byte(`{]`), always(normalize.RuleSyntax)},
		{"a number for a name", []byte(`{1:2}`), always(normalize.RuleSyntax)},
		{"single quotes", []byte(strings.ReplaceAll(body(""), `"`, `'`)), always(normalize.RuleSyntax)},
		{"no quotes around a name", []byte(`{session_id:"s"}`), always(normalize.RuleSyntax)},
		{"no colon", []byte(`{"session_id" "s"}`), always(normalize.RuleSyntax)},
		{"no comma", []byte(`{"session_id":"s" "cwd":"/p"}`), always(normalize.RuleSyntax)},
		{"no value", []byte(body(`,"x":`)), always(normalize.RuleSyntax)},
		{"only a comma", []byte(`{,}`), always(normalize.RuleSyntax)},
		{"trailing comma", []byte(body(",")), always(normalize.RuleSyntax)},
		{"line comment", []byte("{ // note\n" + body("")[1:]), always(normalize.RuleSyntax)},
		{"block comment", []byte("{/* note */" + body("")[1:]), always(normalize.RuleSyntax)},
		{"NUL between tokens", []byte("{\x00" + body("")[1:]), always(normalize.RuleSyntax)},
		{"form feed between tokens", []byte("{\f" + body("")[1:]), always(normalize.RuleSyntax)},
		{"no-break space between tokens", []byte("{\u00a0" + body("")[1:]), always(normalize.RuleSyntax)},
	}
	for _, value := range []string{
		`NaN`, `Infinity`, `-Infinity`, `undefined`, `None`, `True`, `0x10`, `010`, `+1`, `.5`, `1.`, `1e`, `-`, "`a`",
		"[1,]", `"\x41"`, `"\u12"`, `"\u00zz"`, "\"a\nb\"", "\"a\x00b\"", "\"a\tb\"", `nul`, `1 2`,
	} {
		shapes = append(shapes, Shape{"value " + value, []byte(body(`,"x":` + value)), always(normalize.RuleSyntax)})
	}
	return shapes
}

// truncated cuts a well-formed input at every kind of position.
func truncated() []Shape {
	var shapes []Shape
	text := body(`,"prompt":"a\"b\u00e9","x":[1,{"y":true}]`)
	for _, before := range []string{
		`"session_id"`, `_id":"s-1"`, `:"s-1"`, `-1",`, `,"cwd"`, `"ls"}`, `}` + `,"prompt"`, `\"b`, `"b\u`, `00e9`, `","x"`, `1,{`, `{"y"`, `rue}`, `}]`, `]}`,
	} {
		at := strings.Index(text, before)
		shapes = append(shapes, Shape{"cut before " + before, []byte(text[:at]), always(normalize.RuleTruncated)})
	}
	return append(shapes,
		Shape{"cut before the last brace", []byte(text[:len(text)-1]), always(normalize.RuleTruncated)},
		Shape{"an array that ends as an object", []byte(`{"x":[}`), always(normalize.RuleTruncated)},
		Shape{"a string without end", []byte(body(`,"x":"`)), always(normalize.RuleTruncated)},
	)
}

func contents() []Shape {
	shapes := []Shape{
		{"no fields", []byte(`{}`), required("session_id")},
		{"no tool_name", []byte(`{"session_id":"s","cwd":"/p"}`), required("tool_name")},
		{"two spellings of session_id", []byte(body(`,"sessionId":"s-2"`)), sensitive(normalize.RuleAliasConflict)},
		{"two spellings of cwd", []byte(body(`,"directory":"/"`)), sensitive(normalize.RuleAliasConflict)},
		{"another event", []byte(body(`,"hook_event_name":"Notification"`)), failClosed(normalize.RuleEventMismatch)},
		{"another event by its alias", []byte(body(`,"hookEventName":"Notification"`)), failClosed(normalize.RuleEventMismatch)},
		{"event in another case", []byte(body(`,"hook_event_name":"permissionRequest"`)), failClosed(normalize.RuleEventMismatch)},
		{"event without a name", []byte(body(`,"hook_event_name":""`)), failClosed(normalize.RuleEventMismatch)},
	}
	for _, blank := range []string{`null`, `""`, `" \t\n"`, `"\u00a0\u2003"`} {
		shapes = append(shapes,
			Shape{"session_id is " + blank, []byte(`{"session_id":` + blank + `,"cwd":"/p","tool_name":"Bash"}`), required("session_id")},
			Shape{"cwd is " + blank, []byte(`{"session_id":"s","cwd":` + blank + `,"tool_name":"Bash"}`), required("cwd")},
			Shape{"tool_name is " + blank, []byte(`{"session_id":"s","cwd":"/p","tool_name":` + blank + `}`), required("tool_name")},
		)
	}
	return shapes
}
