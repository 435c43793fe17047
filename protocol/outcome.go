package protocol

import (
	"context"
	"time"
)

// Handler does the work of a hook. It may read files; it returns the writes that it
// wants, and the router performs them after the commit gate (docs/design.md#commit-gate).
type Handler func(ctx context.Context, req Request) (Outcome, error)

// Outcome is what a handler wants to print and to write.
type Outcome struct {
	Output Output
	// Writes are performed in order; the first failure ends them.
	Writes []Write
	// After runs programs of the user whose result does not change the answer. It is called when the writes are done, the
	// answer is printed and the lock is released. The client waits for them; AfterTime limits their total time.
	After []Write
	// OnWriteError returns the answer to print instead of Output if a write failed. If it
	// is nil, the fail policy answers.
	OnWriteError func(error) Output
	// Close releases what the handler held for its writes. It is called exactly once,
	// whatever happens. It may be nil.
	Close func()
	// Diagnostic is for stderr: what is wrong or has ended, and what to do. It is not printed if a write failed, because
	// the failure has its own line.
	Diagnostic string
	// Lines go to stderr unchanged, such as "[ralph-specum] …": callers of the replaced
	// systems look for them.
	Lines []string
	Trace Trace
}

// AfterTime is the time limit for everything that follows an answer.
const AfterTime = 3 * time.Second

// Write is one change to a file. What describes it in a few words for explain and for
// error messages, such as "save .claude/ralph-loop.local.md".
type Write struct {
	What string
	Do   func() error
	// If an Optional write fails, stderr says so and the other writes continue.
	Optional bool
}

// Trace says why a handler did what it did. It goes to the ledger, to explain and to the
// debug log. Rule and Step are stable ids; Detail never contains text of a prompt or of
// the model.
type Trace struct {
	Step string
	Rule string
	// Loop is the kind of the loop or mode that the decision is about, as bridge status
	// names it; several kinds are separated by commas. Iteration counts from 1; 0 means
	// unknown.
	Loop      string
	Iteration int
	// Noted says that the decision gets a line in the ledger even if nothing is printed.
	Noted  bool
	Detail []Detail
}

// Detail is one named fact of a trace.
type Detail struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Add appends a fact.
func (t *Trace) Add(name, value string) {
	t.Detail = append(t.Detail, Detail{name, value})
}
