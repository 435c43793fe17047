// Package loop is the ralph-loop dialect: the prompt in .claude/ralph-loop.local.md is
// sent again at each stop, until the model keeps its promise or the limit is reached
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
	// Active is false for a paused loop. Unclear says what is wrong with a value that is
	// neither yes nor no: a person may have paused the loop with it, so it counts as paused.
	Active  bool
	Unclear string
	// Iteration counts the runs of the prompt, from 1. A MaxIterations of 0 means no
	// limit.
	Iteration     int
	MaxIterations int
	SessionID     string
	// Promise is the text that ends the loop, or empty.
	Promise string
	// rawPromise is the promise without quotes but with its backslashes as written,
	// because ralph-loop's own set-up does not escape.
	rawPromise string
	StartedAt  time.Time
	// Prompt is everything after the front matter, including leading line breaks but not
	// trailing ones.
	Prompt string
	// Problem says why the file is corrupted; it is empty if it is not.
	Problem string

	front statefile.FrontMatter
}

// Parse reads a state file. A corrupted file is not an error: its state has a Problem and
// the values that could be read.
func Parse(data []byte) State {
	front, err := statefile.ParseFrontMatter(data)
	if err != nil {
		return State{Active: true, Problem: "the file does not begin with front matter between two lines of ---"}
	}
	s := State{front: front, Active: true, Prompt: strings.TrimRight(front.Body(), "\r\n")}
	s.Active, s.Unclear = active(front)
	s.SessionID = optional(front, "session_id")
	s.Promise = optional(front, "completion_promise")
	if strings.TrimSpace(s.Promise) == "" {
		// A promise of white space could never be matched, so the loop would never end.
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

// active reads whether the loop is active. A loop whose file lacks the line is active,
// because older files never have it.
func active(front statefile.FrontMatter) (on bool, unclear string) {
	text, ok := front.Raw("active")
	if !ok {
		return true, ""
	}
	value, _, _ := strings.Cut(text, " #")
	switch strings.ToLower(strings.TrimSpace(statefile.Unquote(strings.TrimSpace(value)))) {
	case "true", "yes", "on", "1":
		return true, ""
	case "false", "no", "off", "0", "paused":
		return false, ""
	}
	return false, fmt.Sprintf("'active' is neither true nor false (got: '%s')", text)
}

// optional returns a text value; the word null means none.
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
