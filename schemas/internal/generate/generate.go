// Package generate derives the JSON schemas from the Go types of protocol and
// normalize. Only the generator and the tests link it.
package generate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/invopop/jsonschema"

	"github.com/hookbridge/bridge/protocol"
)

const draft07 = "http://json-schema.org/draft-07/schema#"

// Write writes all schemas below dir, as input/TYPE.schema.json,
// output/EVENT.schema.json and config.schema.json.
func Write(dir string) error {
	schemas := map[string]*jsonschema.Schema{}
	for _, row := range protocol.AllRows() {
		schemas[filepath.Join("input", string(row.Type))] = input(row)
		for _, event := range row.Events {
			schemas[filepath.Join("output", string(event))] = output(event.Row(), row.Fail)
		}
	}
	user, err := config()
	if err != nil {
		return err
	}
	schemas["config"] = user
	for name, schema := range schemas {
		text, err := encode(schema)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		path := filepath.Join(dir, name+".schema.json")
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// encode returns indented JSON in which every character that is not visible ASCII is
// escaped: the pattern for blank texts contains white space that an editor could change.
func encode(schema *jsonschema.Schema) ([]byte, error) {
	schema.Version = draft07
	text, err := json.MarshalIndent(schema, "", "  ")
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	for _, r := range string(text) {
		if r > '~' {
			fmt.Fprintf(&out, `\u%04x`, r)
			continue
		}
		out.WriteRune(r)
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

// reflected returns the plain schema of a Go type, without references. If the type keeps a value unchanged, any JSON
// value is allowed.
func reflected(v any) *jsonschema.Schema {
	r := jsonschema.Reflector{
		Anonymous:      true,
		DoNotReference: true,
		Mapper: func(t reflect.Type) *jsonschema.Schema {
			if t == reflect.TypeFor[jsontext.Value]() || t == reflect.TypeFor[protocol.Loose]() {
				return &jsonschema.Schema{}
			}
			return nil
		},
	}
	return r.Reflect(v)
}
