package protocol

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// ObjectWriter writes a JSON object on one line, member by member. Reflection would have
// to set up its type information in every process, which costs a quarter of a start.
// Invalid UTF-8 in texts is replaced by U+FFFD.
type ObjectWriter struct {
	dst   []byte
	space string
	err   error
}

// WriteObject begins an object at the end of dst. space, "" or " ", is written after
// colons and commas.
func WriteObject(dst []byte, space string) ObjectWriter {
	return ObjectWriter{dst: append(dst, '{'), space: space}
}

// End closes the object. It returns an error if a Value was not valid JSON.
func (w *ObjectWriter) End() ([]byte, error) { return append(w.dst, '}'), w.err }

func (w *ObjectWriter) name(name string) {
	if w.dst[len(w.dst)-1] != '{' {
		w.dst = append(append(w.dst, ','), w.space...)
	}
	w.dst = append(append(append(append(w.dst, '"'), name...), `":`...), w.space...)
}

// Text writes a text.
func (w *ObjectWriter) Text(name, value string) {
	w.name(name)
	w.dst, _ = jsontext.AppendQuote(w.dst, value)
}

// Some writes a text; an empty text is left out.
func (w *ObjectWriter) Some(name, value string) {
	if value != "" {
		w.Text(name, value)
	}
}

// Int writes a number.
func (w *ObjectWriter) Int(name string, value int) {
	w.name(name)
	w.dst = strconv.AppendInt(w.dst, int64(value), 10)
}

// Bool writes true or false.
func (w *ObjectWriter) Bool(name string, value bool) {
	w.name(name)
	w.dst = strconv.AppendBool(w.dst, value)
}

// Texts writes an array of texts.
func (w *ObjectWriter) Texts(name string, values []string) {
	w.name(name)
	w.dst = append(w.dst, '[')
	for i, value := range values {
		if i > 0 {
			w.dst = append(append(w.dst, ','), w.space...)
		}
		w.dst, _ = jsontext.AppendQuote(w.dst, value)
	}
	w.dst = append(w.dst, ']')
}

// Value writes a value that is already JSON; an empty value is left out.
func (w *ObjectWriter) Value(name string, value jsontext.Value) {
	if len(value) == 0 {
		return
	}
	w.name(name)
	dst, err := jsontext.AppendFormat(w.dst, value, jsontext.SpaceAfterColon(w.space != ""), jsontext.SpaceAfterComma(w.space != ""), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		w.err = err
		return
	}
	w.dst = dst
}

// Object writes an object; members writes its members.
func (w *ObjectWriter) Object(name string, members func(*ObjectWriter)) {
	w.name(name)
	w.dst = append(w.dst, '{')
	members(w)
	w.dst = append(w.dst, '}')
}
