package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/hookbridge/bridge/protocol"
)

// typeRow is a hook of one type in a temporary project. Any answer is accepted.
func typeRow(w *world, bins binaries, t protocol.Type) (row, error) {
	hook, _ := protocol.Lookup(t)
	p, err := w.newProject("type-"+string(t), 1<<10)
	if err != nil {
		return row{}, err
	}
	r := hookRow(string(t), string(t), string(t), p, w, bins, typeInput(p, hook))
	r.right = func([]byte) bool { return true }
	return r, nil
}

// eventFields are the fields of single events; $N is the number of the call.
var eventFields = map[protocol.Event]string{
	protocol.EventUserPromptSubmit:  `,"prompt":"Change the parser so that nested lists are read."`,
	protocol.EventSessionStart:      `,"source":"startup"`,
	protocol.EventSessionEnd:        `,"reason":"other"`,
	protocol.EventPreToolUse:        toolFields,
	protocol.EventPermissionRequest: toolFields,
	protocol.EventPostToolUse:       toolFields + `,"tool_response":{"stdout":"","stderr":""}`,
	protocol.EventSubagentStart:     agentFields,
	protocol.EventSubagentStop:      agentFields,
	protocol.EventPreCompact:        `,"trigger":"auto"`,
	protocol.EventSetup:             `,"trigger":"$TRIGGER"`,
}

const (
	toolFields  = `,"tool_name":"Bash","tool_use_id":"toolu_$N","tool_input":{"command":"touch y.txt","description":"touch"}`
	agentFields = `,"agent_id":"a1","agent_type":"Explore"`
)

// typeInput gives an input of the type's first event.
func typeInput(p project, hook protocol.Row) func(int) []byte {
	event := hook.Events[0]
	if event == protocol.EventStop {
		return stopInput(p)
	}
	return func(n int) []byte {
		fields := strings.NewReplacer("$N", strconv.Itoa(n), "$TRIGGER", hook.Trigger).Replace(eventFields[event])
		return fmt.Appendf(nil, `{%s,"hook_event_name":%s%s}`, common(p), quote(string(event)), fields)
	}
}
