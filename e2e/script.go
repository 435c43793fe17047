package e2e

import (
	"fmt"
	"sync"
	"time"
)

// Block is one content block of an answer: a text, or a tool call if Tool is set.
type Block struct {
	Text  string
	Tool  string
	Input any // marshalled as the tool's input; nil is {}
}

// Turn is one answer of the model. With a tool call among its blocks the client runs the tool and asks again; without one the
// turn ends and Stop hooks run.
type Turn struct {
	Blocks []Block
	Delay  time.Duration // before the first byte
	// Usage holds the token counts of the answer as the API names them, default 10 in and 5 out.
	Usage map[string]any
	// Status, if it is not 0, is that of an error instead of an answer; Error is its type and Blocks have its message.
	Status int
	Error  string
}

// Fail is an error of the API, such as 429 rate_limit_error. The client asks again unless CLAUDE_CODE_MAX_RETRIES is 0.
func Fail(status int, kind, message string) Turn {
	t := Say(message)
	t.Status, t.Error = status, kind
	return t
}

// Say is a turn of plain text blocks.
func Say(texts ...string) Turn {
	var t Turn
	for _, s := range texts {
		t.Blocks = append(t.Blocks, Block{Text: s})
	}
	return t
}

// Call is a turn of one tool call.
func Call(tool string, input any) Turn {
	return Turn{Blocks: []Block{{Tool: tool, Input: input}}}
}

// CallBash is a turn that runs one shell command; permissions.allow of the settings must allow it.
func CallBash(command string) Turn {
	return Call("Bash", map[string]any{"command": command, "description": "scripted"})
}

// Script answers the requests of kind Main and Subagent. It is called from one goroutine per request.
type Script func(Request) Turn

// Turns answers the n-th request of each (session, agent) with the n-th turn. After the last turn, the answer is a text
// that says so, which a test finds in the transcript.
func Turns(turns ...Turn) Script {
	return func(r Request) Turn {
		if r.N <= len(turns) {
			return turns[r.N-1]
		}
		return Say(fmt.Sprintf("script exhausted after %d turns", len(turns)))
	}
}

// Slowly delays every answer of a script.
func Slowly(delay time.Duration, script Script) Script {
	return func(r Request) Turn {
		t := script(r)
		t.Delay += delay
		return t
	}
}

// PerSession picks a script by session id, for clients that share a server.
func PerSession(scripts map[string]Script) Script {
	return func(r Request) Turn {
		if s, ok := scripts[r.Session]; ok {
			return s(r)
		}
		return Say("no script for session " + r.Session)
	}
}

// Agents answers main-loop requests from one script and those of subagents from another.
func Agents(mainLoop, subagent Script) Script {
	return func(r Request) Turn {
		if r.Kind == Subagent {
			return subagent(r)
		}
		return mainLoop(r)
	}
}

// counter numbers requests by key.
type counter struct {
	mu sync.Mutex
	n  map[string]int
}

func (c *counter) next(key string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.n == nil {
		c.n = map[string]int{}
	}
	c.n[key]++
	return c.n[key]
}
