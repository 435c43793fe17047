package main

import (
	"fmt"

	"github.com/hookbridge/bridge/hooks"
)

// typeRow is a hook of one type in a project that belongs to nobody. What a type
// answers there is its own affair.
func typeRow(w *world, bins binaries, t hooks.Type) (row, error) {
	hook, _ := hooks.Lookup(t)
	p, err := w.newProject("type-"+string(t), 1<<10)
	if err != nil {
		return row{}, err
	}
	r := hookRow(string(t), string(t), string(t), p, w, bins, typeInput(p, hook))
	r.right = func([]byte) bool { return true }
	return r, nil
}

// typeInput gives an input of the type's first event.
func typeInput(p project, hook hooks.Row) func(int) []byte {
	switch hook.Type {
	case hooks.Ralph, hooks.PersistentMode, hooks.Autopilot, hooks.StopContinuation:
		return stopInput(p)
	case hooks.KeywordDetector, hooks.SessionStart, hooks.SessionEnd, hooks.PreToolUse, hooks.PostToolUse, hooks.SubagentStart,
		hooks.SubagentStop, hooks.PreCompact, hooks.SetupInit, hooks.SetupMaintenance, hooks.PermissionRequest:
	}
	return func(n int) []byte {
		return fmt.Appendf(nil, `{%s,"hook_event_name":%s%s}`, common(p), quote(string(hook.Events[0])), typeFields(hook.Type, n))
	}
}

// typeFields are the fields that only one type's event has.
func typeFields(t hooks.Type, n int) string {
	tool := fmt.Sprintf(`,"tool_name":"Bash","tool_use_id":"toolu_%d","tool_input":{"command":"touch y.txt","description":"touch"}`, n)
	switch t {
	case hooks.KeywordDetector:
		return `,"prompt":"Change the parser so that nested lists are read."`
	case hooks.SessionStart:
		return `,"source":"startup"`
	case hooks.SessionEnd:
		return `,"reason":"other"`
	case hooks.PreToolUse, hooks.PermissionRequest:
		return tool
	case hooks.PostToolUse:
		return tool + `,"tool_response":{"stdout":"","stderr":""}`
	case hooks.SubagentStart, hooks.SubagentStop:
		return `,"agent_id":"a1","agent_type":"Explore"`
	case hooks.PreCompact:
		return `,"trigger":"auto"`
	case hooks.SetupInit:
		return `,"trigger":"init"`
	case hooks.SetupMaintenance:
		return `,"trigger":"maintenance"`
	case hooks.Ralph, hooks.PersistentMode, hooks.Autopilot, hooks.StopContinuation:
	}
	return ""
}
