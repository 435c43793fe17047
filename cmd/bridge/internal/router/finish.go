package router

import (
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/protocol"
)

// addressed names this program in an output, and the client that reads it.
func (c *call) addressed(out protocol.Output) protocol.Output {
	out = out.Map(c.named)
	out.For = c.req.Input.Client
	return out
}

// settle fills in what the fail policy answers when there is no answer, and the
// rule of that failure.
func (c *call) settle(a answer) answer {
	if a.err == nil {
		a.output = c.addressed(a.output)
		return a
	}
	a.output = c.addressed(failed(c.req.Hook.Row(), a.err))
	switch {
	case errors.Is(a.err, errDeadline):
		a.trace.Rule = "deadline"
	case a.trace.Rule == "":
		a.trace.Rule = "handler-failed"
	}
	return a
}

// finish prints the answer, or the fail policy's when there is none, and tells the
// sinks. The answer comes first, and all of it is watched: neither a full
// stderr nor a full stdout holds the hook.
func (c *call) finish(a answer) {
	a = c.settle(a)
	// The client waits for the process to end, and a hook that it ends itself has
	// answered nothing: a disk that hangs may cost notes, not the answer.
	c.watch.grace(afterGrace, func() {})
	size, err := c.print(a.output)
	if err != nil {
		a.output, a.unprinted = protocol.Silent(), true
		a.notes = append(a.notes, fmt.Sprintf("the answer could not be printed: %v. The client goes on without it.", err))
	}
	if a.err != nil {
		c.complain(a.err)
	}
	if a.writeErr != nil {
		c.warn(fmt.Sprintf("--hook=%s: could not %v. Nothing was lost; check the disk and the permissions of that place, and try again.", c.req.Hook.Name, a.writeErr))
	}
	for _, line := range a.lines {
		fmt.Fprintln(c.p.Stderr, display.Text(c.named(line)))
	}
	for _, note := range a.notes {
		c.warn("--hook=" + c.req.Hook.Name + ": " + note)
	}
	sinks := c.sinks(a)
	if len(sinks)+len(a.late)+len(a.after) == 0 {
		c.watch.over(nil)
		return
	}
	c.carryOut(a.late)
	c.note(sinks, a, size)
	if err := c.log.Close(); err != nil {
		c.warn(fmt.Sprintf("the debug log could not be written: %v", err))
	}
	c.watch.over(nil)
	if len(a.after) > 0 {
		c.watch.begin(protocol.AfterTime, func() {})
		c.carryOut(a.after)
		c.watch.over(nil)
	}
}

// end prints an answer that nothing follows.
func (c *call) end(out protocol.Output) {
	c.watch.begin(afterGrace, func() {})
	// There is nobody to tell.
	_, _ = c.print(out)
	c.watch.over(nil)
}

// carryOut applies writes that follow the answer.
func (c *call) carryOut(writes []protocol.Write) {
	for _, write := range writes {
		if err := write.Do(); err != nil {
			c.warn(fmt.Sprintf("--hook=%s: could not %s: %v. Check the disk and the permissions of that place.", c.req.Hook.Name, write.What, err))
		}
	}
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
	case c.req.Hook.Types == nil:
		c.end(protocol.Degraded())
		c.warnOf(err)
	default:
		a := c.settle(answer{err: err})
		c.watch.grace(afterGrace, func() {})
		size, printErr := c.print(a.output)
		a.unprinted = printErr != nil
		c.complain(err)
		// What panicked once may do so again; the answer is out.
		defer func() { _ = recover() }()
		c.note(c.sinks(a), a, size)
		c.watch.over(nil)
	}
}

// complain tells the user of a failure on one line of stderr.
func (c *call) complain(err error) {
	c.warnOf(fmt.Errorf("--hook=%s could not do its work: %w", c.req.Hook.Name, err))
}

// failed is the answer of the fail policy of a type. The model learns of a denied
// tool only what it can act on.
func failed(row protocol.Row, err error) protocol.Output {
	switch row.Fail {
	case protocol.FailClosed:
		return protocol.FailClosedPermission("bridge denied this tool call because it could not judge it safely: " + display.Text(err.Error()) +
			". Tell the user; what went wrong is on the stderr of the hook, and " + display.Bridge + " check 'COMMAND' repeats it.")
	case protocol.FailOpen:
	}
	return protocol.Degraded()
}
