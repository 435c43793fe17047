package router

import (
	"context"

	"github.com/hookbridge/bridge/hooks"
	"github.com/hookbridge/bridge/hooks/autopilot"
	"github.com/hookbridge/bridge/hooks/guard"
	"github.com/hookbridge/bridge/hooks/permission"
	"github.com/hookbridge/bridge/hooks/stop"
)

// handlerOf returns the handler of a type, or nil for a type that passes
// silently.
func handlerOf(t hooks.Type) hooks.Handler {
	switch t {
	case hooks.Ralph, hooks.PersistentMode, hooks.StopContinuation:
		return stop.Handle
	case hooks.Autopilot:
		return autopilotHandler
	case hooks.SubagentStart, hooks.SubagentStop:
		return autopilot.Progress
	case hooks.PermissionRequest:
		return permission.Handle
	case hooks.PreToolUse:
		return guard.PreToolUse
	case hooks.KeywordDetector, hooks.SessionStart, hooks.SessionEnd,
		hooks.PostToolUse, hooks.PreCompact,
		hooks.SetupInit, hooks.SetupMaintenance:
		return nil
	}
	return nil
}

// autopilotHandler is a step of the Stop chain, and follows subagents where the
// event is theirs.
func autopilotHandler(ctx context.Context, req hooks.Request) (hooks.Outcome, error) {
	if event := req.Input.HookEventName; event == hooks.EventSubagentStart || event == hooks.EventSubagentStop {
		return autopilot.Progress(ctx, req)
	}
	return stop.Handle(ctx, req)
}
