// Package state is the state file of smart ralph, .claude/ralph-smart/state.md: a front
// matter with the counters and one section for each task
// (docs/reference/smart-ralph.md#state; requirements R3-13 to R3-18). People may edit
// it by hand: what the parser does not know stays as it is. The package does no I/O.
package state

import (
	"errors"
	"fmt"
	"time"

	"github.com/hookbridge/bridge/internal/statefile"
)

// Status is where a task stands.
type Status string

// The five statuses of docs/reference/smart-ralph.md#statuses.
const (
	Pending    Status = "pending"
	InProgress Status = "in_progress"
	Completed  Status = "completed"
	Blocked    Status = "blocked"
	Skipped    Status = "skipped"
)

// IsOpen reports a task that somebody still has to work on.
func (s Status) IsOpen() bool { return s == Pending || s == InProgress || s == Blocked }

// Phase is where the session stands.
type Phase string

// The phases (R3-14).
const (
	Analyzing Phase = "analyzing"
	Running   Phase = "running"
	Assessing Phase = "assessing"
	Done      Phase = "done"
	Stopped   Phase = "stopped"
)

// Criterion is a box of a task.
type Criterion struct {
	Text string
	Done bool
	line int
}

// Task is one section of the file.
type Task struct {
	Title       string
	Description string
	Criteria    []Criterion
	Status      Status
	// Completion is a percentage, Iterations the number of assessed turns.
	Completion, Iterations int

	head, status, last int
}

// Boxes counts the ticked criteria.
func (t Task) Boxes() (done, total int) {
	for _, c := range t.Criteria {
		if c.Done {
			done++
		}
	}
	return done, len(t.Criteria)
}

// State is the whole file. Iteration counts the assessed turns of the session;
// CurrentIndex is 0-based; MaxIterations 0 is no limit, StallDetection 0 is none.
type State struct {
	Active              bool
	TaskFile            string
	CurrentIndex        int
	Iteration           int
	MaxIterations       int
	CompletionThreshold int
	AutoApprove         bool
	StrictMode          bool
	Verbose             bool
	StallDetection      int
	StallCount          int
	LastCompletion      int
	StartedAt           time.Time
	UpdatedAt           time.Time
	SessionID           string
	Phase               Phase
	// Asks counts the requests for an analysis or an assessment since the last
	// answer.
	Asks int
	// Briefed says that the model was given the current task. A session that was
	// started or resumed in a terminal waits for the first stop to do so.
	Briefed bool
	// Suggestion is the last one of the model; it survives a restart.
	Suggestion string
	// EndReason says why a session is over, for the history.
	EndReason string
	Tasks     []Task

	front statefile.FrontMatter
	// lines are those of the body as it was read.
	lines []string
	// eol is how its lines end; empty for a state that was not read.
	eol string
	// preamble stood in the body before there were tasks.
	preamble string
}

// The largest values that are taken for a counter.
const (
	maxIteration = 1_000_000
	maxPercent   = 100
)

// Current is the task that is being worked on, or nil.
func (s *State) Current() *Task {
	if s.CurrentIndex < 0 || s.CurrentIndex >= len(s.Tasks) {
		return nil
	}
	return &s.Tasks[s.CurrentIndex]
}

// Clone copies the state, so that a decision can be tried out.
func (s State) Clone() State {
	tasks := make([]Task, len(s.Tasks))
	copy(tasks, s.Tasks)
	for i := range tasks {
		tasks[i].Criteria = append([]Criterion(nil), tasks[i].Criteria...)
	}
	s.Tasks = tasks
	return s
}

// Count returns how many tasks have the status.
func (s State) Count(status Status) int {
	n := 0
	for _, t := range s.Tasks {
		if t.Status == status {
			n++
		}
	}
	return n
}

// Next returns the index of the first task that waits, or -1. A second task in
// progress, which only a hand can make, waits too.
func (s State) Next() int {
	for i, t := range s.Tasks {
		if t.Status == Pending || t.Status == InProgress && i != s.CurrentIndex {
			return i
		}
	}
	return -1
}

// IsUnfinished reports whether a task is open, or the tasks are not known yet.
func (s State) IsUnfinished() bool {
	if s.Phase == Done {
		return false
	}
	if len(s.Tasks) == 0 {
		return true
	}
	for _, t := range s.Tasks {
		if t.Status.IsOpen() {
			return true
		}
	}
	return false
}

// ErrIllegalMove means that a task may not go from its status to another one.
var ErrIllegalMove = errors.New("a task may not do this step")

// Move takes a task from its status to another by the state machine of
// docs/reference/smart-ralph.md#statuses. The error is ErrIllegalMove.
func (t *Task) Move(to Status) error {
	legal := false
	switch t.Status {
	case Pending:
		legal = to == InProgress
	case InProgress:
		legal = to == Completed || to == Blocked || to == Skipped
	case Blocked:
		legal = to == InProgress || to == Skipped
	case Completed, Skipped:
	}
	if !legal {
		return fmt.Errorf("%w: %s to %s (%s)", ErrIllegalMove, t.Status, to, t.Title)
	}
	t.Status = to
	return nil
}
