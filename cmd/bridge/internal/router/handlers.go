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

// row says what a type does. A type without a handler always passes silently.
type row struct {
	of     protocol.Type
	handle protocol.Handler
	// late returns the writes that follow the answer if the deadline has passed
	// (docs/reference/hook-standard.md#timeouts).
	late func(protocol.Request) []protocol.Write
	// tells says that the router adds notices about the environment to the handler's
	// answer. This applies to all handlers that judge tool calls; those of Stop show the
	// notices together with their own.
	tells bool
	// judge is for types that judge tool calls: the part of the handler that no kill
	// switch of a repository can switch off.
	judge protocol.Handler
}

// table is data that the linker lays out, like the tables of package protocol.
var table = [...]row{
	{of: protocol.KeywordDetector, handle: keywordDetector, tells: true},
	{of: protocol.Ralph, handle: stop.Handle},
	{of: protocol.PersistentMode, handle: stop.Handle},
	{of: protocol.StopContinuation, handle: stop.Handle},
	{of: protocol.SessionStart, handle: sessionStart, tells: true},
	{of: protocol.SessionEnd, handle: sessionEnd},
	{of: protocol.PreToolUse, handle: preToolUse, late: guard.LatePreToolUse, judge: guard.PreToolUse},
	{of: protocol.PostToolUse, handle: guard.PostToolUse, late: guard.LatePostToolUse},
	{of: protocol.Autopilot, handle: autopilotHandler},
	{of: protocol.SubagentStart, handle: subagent},
	{of: protocol.SubagentStop, handle: subagent},
	{of: protocol.PreCompact, handle: preCompact},
	{of: protocol.SetupInit, handle: lifecycle.SetupInit},
	{of: protocol.SetupMaintenance, handle: lifecycle.SetupMaintenance},
	{of: protocol.PermissionRequest, handle: permission.Handle, judge: permission.Handle},

	{of: protocol.StopFailure, handle: lifecycle.StopFailure},
	{of: protocol.PostCompact, handle: postCompact},
	{of: protocol.ConfigChange, handle: lifecycle.ConfigChange},
	{of: protocol.PermissionDenied, handle: lifecycle.Note},
	{of: protocol.TaskCompleted, handle: lifecycle.Note},
	{of: protocol.TeammateIdle, handle: lifecycle.Note},
}

// rowOf returns the row of the type that answers for a hook.
func rowOf(hook protocol.Hook) row {
	for i := range table {
		if table[i].of == hook.Types[0] {
			return table[i]
		}
	}
	return row{}
}

func keywordDetector(ctx context.Context, req protocol.Request) (protocol.Outcome, error) {
	return keyword.Handle(List)(ctx, req)
}

func sessionStart(ctx context.Context, req protocol.Request) (protocol.Outcome, error) {
	return lifecycle.SessionStart(List)(ctx, req)
}

func sessionEnd(ctx context.Context, req protocol.Request) (protocol.Outcome, error) {
	return lifecycle.SessionEnd(listOwn)(ctx, req)
}

func preCompact(ctx context.Context, req protocol.Request) (protocol.Outcome, error) {
	return lifecycle.PreCompact(listOwn)(ctx, req)
}

func postCompact(ctx context.Context, req protocol.Request) (protocol.Outcome, error) {
	return lifecycle.PostCompact(listOwn)(ctx, req)
}

func preToolUse(ctx context.Context, req protocol.Request) (protocol.Outcome, error) {
	return specum.NoQuestions(guard.PreToolUse)(ctx, req)
}

func subagent(ctx context.Context, req protocol.Request) (protocol.Outcome, error) {
	return inOrder(lifecycle.Subagent, autopilot.Progress)(ctx, req)
}

// autopilotHandler handles a step of the Stop chain, and the events of subagents.
func autopilotHandler(ctx context.Context, req protocol.Request) (protocol.Outcome, error) {
	if event := req.Input.HookEventName; event == protocol.EventSubagentStart || event == protocol.EventSubagentStop {
		return autopilot.Progress(ctx, req)
	}
	return stop.Handle(ctx, req)
}

// inOrder runs two handlers for one event. If the second one fails, the work of the first
// one is not lost.
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

// List returns every loop and mode of the project, of any session.
func List(s *protocol.Stop) ([]protocol.Controlled, error) { return list(s, moderegistry.Lister) }

// listOwn is List without the modes of other sessions; it does not read their folders.
func listOwn(s *protocol.Stop) ([]protocol.Controlled, error) { return list(s, moderegistry.OwnLister) }

func list(s *protocol.Stop, lister func(...moderegistry.Mode) protocol.Lister) ([]protocol.Controlled, error) {
	var all []protocol.Controlled
	var errs []error
	omc := moderegistry.Kind(moderegistry.Ralph)
	for _, dialect := range ralph.Dialects() {
		if dialect.Name == omc {
			// This dialect is one of the modes, which are all listed
			// together.
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
