package router

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/hookbridge/bridge/protocol"
)

// commitGrace is how long writes that began in time may take. They are a few renames; a
// file system that needs longer has failed.
const commitGrace = time.Second

// printWait is how long stdout may be full. After that, the hook decides and changes
// nothing.
const printWait = time.Second

// afterGrace is how long printing an answer may take, including its notes: ledger, debug
// log, and what a type records about its own deadline.
const afterGrace = time.Second

// ruleWriteFailed is the rule of an answer whose writes failed.
const ruleWriteFailed = "write-failed"

// errDeadline means that a handler did not answer in time.
var errDeadline = errors.New("it did not answer in time")

// panicError is a panic that was recovered.
type panicError struct {
	reason any
	stack  []byte
}

func (e *panicError) Error() string { return fmt.Sprintf("it panicked: %v", e.reason) }

// answer is the result of a handler.
type answer struct {
	output protocol.Output
	trace  protocol.Trace
	// err is a failure of the handler, which the fail policy answers.
	err error
	// writeErr is a write that failed and for which output is already the answer.
	writeErr error
	// unprinted says that the client did not get the output; output is then empty.
	unprinted bool
	// notes are the lines for stderr that begin with bridge's name; those in lines begin with another tag.
	notes, lines []string
	// late are the writes about a missed deadline, which follow the answer.
	late []protocol.Write
	// after is what the outcome wants to do after the answer.
	after []protocol.Write
	// planned describes the writes that explain does not perform.
	planned []string
}

// deadline is the context of a handler. It ends when the handler is too late.
type deadline struct {
	context.Context
	at time.Time
}

func (d deadline) Deadline() (time.Time, bool) { return d.at, true }

// run calls the handler under its deadline and lets apply (commit or plan) turn its
// outcome into an answer. A handler that is late can no longer write.
func (c *call) run(handler protocol.Handler, req protocol.Request, apply func(protocol.Outcome) answer) (a answer) {
	defer func() {
		if p := recover(); p != nil {
			c.watch.over(nil)
			a = answer{err: &panicError{p, debug.Stack()}}
		}
	}()
	late := func() answer {
		a := answer{err: errDeadline}
		if late := rowOf(c.req.Hook).late; late != nil && c.held == (held{}) {
			a.late = late(req)
		}
		return a
	}
	most := c.req.Env.Config.Deadline(c.req.Hook.Row())
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	c.watch.begin(most, func() {
		cancel()
		c.deliver(late())
	})
	outcome, err := handler(deadline{ctx, time.Now().Add(most)}, req)
	if outcome.Close == nil {
		outcome.Close = func() {}
	}
	c.watch.over(outcome.Close)
	defer outcome.Close()
	if err != nil {
		return answer{err: err, trace: outcome.Trace}
	}
	// An answer that nobody will read is not printed and must not count as given.
	if !outcome.Output.IsSilent() && !accepts(c.p.Stdout, min(printWait, most)) {
		return answer{unprinted: true, trace: outcome.Trace, notes: []string{"the answer could not be printed, because nothing reads stdout; nothing was changed."}}
	}
	c.watch.grace(commitGrace, func() { c.deliver(late()) })
	a = apply(outcome)
	c.watch.over(nil)
	return a
}

// commit applies the writes of an outcome.
func commit(outcome protocol.Outcome) answer {
	a := answer{output: outcome.Output, trace: outcome.Trace, lines: outcome.Lines}
	if outcome.Diagnostic != "" {
		a.notes = []string{outcome.Diagnostic}
	}
	for _, write := range outcome.Writes {
		if err := write.Do(); err != nil {
			err = fmt.Errorf("%s: %w", write.What, err)
			if write.Optional {
				a.notes = append(a.notes, fmt.Sprintf("could not %v. The answer is not affected; check the disk and the permissions of that path.", err))
				continue
			}
			a.notes = nil
			a.trace.Rule = ruleWriteFailed
			if outcome.OnWriteError == nil {
				a.err = err
				return a
			}
			a.writeErr = err
			a.output = outcome.OnWriteError(err)
			return a
		}
	}
	a.after = outcome.After
	return a
}
