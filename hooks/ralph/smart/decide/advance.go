package decide

import (
	"strings"
	"unicode/utf8"

	"github.com/hookbridge/bridge/hooks/ralph/smart/assess"
	"github.com/hookbridge/bridge/hooks/ralph/smart/plan"
	"github.com/hookbridge/bridge/hooks/ralph/smart/signal"
	"github.com/hookbridge/bridge/hooks/ralph/smart/state"
)

// Kind says what a stop comes to, of which an outcome is only one possibility.
type Kind string

// The kinds.
const (
	// AskAnalysis asks for the task list, once more or for the first time.
	AskAnalysis Kind = "ask-analysis"
	// Planned has the task list; the first task begins.
	Planned Kind = "planned"
	// Brief gives the current task to a model that was not told of it.
	Brief Kind = "brief"
	// AskAssessment asks for a missing assessment. It is not an iteration.
	AskAssessment Kind = "ask-assessment"
	// Judged has an outcome, and the session goes on.
	Judged Kind = "judged"
	// Paused has an outcome that lets the turn end; the session can be resumed.
	Paused Kind = "paused"
	// Finished has no task left to work on.
	Finished Kind = "finished"
)

// Step is a stop as it was decided.
type Step struct {
	Kind Kind
	// State is the state afterwards.
	State state.State
	// Verdict belongs to Judged, Paused and, unless a hand has ended the last
	// task, Finished.
	Verdict Verdict
	// Task is the index of the judged task. Switched says that another task is
	// the current one now.
	Task     int
	Switched bool
	// Fallback says that the task list comes from the file, because the model
	// gave none.
	Fallback bool
	// Problem says what was wrong with the analysis that is asked for again.
	Problem error
}

const (
	// maxAnalysisAsks is how often the task list is asked for (R3-12).
	maxAnalysisAsks = 3
	// maxAssessmentAsks is how often in a row an assessment is asked for (R3-20).
	maxAssessmentAsks = 2
	// maxSuggestion is how much of a suggestion is kept, in characters.
	maxSuggestion = 500
)

// Analysis is the task list that was found in the turn, or why there is none.
type Analysis struct {
	Tasks []plan.Task
	Err   error
	// Fallback is the list that the task file gives without a model.
	Fallback []plan.Task
}

// Plan decides about a stop in the phase analyzing.
func Plan(s state.State, a Analysis) Step {
	s = s.Clone()
	step := Step{Kind: Planned, Problem: a.Err}
	tasks := a.Tasks
	if a.Err != nil || len(tasks) == 0 {
		if s.Asks < maxAnalysisAsks || !s.Briefed {
			if s.Briefed {
				s.Asks++
			}
			s.Briefed = true
			step.Kind, step.State = AskAnalysis, s
			return step
		}
		tasks, step.Fallback = a.Fallback, true
	}
	Begin(&s, tasks)
	s.Briefed = true
	step.State = s
	return step
}

// Begin gives the state its tasks and starts the first.
func Begin(s *state.State, tasks []plan.Task) {
	s.SetPlan(tasks)
	s.Phase, s.Asks, s.CurrentIndex = state.Running, 0, 0
	s.StallCount, s.LastCompletion = 0, 0
	if len(s.Tasks) > 0 {
		s.Tasks[0].Status = state.InProgress
	}
}

// Advance decides about a stop of a session with tasks. a is nil when the turn
// holds no assessment. signals are those of the turn; their boxes are filled in.
func Advance(s state.State, signals *signal.Signals, a *assess.Assessment, confidence int) Step {
	s = s.Clone()
	if !settle(&s) {
		finish(&s)
		return Step{Kind: Finished, State: s, Task: -1}
	}
	s.Phase = state.Running
	if a == nil && !s.Briefed {
		s.Briefed, s.Asks = true, 0
		return Step{Kind: Brief, State: s, Task: s.CurrentIndex}
	}
	task := s.Current()
	signals.BoxesDone, signals.BoxesTotal = task.Boxes()
	if a == nil && s.Asks < maxAssessmentAsks {
		s.Asks++
		s.Phase = state.Assessing
		return Step{Kind: AskAssessment, State: s, Task: s.CurrentIndex}
	}
	s.Briefed, s.Asks = true, 0
	count(&s, signals, a)
	verdict := Decide(s, *signals, a, confidence)
	step := Step{Kind: Judged, Verdict: verdict, Task: s.CurrentIndex}
	step.Kind, step.Switched = apply(&s, verdict)
	if step.Switched && s.MaxIterations > 0 && s.Iteration >= s.MaxIterations {
		// The limit holds for the session: the next task waits for a higher one.
		step.Kind = pause(&s, ReasonLimit)
	}
	step.State = s
	return step
}

// settle finds the task that is worked on, after whatever a hand did to the file.
// It reports whether there is one.
func settle(s *state.State) bool {
	task := s.Current()
	if task == nil || task.Status != state.InProgress {
		for i := range s.Tasks {
			if s.Tasks[i].Status == state.InProgress {
				s.CurrentIndex = i
				return true
			}
		}
	}
	switch {
	case task == nil, task.Status == state.Completed, task.Status == state.Skipped:
		return switchTask(s)
	case task.Status == state.Pending, task.Status == state.Blocked:
		// An active session with a blocked task: a hand unblocked it.
		return task.Move(state.InProgress) == nil
	}
	return true
}

// count brings the counters to where they are after the turn
// (docs/reference/smart-ralph.md#outcomes: before deciding).
func count(s *state.State, signals *signal.Signals, a *assess.Assessment) {
	task := s.Current()
	s.Iteration++
	task.Iterations++
	if a != nil {
		signals.NewBoxes = tick(task, *a)
		signals.BoxesDone, signals.BoxesTotal = task.Boxes()
		task.Completion = a.Completion
		s.Suggestion = clip(a.Suggestion, maxSuggestion)
		signals.Better = a.Completion > s.LastCompletion || signals.NewBoxes > 0
		s.LastCompletion = max(s.LastCompletion, a.Completion)
	}
	s.StallCount++
	if signals.Progress() || signals.Better {
		s.StallCount = 0
	}
}

// ReasonLimit is the end reason of a session that ran to its limit.
const ReasonLimit = "max_iterations"

// apply carries an outcome out (R3-33, R3-34).
func apply(s *state.State, v Verdict) (kind Kind, switched bool) {
	task := s.Current()
	switch v.Outcome {
	case TaskCompleted:
		for i := range task.Criteria {
			// Without strict mode the model's word stands for the boxes it did
			// not list.
			task.Criteria[i].Done = true
		}
		return leave(s, state.Completed)
	case Blocked:
		if s.AutoApprove && s.Next() >= 0 {
			return leave(s, state.Blocked)
		}
		must(task.Move(state.Blocked))
		return pause(s, "blocked"), false
	case MaxIterations:
		return pause(s, ReasonLimit), false
	case Stalled:
		if s.AutoApprove && s.Next() >= 0 {
			return leave(s, state.Skipped)
		}
		reason := "stalled"
		if v.Cause == SameError {
			reason = "repeated_error"
		}
		return pause(s, reason), false
	case Continue:
	}
	return Judged, false
}

// leave ends the work on the current task and turns to the next one.
func leave(s *state.State, status state.Status) (kind Kind, switched bool) {
	must(s.Current().Move(status))
	if !switchTask(s) {
		finish(s)
		return Finished, false
	}
	return Judged, true
}

// switchTask turns to the next task that waits; false means that none does.
func switchTask(s *state.State) bool {
	next := s.Next()
	if next < 0 {
		return false
	}
	s.CurrentIndex = next
	s.StallCount, s.LastCompletion, s.Asks, s.Suggestion = 0, 0, 0, ""
	if task := s.Current(); task.Status != state.InProgress {
		must(task.Move(state.InProgress))
	}
	return true
}

func pause(s *state.State, reason string) Kind {
	s.Active, s.Phase, s.EndReason = false, state.Stopped, reason
	return Paused
}

func finish(s *state.State) {
	s.Active, s.Phase, s.EndReason = false, state.Done, "done"
}

// Resume takes a stopped session up again: a blocked task goes on, or is skipped
// (R3-39). done means that no task is left then.
func Resume(s *state.State, skip bool) (done bool) {
	task := s.Current()
	if task != nil && skip {
		if task.Status == state.Pending {
			must(task.Move(state.InProgress))
		}
		if task.Status == state.InProgress || task.Status == state.Blocked {
			must(task.Move(state.Skipped))
		}
	}
	s.Active, s.EndReason, s.Asks, s.StallCount = true, "", 0, 0
	if len(s.Tasks) == 0 {
		s.Phase = state.Analyzing
		return false
	}
	s.Phase = state.Running
	if !settle(s) && !unblock(s) {
		finish(s)
		return true
	}
	return false
}

// unblock takes up the first blocked task, where nothing else is left.
func unblock(s *state.State) bool {
	for i := range s.Tasks {
		if s.Tasks[i].Status == state.Blocked {
			s.CurrentIndex = i
			must(s.Tasks[i].Move(state.InProgress))
			s.StallCount, s.LastCompletion = 0, 0
			return true
		}
	}
	return false
}

// must stops a program that breaks its own state machine; the router answers the
// panic with the fail policy and writes nothing.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// clip shortens a text to n characters.
func clip(text string, n int) string {
	text = strings.TrimSpace(text)
	if utf8.RuneCountInString(text) <= n {
		return text
	}
	return string([]rune(text)[:n]) + "…"
}
