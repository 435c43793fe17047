package moderegistry

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// stringify returns a JSON text as a JavaScript program writes it after it has parsed it:
// JSON.stringify(JSON.parse(text)). oh-my-claudecode takes the checksum of a state from
// that, so the layout of the file does not matter
// (docs/reference/stop-rules.md#cancel-signal).
func stringify(text []byte) ([]byte, error) {
	dec := jsontext.NewDecoder(bytes.NewBuffer(bytes.TrimPrefix(text, []byte("\ufeff"))), jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	out, err := appendValue(make([]byte, 0, len(text)), dec)
	if err != nil {
		return nil, fmt.Errorf("write a state as JavaScript does: %w", err)
	}
	return out, nil
}

func appendValue(dst []byte, dec *jsontext.Decoder) ([]byte, error) {
	switch dec.PeekKind() {
	case '{':
		return appendObject(dst, dec)
	case '[':
		return appendArray(dst, dec)
	}
	value, err := dec.ReadValue()
	if err != nil {
		return nil, err
	}
	switch value.Kind() {
	case '"':
		return appendString(dst, value), nil
	case '0':
		return appendNumber(dst, value), nil
	}
	return append(dst, value...), nil
}

func appendArray(dst []byte, dec *jsontext.Decoder) ([]byte, error) {
	if _, err := dec.ReadToken(); err != nil {
		return nil, err
	}
	dst = append(dst, '[')
	for n := 0; dec.PeekKind() != ']'; n++ {
		if n > 0 {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = appendValue(dst, dec); err != nil {
			return nil, err
		}
	}
	_, err := dec.ReadToken()
	return append(dst, ']'), err
}

// property is one property of an object. index is its position among the properties whose
// names are array indices, which come first, or -1.
type property struct {
	name, value []byte
	index       int64
}

func appendObject(dst []byte, dec *jsontext.Decoder) ([]byte, error) {
	if _, err := dec.ReadToken(); err != nil {
		return nil, err
	}
	var all []property
	for dec.PeekKind() != '}' {
		quoted, err := dec.ReadValue()
		if err != nil {
			return nil, err
		}
		p := property{name: appendString(nil, quoted)}
		p.index = arrayIndex(string(p.name[1 : len(p.name)-1]))
		if p.value, err = appendValue(nil, dec); err != nil {
			return nil, err
		}
		// If a name occurs again, the new value replaces the old one in its place.
		if i := slices.IndexFunc(all, func(q property) bool { return bytes.Equal(p.name, q.name) }); i >= 0 {
			all[i] = p
		} else {
			all = append(all, p)
		}
	}
	slices.SortStableFunc(all, func(p, q property) int {
		switch {
		case p.index >= 0 && q.index >= 0:
			return cmp.Compare(p.index, q.index)
		case p.index >= 0:
			return -1
		case q.index >= 0:
			return 1
		}
		return 0
	})
	dst = append(dst, '{')
	for i, p := range all {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(append(append(dst, p.name...), ':'), p.value...)
	}
	_, err := dec.ReadToken()
	return append(dst, '}'), err
}

// arrayIndex returns the number that a name stands for, or -1 if it is no array index:
// a whole number below 2³²-1 without leading zeros.
func arrayIndex(name string) int64 {
	n, err := strconv.ParseUint(name, 10, 32)
	if err != nil || n == math.MaxUint32 || strconv.FormatUint(n, 10) != name {
		return -1
	}
	return int64(n)
}

// appendNumber appends a number as the 64-bit float that JavaScript makes of it.
func appendNumber(dst []byte, number jsontext.Value) []byte {
	f, _ := strconv.ParseFloat(string(number), 64)
	switch {
	case math.IsInf(f, 0):
		return append(dst, "null"...)
	case f == 0:
		return append(dst, '0') // also for -0
	case math.Abs(f) >= 1e21 || math.Abs(f) < 1e-6:
		// Go writes at least two digits of the exponent.
		mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(f, 'e', -1, 64), "e")
		dst = append(append(dst, mantissa...), 'e', exponent[0])
		return append(dst, strings.TrimLeft(exponent[1:], "0")...)
	}
	return strconv.AppendFloat(dst, f, 'f', -1, 64)
}

// appendString appends a string of the text with the escapes of JSON.stringify. Half of a surrogate pair, which only an
// escape can express, stays an escape.
func appendString(dst []byte, quoted jsontext.Value) []byte {
	dst = append(dst, '"')
	for s := []byte(quoted[1 : len(quoted)-1]); len(s) > 0; {
		r, size := utf8.DecodeRune(s)
		if r == '\\' {
			r, size = unescape(s)
		}
		s = s[size:]
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r == '\b':
			dst = append(dst, `\b`...)
		case r == '\f':
			dst = append(dst, `\f`...)
		case r == '\n':
			dst = append(dst, `\n`...)
		case r == '\r':
			dst = append(dst, `\r`...)
		case r == '\t':
			dst = append(dst, `\t`...)
		case r < ' ' || utf16.IsSurrogate(r):
			dst = fmt.Appendf(dst, `\u%04x`, r)
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, '"')
}

// unescape reads the escape at the beginning of s, which the decoder has accepted.
func unescape(s []byte) (r rune, size int) {
	switch s[1] {
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	case 'u':
		r = unit(s)
		if len(s) >= 12 && s[6] == '\\' && s[7] == 'u' {
			if pair := utf16.DecodeRune(r, unit(s[6:])); pair != utf8.RuneError {
				return pair, 12
			}
		}
		return r, 6
	}
	return rune(s[1]), 2
}

// unit reads the four digits of an escape such as \u00e9.
func unit(s []byte) rune {
	n, _ := strconv.ParseUint(string(s[2:6]), 16, 16)
	return rune(n)
}
