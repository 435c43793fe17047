package router

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/hookbridge/bridge/hooks"
)

// commitGrace is how long writes that began in time may take to end. They are a
// few renames; a file system that needs longer is as good as gone.
const commitGrace = time.Second

// afterGrace is how long the notes about an answer that is printed may take:
// ledger, debug log, and what a type records of its own deadline.
const afterGrace = time.Second

// errDeadline means that a handler did not answer in time.
var errDeadline = errors.New("it did not answer in time")

// panicError is a panic that was recovered.
type panicError struct {
	reason any
	stack  []byte
}

func (e *panicError) Error() string { return fmt.Sprintf("it panicked: %v", e.reason) }

// answer is what came of a handler.
type answer struct {
	output hooks.Output
	trace  hooks.Trace
	// err is a failure of the handler; the fail policy answers.
	err error
	// writeErr is a write that failed; output answers already.
	writeErr error
	// notes are lines for stderr, behind our name; lines have a tag of their own.
	notes, lines []string
	// late are the writes about a deadline that passed; they follow the answer.
	late []hooks.Write
	// planned names the writes that explain leaves undone.
	planned []string
}

// within calls work and reports whether it returned in time. Work that is late is
// left behind: what it still does must not matter. A panic of it goes on here.
func within(most time.Duration, work func()) bool {
	done := make(chan *panicError, 1)
	go func() {
		var failed *panicError
		defer func() {
			if p := recover(); p != nil {
				failed = &panicError{p, debug.Stack()}
			}
			done <- failed
		}()
		work()
	}()
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case failed := <-done:
		if failed != nil {
			panic(failed)
		}
		return true
	case <-timer.C:
		return false
	}
}

// run calls the handler under its deadline, lets apply make an answer of its
// outcome (commit, or plan) and returns what to print.
func run(ctx context.Context, handler hooks.Handler, req hooks.Request, deadline time.Duration, apply func(hooks.Outcome) answer) answer {
	ctx, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	var g gate
	// Room for one: a late handler must not wait for a reader that has left.
	done := make(chan answer, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				done <- answer{err: &panicError{p, debug.Stack()}}
			}
		}()
		outcome, err := handler(ctx, req)
		if outcome.Close != nil {
			defer outcome.Close()
		}
		switch {
		case err != nil:
			done <- answer{err: err, trace: outcome.Trace}
		case g.pass():
			done <- apply(outcome)
		}
	}()
	select {
	case a := <-done:
		return a
	case <-ctx.Done():
	}
	if g.pass() {
		return answer{err: errDeadline}
	}
	select {
	case a := <-done:
		return a
	case <-time.After(commitGrace):
		return answer{err: errDeadline}
	}
}

// commit applies the writes of an outcome.
func commit(outcome hooks.Outcome) answer {
	a := answer{output: outcome.Output, trace: outcome.Trace, lines: outcome.Lines}
	if outcome.Diagnostic != "" {
		a.notes = []string{outcome.Diagnostic}
	}
	for _, write := range outcome.Writes {
		if err := write.Do(); err != nil {
			err = fmt.Errorf("%s: %w", write.What, err)
			if write.Optional {
				a.notes = append(a.notes, fmt.Sprintf("could not %v. The answer is not affected; check the disk and the permissions of that place.", err))
				continue
			}
			a.notes = nil
			a.trace.Rule = "write-failed"
			if outcome.OnWriteError == nil {
				a.err = err
				return a
			}
			a.writeErr = err
			a.output = outcome.OnWriteError(err)
			return a
		}
	}
	return a
}
