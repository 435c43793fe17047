package router

import (
	"errors"
	"fmt"

	"github.com/hookbridge/bridge/client"
	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/self"
	"github.com/hookbridge/bridge/protocol"
)

// print writes the output in one piece and returns how many bytes were written. Earlier
// warnings follow it.
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

// encoded is the output on one line, or the answer of the fail policy if the output is
// not valid JSON.
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

// encode is an output on one line; a silent output has none. In texts that the client
// shows, control characters are made visible, because the texts may quote a state file or
// a path. Texts for the model stay as they are: there, control characters are JSON
// escapes.
func encode(out protocol.Output) (line []byte, err error) {
	if out.IsSilent() {
		return nil, nil
	}
	line, err = client.AppendJSON(nil, out.Shown(display.Lines))
	return []byte(display.Text(string(line))), err
}

// warn writes one line to stderr, whatever characters the paths and errors in the message
// contain. Before the answer is printed, the line waits for it.
func (c *call) warn(message string) {
	if !c.printed && !c.req.Env.DryRun {
		c.early = append(c.early, message)
		return
	}
	fmt.Fprintln(c.p.Stderr, "bridge:", display.Text(c.named(message)))
}

// warnOf is warn for an error; the stack trace of a panic follows.
func (c *call) warnOf(err error) {
	c.warn(display.Error(err))
	if p, ok := errors.AsType[*panicError](err); ok {
		fmt.Fprintln(c.p.Stderr, display.Lines(string(p.stack)))
	}
}

// named replaces display.Bridge with the command that runs this program.
func (c *call) named(text string) string {
	return display.Named(text, func() string { return self.Name(c.p.Getenv) })
}
