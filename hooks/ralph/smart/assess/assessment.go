// Package assess reads the model's own assessment of a task from its
// <completion-assessment> block (docs/reference/smart-ralph.md, R3-21 to R3-26). It is
// pure.
package assess

// Status is what the model says about the task.
type Status string

// The statuses. An unknown status never completes a task.
const (
	Unknown    Status = "unknown"
	Completed  Status = "completed"
	InProgress Status = "in_progress"
	Blocked    Status = "blocked"
	Skipped    Status = "skipped"
)

// Assessment is the content of a block.
type Assessment struct {
	Status Status
	// Completion and Confidence are percentages from 0 to 100. A missing confidence
	// counts as 0, so it never completes a task.
	Completion, Confidence int
	Done, Remaining        []string
	// Blocker is empty when nothing blocks.
	Blocker    string
	Suggestion string
	// Partial says that the block was cut off. Its confidence is then 0.
	Partial bool
	// Contradiction says which part of the block contradicts its status; it is empty if
	// none does.
	Contradiction Contradiction
	// Task and Iteration are the attributes of the tag; 0 means absent.
	Task, Iteration int
	// First is the first line of a block whose status cannot be read; it is empty if the
	// status is known.
	First string
}

// Contradiction is a reason not to believe the status "completed".
type Contradiction string

// The contradictions (R3-25).
const (
	Consistent     Contradiction = ""
	ItemsRemain    Contradiction = "items remain"
	BlockerRemains Contradiction = "a blocker is named"
)

// judge resolves contradictions between the parts of the block.
func (a *Assessment) judge() {
	if a.Partial {
		a.Confidence = 0
	}
	if a.Status != Completed {
		return
	}
	switch {
	case len(a.Remaining) > 0:
		a.Contradiction = ItemsRemain
	case a.Blocker != "":
		a.Contradiction = BlockerRemains
	}
	if a.Contradiction != Consistent {
		a.Status = InProgress
	}
}

// Claims reports whether the model says that the task is done, whether or not it is
// believed.
func (a Assessment) Claims() bool { return a.Status == Completed || a.Contradiction != Consistent }

// IsBlocked reports whether the block names a blocker.
func (a Assessment) IsBlocked() bool { return a.Status == Blocked && a.Blocker != "" }
