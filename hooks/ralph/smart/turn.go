package smart

import (
	"slices"

	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/hooks/ralph/smart/assess"
	"github.com/hookbridge/bridge/hooks/ralph/smart/plan"
	"github.com/hookbridge/bridge/protocol"
)

// canAsk reports whether somebody can answer a question in this session: not in print
// mode, and not in a permission mode that answers or dismisses every question by itself.
func (l *loop) canAsk() bool {
	switch l.in.PermissionMode {
	case "dontAsk", "bypassPermissions":
		return false
	}
	entry := l.env.Getenv(claude.EnvEntrypoint)
	return len(entry) < 3 || entry[:3] != "sdk"
}

// assessment finds the assessment of this turn, or nil. The assessment of an older turn
// never counts (R3-21). The final message belongs to this turn, whatever numbers the block
// names, unless it equals the final message of the previous turn. An earlier text counts
// only if no tool was used after it, and if the transcript is known to show this turn or
// the block names this iteration.
func (l *loop) assessment(turn protocol.Turn) *assess.Assessment {
	fits := func(a assess.Assessment) bool {
		return (a.Task == 0 || a.Task == l.state.CurrentIndex+1) && (a.Iteration == 0 || a.Iteration == l.state.Iteration+1)
	}
	if a, ok := assess.Find(turn.Final); ok {
		if l.same && !fits(a) || l.repeated && a.Iteration == 0 {
			return nil
		}
		return &a
	}
	current := isCurrent(turn, l.entries)
	for _, e := range slices.Backward(l.entries) {
		if e.Kind != protocol.EntryText {
			// An assessment does not cover the work after it.
			return nil
		}
		if a, ok := assess.FindAlone(e.Text); ok && fits(a) && (current || a.Iteration > 0) {
			return &a
		}
	}
	return nil
}

// planned finds the task list of this turn.
func (l *loop) planned(turn protocol.Turn) ([]plan.Task, error) {
	tasks, err := plan.ParseAnalysis(turn.Final)
	if err == nil || !isCurrent(turn, l.entries) {
		return tasks, err
	}
	for _, e := range slices.Backward(l.entries) {
		if e.Kind != protocol.EntryText {
			continue
		}
		if tasks, other := plan.ParseAnalysis(e.Text); other == nil {
			return tasks, nil
		}
	}
	return nil, err
}

// isCurrent reports whether the transcript shows this turn to its end. The transcript
// lags behind the client and may still show the previous turn.
func isCurrent(turn protocol.Turn, entries []protocol.Entry) bool {
	for _, e := range slices.Backward(entries) {
		if e.Kind == protocol.EntryText {
			return turn.HasFinal && e.Text == turn.Final
		}
	}
	return false
}
