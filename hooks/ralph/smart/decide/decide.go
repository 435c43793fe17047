// Package decide judges a turn of smart ralph and updates its state
// (docs/reference/smart-ralph.md, R3-19 to R3-36). It is pure.
package decide

import (
	"slices"

	"github.com/hookbridge/bridge/hooks/ralph/smart/assess"
	"github.com/hookbridge/bridge/hooks/ralph/smart/signal"
	"github.com/hookbridge/bridge/hooks/ralph/smart/state"
)

// Outcome is the result of a turn, named as in docs/reference/smart-ralph.md#outcomes.
type Outcome string

// The five outcomes.
const (
	TaskCompleted Outcome = "TASK_COMPLETED"
	Continue      Outcome = "CONTINUE"
	MaxIterations Outcome = "MAX_ITERATIONS"
	Stalled       Outcome = "STALLED"
	Blocked       Outcome = "BLOCKED"
)

// Cause is the stable id of the reason for an outcome.
type Cause string

// The causes. Those from TestsFail on are vetoes of the rules.
const (
	Done           Cause = "done"
	BlockerNamed   Cause = "blocker"
	SkipWished     Cause = "skip-wished"
	LimitReached   Cause = "limit"
	NoProgress     Cause = "no-progress"
	SameError      Cause = "same-error"
	NoAssessment   Cause = "no-assessment"
	NotCompleted   Cause = "not-completed"
	UnnamedBlocker Cause = "unnamed-blocker"
	UnknownStatus  Cause = "unknown-status"
	LowConfidence  Cause = "low-confidence"
	LowCompletion  Cause = "low-completion"
	Contradiction  Cause = "contradiction"
	CutOff         Cause = "cut-off"
	OtherTask      Cause = "other-task"
	TestsFail      Cause = "tests-fail"
	BoxesOpen      Cause = "boxes-open"
	ErrorsOccurred Cause = "errors"
	// The causes below are doubts, which count once for each task.
	Admitted  Cause = "admitted"
	Leftovers Cause = "leftovers"
	NoWork    Cause = "no-work"
	Refuted   Cause = "refuted"
)

// ConfidenceThreshold is the constant of docs/reference/smart-ralph.md#outcomes, in
// percent.
const ConfidenceThreshold = 80

// surely is the confidence, in percent, from which a model counts as certain. A
// certain model need not have used a tool.
const surely = 90

// ErrorRepeats is how many iterations in a row may end with the same error (R3-30).
const ErrorRepeats = 3

// Verdict is an outcome with its reason. Against lists what contradicts a completion that
// the model claimed; otherwise it is empty.
type Verdict struct {
	Outcome Outcome
	Cause   Cause
	Against []Cause
}

// IsDoubt reports whether a claimed completion was doubted, which happens once for each
// task.
func (v Verdict) IsDoubt() bool {
	return slices.ContainsFunc(v.Against, func(c Cause) bool { return c == Admitted || c == Leftovers || c == NoWork || c == Refuted })
}

// Decide judges a turn after the counters were updated. The first match counts:
// completed, blocked, limit, stall. a is nil if the turn has no assessment. confidence is
// the threshold in percent.
func Decide(s state.State, signals signal.Signals, a *assess.Assessment, confidence int) Verdict {
	against := objections(s, signals, a, confidence)
	if a != nil && len(against) == 0 {
		return Verdict{TaskCompleted, Done, nil}
	}
	claimed := against
	if a == nil || !a.Claims() {
		claimed = nil
	}
	switch {
	case a != nil && a.IsBlocked():
		return Verdict{Blocked, BlockerNamed, nil}
	case a != nil && a.Status == assess.Skipped:
		return Verdict{Blocked, SkipWished, nil}
	case s.MaxIterations > 0 && s.Iteration >= s.MaxIterations:
		return Verdict{MaxIterations, LimitReached, claimed}
	case s.StallDetection > 0 && s.StallCount >= s.StallDetection:
		return Verdict{Stalled, NoProgress, claimed}
	case s.StallDetection > 0 && signals.Repeats >= ErrorRepeats && !signals.Better:
		return Verdict{Stalled, SameError, claimed}
	}
	return Verdict{Continue, against[0], claimed}
}

// objections lists the evidence against a completion. If the list is empty, the task is
// done.
func objections(s state.State, signals signal.Signals, a *assess.Assessment, confidence int) (against []Cause) {
	object := func(when bool, cause Cause) {
		if when {
			against = append(against, cause)
		}
	}
	if a == nil {
		return []Cause{NoAssessment}
	}
	threshold := s.CompletionThreshold
	if s.StrictMode {
		threshold = 100
	}
	switch a.Status {
	case assess.Completed:
	case assess.InProgress:
		object(a.Contradiction != assess.Consistent, Contradiction)
		object(a.Contradiction == assess.Consistent, NotCompleted)
	case assess.Blocked:
		against = append(against, UnnamedBlocker)
	case assess.Skipped:
		against = append(against, SkipWished)
	case assess.Unknown:
		against = append(against, UnknownStatus)
	}
	object(a.Partial, CutOff)
	object(aboutAnother(s, *a), OtherTask)
	object(!a.Partial && a.Confidence < confidence, LowConfidence)
	object(a.Completion < threshold, LowCompletion)
	task := s.Current()
	object(signals.Tests == signal.TestsFail && (s.StrictMode || task == nil || MentionsTests(*task)), TestsFail)
	if !signals.Doubted {
		object(signals.Admitted != "", Admitted)
		object(signals.Leftovers, Leftovers)
		object(signals.Refuted != "", Refuted)
		object(signals.Nothing && (a.Completion < 100 || a.Confidence < surely || task == nil || MentionsTests(*task)), NoWork)
	}
	if s.StrictMode && task != nil {
		done, total := task.Boxes()
		object(done < total, BoxesOpen)
		object(signals.Errors > 0, ErrorsOccurred)
	}
	return against
}
