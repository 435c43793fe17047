package normalize_test

import (
	"bytes"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/hooks"
	"github.com/hookbridge/bridge/normalize"
	"github.com/hookbridge/bridge/normalize/malformed"
	"github.com/hookbridge/bridge/schemas"
	"github.com/hookbridge/bridge/schemas/schematest"
)

// FuzzDecode compares Decode with the schemas in two layers (design section 5).
// A text that breaks a lexical rule is malformed, and no schema has a say. For
// every other text Decode accepts exactly what the schema accepts once the
// aliases are folded; the one exception is a conflict between two spellings,
// which a schema cannot express.
func FuzzDecode(f *testing.F) {
	rows := hooks.Rows()
	for i := range rows {
		for _, p := range payloads(f) {
			if slices.Contains(rows[i].Events, p.event) {
				f.Add(uint8(i), p.text)
			}
		}
	}
	for i, shape := range malformed.Shapes() {
		if len(shape.Text) < 4096 {
			f.Add(uint8(i), shape.Text)
			f.Add(uint8(len(rows)-1), shape.Text)
		}
	}
	f.Fuzz(func(t *testing.T, index uint8, text []byte) {
		row := rows[int(index)%len(rows)]
		hook := hookOf(t, row.Type)
		result, err := normalize.Decode(hook, text)
		rule := ruleOf(t, err)
		want := expect(t, row, text)
		if rule != want.rule && (rule == "" || !slices.Contains(want.or, rule)) {
			t.Fatalf("%s: rule %q, want %q or one of %q\n%q", row.Type, rule, want.rule, want.or, text)
		}
		if err == nil {
			checkResult(t, row, result, text)
		}
	})
}

// verdict is a rule, or "" for a well-formed text. or lists rules that are as
// good, because which one is met first is nobody's business.
type verdict struct {
	rule normalize.Rule
	or   []normalize.Rule
}

var lexicalRules = []normalize.Rule{
	normalize.RuleEmpty, normalize.RuleTruncated, normalize.RuleBOM, normalize.RuleNotAnObject, normalize.RuleInvalidUTF8,
	normalize.RuleSyntax, normalize.RuleTooDeep, normalize.RuleDuplicateName, normalize.RuleTrailingData, normalize.RuleCaseFoldedName,
}

var schemaRules = []normalize.Rule{normalize.RuleWrongType, normalize.RuleMissingField, normalize.RuleEventMismatch}

// expect says what Decode must do with a text. It shares nothing with Decode
// but the JSON library and the list of aliases.
func expect(t *testing.T, row hooks.Row, text []byte) verdict {
	t.Helper()
	lexical := verdict{normalize.RuleSyntax, lexicalRules}
	if rest, found := bytes.CutPrefix(text, []byte("\uFEFF")); found {
		if row.Fail == hooks.FailClosed {
			return lexical
		}
		text = rest
	}
	if !jsontext.Value(text).IsValid() || jsontext.Value(text).Kind() != '{' {
		return lexical
	}
	var members map[string]jsontext.Value
	if err := json.Unmarshal(text, &members); err != nil {
		t.Fatalf("valid JSON does not parse: %v\n%q", err, text)
	}
	known := spellings(t, row)
	for name := range members {
		if _, ok := known[name]; ok {
			continue
		}
		for spelling := range known {
			if strings.EqualFold(name, spelling) {
				return lexical
			}
		}
	}
	if row.Sensitive && conflicting(t, row, members) {
		return verdict{normalize.RuleAliasConflict, schemaRules}
	}
	if err := schematest.CheckInput(row.Type, fold(t, row, members)); err != nil {
		return verdict{normalize.RuleWrongType, append(schemaRules, normalize.RuleAliasConflict)}
	}
	return verdict{}
}

// spellings maps every name that an input of a type may use to the one that the
// type's schema uses.
func spellings(t *testing.T, row hooks.Row) map[string]string {
	t.Helper()
	if known, ok := spellingsOf.Load(row.Type); ok {
		return known.(map[string]string)
	}
	text, err := schemas.Input(row.Type)
	if err != nil {
		t.Fatal(err)
	}
	var schema struct {
		Properties map[string]jsontext.Value `json:"properties"`
	}
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	known := map[string]string{}
	for name := range schema.Properties {
		known[name] = name
		for _, alias := range normalize.Aliases(name) {
			known[alias] = name
		}
	}
	spellingsOf.Store(row.Type, known)
	return known
}

var spellingsOf sync.Map // of hooks.Type to map[string]string

// values returns what an input has for a field, null left out.
func values(members map[string]jsontext.Value, name string) []jsontext.Value {
	var found []jsontext.Value
	for _, spelling := range append([]string{name}, normalize.Aliases(name)...) {
		if value, ok := members[spelling]; ok && string(value) != "null" {
			found = append(found, value)
		}
	}
	return found
}

func conflicting(t *testing.T, row hooks.Row, members map[string]jsontext.Value) bool {
	t.Helper()
	for _, name := range spellings(t, row) {
		found := values(members, name)
		for _, value := range found[min(len(found), 1):] {
			first, other := found[0].Clone(), value.Clone()
			if first.Compact() != nil || other.Compact() != nil || string(first) != string(other) {
				return true
			}
		}
	}
	return false
}

// fold returns the object with the client's spelling of every name.
func fold(t *testing.T, row hooks.Row, members map[string]jsontext.Value) []byte {
	t.Helper()
	known := spellings(t, row)
	folded := map[string]jsontext.Value{}
	for name, value := range members {
		if canonical, ok := known[name]; !ok {
			folded[name] = value
		} else if found := values(members, canonical); len(found) > 0 {
			folded[canonical] = found[0]
		} else {
			folded[canonical] = jsontext.Value("null")
		}
	}
	text, err := json.Marshal(folded, jsontext.PreserveRawStrings(true))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// checkResult holds what must be true of everything that Decode accepts.
func checkResult(t *testing.T, row hooks.Row, result normalize.Result, text []byte) {
	t.Helper()
	in := result.Input
	for name, value := range map[string]jsontext.Value{
		"tool_input": in.Tool.ToolInput, "tool_response": in.Tool.ToolResponse, "effort": in.Effort,
	} {
		if !bytes.Contains(text, value) {
			t.Errorf("%s is not verbatim: %s", name, value)
		}
	}
	if !row.Sensitive && result.Audit != nil {
		t.Errorf("%s audits %q", row.Type, result.Audit)
	}
	known := spellings(t, row)
	for _, name := range result.Audit {
		if _, ok := known[name]; ok {
			t.Errorf("%s audits %q, which it knows", row.Type, name)
		}
	}
	for _, name := range row.Required {
		value := map[string]string{"session_id": in.SessionID, "cwd": in.CWD, "tool_name": in.Tool.ToolName}[name]
		if strings.TrimSpace(value) == "" {
			t.Errorf("%s has no %s: %q", row.Type, name, value)
		}
	}
}
