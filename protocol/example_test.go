package protocol_test

import (
	"fmt"

	"github.com/hookbridge/bridge/protocol"
)

// A hook line names a type, a chain of types, or the client's event.
func ExampleParseHook() {
	for _, value := range []string{"permission-request", "Stop", "no-such-hook"} {
		hook, ok := protocol.ParseHook(value)
		fmt.Println(hook.Name, hook.Types, ok)
	}
	// Output:
	// permission-request [permission-request] true
	// stop [ralph persistent-mode stop-continuation] true
	//  [] false
}

// The row of a type says which events call it, how long it may run, and whether a failure is a deny.
func ExampleLookup() {
	row, ok := protocol.Lookup(protocol.PermissionRequest)
	fmt.Println(row.Events, row.Deadline, row.Fail == protocol.FailClosed, ok)
	// Output: [PermissionRequest] 4s true true
}

// A constructor makes the answer, and AppendJSON writes the line for the client.
func ExampleOutput_AppendJSON() {
	for _, out := range []protocol.Output{
		protocol.Block("Go on with task 3.", "loop: iteration 2"),
		protocol.DenyTool("This would delete the repository."),
		protocol.Silent(),
	} {
		if out.IsSilent() {
			fmt.Println("no opinion: nothing is printed")
			continue
		}
		line, err := out.AppendJSON(nil, nil)
		if err != nil {
			panic(err)
		}
		fmt.Println(string(line))
	}
	// Output:
	// {"decision": "block", "reason": "Go on with task 3.", "systemMessage": "loop: iteration 2"}
	// {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "This would delete the repository."}}
	// no opinion: nothing is printed
}
