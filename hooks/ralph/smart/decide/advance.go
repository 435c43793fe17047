package decide

import (
	"strings"
	"unicode/utf8"

	"github.com/hookbridge/bridge/hooks/ralph/smart/assess"
	"github.com/hookbridge/bridge/hooks/ralph/smart/plan"
	"github.com/hookbridge/bridge/hooks/ralph/smart/signal"
	"github.com/hookbridge/bridge/hooks/ralph/smart/state"
)

// Kind is the result of a stop. Judging a turn is only one of the possibilities.
type Kind string

// The kinds.
const (
	// AskAnalysis asks for the task list, for the first time or again.
	AskAnalysis Kind = "ask-analysis"
	// Planned means that the task list is there and the first task begins.
	Planned Kind = "planned"
	// Brief tells the current task to a model that has not been told.
	Brief Kind = "brief"
	// AskAssessment asks for an assessment that is missing or cannot be read. It does not
	// count as an iteration.
	AskAssessment Kind = "ask-assessment"
	// Judged means that the turn was judged and the session continues.
	Judged Kind = "judged"
	// Paused means that the turn was judged and may end; the session can be resumed.
	Paused Kind = "paused"
	// Finished means that no task is left.
	Finished Kind = "finished"
)

// Step is the decision about one stop.
type Step struct {
	Kind Kind
	// State is the state afterwards.
	State state.State
	// Verdict is set for Judged and Paused, and for Finished unless a person ended the
	// last task by editing the file.
	Verdict Verdict
	// Task is the index of the judged task. Switched says that the current task is now
	// another one.
	Task     int
	Switched bool
	// Fallback says that the task list was read from the file, because the model gave
	// none.
	Fallback bool
	// Problem says what was wrong with the analysis, if it is asked for again.
	Problem error
}

const (
	// maxAnalysisAsks is how many times the task list is asked for (R3-12).
	maxAnalysisAsks = 3
	// maxAssessmentAsks is how many times in a row an assessment is asked for (R3-20).
	maxAssessmentAsks = 2
	// maxSuggestion is how many characters of a suggestion are kept.
	maxSuggestion = 500
)

// Analysis is the task list that the turn contains, or the reason why it contains none.
type Analysis struct {
	Tasks []plan.Task
	Err   error
	// Fallback is the list that is read from the task file without a model.
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

// Next is the title of the task that a stop is about, or "" if none is left.
func Next(s state.State) string {
	s = s.Clone()
	if !settle(&s) {
		return ""
	}
	return s.Current().Title
}

// Advance decides about a stop of a session that has tasks. a is nil if the turn contains
// no assessment. signals are those of the turn; Advance fills in their boxes.
func Advance(s state.State, signals *signal.Signals, a *assess.Assessment, confidence int) Step {
	s = s.Clone()
	if !settle(&s) {
		return Step{Kind: end(&s), State: s, Task: -1}
	}
	s.Phase = state.Running
	if a == nil && !s.Briefed {
		s.Briefed, s.Asks = true, 0
		return Step{Kind: Brief, State: s, Task: s.CurrentIndex}
	}
	task := s.Current()
	signals.BoxesDone, signals.BoxesTotal = task.Boxes()
	if (a == nil || a.Status == assess.Unknown) && s.Asks < maxAssessmentAsks {
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
		// The limit applies to the whole session, so the next task waits for a higher
		// limit.
		step.Kind = pause(&s, ReasonLimit)
	}
	step.State = s
	return step
}

// settle finds the current task, whatever a person has edited in the file, and reports
// whether there is one.
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
		// The session is active and its task is blocked, so a person unblocked it by
		// editing the file.
		return task.Move(state.InProgress) == nil
	}
	return true
}

// count updates the counters for the turn before the decision
// (docs/reference/smart-ralph.md#outcomes).
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

// ReasonBlocked is the end reason of a session that waits for the user.
const ReasonBlocked = "blocked"

// ReasonLimit is the end reason of a session that ran to its limit.
const ReasonLimit = "max_iterations"

// apply carries out an outcome (R3-33, R3-34).
func apply(s *state.State, v Verdict) (kind Kind, switched bool) {
	task := s.Current()
	switch v.Outcome {
	case TaskCompleted:
		for i := range task.Criteria {
			// Outside of strict mode, the model's word is enough for boxes that it did
			// not list.
			task.Criteria[i].Done = true
		}
		return leave(s, state.Completed)
	case Blocked:
		if s.AutoApprove && s.Next() >= 0 {
			return leave(s, state.Blocked)
		}
		must(task.Move(state.Blocked))
		return pause(s, ReasonBlocked), false
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

// leave ends the work on the current task and moves on to the next one.
func leave(s *state.State, status state.Status) (kind Kind, switched bool) {
	must(s.Current().Move(status))
	if !switchTask(s) {
		return end(s), false
	}
	return Judged, true
}

// switchTask moves on to the next waiting task. It returns false if there is none.
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

// end finishes a session without a waiting task, or pauses it if a task is still blocked:
// then it can be resumed.
func end(s *state.State) Kind {
	for i := range s.Tasks {
		if s.Tasks[i].Status == state.Blocked {
			s.CurrentIndex = i
			return pause(s, ReasonBlocked)
		}
	}
	finish(s)
	return Finished
}

func finish(s *state.State) {
	s.Active, s.Phase, s.EndReason = false, state.Done, "done"
}

// Resume continues a stopped session: a blocked task is continued or skipped (R3-39).
// done means that no task is left then.
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

// unblock continues the first blocked task if nothing else is left.
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

// must stops a program that violates its own state machine. The router answers the panic
// with the fail policy and writes nothing.
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
