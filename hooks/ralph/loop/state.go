// Package loop is the ralph-loop dialect: a prompt in .claude/ralph-loop.local.md that
// is fed back at each stop until the model keeps its promise or the limit is reached
// (docs/reference/ralph-loop.md).
package loop

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/hookbridge/bridge/internal/statefile"
)

// State is a loop's state file.
type State struct {
	// Active is false for a paused loop.
	Active bool
	// Iteration counts the runs of the prompt, from 1; MaxIterations 0 is no
	// limit.
	Iteration     int
	MaxIterations int
	SessionID     string
	// Promise is the text that ends the loop, or empty.
	Promise string
	// rawPromise is the promise without its quotes and with its backslashes as
	// written: ralph-loop's own set-up does not escape.
	rawPromise string
	StartedAt  time.Time
	// Prompt is everything after the front matter, leading line breaks included
	// and trailing ones not.
	Prompt string
	// Problem says why the file is corrupted, or is empty.
	Problem string

	front statefile.FrontMatter
}

// Parse reads a state file. A corrupted one is no error: the state then has a
// Problem, and whatever could be read.
func Parse(data []byte) State {
	front, err := statefile.ParseFrontMatter(data)
	if err != nil {
		return State{Active: true, Problem: "the file does not begin with a front matter between two lines of ---"}
	}
	s := State{front: front, Active: true, Prompt: strings.TrimRight(front.Body(), "\r\n")}
	if active, ok := front.Get("active"); ok && strings.EqualFold(active, "false") {
		s.Active = false
	}
	s.SessionID = optional(front, "session_id")
	s.Promise = optional(front, "completion_promise")
	if strings.TrimSpace(s.Promise) == "" {
		// Blanks can not be promised: no tag would ever end the loop.
		s.Promise = ""
	}
	if raw, ok := front.Raw("completion_promise"); ok {
		s.rawPromise = strings.TrimSuffix(strings.TrimPrefix(raw, `"`), `"`)
	}
	if at, ok := front.Get("started_at"); ok {
		s.StartedAt, _ = time.Parse(time.RFC3339, at)
	}
	var problem string
	if s.Iteration, problem = number(front, "iteration"); problem != "" {
		s.Problem = problem
	}
	if s.MaxIterations, problem = number(front, "max_iterations"); problem != "" && s.Problem == "" {
		s.Problem = problem
	}
	return s
}

// optional returns a text value; the word null stands for none.
func optional(front statefile.FrontMatter, key string) string {
	if raw, ok := front.Raw(key); !ok || raw == "null" {
		return ""
	}
	value, _ := front.Get(key)
	return value
}

// number returns a value that must be a decimal number without a sign.
func number(front statefile.FrontMatter, key string) (n int, problem string) {
	text, ok := front.Get(key)
	if !ok {
		return 0, fmt.Sprintf("the field '%s' is missing", key)
	}
	text = strings.TrimSpace(text)
	value, err := strconv.ParseUint(text, 10, 31)
	if err != nil {
		return 0, fmt.Sprintf("'%s' field is not a valid number (got: '%s')", key, text)
	}
	return int(value), ""
}

// New returns the text of a new state file.
func New(prompt, sessionID, promise string, maxIterations int, now time.Time) []byte {
	quoted := "null"
	if promise != "" {
		quoted = statefile.Quote(promise)
	}
	return fmt.Appendf(nil, "---\nactive: true\niteration: 1\nsession_id: %s\nmax_iterations: %d\ncompletion_promise: %s\nstarted_at: %q\n---\n\n%s\n",
		sessionID, maxIterations, quoted, now.UTC().Format(time.RFC3339), prompt)
}
