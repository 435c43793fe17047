package generate

import (
	"fmt"

	"github.com/invopop/jsonschema"

	"github.com/hookbridge/bridge/protocol"
)

// config returns the schema of the user's configuration, with the comments of its
// Go fields as descriptions. It runs in the directory of package schemas.
func config() (*jsonschema.Schema, error) {
	r := jsonschema.Reflector{Anonymous: true, DoNotReference: true}
	if err := r.AddGoComments("github.com/hookbridge/bridge/schemas", "../protocol"); err != nil {
		return nil, fmt.Errorf("read the comments of the configuration: %w", err)
	}
	s := r.Reflect(protocol.Config{})
	s.Title = "Configuration of bridge"
	s.Description = "config.json in $XDG_CONFIG_HOME/bridge. Comments and trailing commas are allowed; an unknown name is an error."
	s.AdditionalProperties = jsonschema.FalseSchema
	if deadlines, ok := s.Properties.Get("deadlines_ms"); ok {
		deadlines.PropertyNames = &jsonschema.Schema{Enum: []any{"$TYPES"}}
	}
	return s, nil
}
