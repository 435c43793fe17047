// Package router is the hook path from bytes to bytes: kill switches, input,
// handler, commit, fail policy, output, each under a watch. Every way through it
// ends with exit code 0 and at most one JSON object on stdout (design decisions 1
// to 6).
package router

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"github.com/hookbridge/bridge/hooks"
	"github.com/hookbridge/bridge/internal/clean"
	"github.com/hookbridge/bridge/internal/debuglog"
	"github.com/hookbridge/bridge/internal/ledger"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/recording"
	"github.com/hookbridge/bridge/internal/settings"
	"github.com/hookbridge/bridge/normalize"
)

// Process is the process that the client started, as far as a hook sees it.
type Process struct {
	// Args are all arguments, the program's name first.
	Args   []string
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer
	Getenv func(string) string
	Now    func() time.Time
	// Version is bridge's own.
	Version string
	// Exit ends the process when an answer came too late for the work to go on. Nil
	// leaves the work behind instead; the process of a hook has no reason to.
	Exit func(code int)
	// Handler replaces the table of handlers in tests of the fail policy; nil
	// outside of them.
	Handler func(hooks.Type) hooks.Handler
}

// call is one hook call on its way through the router.
type call struct {
	p       Process
	hook    hooks.Hook
	started time.Time
	input   hooks.Input
	// inputBytes is the size of what was read.
	inputBytes int
	text       []byte
	config     settings.Config
	log        *debuglog.Logger
	// dropped are the fields that the whitelist dropped, of sensitive types only.
	dropped []string
	// printed says that the client has its answer.
	printed bool
	// explaining says that nothing may be written, not even a log line.
	explaining bool
	// watch bounds each phase; deliver takes the answer of a phase that was late.
	watch   *watch
	deliver func(answer)
}

// Run answers the hook that value names and returns the exit code, which is
// always 0: any other would be an error line in the client or, for a Stop, a
// block. extra are arguments that nobody asked for.
func Run(p Process, value string, extra []string) int {
	if p.Exit != nil {
		return run(p, value, extra)
	}
	// Room for both: who comes second must not wait for a reader that has left.
	ended := make(chan int, 2)
	p.Exit = func(code int) { ended <- code }
	go func() { ended <- run(p, value, extra) }()
	return <-ended
}

func run(p Process, value string, extra []string) int {
	c := &call{p: p}
	c.deliver = c.finishLate
	c.watch = &watch{end: func() { p.Exit(0) }}
	defer c.recovered()
	hook, ok := hooks.ParseHook(value)
	if !ok {
		c.warn(fmt.Sprintf("unknown hook %q; nothing was done. bridge hooks lists the types.", value))
		c.print(hooks.Degraded())
		return 0
	}
	c.hook, c.started = hook, p.Now()
	if len(extra) > 0 {
		c.warn(fmt.Sprintf("--hook=%s: further arguments are ignored: %s", hook.Name, strings.Join(extra, " ")))
	}
	off := hooks.ParseKillSwitches(p.Getenv("DISABLE_OMC"), p.Getenv("OMC_SKIP_HOOKS"))
	if off.Hook(hook) {
		// Nothing is read and no file is touched.
		c.print(hooks.Degraded())
		return 0
	}
	c.finish(c.answer(off))
	return 0
}

// configure reads the user's configuration and starts the debug log. A disk that
// does not answer must not hold the hook, so it has the time that the input has.
func (c *call) configure() error {
	c.watch.begin(normalize.LimitsOf(c.hook).Wait, func() {
		c.deliver(answer{err: fmt.Errorf("read the configuration: %w", errDeadline), trace: hooks.Trace{Rule: "configuration"}})
	})
	config, err := settings.Load(project.ConfigHome(c.p.Getenv))
	c.watch.over(nil)
	c.config = config
	if !c.explaining {
		c.log = debuglog.New(debuglog.Path(c.p.Getenv("BRIDGE_LOG"), config.Log, project.StateHome(c.p.Getenv)), c.p.Version)
		c.log.Step("called", debuglog.String("hook", c.hook.Name), debuglog.String("arguments", strings.Join(c.p.Args, " ")))
	}
	if err == nil {
		return nil
	}
	c.log.Step("configuration refused", debuglog.Error(err))
	if c.hook.Row().Fail == hooks.FailOpen {
		c.warn(fmt.Sprintf("%v. The defaults are used until it is mended.", err))
	}
	return err
}

// answer reads the input and lets the handler work.
func (c *call) answer(off hooks.KillSwitches) answer {
	handler, req, early := c.prepare(off)
	if handler == nil {
		return early
	}
	return c.run(context.Background(), handler, req, commit)
}

// prepare goes as far as the handler. A nil handler means that there is nothing
// for one to do, and that early is the answer.
func (c *call) prepare(off hooks.KillSwitches) (handler hooks.Handler, req hooks.Request, early answer) {
	if err := c.configure(); err != nil && c.hook.Row().Fail == hooks.FailClosed {
		return nil, req, answer{err: err, trace: hooks.Trace{Rule: "configuration"}}
	}
	limits := normalize.LimitsOf(c.hook)
	c.watch.begin(limits.Wait, func() {
		err := &normalize.Malformed{Rule: normalize.RuleTimeout}
		c.deliver(answer{err: err, trace: malformed(err)})
	})
	text, err := normalize.Read(c.p.Stdin, limits)
	c.watch.over(nil)
	if err != nil {
		return nil, req, answer{err: err, trace: malformed(err)}
	}
	c.inputBytes, c.text = len(text), text
	c.log.Step("input read", debuglog.JSON("input", text))
	result, err := normalize.Decode(c.hook, text)
	if err != nil {
		return nil, req, answer{err: err, trace: malformed(err)}
	}
	c.hook, c.input, c.dropped = result.Hook, result.Input, result.Audit
	for _, name := range result.Audit {
		c.log.Step("field dropped", debuglog.String("field", name))
	}
	if off.Hook(c.hook) {
		return nil, req, answer{output: hooks.Degraded(), trace: hooks.Trace{Rule: "kill-switch"}}
	}
	handler = c.handler()
	if handler == nil {
		return nil, req, answer{trace: hooks.Trace{Rule: "no-handler"}}
	}
	req = hooks.Request{
		Hook:  c.hook,
		Input: c.input,
		Audit: result.Audit,
		Env: hooks.Env{
			Getenv: c.p.Getenv,
			Now:    c.started,
			Source: strings.Join(c.p.Args, "\x00") + "\x00\x00" + c.p.Getenv("CLAUDE_PLUGIN_ROOT"),
		},
	}
	return handler, req, early
}

func (c *call) handler() hooks.Handler {
	if c.p.Handler != nil {
		return c.p.Handler(c.hook.Types[0])
	}
	return handlerOf(c.hook.Types[0])
}

// malformed is the trace of an input that normalize refused.
func malformed(err error) hooks.Trace {
	trace := hooks.Trace{Rule: "malformed-input"}
	if m, ok := err.(*normalize.Malformed); ok {
		trace.Rule = "malformed-" + string(m.Rule)
	}
	return trace
}

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

// keep records the call where the user's configuration asks for it.
func (c *call) keep(a answer) {
	if !c.config.Record || len(c.text) == 0 {
		return
	}
	out, err := encode(a.output)
	if err == nil {
		err = recording.Save(project.StateHome(c.p.Getenv), recording.Recording{
			Hook: c.hook.Name, Time: c.started, Version: c.p.Version, Rule: a.trace.Rule, Input: c.text, Output: out,
		})
	}
	if err != nil {
		c.warn(fmt.Sprintf("%v. The answer is not affected; check the disk and the permissions of that place.", err))
	}
}

// logAnswer writes the branches that were taken and what came of them.
func (c *call) logAnswer(a answer) {
	if c.log == nil {
		return
	}
	fields := []debuglog.Field{
		debuglog.String("decision_step", a.trace.Step), debuglog.String("rule", a.trace.Rule),
		debuglog.String("decision", decisionOf(a.output)), debuglog.String("reason", a.output.Reason),
		debuglog.String("system_message", a.output.SystemMessage),
		debuglog.Duration("duration_us", c.p.Now().Sub(c.started)), debuglog.Error(errors.Join(a.err, a.writeErr)),
	}
	for _, d := range a.trace.Detail {
		fields = append(fields, debuglog.String(d.Name, d.Value))
	}
	c.log.Step("answered", fields...)
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

// print writes the output in one go and returns its size.
func (c *call) print(out hooks.Output) int {
	c.printed = true
	if out.IsSilent() {
		return 0
	}
	line, err := encode(out)
	if err != nil {
		c.warn(fmt.Sprintf("the answer could not be encoded: %v", err))
		line = []byte(`{"continue": true}`)
		if c.hook.Types != nil && c.hook.Row().Fail == hooks.FailClosed {
			line, _ = hooks.FailClosedPermission("bridge could not encode its answer.").AppendJSON(nil)
		}
	}
	line = append(line, '\n')
	// A closed stdout is the client's decision; there is nobody left to tell.
	n, _ := c.p.Stdout.Write(line)
	return n
}

// encode is an output on one line; a silent one has none.
func encode(out hooks.Output) (line []byte, err error) {
	if out.IsSilent() {
		return nil, nil
	}
	out.SystemMessage, out.StopReason = visible(out.SystemMessage), visible(out.StopReason)
	return out.AppendJSON(nil)
}

// warn writes one line to stderr, whatever stands in the paths and errors that
// the message quotes.
func (c *call) warn(message string) {
	fmt.Fprintln(c.p.Stderr, "bridge:", clean.Text(message))
}

// warnOf is warn for an error; where a panic came from follows.
func (c *call) warnOf(err error) {
	c.warn(err.Error())
	if p, ok := errors.AsType[*panicError](err); ok {
		fmt.Fprintln(c.p.Stderr, visible(string(p.stack)))
	}
}

// visible makes control characters visible in a text that a terminal shows, and
// keeps its lines: such a text may quote a state file or a path (design decision
// 15). What the model reads stays as it is.
func visible(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = clean.Text(line)
	}
	return strings.Join(lines, "\n")
}

// record notes every answer that is not silent.
func (c *call) record(a answer, size int) {
	if a.output.IsSilent() {
		return
	}
	stateHome := project.StateHome(c.p.Getenv)
	if stateHome == "" {
		return
	}
	report := func(err error) { c.log.Step("ledger refused", debuglog.Error(err)) }
	ledger.Ledger{Dir: filepath.Join(stateHome, "ledger"), Report: report}.Append(ledger.Entry{
		Time:        c.started,
		Session:     c.input.SessionID,
		Type:        c.hook.Types[0],
		Event:       c.input.HookEventName,
		Step:        a.trace.Step,
		Decision:    decisionOf(a.output),
		Rule:        a.trace.Rule,
		InputBytes:  c.inputBytes,
		OutputBytes: size,
		Duration:    c.p.Now().Sub(c.started),
		PID:         os.Getpid(),
		Version:     c.p.Version,
	})
}

// decisionOf names what an output decides.
func decisionOf(out hooks.Output) string {
	switch specific := out.HookSpecific.(type) {
	case hooks.PermissionRequestOutput:
		return specific.Decision.Behavior
	case hooks.PreToolUseOutput:
		if specific.PermissionDecision != "" {
			return specific.PermissionDecision
		}
		return "context"
	case hooks.ContextOutput:
		return "context"
	}
	switch {
	case out.Decision != "":
		return out.Decision
	case out.Continue != nil:
		return "continue"
	case out.IsSilent():
		return "silent"
	}
	return "notice"
}
