package schemas_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/protocol"
	"github.com/hookbridge/bridge/schemas"
	"github.com/hookbridge/bridge/schemas/schematest"
)

// TestOutputsOfTheConstructors checks for every constructor of an output at which events it is valid.
func TestOutputsOfTheConstructors(t *testing.T) {
	t.Parallel()
	everywhere := schemas.Outputs()
	block := []protocol.Event{
		protocol.EventUserPromptSubmit, protocol.EventStop, protocol.EventSubagentStop,
		protocol.EventPostToolUse, protocol.EventPreCompact,
	}
	context := []protocol.Event{
		protocol.EventUserPromptSubmit, protocol.EventStop, protocol.EventSubagentStop, protocol.EventSubagentStart,
		protocol.EventSessionStart, protocol.EventPostToolUse, protocol.EventPostToolUseFailure, protocol.EventSetup,
		protocol.EventPreToolUse,
	}
	tool := []protocol.Event{protocol.EventPreToolUse}
	permission := []protocol.Event{protocol.EventPermissionRequest}
	degradedWithNotice := protocol.Degraded()
	degradedWithNotice.SystemMessage = "state file corrupted"
	denyWithNotice := protocol.DenyPermission("no")
	denyWithNotice.SystemMessage = "denied"

	for name, c := range map[string]struct {
		output func(protocol.Event) protocol.Output
		valid  []protocol.Event
	}{
		"degraded":                {always(protocol.Degraded()), everywhere},
		"degraded with a notice":  {always(degradedWithNotice), everywhere},
		"notice":                  {always(protocol.Notice("a")), everywhere},
		"block":                   {always(protocol.Block("go on", "iteration 2")), block},
		"block without a message": {always(protocol.Block("go on", "")), block},
		"context":                 {func(e protocol.Event) protocol.Output { return protocol.Context(e, "text") }, context},
		"context of another":      {always(protocol.Context("Notification", "text")), nil},
		"deny a tool":             {always(protocol.DenyTool("no")), tool},
		"ask for a tool":          {always(protocol.AskTool("sure?")), tool},
		"allow":                   {always(protocol.AllowPermission(nil)), permission},
		"allow with an input":     {always(protocol.AllowPermission(jsontext.Value(`{"plan": "x"}`))), permission},
		"deny":                    {always(protocol.DenyPermission("no")), permission},
		"deny with a notice":      {always(denyWithNotice), permission},
		"fail closed":             {always(protocol.FailClosedPermission("broken")), permission},
	} {
		for _, event := range everywhere {
			text, err := json.Marshal(c.output(event))
			if err != nil {
				t.Fatal(err)
			}
			if err := schematest.CheckOutput(event, text); (err == nil) != slices.Contains(c.valid, event) {
				t.Errorf("%s at %s: %v\n%s", name, event, err, text)
			}
		}
	}
}

func always(output protocol.Output) func(protocol.Event) protocol.Output {
	return func(protocol.Event) protocol.Output { return output }
}

func TestOutputsThatNoEventHonours(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{}`,
		`[]`,
		`{"continue":false}`,
		`{"continue":false,"stopReason":"x"}`,
		`{"continue":true,"decision":"block","reason":"x"}`,
		`{"continue":true,"stopReason":"x"}`,
		`{"continue":null}`,
		`{"stopReason":"x"}`,
		`{"decision":"block"}`,
		`{"decision":"block","reason":""}`,
		`{"decision":"approve","reason":"x"}`,
		`{"reason":"x"}`,
		`{"systemMessage":""}`,
		`{"systemMessage":"` + strings.Repeat("x", 10_001) + `"}`,
		`{"message":"x"}`,
		`{"suppressOutput":true}`,
		`{"hookSpecificOutput":{}}`,
	} {
		for _, event := range schemas.Outputs() {
			if schematest.CheckOutput(event, []byte(text)) == nil {
				t.Errorf("%s is valid at %s", text, event)
			}
		}
	}
}

func TestHookSpecificOutputs(t *testing.T) {
	t.Parallel()
	for event, texts := range map[protocol.Event][]string{
		protocol.EventPreToolUse: {
			`{"hookEventName":"PreToolUse","permissionDecision":"deny"}`,
			`{"hookEventName":"PreToolUse","permissionDecision":"ask"}`,
			`{"hookEventName":"PreToolUse","permissionDecision":"block","permissionDecisionReason":"x"}`,
			`{"hookEventName":"PreToolUse","permissionDecisionReason":"x"}`,
			`{"hookEventName":"PreToolUse","updatedInput":"x"}`,
			`{"hookEventName":"PreToolUse"}`,
			`{"permissionDecision":"allow"}`,
		},
		protocol.EventPermissionRequest: {
			`{"hookEventName":"PermissionRequest"}`,
			`{"hookEventName":"PermissionRequest","decision":{}}`,
			`{"hookEventName":"PermissionRequest","decision":{"behavior":"deny"}}`,
			`{"hookEventName":"PermissionRequest","decision":{"behavior":"ask","message":"x"}}`,
			`{"hookEventName":"PermissionRequest","decision":{"behavior":"allow","message":"x"}}`,
			`{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"x","updatedInput":{}}}`,
			`{"hookEventName":"PreToolUse","decision":{"behavior":"allow"}}`,
		},
		protocol.EventStop: {
			`{"hookEventName":"Stop"}`,
			`{"hookEventName":"SubagentStop","additionalContext":"x"}`,
			`{"hookEventName":"Stop","additionalContext":"` + strings.Repeat("x", 10_001) + `"}`,
			`{"hookEventName":"Stop","additionalContext":"x","agent_count":1}`,
		},
	} {
		for _, text := range texts {
			if schematest.CheckOutput(event, []byte(`{"hookSpecificOutput":`+text+`}`)) == nil {
				t.Errorf("%s is valid at %s", text, event)
			}
		}
	}
	for _, text := range []string{
		`{"hookEventName":"PreToolUse","permissionDecision":"allow"}`,
		`{"hookEventName":"PreToolUse","updatedInput":{"command":"ls"}}`,
		`{"hookEventName":"PreToolUse","additionalContext":"x"}`,
	} {
		schematest.ValidateOutput(t, protocol.EventPreToolUse, []byte(`{"hookSpecificOutput":`+text+`}`))
	}
}

// A denial that fails closed must really deny: continue:false alone shows the normal
// dialog (docs/reference/claude-code.md#permission-request).
func TestFailClosedNeedsTheDenial(t *testing.T) {
	t.Parallel()
	const allow = `"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}`
	for _, text := range []string{
		`{"continue":false,"stopReason":"x"}`,
		`{"continue":false,"stopReason":"x",` + allow + `}`,
		`{"continue":true,` + allow + `}`,
		`{"stopReason":"x",` + allow + `}`,
	} {
		if schematest.CheckOutput(protocol.EventPermissionRequest, []byte(text)) == nil {
			t.Errorf("%s is valid", text)
		}
	}
}

func TestStdoutIsOneLineOfDecisionOne(t *testing.T) {
	t.Parallel()
	schematest.ValidateStdout(t, protocol.EventStop, nil)
	schematest.ValidateStdout(t, protocol.EventStop, []byte(`{"decision": "block", "reason": "<promise>é</promise>"}`+"\n"))
	for _, stdout := range []string{
		"\n",
		`{"continue": true}`,
		"{\"continue\": true}\n\n",
		"{\"continue\":true}\n",
		"{\"decision\": \"block\",\"reason\": \"x\"}\n",
		"{\"continue\": true}\n{\"continue\": true}\n",
		"{\"continue\": true, \"continue\": true}\n",
		"\uFEFF{\"continue\": true}\n",
		"{\n  \"continue\": true\n}\n",
	} {
		if schematest.CheckStdout(protocol.EventStop, []byte(stdout)) == nil {
			t.Errorf("%q is well-formed", stdout)
		}
	}
}
