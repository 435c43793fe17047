package router

import (
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/protocol"
)

// addressed puts the command that runs this program, and the client that reads the
// output, into an output.
func (c *call) addressed(out protocol.Output) protocol.Output {
	out = out.Map(c.named)
	out.For = c.req.Input.Client
	return out
}

// settle fills in the answer of the fail policy if there is no answer, and the rule of
// that failure.
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

// finish prints the answer, or that of the fail policy if there is none, and informs the
// sinks. The answer comes first, and everything is under a watch, so that neither a full
// stderr nor a full stdout can block the hook.
func (c *call) finish(a answer) {
	a = c.settle(a)
	// The client waits for the process to end, and a hook that it has to kill has not
	// answered. So a hanging disk may cost the notes, but not the answer.
	c.watch.grace(afterGrace, func() {})
	size, err := c.print(a.output)
	if err != nil {
		a.output, a.unprinted = protocol.Silent(), true
		a.notes = append(a.notes, fmt.Sprintf("the answer could not be printed: %v. The client continues without it.", err))
	}
	if a.err != nil {
		c.complain(a.err)
	}
	if a.writeErr != nil {
		c.warn(fmt.Sprintf("--hook=%s: could not %v. Nothing was lost; check the disk and the permissions of that path, and try again.", c.req.Hook.Name, a.writeErr))
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

// end prints an answer after which nothing else happens.
func (c *call) end(out protocol.Output) {
	c.watch.begin(afterGrace, func() {})
	// There is nobody left to tell.
	_, _ = c.print(out)
	c.watch.over(nil)
}

// carryOut performs the writes that follow the answer.
func (c *call) carryOut(writes []protocol.Write) {
	for _, write := range writes {
		if err := write.Do(); err != nil {
			c.warn(fmt.Sprintf("--hook=%s: could not %s: %v. Check the disk and the permissions of that path.", c.req.Hook.Name, write.What, err))
		}
	}
}

// finishLate is finish on the goroutine of a watch that has expired. The late work keeps
// using the call, so everything here works on a copy with a watch of its own.
func (c *call) finishLate(a answer) {
	late := *c
	late.watch = &watch{end: c.watch.end}
	defer late.recovered()
	late.finish(a)
}

// recovered, when deferred, answers for code that panicked outside of a handler. The
// panic would otherwise end in exit code 2, which blocks a stop and lets a dialog decide
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
		// What panicked once may panic again, but the answer is already out.
		defer func() { _ = recover() }()
		c.note(c.sinks(a), a, size)
		c.watch.over(nil)
	}
}

// complain reports a failure to the user in one line on stderr.
func (c *call) complain(err error) {
	c.warnOf(fmt.Errorf("--hook=%s failed: %w", c.req.Hook.Name, err))
}

// failed is the answer of a type's fail policy. About a denied tool, the model is told
// only what it can act on.
func failed(row protocol.Row, err error) protocol.Output {
	switch row.Fail {
	case protocol.FailClosed:
		return protocol.FailClosedPermission("bridge denied this call: " + display.Text(display.Error(err)) +
			". It denies what it cannot judge safely. Tell the user: " + display.Bridge + " doctor shows what to fix, and " + display.Bridge + " check 'COMMAND' repeats the check.")
	case protocol.FailOpen:
	}
	return idle(row)
}

// idle is the answer of a hook that could not, or must not, do its work. At a silent
// event there is no answer, because the client may take any output for the hook's
// result (docs/reference/claude-code.md#other-events).
func idle(row protocol.Row) protocol.Output {
	if row.Duty == protocol.DutySilent {
		return protocol.Silent()
	}
	return protocol.Degraded()
}
