package protocol

import (
	"context"
	"time"
)

// Handler does the work of a hook. It may read; what it wants written it hands back,
// and the router writes it after the commit gate (docs/design.md#commit-gate).
type Handler func(ctx context.Context, req Request) (Outcome, error)

// Outcome is what a handler wants to say and to write.
type Outcome struct {
	Output Output
	// Writes are applied in order; the first that fails ends them.
	Writes []Write
	// After is carried out when the writes are done, the answer is printed and the
	// lock is released: programs of the user whose result changes no answer. The
	// client waits for them; AfterTime bounds them together.
	After []Write
	// OnWriteError says what to print instead of Output when a write failed.
	// Nil means the fail policy.
	OnWriteError func(error) Output
	// Close releases what the handler held while it waited for its writes; it
	// is called once, whatever happened. May be nil.
	Close func()
	// Diagnostic is for stderr: what is wrong or has ended, and what to do. It
	// is not printed when a write failed, which has a line of its own.
	Diagnostic string
	// Lines go to stderr as they are, such as "[ralph-specum] …": callers of the
	// systems that are replaced look for them.
	Lines []string
	Trace Trace
}

// AfterTime is how long what follows an answer may take.
const AfterTime = 3 * time.Second

// Write is one change to a file. What says it in a few words for explain and
// for error messages, such as "save .claude/ralph-loop.local.md".
type Write struct {
	What string
	Do   func() error
	// Optional writes may fail: that is a line on stderr and ends nothing.
	Optional bool
}

// Trace says why a handler did what it did. It goes to the ledger, to explain
// and to the debug log; Rule and Step are stable ids, Detail never holds text
// of a prompt or of the model.
type Trace struct {
	Step string
	Rule string
	// Loop is the kind of the loop or mode that it is about, as bridge status names
	// it; several are separated by commas. Iteration counts from 1, 0 is unknown.
	Loop      string
	Iteration int
	Detail    []Detail
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
