package router

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/hookbridge/bridge/hooks"
	"github.com/hookbridge/bridge/hooks/autopilot"
	"github.com/hookbridge/bridge/hooks/guard"
	"github.com/hookbridge/bridge/hooks/keyword"
	"github.com/hookbridge/bridge/hooks/lifecycle"
	"github.com/hookbridge/bridge/hooks/permission"
	"github.com/hookbridge/bridge/hooks/ralph"
	"github.com/hookbridge/bridge/hooks/ralph/specum"
	"github.com/hookbridge/bridge/hooks/stop"
	"github.com/hookbridge/bridge/moderegistry"
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
		return inOrder(lifecycle.Subagent, autopilot.Progress)
	case hooks.SessionStart:
		return lifecycle.SessionStart(List)
	case hooks.SessionEnd:
		return lifecycle.SessionEnd(List)
	case hooks.PreCompact:
		return lifecycle.PreCompact(List)
	case hooks.SetupInit:
		return lifecycle.SetupInit
	case hooks.SetupMaintenance:
		return lifecycle.SetupMaintenance
	case hooks.PermissionRequest:
		return permission.Handle
	case hooks.PreToolUse:
		return specum.NoQuestions(guard.PreToolUse)
	case hooks.PostToolUse:
		return guard.PostToolUse
	case hooks.KeywordDetector:
		return keyword.Handle(List)
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

// inOrder carries out two handlers of one event. What the first does is not lost
// when the second fails.
func inOrder(first, second hooks.Handler) hooks.Handler {
	return func(ctx context.Context, req hooks.Request) (hooks.Outcome, error) {
		outcome, err := first(ctx, req)
		if err != nil {
			return outcome, err
		}
		more, err := second(ctx, req)
		if err != nil {
			outcome.Diagnostic = err.Error()
			return outcome, nil
		}
		outcome.Writes = append(slices.Clip(outcome.Writes), more.Writes...)
		if outcome.Trace.Step = more.Trace.Step; outcome.Diagnostic == "" {
			outcome.Diagnostic = more.Diagnostic
		}
		release := outcome.Close
		outcome.Close = func() {
			for _, f := range []func(){more.Close, release} {
				if f != nil {
					f()
				}
			}
		}
		return outcome, nil
	}
}

// List returns every loop and mode of the project, of whatever session.
func List(s *hooks.Stop) ([]hooks.Controlled, error) {
	var all []hooks.Controlled
	var errs []error
	for _, dialect := range ralph.Dialects() {
		loops, err := dialect.List(s)
		if err != nil {
			errs = append(errs, fmt.Errorf("list the loops of dialect %s: %w", dialect.Name, err))
		}
		all = append(all, loops...)
	}
	others := slices.DeleteFunc(moderegistry.AllModes(), func(m moderegistry.Mode) bool { return m == moderegistry.Ralph })
	modes, err := moderegistry.Lister(others...)(s)
	return append(all, modes...), errors.Join(append(errs, err)...)
}
