// Package schemas holds the JSON schemas (draft-07) of what bridge reads and prints: one per hook type for inputs, one
// per event for outputs. They are generated from the Go types and committed; this package only embeds the files, so that
// no hook pays for a validator or a generator.
package schemas

import (
	"bytes"
	"embed"
	"fmt"
	"strconv"
	"strings"

	"github.com/hookbridge/bridge/protocol"
)

//go:generate go run ./gen .

//go:embed input/*.schema.json output/*.schema.json config.schema.json
var files embed.FS

const suffix = ".schema.json"

// Input returns the schema of the input of t. It describes the client's spelling of the
// names; the camelCase aliases are resolved before it applies.
func Input(t protocol.Type) ([]byte, error) {
	text, err := files.ReadFile("input/" + string(t) + suffix)
	if err != nil {
		return nil, fmt.Errorf("no input schema: %q is not a hook type", t)
	}
	return text, nil
}

// Output returns the schema of what a hook may print at event. Printing nothing is always
// allowed and not part of the schema.
func Output(event protocol.Event) ([]byte, error) {
	text, err := files.ReadFile("output/" + string(event) + suffix)
	if err != nil {
		return nil, fmt.Errorf("no output schema: %q is not an event that bridge answers", event)
	}
	return text, nil
}

// Config returns the schema of the user's configuration. The embedded file contains
// $TYPES in the place of the names of all types, which are listed only in the table.
func Config() []byte {
	text, err := files.ReadFile("config" + suffix)
	if err != nil {
		panic(err) // the file is embedded
	}
	var names []string
	for _, row := range protocol.AllRows() {
		names = append(names, strconv.Quote(string(row.Type)))
	}
	return bytes.Replace(text, []byte(`"$TYPES"`), []byte(strings.Join(names, ",\n          ")), 1)
}
