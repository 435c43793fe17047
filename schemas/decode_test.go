package schemas_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"

	"github.com/hookbridge/bridge/normalize"
	"github.com/hookbridge/bridge/normalize/malformed"
	"github.com/hookbridge/bridge/protocol"
	"github.com/hookbridge/bridge/schemas"
	"github.com/hookbridge/bridge/schemas/schematest"
)

// FuzzDecode compares Decode with the schemas in two layers (docs/design.md#speed). A
// text that violates a lexical rule is malformed, whatever the schema says. Decode
// accepts any other text exactly if the schema accepts it after aliases are resolved. The
// only exception is a conflict between two spellings, which a schema cannot express.
func FuzzDecode(f *testing.F) {
	rows := protocol.AllRows()
	strict := uint8(slices.IndexFunc(rows, func(row protocol.Row) bool { return row.Fail == protocol.FailClosed }))
	for i := range rows {
		for _, p := range recorded(f) {
			if slices.Contains(rows[i].Events, p.event) {
				f.Add(uint8(i), p.text)
			}
		}
	}
	for i, half := range []string{`"\ud83d"`, `"\ude00\uD83D\uDE00"`, `{"\uD83D":"\\ud83d\\\ud83d"}`, "\"\xff\xed\xa0\x80\"", `"\ud83d\u0041"`} {
		f.Add(uint8(i), []byte(`{"session_id":"s","cwd":"/p","tool_name":"Bash","tool_input":`+half+`,"last_assistant_message":"\udc00"}`))
		f.Add(strict, []byte(`{"session_id":"s","cwd":"/p","tool_name":"Bash","tool_input":`+half+`}`))
	}
	for i, shape := range malformed.Shapes() {
		if len(shape.Text) < 4096 {
			f.Add(uint8(i), shape.Text)
			f.Add(strict, shape.Text)
		}
	}
	f.Fuzz(func(t *testing.T, index uint8, text []byte) {
		agree(t, rows[int(index)%len(rows)], text)
	})
}

// TestEveryValueInEveryField makes the same comparison for each spelling of each field of each type, with each kind of
// value.
func TestEveryValueInEveryField(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, row := range protocol.AllRows() {
		// Types with the same shape and rules have the same answers.
		rules := fmt.Sprintf("%q %q %v %s", normalize.Fields(row.Type), row.Required, row.Sensitive, row.Fail)
		if seen[rules] {
			continue
		}
		seen[rules] = true
		t.Run(string(row.Type), func(t *testing.T) {
			t.Parallel()
			for name, field := range spellings(t, row) {
				for _, value := range memberValues {
					var required strings.Builder
					for _, other := range row.Required {
						if other != field {
							required.WriteString(`,"` + other + `":"s"`)
						}
					}
					agree(t, row, []byte(`{"`+name+`":`+value+required.String()+`}`))
				}
			}
		})
	}
}

// The pattern of the schemas and Unicode must agree about white space.
func TestEveryRuneInARequiredField(t *testing.T) {
	t.Parallel()
	row, _ := protocol.Lookup(protocol.SessionEnd)
	for r := range rune(0x3100) {
		if r > 0x100 && !unicode.IsSpace(r-1) && !unicode.IsSpace(r) && !unicode.IsSpace(r+1) {
			continue
		}
		text := `{"cwd":"/p","session_id":` + quote(t, " "+string(r)) + `}`
		agree(t, row, []byte(text))
		if _, err := normalize.Decode(hookOf(t, row.Type), []byte(text)); (err != nil) != unicode.IsSpace(r) {
			t.Errorf("a session id of a space and %U: %v", r, err)
		}
	}
}

// TestDecodeAgreesWithTheSchemas is FuzzDecode for JSON objects with interesting members,
// because most random texts are not JSON.
func TestDecodeAgreesWithTheSchemas(t *testing.T) {
	t.Parallel()
	rapid.Check(t, decodeAgrees)
}

// FuzzMembers is the same under the fuzzer.
func FuzzMembers(f *testing.F) { f.Fuzz(rapid.MakeFuzz(decodeAgrees)) }

func decodeAgrees(t *rapid.T) {
	row := rapid.SampledFrom(protocol.AllRows()).Draw(t, "row")
	var names []string
	for name := range spellings(t, row) {
		names = append(names, name)
	}
	slices.Sort(names)
	folded := rapid.Custom(func(t *rapid.T) string {
		return strings.Replace(rapid.SampledFrom(names).Draw(t, "name"), "s", rapid.SampledFrom([]string{"S", "ſ"}).Draw(t, "s"), 1)
	})
	name := rapid.SampledFrom(names)
	if rapid.IntRange(0, 9).Draw(t, "any name") == 0 {
		name = rapid.OneOf(name, folded, rapid.SampledFrom([]string{"", "new", "transcriptPath", "session__id"}))
	}
	// Required fields are usually present, or nothing else would ever be checked.
	members := rapid.SliceOfNDistinct(name, 0, 6, rapid.ID).Draw(t, "names")
	if rapid.IntRange(0, 9).Draw(t, "complete") > 0 {
		for _, required := range row.Required {
			if !slices.Contains(members, required) {
				members = append(members, required)
			}
		}
	}
	var text strings.Builder
	text.WriteString("{")
	for i, member := range members {
		if i > 0 {
			text.WriteString(" ,")
		}
		value := rapid.SampledFrom(memberValues)
		if slices.Contains(row.Required, member) {
			value = rapid.SampledFrom(memberValues[:8])
		}
		text.WriteString(quote(t, member) + ": " + value.Draw(t, "value"))
	}
	text.WriteString("}")
	agree(t, row, []byte(text.String()))
}

// memberValues are values of every kind, the usual ones first.
var memberValues = []string{
	`"s"`, `"s"`, `"s"`, `"PermissionRequest"`, `"\u0073"`, `" x "`, `" \t"`, `null`,
	`""`, `"\u00a0"`, `"\u200b"`, `"Stop"`, `true`, `false`, `0`, `-0`, `1.5e3`, `1e308`, `1.8e308`, `-1e400`, `1e-400`,
	`[]`, `[null]`, `[{}]`, `["s"]`, `[1, 2]`, `[{"type":"subagent","status":"running","id":"1"}]`, `[{"type":null,"x":[]}]`,
	`[{"type":1}]`, `[{"Type":1}]`, `[{"text":[]}]`, `[{"text":"a"},null]`, `{}`, `{ }`, `{"content":"c"}`, `{"content":null}`, `{"content":{}}`,
	`{"Content":1}`, `{"level":"high"}`, `[[[{"a":[]}]]]`,
}

func quote(t rapid.TB, name string) string {
	t.Helper()
	quoted, err := jsontext.AppendQuote(nil, name)
	if err != nil {
		t.Fatal(err)
	}
	return string(quoted)
}

func hookOf(t rapid.TB, typ protocol.Type) protocol.Hook {
	t.Helper()
	hook, ok := protocol.ParseHook(string(typ))
	if !ok {
		t.Fatalf("no hook %q", typ)
	}
	return hook
}

// agree checks that Decode and the oracle agree about a text.
func agree(t rapid.TB, row protocol.Row, text []byte) {
	t.Helper()
	result, err := normalize.Decode(hookOf(t, row.Type), text)
	var rule normalize.Rule
	if m := new(normalize.Malformed); errors.As(err, &m) {
		rule = m.Rule
	} else if err != nil {
		t.Fatalf("%v is not a *Malformed", err)
	}
	want := expect(t, row, text)
	if rule != want.rule && (rule == "" || !slices.Contains(want.or, rule)) {
		t.Fatalf("%s: rule %q, want %q or one of %q\n%q", row.Type, rule, want.rule, want.or, text)
	}
	if err == nil {
		checkResult(t, row, result, text)
	}
}

// verdict is a rule, or "" for a well-formed text. or lists rules that are also right,
// because it does not matter which one is found first.
type verdict struct {
	rule normalize.Rule
	or   []normalize.Rule
}

var lexicalRules = []normalize.Rule{
	normalize.RuleEmpty, normalize.RuleTruncated, normalize.RuleBOM, normalize.RuleNotAnObject, normalize.RuleInvalidUTF8,
	normalize.RuleSyntax, normalize.RuleTooDeep, normalize.RuleDuplicateName, normalize.RuleTrailingData, normalize.RuleCaseFoldedName,
}

var schemaRules = []normalize.Rule{normalize.RuleWrongType, normalize.RuleMissingField, normalize.RuleEventMismatch}

// expect says what Decode must do with a text. It shares only the JSON library and the
// list of aliases with Decode.
func expect(t rapid.TB, row protocol.Row, text []byte) verdict {
	t.Helper()
	lexical := verdict{normalize.RuleSyntax, lexicalRules}
	if rest, found := bytes.CutPrefix(text, []byte("\uFEFF")); found {
		if row.Fail == protocol.FailClosed {
			return lexical
		}
		text = rest
	}
	text, ok := readable(row, text)
	if !ok || jsontext.Value(text).Kind() != '{' {
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

// readable is the text with U+FFFD in the place of invalid characters, as the JSON
// library writes it. ok is false if the text is not JSON even then, or if the type does
// not accept invalid UTF-8.
func readable(row protocol.Row, text []byte) (clean []byte, ok bool) {
	if jsontext.Value(text).IsValid() {
		return text, true
	}
	if !utf8.Valid(text) && row.Fail == protocol.FailClosed {
		return nil, false
	}
	var out bytes.Buffer
	dec := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowInvalidUTF8(true))
	enc := jsontext.NewEncoder(&out, jsontext.AllowInvalidUTF8(true))
	for {
		token, err := dec.ReadToken()
		if err == io.EOF {
			return out.Bytes(), jsontext.Value(out.Bytes()).IsValid()
		}
		if err != nil || enc.WriteToken(token) != nil {
			return nil, false
		}
	}
}

// spellings maps every name that an input of a type may use to the one that the
// type's schema uses.
func spellings(t rapid.TB, row protocol.Row) map[string]string {
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
	}
	for name := range schema.Properties {
		for _, alias := range aliasesOf()[name] {
			// If an event has a field of that name itself, the name is not an alias there.
			if _, own := schema.Properties[alias]; !own {
				known[alias] = name
			}
		}
	}
	spellingsOf.Store(row.Type, known)
	return known
}

var spellingsOf sync.Map // of protocol.Type to map[string]string

// aliasesOf has the aliases of each field, from the whitelist's tags.
var aliasesOf = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	input := reflect.TypeFor[protocol.Input]()
	for i := range input.NumField() {
		if input.Field(i).Type.Kind() != reflect.Struct {
			continue
		}
		for _, f := range reflect.VisibleFields(input.Field(i).Type) {
			if alias, ok := f.Tag.Lookup("alias"); ok {
				name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
				all[name] = strings.Split(alias, ",")
			}
		}
	}
	return all
})

// values returns the values of a field in an input, without null.
func values(known map[string]string, members map[string]jsontext.Value, name string) []jsontext.Value {
	var found []jsontext.Value
	for _, spelling := range append([]string{name}, aliasesOf()[name]...) {
		if known[spelling] != name {
			continue
		}
		if value, ok := members[spelling]; ok && string(value) != "null" {
			found = append(found, value)
		}
	}
	return found
}

func conflicting(t rapid.TB, row protocol.Row, members map[string]jsontext.Value) bool {
	t.Helper()
	known := spellings(t, row)
	for _, name := range known {
		found := values(known, members, name)
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
func fold(t rapid.TB, row protocol.Row, members map[string]jsontext.Value) []byte {
	t.Helper()
	known := spellings(t, row)
	folded := map[string]jsontext.Value{}
	for name, value := range members {
		if canonical, ok := known[name]; !ok {
			folded[name] = value
		} else if found := values(known, members, canonical); len(found) > 0 {
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

// checkResult checks what must be true of everything that Decode accepts.
func checkResult(t rapid.TB, row protocol.Row, result normalize.Result, text []byte) {
	t.Helper()
	in := result.Input
	for name, value := range map[string]jsontext.Value{
		"tool_input": in.Tool.ToolInput, "tool_response": in.Tool.ToolResponse, "effort": in.Effort,
	} {
		switch {
		case !jsontext.Value(text).IsValid():
			// This text was repaired.
			if value != nil && !value.IsValid() {
				t.Errorf("%s is no JSON: %q", name, value)
			}
		case !bytes.Contains(text, value):
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
