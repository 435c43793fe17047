// Package state reads and writes the state file of smart ralph,
// .claude/ralph-smart/state.md: a front matter with the counters, and one section for
// each task (docs/reference/smart-ralph.md#state; requirements R3-13 to R3-18). People
// may edit the file: whatever the parser does not know stays as it is. The package does
// no I/O.
package state

import (
	"errors"
	"fmt"
	"time"

	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// Status is the status of a task.
type Status string

// The five statuses of docs/reference/smart-ralph.md#statuses.
const (
	Pending    Status = "pending"
	InProgress Status = "in_progress"
	Completed  Status = "completed"
	Blocked    Status = "blocked"
	Skipped    Status = "skipped"
)

// IsOpen reports whether the task still needs work.
func (s Status) IsOpen() bool { return s == Pending || s == InProgress || s == Blocked }

// Phase is the phase of the session.
type Phase string

// The phases (R3-14).
const (
	Analyzing Phase = "analyzing"
	Running   Phase = "running"
	Assessing Phase = "assessing"
	Done      Phase = "done"
	Stopped   Phase = "stopped"
)

// Criterion is one check box of a task.
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
	// Completion is a percentage. Iterations is the number of judged turns.
	Completion, Iterations int

	head, status, last int
	// numbered says that the heading has its number where bridge writes it, and titled
	// that it has a title.
	numbered, titled bool
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

// State is the whole file. Iteration is the number of judged turns in the session, and
// CurrentIndex is 0-based. A MaxIterations of 0 means no limit, and a StallDetection of 0
// means no detection.
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
	// Asks is how many times an analysis or an assessment was asked for since the last
	// answer.
	Asks int
	// Briefed says that the model was told the current task. In a session that was
	// started or resumed in a terminal, the first stop does that.
	Briefed bool
	// Suggestion is the model's last suggestion; it is kept across restarts.
	Suggestion string
	// EndReason says why the session ended, for the history.
	EndReason string
	// Lang is the language of the session: of its prompts, its notices and the labels
	// that are written into the file. A file that names none has the user's language.
	Lang  protocol.Lang
	Tasks []Task

	front statefile.FrontMatter
	// lines are the lines of the body as they were read.
	lines []string
	// eol is the line ending; it is empty for a state that was not read from a file.
	eol string
	// preamble is the text of the body from before there were tasks.
	preamble string

	// says is set if the file says whether the session is active.
	says     bool
	problems []Problem
	// keyLines are the lines of the keys in the file, and closing is that of the end of
	// the front matter.
	keyLines map[string]int
	closing  int
}

// The largest values that are accepted for a counter.
const (
	maxIteration = 1_000_000
	maxPercent   = 100
)

// Current is the current task, or nil.
func (s *State) Current() *Task {
	if s.CurrentIndex < 0 || s.CurrentIndex >= len(s.Tasks) {
		return nil
	}
	return &s.Tasks[s.CurrentIndex]
}

// SaysActive reports whether the file itself says that the session is active or not.
func (s State) SaysActive() bool { return s.says }

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

// Next returns the index of the first waiting task, or -1. A second task in progress,
// which only a person can create by editing the file, counts as waiting.
func (s State) Next() int {
	for i, t := range s.Tasks {
		if t.Status == Pending || t.Status == InProgress && i != s.CurrentIndex {
			return i
		}
	}
	return -1
}

// IsUnfinished reports whether a task is open or the tasks are not known yet.
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
var ErrIllegalMove = errors.New("the status of a task cannot change this way")

// Move changes the status of a task according to the state machine of
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
