package statefile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// ErrNotObject means that a state file is not one JSON object.
var ErrNotObject = errors.New("not a JSON object")

// maxCount is the largest number that a counter in a state file may have.
const maxCount = 1_000_000_000

// Object is a JSON object from a state file that other programs write too. Setting a member changes no other byte:
// unknown names, order, indentation. The zero Object is empty.
type Object struct {
	data    []byte
	members []member
	// open is the offset after the opening brace.
	open int
}

// member is one name with its value, as offsets into the data.
type member struct {
	name             string
	nameAt, at, next int
}

// ParseObject parses data. A byte order mark is skipped; duplicate names and text after
// the object are errors. All errors wrap ErrNotObject.
func ParseObject(data []byte) (Object, error) {
	return parseObject(data, jsontext.AllowInvalidUTF8(true))
}

// notObject is ErrNotObject with the reason, without the name of the parser.
func notObject(err error) error {
	return fmt.Errorf("%w: %s", ErrNotObject, strings.TrimPrefix(err.Error(), "jsontext: "))
}

// ParseLax is ParseObject for files in which a name may occur twice; the last one counts.
func ParseLax(data []byte) (Object, error) {
	return parseObject(data, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
}

func parseObject(data []byte, options ...jsontext.Options) (Object, error) {
	skipped := len(data) - len(bytes.TrimPrefix(data, byteOrderMark))
	o := Object{data: data}
	dec := jsontext.NewDecoder(bytes.NewBuffer(data[skipped:]), options...)
	token, err := dec.ReadToken()
	if err != nil {
		return Object{}, notObject(err)
	}
	if token.Kind() != '{' {
		return Object{}, ErrNotObject
	}
	o.open = skipped + int(dec.InputOffset())
	for dec.PeekKind() != '}' {
		name, err := dec.ReadToken()
		if err != nil {
			return Object{}, notObject(err)
		}
		m := member{name: name.String()}
		nameEnd := skipped + int(dec.InputOffset())
		value, err := dec.ReadValue()
		if err != nil {
			return Object{}, notObject(err)
		}
		m.next = skipped + int(dec.InputOffset())
		m.at = m.next - len(value)
		m.nameAt = o.nameStart(nameEnd)
		o.members = append(o.members, m)
	}
	if _, err := dec.ReadToken(); err != nil {
		return Object{}, notObject(err)
	}
	if _, err := dec.ReadToken(); err != io.EOF {
		return Object{}, fmt.Errorf("%w: there is more after it", ErrNotObject)
	}
	return o, nil
}

// ReadObject reads the file name, like Read, and parses it as an object.
func (d *Dir) ReadObject(name string) (Object, File, error) {
	file, err := d.Read(name)
	if err != nil {
		return Object{}, file, err
	}
	object, err := ParseObject(file.Data)
	return object, file, err
}

// nameStart is the offset of the next member's name: after the previous member, a comma and white space.
func (o Object) nameStart(end int) int {
	at := o.open
	if n := len(o.members); n > 0 {
		at = o.members[n-1].next
	}
	return at + bytes.IndexByte(o.data[at:end], '"')
}

// Bytes returns the text of the object.
func (o Object) Bytes() []byte {
	if o.data == nil {
		return []byte("{}\n")
	}
	return o.data
}

// Raw returns the value of a member as it is written.
func (o Object) Raw(name string) (value jsontext.Value, ok bool) {
	for _, m := range slices.Backward(o.members) {
		if m.name == name {
			return jsontext.Value(o.data[m.at:m.next]), true
		}
	}
	return nil, false
}

// Text returns a string member, or "" if it is absent or not a string.
func (o Object) Text(name string) string {
	var s string
	if value, _ := o.Raw(name); value.Kind() == '"' {
		// A string that the decoder accepted can be unquoted; invalid UTF-8 becomes
		// U+FFFD.
		text, _ := jsontext.AppendUnquote(nil, value)
		s = string(text)
	}
	return s
}

// Bool reports whether a member is the literal true.
func (o Object) Bool(name string) bool {
	value, _ := o.Raw(name)
	return value.Kind() == 't'
}

// Count returns a member that is a counter. If it is absent or null, Count returns the
// default; anything but a whole number from 0 to a billion is an error.
func (o Object) Count(name string, absent int) (int, error) {
	value, ok := o.Raw(name)
	if !ok || value.Kind() == 'n' {
		return absent, nil
	}
	f, err := strconv.ParseFloat(string(value), 64)
	if err != nil || f < 0 || f > maxCount || f != float64(int(f)) {
		return 0, fmt.Errorf("'%s' is not a whole number (got: %.40s)", name, value)
	}
	return int(f), nil
}

// Time returns a member that is a time in RFC 3339, or the zero time.
func (o Object) Time(name string) time.Time {
	t, _ := time.Parse(time.RFC3339, o.Text(name))
	return t
}

// Object returns a member that is an object; for any other member it returns an empty
// one.
func (o Object) Object(name string) Object {
	if value, ok := o.Raw(name); ok {
		if inner, err := ParseObject(value); err == nil {
			return inner
		}
	}
	return Object{}
}

// List returns the elements of a member that is an array; for any other member it returns
// none.
func (o Object) List(name string) (elements []jsontext.Value) {
	for _, e := range o.elements(name) {
		elements = append(elements, jsontext.Value(o.data[e.at:e.next]))
	}
	return elements
}

// elements finds the elements of an array.
func (o Object) elements(name string) (all []member) {
	i := slices.IndexFunc(o.members, func(m member) bool { return m.name == name })
	if i < 0 {
		return nil
	}
	array := o.members[i]
	dec := jsontext.NewDecoder(bytes.NewBuffer(o.data[array.at:array.next]), jsontext.AllowInvalidUTF8(true))
	if dec.PeekKind() != '[' {
		return nil
	}
	_, _ = dec.ReadToken()
	for dec.PeekKind() != ']' {
		value, err := dec.ReadValue()
		if err != nil {
			return nil
		}
		next := array.at + int(dec.InputOffset())
		all = append(all, member{at: next - len(value), next: next})
	}
	return all
}

// SetElement returns the object with the element at index i of List replaced.
func (o Object) SetElement(name string, i int, value any) Object {
	e := o.elements(name)[i]
	return reparse(slices.Concat(o.data[:e.at], encode(value), o.data[e.next:]))
}

// Texts returns the strings in a member that is an array.
func (o Object) Texts(name string) (texts []string) {
	for _, value := range o.List(name) {
		if value.Kind() == '"' {
			text, _ := jsontext.AppendUnquote(nil, value)
			texts = append(texts, string(text))
		}
	}
	return texts
}

// Set returns the object with a member changed, or added at the end in the layout of the
// others. The value is a string, a number, a boolean, nil, a time, an Object, or anything
// else that can be encoded as JSON.
func (o Object) Set(name string, value any) Object {
	encoded := encode(value)
	var b []byte
	for _, m := range o.members {
		if m.name == name {
			b = append(b, o.data[:m.at]...)
			b = append(b, encoded...)
			return reparse(append(b, o.data[m.next:]...))
		}
	}
	quoted := encode(name)
	if len(o.members) == 0 {
		return reparse(fmt.Appendf(nil, "{\n  %s: %s\n}\n", quoted, encoded))
	}
	first, last := o.members[0], o.members[len(o.members)-1]
	colon := ":"
	if c := o.data[first.at-1]; c == ' ' {
		colon = ": "
	}
	b = append(b, o.data[:last.next]...)
	b = append(b, ',')
	b = append(b, o.data[o.open:first.nameAt]...)
	b = append(b, quoted...)
	b = append(b, colon...)
	b = append(b, encoded...)
	return reparse(append(b, o.data[last.next:]...))
}

func encode(value any) []byte {
	switch v := value.(type) {
	case Object:
		return bytes.TrimSpace(v.Bytes())
	case time.Time:
		return encode(Stamp(v))
	// Hooks write these types at every stop; reflection would cost them a tenth of a
	// start.
	case string:
		quoted, _ := jsontext.AppendQuote(nil, v)
		return quoted
	case int:
		return strconv.AppendInt(nil, int64(v), 10)
	case bool:
		return strconv.AppendBool(nil, v)
	}
	encoded, err := json.Marshal(value, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		// This happens only with a value that must not be passed, such as a channel.
		panic(fmt.Sprintf("statefile: a value that JSON does not know: %v", err))
	}
	return encoded
}

// reparse parses a text that Set built from parts that were parsed before.
func reparse(data []byte) Object {
	o, err := ParseObject(data)
	if err != nil {
		panic(fmt.Sprintf("statefile: setting a member broke the object: %v", err))
	}
	return o
}

// Stamp formats a time as JavaScript programs do, in UTC with milliseconds.
func Stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }
