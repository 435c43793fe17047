package normalize_test

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hookbridge/bridge/normalize"
	"github.com/hookbridge/bridge/protocol"
)

// A hook reads one object from stdin and decodes the fields of its type. Aliases are
// folded, and what the whitelist does not have is dropped.
func Example() {
	hook, _ := protocol.ParseHook("permission-request")
	stdin := strings.NewReader(`{"sessionId": "s1", "cwd": "/src", "tool_name": "Bash", "tool_input": {"command": "ls"}, "extra": 1}`)
	text, err := normalize.Read(stdin, normalize.LimitsOf(hook))
	if err != nil {
		panic(err)
	}
	result, err := normalize.Decode(hook, text)
	if err != nil {
		panic(err)
	}
	fmt.Println(result.Input.SessionID, result.Input.Tool.ToolName, string(result.Input.Tool.ToolInput))
	fmt.Println("dropped:", result.Audit)
	// Output:
	// s1 Bash {"command": "ls"}
	// dropped: [extra]
}

// The error names a rule and a field, and never holds text of the input.
func ExampleMalformed() {
	hook, _ := protocol.ParseHook("permission-request")
	_, err := normalize.Decode(hook, []byte(`{"session_id": "s1", "cwd": "/src", "tool_name": 7}`))
	var malformed *normalize.Malformed
	if errors.As(err, &malformed) {
		fmt.Println(malformed.Rule, malformed.Field)
		fmt.Println(malformed)
	}
	// Output:
	// wrong-type tool_name
	// hook input has the wrong type of value in tool_name
}
