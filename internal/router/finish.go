package router

import (
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/hookbridge/bridge/hooks"
	"github.com/hookbridge/bridge/internal/clean"
)

// settle fills in what the fail policy answers when there is no answer, and the
// rule of that failure.
func (a answer) settle(failed func(error) hooks.Output) answer {
	if a.err == nil {
		return a
	}
	a.output = failed(a.err)
	switch {
	case errors.Is(a.err, errDeadline):
		a.trace.Rule = "deadline"
	case a.trace.Rule == "":
		a.trace.Rule = "handler-failed"
	}
	return a
}

// finish prints the answer, or the fail policy's when there is none, and notes
// it in the ledger.
func (c *call) finish(a answer) {
	a = a.settle(c.failed)
	if a.writeErr != nil {
		c.warn(fmt.Sprintf("--hook=%s: could not %v. Nothing was lost; check the disk and the permissions of that place, and try again.", c.hook.Name, a.writeErr))
	}
	for _, line := range a.lines {
		fmt.Fprintln(c.p.Stderr, clean.Text(line))
	}
	for _, note := range a.notes {
		c.warn("--hook=" + c.hook.Name + ": " + note)
	}
	size := c.print(a.output)
	if a.output.IsSilent() && len(a.late) == 0 && c.log == nil && !c.config.Record {
		return
	}
	// The client waits for the process to end, and a hook that it ends itself has
	// answered nothing: a disk that hangs may cost notes, not the answer.
	c.watch.grace(afterGrace, func() {})
	for _, write := range a.late {
		if err := write.Do(); err != nil {
			c.warn(fmt.Sprintf("--hook=%s: could not %s: %v. Check the disk and the permissions of that place.", c.hook.Name, write.What, err))
		}
	}
	c.logAnswer(a)
	c.record(a, size)
	c.keep(a)
	if err := c.log.Close(); err != nil {
		c.warn(fmt.Sprintf("the debug log could not be written: %v", err))
	}
	c.watch.over(nil)
}

// finishLate is finish on the goroutine of a watch that has taken over. The call
// stays with the work that is late; what is done here is done for a copy, whose
// notes have a watch of their own.
func (c *call) finishLate(a answer) {
	late := *c
	late.watch = &watch{end: c.watch.end}
	defer late.recovered()
	late.finish(a)
}

// recovered, deferred, answers in the place of code that panicked outside of a
// handler: it would end in exit code 2, which blocks a stop and lets a dialog decide
// about a tool.
func (c *call) recovered() {
	reason := recover()
	if reason == nil {
		return
	}
	err := &panicError{reason, debug.Stack()}
	c.watch.over(nil)
	switch {
	case c.printed:
		c.warnOf(err)
	case c.hook.Types == nil:
		c.warnOf(err)
		c.print(hooks.Degraded())
	default:
		a := answer{err: err}.settle(c.failed)
		size := c.print(a.output)
		// What panicked once may do so again; the answer is out.
		defer func() { _ = recover() }()
		c.watch.grace(afterGrace, func() {})
		c.record(a, size)
		c.watch.over(nil)
	}
}

// failed is the answer of the hook's fail policy. The user sees one line on
// stderr; the model learns of a denied tool only what it can act on.
func (c *call) failed(err error) hooks.Output {
	c.warnOf(fmt.Errorf("--hook=%s could not do its work: %w", c.hook.Name, err))
	switch c.hook.Row().Fail {
	case hooks.FailClosed:
		return hooks.FailClosedPermission("bridge denied this tool call because it could not judge it safely: " + clean.Text(err.Error()) +
			". Tell the user; what went wrong is on the stderr of the hook, and bridge check 'COMMAND' repeats it.")
	case hooks.FailOpen:
	}
	return hooks.Degraded()
}
