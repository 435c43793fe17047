package router

import (
	"github.com/hookbridge/bridge/hooks"
	"github.com/hookbridge/bridge/hooks/guard"
	"github.com/hookbridge/bridge/hooks/permission"
	"github.com/hookbridge/bridge/hooks/stop"
)

// handlerOf returns the handler of a type, or nil for a type that passes
// silently.
func handlerOf(t hooks.Type) hooks.Handler {
	switch t {
	case hooks.Ralph, hooks.PersistentMode, hooks.StopContinuation, hooks.Autopilot:
		return stop.Handle
	case hooks.PermissionRequest:
		return permission.Handle
	case hooks.PreToolUse:
		return guard.PreToolUse
	case hooks.KeywordDetector, hooks.SessionStart, hooks.SessionEnd,
		hooks.PostToolUse, hooks.SubagentStart, hooks.SubagentStop, hooks.PreCompact,
		hooks.SetupInit, hooks.SetupMaintenance:
		return nil
	}
	return nil
}
