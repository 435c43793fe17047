// Package malformed holds hook inputs that are wrong in one way each, with the rule that
// each violates for a hook type. The tests of all layers share this table: normalize has
// to reject each input, the router has to answer it with the fail policy, and the process
// has to exit with code 0.
package malformed

import (
	"cmp"
	"slices"

	"github.com/hookbridge/bridge/normalize"
	"github.com/hookbridge/bridge/protocol"
)

// Shape is one input. Its text is passed as a whole, and then the pipe is closed.
type Shape struct {
	Name string
	Text []byte
	rule ruleFunc
}

// ruleFunc returns the rule that an input violates for the type of a row.
type ruleFunc func(protocol.Row) normalize.Rule

// Rule returns the rule that the input violates for t, or "" if the input is well-formed
// for that type. Every shape is malformed for at least one type.
func (s Shape) Rule(t protocol.Type) normalize.Rule {
	row, ok := protocol.Lookup(t)
	if !ok {
		return ""
	}
	return s.rule(row)
}

// MalformedFor reports whether t must answer the input with its fail policy.
func (s Shape) MalformedFor(t protocol.Type) bool { return s.Rule(t) != "" }

// WellFormed returns an input that every type accepts. Each shape is this input with one
// error.
func WellFormed() []byte { return []byte(body("")) }

// body returns a well-formed object with additional members at its end.
func body(members string) string {
	return `{"session_id":"s-1","cwd":"/project","tool_name":"Bash","tool_input":{"command":"ls"}` + members + `}`
}

// The conditions under which a rule applies.

func always(rule normalize.Rule) ruleFunc {
	return func(protocol.Row) normalize.Rule { return rule }
}

func failClosed(rule normalize.Rule) ruleFunc {
	return when(rule, func(row protocol.Row) bool { return row.Fail == protocol.FailClosed })
}

func sensitive(rule normalize.Rule) ruleFunc {
	return when(rule, func(row protocol.Row) bool { return row.Sensitive })
}

// required selects the types that require the field.
func required(field string) ruleFunc {
	return when(normalize.RuleMissingField, func(row protocol.Row) bool {
		return slices.Contains(row.Required, field)
	})
}

// known selects the types whose whitelist has the field.
func known(field string, rule normalize.Rule) ruleFunc {
	return when(rule, func(row protocol.Row) bool {
		return slices.Contains(normalize.Fields(row.Type), field)
	})
}

func when(rule normalize.Rule, applies func(protocol.Row) bool) ruleFunc {
	return func(row protocol.Row) normalize.Rule {
		if applies(row) {
			return rule
		}
		return ""
	}
}

// tailOr is for a text that is wrong in itself and is also followed by other text. If the tail is checked, it is found
// first.
func tailOr(rule normalize.Rule) ruleFunc {
	tail := failClosed(normalize.RuleTrailingData)
	return func(row protocol.Row) normalize.Rule { return cmp.Or(tail(row), rule) }
}

// invalidOr is for a text that is not UTF-8 and that is still wrong after it was
// converted to UTF-8.
func invalidOr(rule normalize.Rule) ruleFunc {
	invalid := failClosed(normalize.RuleInvalidUTF8)
	return func(row protocol.Row) normalize.Rule { return cmp.Or(invalid(row), rule) }
}
