// Package normalize turns the bytes on a hook's stdin into a protocol.Input. It is strict
// about form and lenient about content (docs/design.md#input, docs/design.md#whitelist).
package normalize

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/client"
	"github.com/hookbridge/bridge/protocol"
)

// Result is a normalised input.
type Result struct {
	// Hook is the hook as given, narrowed to one type if it was "setup".
	Hook protocol.Hook
	// Input shares memory with the text that it came from, unless the text had to be
	// repaired.
	Input protocol.Input
	// Audit holds the names of the fields that were dropped, in the spelling and order of
	// the input: at most 64 names of at most 128 bytes. It is filled for sensitive types
	// only. The names come from outside; clean them before they reach a terminal or a log
	// line.
	Audit []string
}

// Decode decodes the text of one value for a hook that protocol.ParseHook returned. The
// error is a *Malformed.
//
// A session id is kept unchanged, even if it is invalid according to docs/design.md#session-ids, because here it is only
// data. Code that uses it to look for state checks it first and treats an invalid one as none.
func Decode(hook protocol.Hook, text []byte) (Result, error) {
	row := hook.Row()
	text, err := object(text, row)
	if err != nil {
		return Result{}, err
	}
	var result Result
	fields := whitelist(row, &result.Input, make([]field, 0, 32))
	if result.Audit, err = collect(text, fields, row.Sensitive); err != nil {
		return Result{}, err
	}
	for i := range fields {
		if err := fields[i].fill(row); err != nil {
			return Result{}, err
		}
	}
	client.Translate(&result.Input)
	result.Hook = hook.Pick(result.Input.Trigger.Trigger)
	return result, nil
}

// object checks what can be checked before parsing, and returns the text without a byte
// order mark.
func object(text []byte, row protocol.Row) ([]byte, error) {
	if rest, found := bytes.CutPrefix(text, []byte(byteOrderMark)); found {
		if row.Fail == protocol.FailClosed {
			return nil, &Malformed{Rule: RuleBOM}
		}
		text = rest
	}
	start := bytes.TrimLeft(text, jsonSpace)
	switch {
	case len(start) == 0:
		return nil, &Malformed{Rule: RuleEmpty}
	case start[0] != '{':
		return nil, &Malformed{Rule: RuleNotAnObject}
	case utf8.Valid(text):
	case row.Fail == protocol.FailClosed:
		return nil, &Malformed{Rule: RuleInvalidUTF8}
	default:
		text = bytes.ToValidUTF8(text, []byte("\uFFFD"))
	}
	return wholePairs(text), nil
}

// wholePairs returns the text with U+FFFD in the place of every half of a surrogate pair.
// JSON.stringify writes such a half for a string that was cut inside a character, and the
// client turns it into U+FFFD when it passes the string on. A backslash outside of a
// string is an error that Decode reports.
func wholePairs(text []byte) []byte {
	if !bytes.Contains(text, []byte(`\ud`)) && !bytes.Contains(text, []byte(`\uD`)) {
		return text
	}
	whole := bytes.Clone(text)
	for i := 0; i < len(whole); {
		switch half := halfPair(whole[i:]); {
		case half == 0 && whole[i] == '\\':
			i += 2
		case half == 0:
			i++
		case utf16.DecodeRune(half, halfPair(whole[i+escape:])) != utf8.RuneError:
			i += 2 * escape
		default:
			i += copy(whole[i:], `\ufffd`)
		}
	}
	return whole
}

// escape is the length of an escape such as \ud83d.
const escape = 6

// halfPair returns the half of a surrogate pair that the escape at the beginning of the text means, or 0.
func halfPair(text []byte) rune {
	if len(text) < escape || text[0] != '\\' || text[1] != 'u' {
		return 0
	}
	n, err := strconv.ParseUint(string(text[2:escape]), 16, 16)
	if err != nil || !utf16.IsSurrogate(rune(n)) {
		return 0
	}
	return rune(n)
}

// collect assigns the raw values of the object in text to the fields to which they
// belong. If wanted is set, it returns the names that belong to no field.
func collect(text []byte, fields []field, wantAudit bool) (audit []string, err error) {
	d := jsontext.NewDecoder(bytes.NewBuffer(text))
	if _, err := d.ReadToken(); err != nil {
		return nil, lexical(err)
	}
	for d.PeekKind() != '}' {
		quoted, err := next(d, text)
		if err != nil {
			return nil, lexical(err)
		}
		value, err := next(d, text)
		if err != nil {
			return nil, lexical(err)
		}
		name := unquote(quoted)
		if spelling := find(fields, name); spelling != nil {
			*spelling = value
			continue
		}
		if folded := findFolded(fields, name); folded != "" {
			return nil, &Malformed{RuleCaseFoldedName, folded}
		}
		if wantAudit && len(audit) < maxAuditNames {
			audit = append(audit, strings.ToValidUTF8(string(name[:min(len(name), maxAuditName)]), ""))
		}
	}
	if _, err := d.ReadToken(); err != nil {
		return nil, lexical(err)
	}
	if _, err := d.ReadToken(); err != io.EOF {
		return nil, &Malformed{Rule: RuleTrailingData}
	}
	return audit, nil
}

const (
	maxAuditNames = 64
	maxAuditName  = 128
)

// next returns the next value of d, which reads text, as a slice of text, because the
// result of ReadValue itself is valid only until the next read.
func next(d *jsontext.Decoder, text []byte) (jsontext.Value, error) {
	value, err := d.ReadValue()
	end := d.InputOffset()
	return text[end-int64(len(value)) : end : end], err
}

// lexical returns the rule that an error of jsontext means.
func lexical(err error) error {
	rule := RuleSyntax
	var syntax *jsontext.SyntacticError
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName):
		rule = RuleDuplicateName
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		rule = RuleTruncated
	// jsontext does not export this error.
	case errors.As(err, &syntax) && syntax.Err != nil && syntax.Err.Error() == "exceeded max depth":
		rule = RuleTooDeep
	}
	return &Malformed{Rule: rule}
}

// unquote returns the text of a valid JSON string. If the string has no escape, it makes
// no copy.
func unquote(quoted []byte) []byte {
	if inner := quoted[1 : len(quoted)-1]; bytes.IndexByte(inner, '\\') < 0 {
		return inner
	}
	text, _ := jsontext.AppendUnquote(nil, quoted)
	return text
}

// isRequired reports whether the row requires the field called name.
func isRequired(row protocol.Row, name string) bool { return slices.Contains(row.Required, name) }
