package schemas_test

import (
	"encoding/json"
	"fmt"

	"github.com/hookbridge/bridge/protocol"
	"github.com/hookbridge/bridge/schemas"
)

// Any JSON schema library can read what these functions return.
func Example() {
	input, err := schemas.Input(protocol.PermissionRequest)
	if err != nil {
		panic(err)
	}
	output, err := schemas.Output(protocol.EventPermissionRequest)
	if err != nil {
		panic(err)
	}
	for _, text := range [][]byte{input, output, schemas.Config()} {
		var schema struct {
			Draft string `json:"$schema"`
			Title string `json:"title"`
		}
		if err := json.Unmarshal(text, &schema); err != nil {
			panic(err)
		}
		fmt.Println(schema.Draft, schema.Title)
	}
	// Output:
	// http://json-schema.org/draft-07/schema# Input of bridge --hook=permission-request
	// http://json-schema.org/draft-07/schema# Output at PermissionRequest
	// http://json-schema.org/draft-07/schema# Configuration of bridge
}

// A string that is not a type has no schema.
func ExampleInput() {
	_, err := schemas.Input("no-such-type")
	fmt.Println(err)
	// Output: no input schema: "no-such-type" is not a hook type
}
