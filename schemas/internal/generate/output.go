package generate

import (
	"github.com/invopop/jsonschema"

	"github.com/hookbridge/bridge/protocol"
)

// longest is the length above which the client passes on a preview instead of the text
// (docs/reference/claude-code.md#output-sizes).
const longest = 10_000

// output returns the schema of what a hook with this fail policy may print at an event.
func output(event protocol.EventRow, fail protocol.FailPolicy) *jsonschema.Schema {
	s := reflected(protocol.Output{})
	s.Title = "Output at " + string(event.Event)
	s.Description = "What bridge prints on stdout at " + string(event.Event) + ", unless it prints nothing."
	s.MinProperties = ptr(1)
	dependencies := map[string]any{
		"decision": []string{"reason"},
		"reason":   []string{"decision"},
	}

	property(s, "systemMessage").MaxLength = ptr(longest)
	property(s, "decision").Const = "block"
	if !event.Blocks {
		drop(s, "decision", "reason")
		clear(dependencies)
	}
	if event.Specific == nil {
		drop(s, "hookSpecificOutput")
	} else {
		s.Properties.Set("hookSpecificOutput", specific(event))
	}
	switch event.Specific.(type) {
	case protocol.PreToolUseOutput:
		flatDeny(s, dependencies, "permissionDecision", "permissionDecisionReason")
	case protocol.PermissionRequestOutput:
		flatDeny(s, dependencies, "behavior", "message")
	}
	if fail == protocol.FailClosed {
		dependencies["stopReason"] = []string{"continue"}
		s.AllOf = failClosed()
	} else {
		drop(s, "stopReason")
		property(s, "continue").Const = true
		dependencies["continue"] = degraded()
	}
	s.Extras = map[string]any{"dependencies": dependencies}
	for _, p := range s.Properties.FromOldest() {
		noEmptyText(p)
	}
	return s
}

// flatDeny allows the form of a deny beside hookSpecificOutput that Copilot reads.
func flatDeny(s *jsonschema.Schema, dependencies map[string]any, decision, why string) {
	s.Properties.Set(decision, &jsonschema.Schema{Const: "deny"})
	s.Properties.Set(why, &jsonschema.Schema{Type: "string"})
	dependencies[decision] = []string{why, "hookSpecificOutput"}
	dependencies[why] = []string{decision}
}

// degraded allows continue:true alone or with a systemMessage.
func degraded() *jsonschema.Schema {
	return &jsonschema.Schema{PropertyNames: &jsonschema.Schema{Enum: []any{"continue", "systemMessage"}}}
}

// failClosed says what continue means at PermissionRequest: true is the answer of a hook
// that is switched off; false accompanies the deny of a hook that failed.
func failClosed() []*jsonschema.Schema {
	is := func(name string, value any) *jsonschema.Schema {
		return object(name, &jsonschema.Schema{Const: value})
	}
	deny := object("hookSpecificOutput", object("decision", is("behavior", "deny")))
	deny.Required = []string{"stopReason", "hookSpecificOutput"}
	return []*jsonschema.Schema{
		{If: is("continue", true), Then: degraded()},
		{If: is("continue", false), Then: deny},
	}
}

// object returns a schema that requires one property.
func object(name string, value *jsonschema.Schema) *jsonschema.Schema {
	s := &jsonschema.Schema{Properties: jsonschema.NewProperties(), Required: []string{name}}
	s.Properties.Set(name, value)
	return s
}

// specific returns the schema of a hookSpecificOutput.
func specific(event protocol.EventRow) *jsonschema.Schema {
	s := reflected(event.Specific)
	s.Version = ""
	s.MinProperties = ptr(2) // the name of the event alone is not an answer
	property(s, "hookEventName").Const = event.Event
	switch event.Specific.(type) {
	case protocol.ContextOutput:
		property(s, "additionalContext").MaxLength = ptr(longest)
	case protocol.PreToolUseOutput:
		property(s, "additionalContext").MaxLength = ptr(longest)
		property(s, "permissionDecision").Enum = []any{"allow", "deny", "ask", "defer"}
		property(s, "updatedInput").Type = "object"
		s.Extras = map[string]any{"dependencies": map[string][]string{
			"permissionDecisionReason": {"permissionDecision"},
		}}
		s.If = object("permissionDecision", &jsonschema.Schema{Enum: []any{"deny", "ask"}})
		s.Then = &jsonschema.Schema{Required: []string{"permissionDecisionReason"}}
	case protocol.PermissionRequestOutput:
		decision := property(s, "decision")
		property(decision, "behavior").Enum = []any{"allow", "deny"}
		property(decision, "updatedInput").Type = "object"
		decision.If = object("behavior", &jsonschema.Schema{Const: "deny"})
		decision.Then = &jsonschema.Schema{Required: []string{"message"}, Not: &jsonschema.Schema{Required: []string{"updatedInput"}}}
		decision.Else = &jsonschema.Schema{Not: &jsonschema.Schema{Required: []string{"message"}}}
	}
	return s
}

// noEmptyText forbids empty texts: a field without content is left out.
func noEmptyText(s *jsonschema.Schema) {
	if s.Type == "string" && s.Const == nil && s.Enum == nil {
		s.MinLength = ptr(1)
	}
	if s.Properties == nil {
		return
	}
	for _, property := range s.Properties.FromOldest() {
		noEmptyText(property)
	}
}

func property(s *jsonschema.Schema, name string) *jsonschema.Schema {
	p, ok := s.Properties.Get(name)
	if !ok {
		panic("no property " + name)
	}
	return p
}

func drop(s *jsonschema.Schema, names ...string) {
	for _, name := range names {
		s.Properties.Delete(name)
	}
}

func ptr(n uint64) *uint64 { return &n }
