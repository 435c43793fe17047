package protocol_test

import (
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"

	"github.com/hookbridge/bridge/protocol"
)

// TestAppendJSON: the encoder that is written by hand gives the same result as the
// library with the tags of the types, from which the schemas are generated.
func TestAppendJSON(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.OneOf(rapid.Just(""), rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }))
		text := func(name string) string { return texts.Draw(t, name) }
		value := rapid.SampledFrom([]jsontext.Value{
			nil, jsontext.Value(`{"a":1,"b":[true,null,"\u00e9"],"c":{"d":"e"}}`), jsontext.Value(` { "command" : "ls" } `), jsontext.Value("{\"x\":\"a\xffb\"}"),
		}).Draw(t, "value")
		out := protocol.Output{StopReason: text("stop reason"), Decision: text("decision"), Reason: text("reason"), SystemMessage: text("message")}
		if rapid.Bool().Draw(t, "has continue") {
			yes := rapid.Bool().Draw(t, "continue")
			out.Continue = &yes
		}
		event := protocol.Event(text("event"))
		out.HookSpecific = rapid.SampledFrom([]protocol.HookSpecific{
			nil,
			protocol.ContextOutput{HookEventName: event, AdditionalContext: text("context")},
			protocol.PreToolUseOutput{HookEventName: event, PermissionDecision: text("decision"), Reason: text("why"), UpdatedInput: value, AdditionalContext: text("context")},
			protocol.PermissionRequestOutput{HookEventName: event, Decision: protocol.PermissionDecision{Behavior: text("behavior"), Message: text("message"), UpdatedInput: value}},
		}).Draw(t, "specific")

		want, err := json.Marshal(out, jsontext.SpaceAfterColon(true), jsontext.SpaceAfterComma(true), jsontext.AllowInvalidUTF8(true))
		if err != nil {
			t.Fatal(err)
		}
		got, err := out.AppendJSON([]byte("x"), nil)
		if err != nil || string(got) != "x"+string(want) {
			t.Errorf("%+v:\n%s, %v\n%s", out, got, err, want)
		}
	})
	bad := protocol.AllowPermission(jsontext.Value(`{"a":`))
	if line, err := bad.AppendJSON(nil, nil); err == nil {
		t.Errorf("%s", line)
	}
}
