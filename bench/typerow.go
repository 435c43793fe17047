package main

import (
	"fmt"

	"github.com/hookbridge/bridge/protocol"
)

// typeRow is a hook of one type in a project that belongs to nobody. What a type
// answers there is its own affair.
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

// typeInput gives an input of the type's first event.
func typeInput(p project, hook protocol.Row) func(int) []byte {
	switch hook.Type {
	case protocol.Ralph, protocol.PersistentMode, protocol.Autopilot, protocol.StopContinuation:
		return stopInput(p)
	case protocol.KeywordDetector, protocol.SessionStart, protocol.SessionEnd, protocol.PreToolUse, protocol.PostToolUse, protocol.SubagentStart,
		protocol.SubagentStop, protocol.PreCompact, protocol.SetupInit, protocol.SetupMaintenance, protocol.PermissionRequest:
	}
	return func(n int) []byte {
		return fmt.Appendf(nil, `{%s,"hook_event_name":%s%s}`, common(p), quote(string(hook.Events[0])), typeFields(hook.Type, n))
	}
}

// typeFields are the fields that only one type's event has.
func typeFields(t protocol.Type, n int) string {
	tool := fmt.Sprintf(`,"tool_name":"Bash","tool_use_id":"toolu_%d","tool_input":{"command":"touch y.txt","description":"touch"}`, n)
	switch t {
	case protocol.KeywordDetector:
		return `,"prompt":"Change the parser so that nested lists are read."`
	case protocol.SessionStart:
		return `,"source":"startup"`
	case protocol.SessionEnd:
		return `,"reason":"other"`
	case protocol.PreToolUse, protocol.PermissionRequest:
		return tool
	case protocol.PostToolUse:
		return tool + `,"tool_response":{"stdout":"","stderr":""}`
	case protocol.SubagentStart, protocol.SubagentStop:
		return `,"agent_id":"a1","agent_type":"Explore"`
	case protocol.PreCompact:
		return `,"trigger":"auto"`
	case protocol.SetupInit:
		return `,"trigger":"init"`
	case protocol.SetupMaintenance:
		return `,"trigger":"maintenance"`
	case protocol.Ralph, protocol.PersistentMode, protocol.Autopilot, protocol.StopContinuation:
	}
	return ""
}
