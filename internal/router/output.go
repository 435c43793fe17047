package router

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hookbridge/bridge/hooks"
	"github.com/hookbridge/bridge/internal/clean"
)

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
