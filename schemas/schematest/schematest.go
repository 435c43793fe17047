// Package schematest validates inputs and outputs against the schemas. It links a
// validator that costs milliseconds at start-up, so only tests import it.
package schematest

import (
	"bytes"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/protocol"
	"github.com/hookbridge/bridge/schemas"
)

// ValidateInput fails the test unless text is a valid input of t.
func ValidateInput(tb testing.TB, t protocol.Type, text []byte) {
	tb.Helper()
	if err := CheckInput(t, text); err != nil {
		tb.Errorf("input of %s: %v\n%s", t, err, text)
	}
}

// ValidateOutput fails the test unless text is a valid output at event. An empty text is valid: the hook printed
// nothing.
func ValidateOutput(tb testing.TB, event protocol.Event, text []byte) {
	tb.Helper()
	if err := CheckOutput(event, text); err != nil {
		tb.Errorf("output at %s: %v\n%s", event, err, text)
	}
}

// ValidateStdout is ValidateOutput for everything that a process wrote to stdout, which
// must also be one line in the form of docs/design.md#answers.
func ValidateStdout(tb testing.TB, event protocol.Event, stdout []byte) {
	tb.Helper()
	if err := CheckStdout(event, stdout); err != nil {
		tb.Errorf("stdout at %s: %v\n%s", event, err, stdout)
	}
}

// CheckInput is ValidateInput for callers without a testing.TB.
func CheckInput(t protocol.Type, text []byte) error {
	source, err := schemas.Input(t)
	if err != nil {
		return err
	}
	return check("input/"+string(t), source, text)
}

// CheckOutput is ValidateOutput for callers without a testing.TB.
func CheckOutput(event protocol.Event, text []byte) error {
	source, err := schemas.Output(event)
	if err != nil {
		return err
	}
	if len(text) == 0 {
		return nil
	}
	return check("output/"+string(event), source, text)
}

// CheckStdout is ValidateStdout for callers without a testing.TB.
func CheckStdout(event protocol.Event, stdout []byte) error {
	if err := CheckOutput(event, stdout); err != nil || len(stdout) == 0 {
		return err
	}
	line := jsontext.Value(bytes.TrimSuffix(stdout, []byte("\n"))).Clone()
	if err := line.Format(jsontext.SpaceAfterColon(true), jsontext.SpaceAfterComma(true), jsontext.PreserveRawStrings(true)); err != nil {
		return err
	}
	if !bytes.Equal(append(line, '\n'), stdout) {
		return errors.New("not one line with a space after colons and commas and a newline at its end")
	}
	if display.Text(string(line)) != string(line) {
		return errors.New("a control character is not escaped")
	}
	return nil
}

func check(name string, source, text []byte) error {
	schema, err := compiled(name, source)
	if err != nil {
		return err
	}
	value, err := Value(text)
	if err != nil {
		return err
	}
	return schema.Validate(value)
}

var compiledSchemas sync.Map // of name to *jsonschema.Schema

func compiled(name string, source []byte) (*jsonschema.Schema, error) {
	if schema, ok := compiledSchemas.Load(name); ok {
		return schema.(*jsonschema.Schema), nil
	}
	schema, err := Compile(name, source)
	if err != nil {
		return nil, err
	}
	compiledSchemas.Store(name, schema)
	return schema, nil
}

// Compile compiles the text of a draft-07 schema.
func Compile(name string, source []byte) (*jsonschema.Schema, error) {
	c := jsonschema.NewCompiler()
	c.Draft = jsonschema.Draft7
	url := "embedded:///" + name
	if err := c.AddResource(url, bytes.NewReader(source)); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return c.Compile(url)
}

// Value parses one strict JSON value for the validator. encoding/json is too lenient for
// this.
func Value(text []byte) (any, error) {
	d := jsontext.NewDecoder(bytes.NewReader(text))
	value, err := read(d)
	if err != nil {
		return nil, err
	}
	if rest := bytes.TrimLeft(text[d.InputOffset():], " \t\r\n"); len(rest) > 0 {
		return nil, errors.New("data after the JSON value")
	}
	return value, nil
}

func read(d *jsontext.Decoder) (any, error) {
	token, err := d.ReadToken()
	if err != nil {
		return nil, err
	}
	switch token.Kind() {
	case '{':
		object := map[string]any{}
		for d.PeekKind() != '}' {
			name, err := d.ReadToken()
			if err != nil {
				return nil, err
			}
			key := name.String()
			if object[key], err = read(d); err != nil {
				return nil, err
			}
		}
		_, err := d.ReadToken()
		return object, err
	case '[':
		array := []any{}
		for d.PeekKind() != ']' {
			element, err := read(d)
			if err != nil {
				return nil, err
			}
			array = append(array, element)
		}
		_, err := d.ReadToken()
		return array, err
	case '"':
		return token.String(), nil
	case '0':
		return number(token.String()), nil
	case 't', 'f':
		return token.Bool(), nil
	}
	return nil, nil
}
