package protocol

import (
	"fmt"
	"time"
)

// LoopState is the state of a loop or mode in bridge status.
type LoopState string

// The states of a loop or mode.
const (
	LoopActive LoopState = "active"
	LoopPaused LoopState = "paused"
	// LoopStale was abandoned: no session may act on it until a person adopts it.
	LoopStale LoopState = "stale"
	// LoopEnded is in its backup and can be resumed.
	LoopEnded LoopState = "ended"
	// LoopBroken cannot be read.
	LoopBroken LoopState = "broken"
)

// Status is one line of bridge status.
type Status struct {
	// Kind is the dialect or mode, such as "loop" or "autopilot". Label is its name for
	// people, and Path is its state file.
	Kind, Label, Path string
	State             LoopState
	// SessionID is the owner, or empty.
	SessionID string
	// Iteration and Limit count from 1; a Limit of 0 means no limit. Phase and Progress hold details of the dialect, such
	// as "execution" and "task 3/7".
	Iteration, Limit int
	Phase, Progress  string
	// About says what it works on, for people: the prompt, the task file or the spec.
	About string
	// Agents is how many subagents work for the session.
	Agents    int
	StartedAt time.Time
	UpdatedAt time.Time
	// PromptLength is how many characters are repeated to the model at each stop, as the
	// client counts them; 0 if that is not known.
	PromptLength int
	// EndsBy says what ends it; Stop is the command that ends it.
	EndsBy, Stop string
	// Problem says what is wrong with a broken or stale loop or mode.
	Problem string
	// Failure describes the API error that ended the last turn of the session; it is empty if there was none.
	Failure string
	// Lang is the language of its texts, if it has one of its own.
	Lang Lang
}

// ResumeOptions are the options for resuming a loop.
type ResumeOptions struct {
	// SessionID is the session that takes the loop over; empty in a terminal.
	SessionID string
	// MaxIterations replaces the limit when it is positive.
	MaxIterations int
	// Skip skips the task at which the loop stopped, if the dialect has tasks. Force
	// takes a loop over even if another session may still be running it.
	Skip, Force bool
	Now         time.Time
}

var (
	// ErrNeedsHigherLimit means that a loop reached its limit and can continue only with
	// a higher one.
	ErrNeedsHigherLimit error = &Said{Chinese: "已达到迭代上限; 用 --max-iterations N 给出更大的值", English: "it reached its limit; give a higher one with --max-iterations N"}
	// ErrMayRun means that another session owns the loop and may still be running.
	ErrMayRun error = &Said{Chinese: "另一个会话可能还在运行它; 如果没有, 用 --force 接手", English: "another session may still be running it; if not, take it over with --force"}
)

// LimitError means that a loop cannot continue, because it has already reached the limit. It is an
// ErrNeedsHigherLimit.
type LimitError struct {
	// Count is where the loop is, out of Limit; Given is the limit of the command, or 0.
	Count, Limit, Given int
}

func (e LimitError) Error() string { return e.In(English) }
func (e LimitError) Unwrap() error { return ErrNeedsHigherLimit }

// In implements Bilingual.
func (e LimitError) In(lang Lang) string {
	if e.Given > 0 {
		return fmt.Sprintf(lang.In("已经在迭代 %d; --max-iterations 必须大于 %[1]d", "it is at iteration %d, so --max-iterations must be higher than %[1]d"), e.Count)
	}
	return fmt.Sprintf(lang.In("已达到迭代上限 (%d/%d); 用 --max-iterations N 给出更大的值", "it is at %d of %d: it reached its limit; give a higher one with --max-iterations N"), e.Count, e.Limit)
}

// Limit returns the limit with which a loop at count continues; 0 means no limit. The error is a LimitError.
func (o ResumeOptions) Limit(count, limit int) (int, error) {
	next := limit
	if o.MaxIterations > 0 {
		next = o.MaxIterations
	}
	if next > 0 && count >= next {
		return 0, LimitError{count, limit, o.MaxIterations}
	}
	return next, nil
}

// Controlled is a loop or mode that a person can control from a terminal or with a slash command. A nil function means
// that the loop does not support that command. Each function takes the locks that it needs, and returns the message for
// the user.
type Controlled struct {
	Status Status
	Cancel func() (string, error)
	Pause  func() (string, error)
	Resume func(ResumeOptions) (string, error)
	// Adoptable says that Resume may take an active loop over from another
	// session.
	Adoptable bool
}

// Lister returns the loops of a dialect, or the modes, in the project, of any session,
// including ended and broken ones. It only reads.
type Lister func(s *Stop) ([]Controlled, error)
