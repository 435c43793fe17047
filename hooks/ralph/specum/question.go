package specum

import (
	"context"
	"fmt"

	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// NoQuestions denies the tool that asks the user while this session drives a spec in
// quick mode, because nobody would answer. next decides first.
func NoQuestions(next protocol.Handler) protocol.Handler {
	return func(ctx context.Context, req protocol.Request) (protocol.Outcome, error) {
		outcome, err := next(ctx, req)
		if req.Input.Tool.ToolName != claude.ToolQuestion || req.Input.AgentID != "" || err != nil || outcome.Output.HookSpecific != nil {
			return outcome, err
		}
		spec, ok := quickSpec(req.Stop())
		if !ok {
			return outcome, nil
		}
		outcome.Trace.Rule, outcome.Trace.Loop = RuleQuick, "specum"
		outcome.Output = protocol.DenyTool(fmt.Sprintf("Quick mode is on for %s, so nobody will answer. Choose what fits the spec best, write the choice and the reason into %s/.progress.md, and continue.",
			display.Text(spec.Name), display.Text(spec.Shown)))
		outcome.Output.SystemMessage = "Ralph-specum quick mode: a question to you was held back. Claude decides for itself and notes the decision in .progress.md."
		return outcome, nil
	}
}

// quickSpec returns the current spec if it is in quick mode and does not belong to
// another session.
func quickSpec(s *protocol.Stop) (Spec, bool) {
	if s.Input.CWD == "" {
		return Spec{}, false
	}
	v := specumVariant()
	for _, dir := range s.Places {
		p := v.lookup(dir, s.Root)
		if p.disabled {
			return Spec{}, false
		}
		for _, spec := range p.current() {
			r := &run{spec: spec, stop: s, records: recordsOf(s.Env.StateHome)}
			var file statefile.File
			err := spec.open(func(dir stateDir) (err error) {
				file, err = dir.Read(v.state)
				return err
			})
			if err != nil {
				continue
			}
			r.modified, r.changed = file.ModTime, file.ChangeTime
			if r.state, r.content = ParseState(file.Data); r.content != Object || !r.state.QuickMode {
				return Spec{}, false
			}
			r.record = r.records.load(spec.statePath())
			_, ok := r.mayAct()
			return spec, ok && r.record.Released == Held
		}
	}
	return Spec{}, false
}
