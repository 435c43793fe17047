package normalize

import (
	"bytes"
	"reflect"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/protocol"
)

// field is one whitelisted field of an input with the values that the input has for it.
type field struct {
	name    string
	aliases [2]string
	// raw holds the values by spelling: under the name first, then under the aliases. A
	// value that is absent is nil.
	raw [3]jsontext.Value
	to  reflect.Value
}

// whitelist appends the fields that the input of a row's type has.
func whitelist(row protocol.Row, in *protocol.Input, fields []field) []field {
	for _, group := range row.Input(in) {
		fields = fieldsOf(reflect.ValueOf(group).Elem(), fields)
	}
	return fields
}

// fieldsOf appends the fields of a struct and of the structs embedded in it. It runs once
// per process, so walking the type is cheaper than building a table first.
func fieldsOf(v reflect.Value, fields []field) []field {
	t := v.Type()
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			fields = fieldsOf(v.Field(i), fields)
			continue
		}
		first, second, _ := strings.Cut(f.Tag.Get("alias"), ",")
		fields = append(fields, field{name: jsonName(f), aliases: [2]string{first, second}, to: v.Field(i)})
	}
	return fields
}

func jsonName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}

// find returns the place for the value with this name, or nil. If an event has a field of that name itself, the name is
// not an alias there: directory is another spelling of cwd, but not at DirectoryAdded.
func find(fields []field, name []byte) *jsontext.Value {
	for i := range fields {
		if fields[i].name == string(name) {
			return &fields[i].raw[0]
		}
	}
	for i := range fields {
		f := &fields[i]
		for j, alias := range f.aliases {
			if alias != "" && alias == string(name) {
				return &f.raw[1+j]
			}
		}
	}
	return nil
}

// findFolded returns the field whose name equals name under simple Unicode case folding,
// which lenient parsers use for matching, or "".
func findFolded(fields []field, name []byte) string {
	// Folding never makes a character of the whitelist's alphabet longer than three
	// bytes, and the longest whitelisted names have 27 characters.
	if len(name) == 0 || len(name) > 3*32 {
		return ""
	}
	text := string(name)
	for i := range fields {
		f := &fields[i]
		if strings.EqualFold(f.name, text) ||
			strings.EqualFold(f.aliases[0], text) || strings.EqualFold(f.aliases[1], text) {
			return f.name
		}
	}
	return ""
}

// fill decodes the value that counts into the input.
func (f *field) fill(row protocol.Row) error {
	raw, same := f.pick()
	if row.Sensitive && !same {
		return &Malformed{RuleAliasConflict, f.name}
	}
	if raw != nil && !decode(f.to, raw) {
		return &Malformed{RuleWrongType, f.name}
	}
	if isRequired(row, f.name) && strings.TrimSpace(f.to.String()) == "" {
		return &Malformed{RuleMissingField, f.name}
	}
	if row.Fail == protocol.FailClosed && raw != nil && f.name == "hook_event_name" &&
		f.to.String() != string(row.Events[0]) {
		return &Malformed{RuleEventMismatch, f.name}
	}
	return nil
}

// pick returns the first value that is not null, and whether the other values equal it. Values are equal if their texts
// are equal, apart from white space between tokens: a more lenient comparison could let two readers of one text
// disagree.
func (f *field) pick() (first jsontext.Value, same bool) {
	same = true
	for _, raw := range f.raw {
		switch {
		case raw == nil || raw.Kind() == 'n':
		case first == nil:
			first = raw
		case !bytes.Equal(compact(first), compact(raw)):
			same = false
		}
	}
	return first, same
}

func compact(raw jsontext.Value) jsontext.Value {
	raw = raw.Clone()
	_ = raw.Compact() // it is valid: the decoder returned it
	return raw
}

// decode sets v from a valid JSON value and reports whether the types agree. Inside a
// value, null leaves v unchanged, unknown names are skipped and names are compared
// exactly.
func decode(v reflect.Value, raw jsontext.Value) bool {
	if v.Type() == reflect.TypeFor[jsontext.Value]() {
		v.SetBytes(raw)
		return true
	}
	kind := raw.Kind()
	if kind == 'n' || kind != '"' && v.Type() == reflect.TypeFor[protocol.Loose]() {
		return true
	}
	switch v.Kind() {
	case reflect.String:
		if kind != '"' {
			return false
		}
		v.SetString(string(unquote(raw)))
	case reflect.Bool:
		if kind != 't' && kind != 'f' {
			return false
		}
		v.SetBool(kind == 't')
	case reflect.Float64:
		number, err := strconv.ParseFloat(string(raw), 64)
		if kind != '0' || err != nil {
			return false
		}
		v.SetFloat(number)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return decode(v.Elem(), raw)
	case reflect.Slice:
		return kind == '[' && decodeElements(v, raw)
	case reflect.Struct:
		return kind == '{' && decodeMembers(v, raw)
	default:
		// The inputs have no other kind; a test checks that.
		return false
	}
	return true
}

func decodeElements(v reflect.Value, raw jsontext.Value) bool {
	v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	d := jsontext.NewDecoder(bytes.NewBuffer(raw))
	_, _ = d.ReadToken()
	for n := 0; d.PeekKind() != ']'; n++ {
		v.Grow(1)
		v.SetLen(n + 1)
		value, err := next(d, raw)
		if err != nil || !decode(v.Index(n), value) {
			return false
		}
	}
	return true
}

func decodeMembers(v reflect.Value, raw jsontext.Value) bool {
	d := jsontext.NewDecoder(bytes.NewBuffer(raw))
	_, _ = d.ReadToken()
	for d.PeekKind() != '}' {
		quoted, err := next(d, raw)
		if err != nil {
			return false
		}
		value, err := next(d, raw)
		if err != nil {
			return false
		}
		if member := memberOf(v, unquote(quoted)); member.IsValid() && !decode(member, value) {
			return false
		}
	}
	return true
}

// memberOf returns the field of a struct with this name, or the zero Value.
func memberOf(v reflect.Value, name []byte) reflect.Value {
	for i := range v.NumField() {
		if jsonName(v.Type().Field(i)) == string(name) {
			return v.Field(i)
		}
	}
	return reflect.Value{}
}

// Fields returns the whitelist of t: the names of the fields that its input may have, in
// the client's spelling. It is nil for an unknown type.
func Fields(t protocol.Type) []string {
	row, ok := protocol.Lookup(t)
	if !ok {
		return nil
	}
	var names []string
	for _, f := range whitelist(row, new(protocol.Input), nil) {
		names = append(names, f.name)
	}
	return names
}
