package debuglog

import (
	"bytes"
	"io"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

const (
	redactedMark = "[redacted]"

	// maxJSON is the size in bytes above which a JSON text is replaced by a note, so that
	// one step cannot fill the log.
	maxJSON = 256 << 10
	// maxNesting is the depth to which JSON texts inside strings of JSON texts are
	// redacted. Deeper ones are replaced by a note.
	maxNesting = 4
)

// Redact returns data on one line. The values of members are replaced by "[redacted]" if their names, at any depth,
// contain token, apikey, password, secret, privatekey, passwd, authorization or credential, in any case and with any of
// "_-. " in between. A string that is itself a JSON object or array is redacted inside, and so are assignments and
// options in text, such as in a shell command. The result is always one JSON value. If data is not a single valid JSON
// value, or is larger than 256 KiB, it is replaced by a string that gives its size, because bridge cannot find the names
// in a broken text.
func Redact(data []byte) []byte {
	return redact(data, maxNesting)
}

func redact(data []byte, nesting int) []byte {
	if len(data) > maxJSON {
		return note(data, "too large")
	}
	out := bytes.NewBuffer(make([]byte, 0, len(data)+len(data)/8))
	lenient := []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}
	dec := jsontext.NewDecoder(bytes.NewReader(data), lenient...)
	enc := jsontext.NewEncoder(out, lenient...)
	for values := 0; ; {
		isName := false
		if kind, n := dec.StackIndex(dec.StackDepth()); kind == '{' {
			isName = n%2 == 0
		}
		tok, err := dec.ReadToken()
		if err == io.EOF && values == 1 {
			return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
		}
		if err != nil {
			return note(data, "not JSON")
		}
		hide := false
		switch {
		case tok.Kind() != '"':
		case isName:
			hide = sensitive(tok.String())
		default:
			tok = jsontext.String(redactString(tok.String(), nesting))
		}
		if err := enc.WriteToken(tok); err != nil {
			return note(data, "not JSON")
		}
		if hide {
			if err := dec.SkipValue(); err != nil {
				return note(data, "not JSON")
			}
			if err := enc.WriteToken(jsontext.String(redactedMark)); err != nil {
				return note(data, "not JSON")
			}
		}
		if dec.StackDepth() == 0 {
			if values++; values > 1 {
				return note(data, "not JSON")
			}
		}
	}
}

func note(data []byte, why string) []byte {
	return []byte(`"[` + strconv.Itoa(len(data)) + ` bytes, ` + why + `]"`)
}

func redactString(s string, nesting int) string {
	if inner := strings.TrimSpace(s); strings.HasPrefix(inner, "{") || strings.HasPrefix(inner, "[") {
		if jsontext.Value(inner).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) {
			if nesting == 1 {
				return "[" + strconv.Itoa(len(s)) + " bytes, nested too deep]"
			}
			return string(redact([]byte(inner), nesting-1))
		}
	}
	return redactText(s)
}

// sensitive reports whether a name sounds like the name of a credential.
func sensitive(name string) bool {
	// Converting to upper case and back folds letters whose upper case is a plain letter,
	// such as the long s.
	name = strings.ToLower(strings.ToUpper(name))
	name = strings.Map(func(r rune) rune {
		if strings.ContainsRune("_-. ", r) {
			return -1
		}
		return r
	}, name)
	for _, word := range []string{"token", "apikey", "password", "secret", "privatekey", "passwd", "authorization", "credential"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}
