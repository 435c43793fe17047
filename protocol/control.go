package protocol

import (
	"errors"
	"fmt"
	"time"
)

// LoopState says where a loop or mode stands, for bridge status.
type LoopState string

// The states of a loop or mode.
const (
	LoopActive LoopState = "active"
	LoopPaused LoopState = "paused"
	// LoopStale was left behind: no session may act on it until it is adopted.
	LoopStale LoopState = "stale"
	// LoopEnded lies in its backup and can be resumed.
	LoopEnded LoopState = "ended"
	// LoopBroken cannot be read.
	LoopBroken LoopState = "broken"
)

// Status is one line of bridge status.
type Status struct {
	// Kind is the dialect or mode, such as "loop" or "autopilot"; Label is its
	// name for people; Path is its state file.
	Kind, Label, Path string
	State             LoopState
	// SessionID is the owner, or empty.
	SessionID string
	// Iteration and Limit count from 1; Limit 0 is none. Phase, Progress say more
	// where a dialect knows more, such as "execution" and "task 3/7".
	Iteration, Limit int
	Phase, Progress  string
	// Agents is how many subagents work for the session.
	Agents    int
	StartedAt time.Time
	UpdatedAt time.Time
	// EndsBy says what ends it; Stop is the command that does.
	EndsBy, Stop string
	// Problem says what is wrong with a broken or stale one.
	Problem string
}

// ResumeOptions are what a person may say when resuming a loop.
type ResumeOptions struct {
	// SessionID is the session that takes the loop over; empty in a terminal.
	SessionID string
	// MaxIterations replaces the limit when it is positive.
	MaxIterations int
	// Skip leaves the task that the loop stopped at behind, where a dialect has
	// tasks. Force takes a loop over from a session that may still be at work.
	Skip, Force bool
	Now         time.Time
}

var (
	// ErrNeedsHigherLimit means that a loop that ran to its limit can only go on with a
	// higher one.
	ErrNeedsHigherLimit = errors.New("it reached its limit; give a higher limit (--max-iterations N)")
	// ErrMayRun means that another session has the loop, and is not known to have ended.
	ErrMayRun = errors.New("another session has it and is not known to have ended; if it has, take it over with --force")
)

// Limit returns the limit with which a loop goes on that stands at count of limit; 0
// is none. The error is ErrNeedsHigherLimit.
func (o ResumeOptions) Limit(count, limit int) (int, error) {
	next := limit
	if o.MaxIterations > 0 {
		next = o.MaxIterations
	}
	if next > 0 && count >= next {
		return 0, fmt.Errorf("it is at %d of %d: %w", count, limit, ErrNeedsHigherLimit)
	}
	return next, nil
}

// Controlled is a loop or mode that a person can steer from a terminal or a
// slash command. A nil function means that the loop does not know that order;
// each takes the lock that it needs and returns the sentence that tells the
// person what happened.
type Controlled struct {
	Status Status
	Cancel func() (string, error)
	Pause  func() (string, error)
	Resume func(ResumeOptions) (string, error)
	// Adoptable says that Resume may take an active loop over from another
	// session.
	Adoptable bool
}

// Lister returns what a dialect or mode has in the project, of whatever session,
// ended and broken ones included. It only reads.
type Lister func(s *Stop) ([]Controlled, error)
