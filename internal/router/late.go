package router

import (
	"github.com/hookbridge/bridge/hooks"
	"github.com/hookbridge/bridge/hooks/guard"
)

// lateOf returns what a type writes down when its handler ran into the deadline,
// or nil (seed 004, section 2.4). The writes follow the answer.
func lateOf(t hooks.Type) func(hooks.Request) []hooks.Write {
	switch t {
	case hooks.PreToolUse:
		return guard.LatePreToolUse
	case hooks.PostToolUse:
		return guard.LatePostToolUse
	case hooks.KeywordDetector, hooks.Ralph, hooks.PersistentMode, hooks.StopContinuation,
		hooks.SessionStart, hooks.SessionEnd, hooks.Autopilot, hooks.SubagentStart, hooks.SubagentStop,
		hooks.PreCompact, hooks.SetupInit, hooks.SetupMaintenance, hooks.PermissionRequest:
		return nil
	}
	return nil
}
