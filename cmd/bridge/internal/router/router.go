// Package router takes a hook from its input bytes to its output bytes: kill switches,
// input, handler, commit, fail policy, output, each under a watch. Every path through it
// ends with exit code 0 and at most one JSON object on stdout
// (docs/design.md#hook-protocol).
package router

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/internal/debuglog"
	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/policy"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/settings"
	"github.com/hookbridge/bridge/normalize"
	"github.com/hookbridge/bridge/protocol"
)

// Process is the process that the client started, reduced to what a hook may use.
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
	// Exit ends the process after an answer that came too late for the work to continue.
	// If it is nil, the work is left running instead, which only tests want.
	Exit func(code int)
	// Handler replaces the table of handlers in tests of the fail policy; it is nil
	// everywhere else.
	Handler func(protocol.Type) protocol.Handler
}

// call is one hook call on its way through the router.
type call struct {
	p Process
	// req is the request as far as it is known: its environment from the start, its input
	// and places after the text was read.
	req  protocol.Request
	text []byte
	log  *debuglog.Logger
	// printed says that the client has its answer. early holds the lines for stderr that
	// must wait until then, because writing them may block.
	printed bool
	early   []string
	// held is the kill switch that is ignored, if there is one; ignored are notices about
	// other variables of the project's settings that are.
	held    held
	ignored *ignored
	// refused says why the user's configuration is not used.
	refused string
	// watch limits the time of each phase; deliver receives the answer of a phase that
	// was late.
	watch   *watch
	deliver func(answer)
}

// Run answers the hook that value names and returns the exit code, which is always 0: any
// other code would be an error line in the client or, for a Stop, a block. extra are
// arguments that a hook does not have.
func Run(p Process, value string, extra []string) int {
	if p.Exit != nil {
		return run(p, value, extra)
	}
	// The buffer has room for both answers: the second one must not wait for a reader
	// that has left.
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
	hook, ok := protocol.ParseHook(value)
	if !ok {
		c.warn(noHook(value, extra) + "; nothing was done. " + display.Bridge + " hooks lists the types.")
		c.end(protocol.Degraded())
		return 0
	}
	c.begin(hook)
	if len(extra) > 0 {
		c.warn(fmt.Sprintf("--hook=%s: further arguments are ignored: %s", hook.Name, strings.Join(extra, " ")))
	}
	if c.switchedOff() {
		// The input is not read, and no file is changed.
		c.end(idle(c.req.Hook.Row()))
		return 0
	}
	c.finish(c.answer())
	return 0
}

// noHook says what is wrong with arguments that name no hook.
func noHook(value string, extra []string) string {
	for _, arg := range extra {
		if rest, is := strings.CutPrefix(arg, "--hooks"); is && value == "" {
			return fmt.Sprintf("%s is not a hook call (did you mean --hook=%s?)", display.Text(arg), display.Text(cmp.Or(strings.TrimPrefix(rest, "="), "stop")))
		}
	}
	return fmt.Sprintf("unknown hook %q%s", value, display.Meant(value, protocol.HookNames()))
}

// begin resolves what does not depend on the input.
func (c *call) begin(hook protocol.Hook) {
	c.req.Hook, c.ignored = hook, &ignored{}
	// What the client reads does not depend on the input, which is not read yet.
	c.p.Getenv = policy.Screen(c.p.Getenv, os.Getwd, c.ignored.add)
	c.req.Env = project.Env(c.p.Getenv, c.p.Now())
	c.req.Env.Notices = c.notices
	c.req.Env.Source = strings.Join(c.p.Args, "\x00") + "\x00\x00" + c.p.Getenv(claude.EnvPluginRoot)
}

// configure reads the user's configuration and starts the debug log. Because a disk may
// not answer, it has the same time limit as the input.
func (c *call) configure() error {
	c.watch.begin(normalize.LimitsOf(c.req.Hook).Wait, func() {
		c.deliver(answer{err: fmt.Errorf("read the configuration: %w", errDeadline), trace: protocol.Trace{Rule: "configuration"}})
	})
	config, err := settings.Load(c.req.Env)
	log := c.p.Getenv("BRIDGE_LOG")
	c.watch.over(nil)
	c.req.Env.Config = config
	if !c.req.Env.DryRun {
		c.log = debuglog.New(debuglog.Path(log, config.Log, c.req.Env.StateHome), c.p.Version)
		c.log.Step("called", debuglog.String("hook", c.req.Hook.Name), debuglog.String("arguments", strings.Join(c.p.Args, " ")))
	}
	if err == nil {
		return nil
	}
	c.log.Step("configuration refused", debuglog.Error(err))
	c.refused = display.Text(display.Error(err))
	if c.req.Hook.Row().Fail == protocol.FailOpen {
		c.warn(fmt.Sprintf("%v. The defaults are used until it is fixed.", err))
	}
	return err
}

// answer reads the input and calls the handler.
func (c *call) answer() answer {
	handler, early := c.prepare()
	if handler == nil {
		return early
	}
	return c.run(handler, c.req, commit)
}

// prepare does everything before the handler. If the handler is nil, there is nothing to
// handle, and early is the answer.
func (c *call) prepare() (handler protocol.Handler, early answer) {
	if err := c.configure(); err != nil && c.req.Hook.Row().Fail == protocol.FailClosed {
		return nil, answer{err: err, trace: protocol.Trace{Rule: "configuration"}}
	}
	limits := normalize.LimitsOf(c.req.Hook)
	c.watch.begin(limits.Wait, func() {
		err := &normalize.Malformed{Rule: normalize.RuleTimeout}
		c.deliver(answer{err: err, trace: malformed(err)})
	})
	text, err := normalize.Read(c.p.Stdin, limits)
	c.watch.over(nil)
	if err != nil {
		return nil, answer{err: err, trace: malformed(err)}
	}
	c.text = text
	c.log.Step("input read", debuglog.JSON("input", text))
	result, err := normalize.Decode(c.req.Hook, text)
	if err != nil {
		return nil, answer{err: err, trace: malformed(err)}
	}
	c.req.Hook, c.req.Input, c.req.Audit = result.Hook, result.Input, result.Audit
	c.req.Places = project.Places(result.Input, c.req.Env)
	for _, name := range result.Audit {
		c.log.Step("field dropped", debuglog.String("field", name))
	}
	if c.req.Env.Off.Hook(c.req.Hook) {
		return nil, answer{output: idle(c.req.Hook.Row()), trace: protocol.Trace{Rule: "kill-switch"}}
	}
	return c.handler(), answer{trace: protocol.Trace{Rule: "no-handler"}}
}

func (c *call) handler() protocol.Handler {
	if c.p.Handler != nil {
		return c.p.Handler(c.req.Hook.Types[0])
	}
	row := rowOf(c.req.Hook)
	handler := row.handle
	if c.held != (held{}) {
		handler = c.held.only(row.judge)
	}
	if row.tells || row.judge != nil {
		handler = telling(handler)
	}
	return handler
}

// malformed is the trace of an input that normalize rejected.
func malformed(err error) protocol.Trace {
	trace := protocol.Trace{Rule: "malformed-input"}
	if m, ok := err.(*normalize.Malformed); ok {
		trace.Rule = "malformed-" + string(m.Rule)
	}
	return trace
}
