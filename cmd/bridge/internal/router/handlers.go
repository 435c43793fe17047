package router

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/hookbridge/bridge/hooks/autopilot"
	"github.com/hookbridge/bridge/hooks/guard"
	"github.com/hookbridge/bridge/hooks/keyword"
	"github.com/hookbridge/bridge/hooks/lifecycle"
	"github.com/hookbridge/bridge/hooks/permission"
	"github.com/hookbridge/bridge/hooks/ralph"
	"github.com/hookbridge/bridge/hooks/ralph/specum"
	"github.com/hookbridge/bridge/hooks/stop"
	"github.com/hookbridge/bridge/moderegistry"
	"github.com/hookbridge/bridge/protocol"
)

// handlerOf returns the handler of a type, or nil for a type that passes
// silently.
func handlerOf(t protocol.Type) protocol.Handler {
	switch t {
	case protocol.Ralph, protocol.PersistentMode, protocol.StopContinuation:
		return stop.Handle
	case protocol.Autopilot:
		return autopilotHandler
	case protocol.SubagentStart, protocol.SubagentStop:
		return inOrder(lifecycle.Subagent, autopilot.Progress)
	case protocol.SessionStart:
		return lifecycle.SessionStart(List)
	case protocol.SessionEnd:
		return lifecycle.SessionEnd(listOwn)
	case protocol.PreCompact:
		return lifecycle.PreCompact(listOwn)
	case protocol.SetupInit:
		return lifecycle.SetupInit
	case protocol.SetupMaintenance:
		return lifecycle.SetupMaintenance
	case protocol.PermissionRequest:
		return permission.Handle
	case protocol.PreToolUse:
		return specum.NoQuestions(guard.PreToolUse)
	case protocol.PostToolUse:
		return guard.PostToolUse
	case protocol.KeywordDetector:
		return keyword.Handle(List)
	}
	return nil
}

// autopilotHandler is a step of the Stop chain, and follows subagents where the
// event is theirs.
func autopilotHandler(ctx context.Context, req protocol.Request) (protocol.Outcome, error) {
	if event := req.Input.HookEventName; event == protocol.EventSubagentStart || event == protocol.EventSubagentStop {
		return autopilot.Progress(ctx, req)
	}
	return stop.Handle(ctx, req)
}

// inOrder carries out two handlers of one event. What the first does is not lost
// when the second fails.
func inOrder(first, second protocol.Handler) protocol.Handler {
	return func(ctx context.Context, req protocol.Request) (protocol.Outcome, error) {
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
func List(s *protocol.Stop) ([]protocol.Controlled, error) { return list(s, moderegistry.Lister) }

// listOwn is List without the modes of other sessions, whose folders it does not
// read.
func listOwn(s *protocol.Stop) ([]protocol.Controlled, error) { return list(s, moderegistry.OwnLister) }

func list(s *protocol.Stop, lister func(...moderegistry.Mode) protocol.Lister) ([]protocol.Controlled, error) {
	var all []protocol.Controlled
	var errs []error
	omc := moderegistry.Kind(moderegistry.Ralph)
	for _, dialect := range ralph.Dialects() {
		if dialect.Name == omc {
			// It is one of the modes: all of them are found by one look.
			continue
		}
		loops, err := dialect.List(s)
		if err != nil {
			errs = append(errs, fmt.Errorf("list the loops of dialect %s: %w", dialect.Name, err))
		}
		all = append(all, loops...)
	}
	modes, err := lister(moderegistry.AllModes()...)(s)
	for _, loop := range []bool{true, false} {
		for _, m := range modes {
			if (m.Status.Kind == omc) == loop {
				all = append(all, m)
			}
		}
	}
	return all, errors.Join(append(errs, err)...)
}
