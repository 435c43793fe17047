package generate

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/invopop/jsonschema"

	"github.com/hookbridge/bridge/protocol"
)

// notBlank matches a text with a character that is not white space. The class
// spells out the Unicode property, because \s means something else to every
// engine.
const notBlank = "[^\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]"

// input returns the schema of the input of a type. Unknown names are allowed. null counts
// as absent, except in required fields, which must not be blank either.
func input(row protocol.Row) *jsonschema.Schema {
	var s *jsonschema.Schema
	for _, group := range row.Input(new(protocol.Input)) {
		part := reflected(group)
		if s == nil {
			s = part
			continue
		}
		for name, property := range part.Properties.FromOldest() {
			s.Properties.Set(name, property)
		}
	}
	s.Title = "Input of bridge --hook=" + string(row.Type)
	s.Description = "Read on stdin at " + events(row) + ", in the client's spelling of the names. " +
		"Unknown fields are allowed and dropped."
	s.Required = row.Required
	s.AdditionalProperties = jsonschema.TrueSchema
	for name, property := range s.Properties.FromOldest() {
		if slices.Contains(row.Required, name) {
			property.Pattern = notBlank
			continue
		}
		nullable(property)
	}
	// A fail-closed hook rejects an event of another type; for the other hooks, the handlers decide.
	if row.Fail == protocol.FailClosed {
		s.Properties.Set("hook_event_name", &jsonschema.Schema{Enum: []any{row.Events[0], nil}})
	}
	return s
}

func events(row protocol.Row) string {
	names := make([]string, len(row.Events))
	for i, event := range row.Events {
		names[i] = string(event)
	}
	return strings.Join(names, ", ")
}

// nullable allows null for s and for everything inside it.
func nullable(s *jsonschema.Schema) {
	switch s.Type {
	case "":
		return // any value
	case "object":
		s.Required = nil
		s.AdditionalProperties = jsonschema.TrueSchema
		for _, property := range s.Properties.FromOldest() {
			nullable(property)
		}
	case "array":
		nullable(s.Items)
	case "number":
		s.Minimum, s.Maximum = number(-math.MaxFloat64), number(math.MaxFloat64)
	case "string", "boolean":
	default:
		panic(fmt.Sprintf("no rule for a %s", s.Type))
	}
	// The library supports only one type at a time.
	s.Extras = map[string]any{"type": []string{s.Type, "null"}}
	s.Type = ""
}

func number(f float64) json.Number { return json.Number(strconv.FormatFloat(f, 'g', -1, 64)) }
