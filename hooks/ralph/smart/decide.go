package smart

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/hookbridge/bridge/hooks/ralph/smart/assess"
	"github.com/hookbridge/bridge/hooks/ralph/smart/decide"
	"github.com/hookbridge/bridge/hooks/ralph/smart/plan"
	"github.com/hookbridge/bridge/hooks/ralph/smart/state"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/protocol"
)

const defaultConfidence = decide.ConfidenceThreshold

// Decide answers a stop.
func (l *loop) Decide(turn protocol.Turn, now time.Time) protocol.Decision {
	switch {
	case l.lost:
		return l.giveUp(now)
	case l.unsure && !l.state.Active:
		return l.standStill(now)
	}
	edited := l.edited(now)
	var d protocol.Decision
	if l.state.Phase == state.Analyzing {
		d = l.decideAnalysis(turn, now)
	} else {
		d = l.decideTurn(turn, now)
	}
	d.Message = edited + d.Message
	if l.damage != nil {
		d.Diagnostic = l.diagnostic()
	}
	return d
}

// diagnostic is the line about a damaged state on stderr.
func (l *loop) diagnostic() string {
	if l.damage == nil {
		return "smart ralph: " + StateName + " does not say whether the session is active, so it is paused."
	}
	return fmt.Sprintf("smart ralph: %s was damaged (%v); its backup was used, and the damaged file is kept in %s.", StateName, l.damage, l.keptAs)
}

// standStill pauses a session whose state does not say whether it is active, because a
// person may have paused it.
func (l *loop) standStill(now time.Time) protocol.Decision {
	message := l.edited(now) + l.lang.StandsStill()
	s := l.state.Clone()
	s.EndReason = cmp.Or(s.EndReason, "paused")
	return l.with(protocol.Decision{Kind: protocol.Finish, Rule: "activity-unknown", Message: message, Diagnostic: l.diagnostic()}, s, now)
}

// decideAnalysis looks for the task list.
func (l *loop) decideAnalysis(turn protocol.Turn, now time.Time) protocol.Decision {
	tasks, err := l.planned(turn)
	fallback, found := plan.Parse(l.analysis.text)
	inFile := len(fallback)
	if !found && l.analysis.text != "" {
		fallback, inFile = plan.Whole(l.analysis.text, filepath.Base(l.state.TaskFile)), 0
	}
	first := !l.state.Briefed
	step := decide.Plan(l.state, decide.Analysis{Tasks: tasks, Err: err, Fallback: fallback})
	switch {
	case step.Kind == decide.AskAnalysis:
		d := protocol.Decision{Kind: protocol.Continue, Rule: string(step.Kind), Message: l.lang.AnalysisMissing(step.State)}
		if first {
			d.Message = strings.TrimSpace(l.lang.Start(step.State, true))
		}
		d.Reason = l.lang.ParseAgain(step.Problem, l.shownTaskFile(), l.analysis.text, first)
		return l.with(d, step.State, now)
	case len(step.State.Tasks) == 0:
		// The model gave no list, and the file is gone.
		return l.noTasks(now)
	}
	return l.with(protocol.Decision{
		Kind: protocol.Continue, Rule: string(step.Kind),
		Reason:  l.lang.Task(step.State, false),
		Message: l.lang.Planned(step.State, step.Fallback, inFile),
	}, step.State, now)
}

// shownTaskFile is the path that the model is told to read.
func (l *loop) shownTaskFile() string {
	if l.runtime.TaskFile != "" {
		return l.runtime.TaskFile
	}
	return l.state.TaskFile
}

// noTasks ends a session for which the model gave no list and whose task file can no
// longer be read.
func (l *loop) noTasks(now time.Time) protocol.Decision {
	s := l.state.Clone()
	s.Active, s.Phase, s.EndReason = false, state.Stopped, "no_tasks"
	message := l.lang.NoTasks(l.shownTaskFile(), l.analysis.err)
	return l.with(protocol.Decision{Kind: protocol.Finish, Rule: "no-tasks", Message: message, Diagnostic: "smart ralph stopped: there is no task list, and the task file cannot be read."}, s, now)
}

// decideTurn judges a turn.
func (l *loop) decideTurn(turn protocol.Turn, now time.Time) protocol.Decision {
	a := l.assessment(turn)
	signals := l.signals
	before := l.state
	if told := l.runtime.Told; told != "" && told != project.ID(decide.Next(before)) {
		// A person changed the current task during the turn. What the model says is about
		// the one that it was told.
		a, before.Briefed = nil, false
	}
	step := decide.Advance(before, &signals, a, l.confidence())
	d := protocol.Decision{Kind: protocol.Continue, Rule: rule(step)}
	s := step.State
	blocker := blockerOf(a)
	l.runtime.Carried = nil
	if step.Verdict.IsDoubt() {
		l.runtime.Doubted = step.Task + 1
	}
	switch step.Kind {
	case decide.Brief:
		d.Reason, d.Message = l.lang.Task(s, false), l.lang.Begins(s)
		if s.Iteration > 0 || s.Count(state.Completed) > 0 {
			d.Reason, d.Message = l.lang.Resume(s), l.lang.Resumed(s)
		}
	case decide.AskAssessment:
		l.runtime.Carried = &signals
		d.Reason, d.Message = l.lang.Assess(s, signals, a), l.lang.AssessmentMissing(s, a)
	case decide.Judged:
		l.judged(&d, step, a, blocker)
		if !step.Switched {
			d.Reason = l.lang.GoOn(step, signals, a)
		}
		d.Reason = l.lang.Numbers(l.state, a) + d.Reason
	case decide.Paused:
		d.Kind = protocol.Finish
		d.Message = l.lang.Paused(step, signals, blocker)
		d.Diagnostic = fmt.Sprintf("smart ralph stopped at iteration %d: %s.", s.Iteration, s.EndReason)
	case decide.Finished:
		d.Kind = protocol.Finish
		d.Message = l.lang.Summary(s)
		d.Diagnostic = fmt.Sprintf("smart ralph is done. Tasks completed: %d of %d. Iterations: %d.", s.Count(state.Completed), len(s.Tasks), s.Iteration)
	case decide.AskAnalysis, decide.Planned:
	}
	if l.testNote != "" {
		d.Message += "\n⚠️ " + l.lang.Note(l.testNote)
	}
	if s.Verbose {
		d.Message += l.lang.Verbose(step, signals, a)
	}
	if step.Kind == decide.Finished {
		id, writes := l.finish(s, now)
		d.Message += "\n" + l.lang.Archived(DirName+"/"+HistoryName+"/"+id+".md", s.Count(state.Blocked) > 0, id)
		d.Writes = writes
		return d
	}
	return l.with(d, s, now)
}

// judged adds the messages if the session continues with the same or the next task.
func (l *loop) judged(d *protocol.Decision, step decide.Step, a *assess.Assessment, blocker string) {
	s := step.State
	if !step.Switched {
		d.Message = l.lang.Iteration(s, step.Task)
		return
	}
	if step.Verdict.Outcome != decide.TaskCompleted {
		d.Reason, d.Message = l.lang.Task(s, false), l.lang.Left(step, blocker)
		return
	}
	ask := !s.AutoApprove && l.canAsk()
	d.Reason, d.Message = l.lang.Task(s, ask), l.lang.TaskDone(s, step.Task)
	if !s.AutoApprove && !ask {
		d.Message += "\n" + l.lang.CannotAsk()
	}
}

// rule is the stable id of the decision.
func rule(step decide.Step) string {
	if step.Verdict.Outcome == "" {
		return string(step.Kind)
	}
	return strings.ToLower(strings.ReplaceAll(string(step.Verdict.Outcome), "_", "-")) + ":" + string(step.Verdict.Cause)
}

func blockerOf(a *assess.Assessment) string {
	switch {
	case a == nil:
		return ""
	case a.Blocker == "":
		return a.Suggestion
	}
	return a.Blocker
}

// giveUp archives a state that cannot be read at all, and lets the turn end.
func (l *loop) giveUp(now time.Time) protocol.Decision {
	return protocol.Decision{
		Kind: protocol.Finish, Rule: "state-corrupted",
		Message:    l.lang.Lost(l.said(), l.lostAs(now)),
		Diagnostic: fmt.Sprintf("smart ralph: %s and its backup are damaged (%v); both are kept in %s.", StateName, l.damage, HistoryName),
		Writes:     []protocol.Write{l.keepDamaged(now)},
	}
}

// End pauses the session so that it can be resumed.
func (l *loop) End(now time.Time) ([]protocol.Write, string) {
	if l.lost {
		return []protocol.Write{l.keepDamaged(now)}, l.lang.Lost(l.said(), l.lostAs(now))
	}
	s := l.state.Clone()
	s.Active, s.Phase, s.EndReason = false, state.Stopped, "idle"
	edited := l.edited(now)
	return l.with(protocol.Decision{}, s, now).Writes, edited + l.lang.ResumeHint()
}
