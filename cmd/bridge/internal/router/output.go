package router

import (
	"errors"
	"fmt"

	"github.com/hookbridge/bridge/client"
	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/self"
	"github.com/hookbridge/bridge/protocol"
)

// print writes the output in one go and returns the size of what was written. The
// warnings of before follow it.
func (c *call) print(out protocol.Output) (size int, err error) {
	c.printed = true
	if !out.IsSilent() {
		size, err = c.p.Stdout.Write(append(c.encoded(out), '\n'))
	}
	for _, line := range c.early {
		c.warn(line)
	}
	c.early = nil
	return size, err
}

// encoded is the output on one line, or the fail policy's answer if it is no JSON.
func (c *call) encoded(out protocol.Output) []byte {
	line, err := encode(out)
	if err == nil {
		return line
	}
	c.early = append(c.early, fmt.Sprintf("the answer could not be encoded: %v", err))
	if c.req.Hook.Types != nil && c.req.Hook.Row().Fail == protocol.FailClosed {
		line, _ = protocol.FailClosedPermission("bridge could not encode its answer.").AppendJSON(nil, nil)
		return line
	}
	return []byte(`{"continue": true}`)
}

// encode is an output on one line; a silent one has none. What the client shows has
// its control characters made visible, because it may quote a state file or a path.
// What the model reads stays as it is: there they are escapes of the JSON.
func encode(out protocol.Output) (line []byte, err error) {
	if out.IsSilent() {
		return nil, nil
	}
	line, err = client.AppendJSON(nil, out.Shown(display.Lines))
	return []byte(display.Text(string(line))), err
}

// warn writes one line to stderr, whatever is in the paths and errors that
// the message quotes. Before the answer is out, it waits for it.
func (c *call) warn(message string) {
	if !c.printed && !c.req.Env.DryRun {
		c.early = append(c.early, message)
		return
	}
	fmt.Fprintln(c.p.Stderr, "bridge:", display.Text(c.named(message)))
}

// warnOf is warn for an error; where a panic came from follows.
func (c *call) warnOf(err error) {
	c.warn(display.Error(err))
	if p, ok := errors.AsType[*panicError](err); ok {
		fmt.Fprintln(c.p.Stderr, display.Lines(string(p.stack)))
	}
}

// named puts the command that runs this program where a text names it.
func (c *call) named(text string) string {
	return display.Named(text, func() string { return self.Name(c.p.Getenv) })
}
