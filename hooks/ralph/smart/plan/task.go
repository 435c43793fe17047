// Package plan turns text into tasks: the model's <task-analysis> or, if there is none,
// the task file itself, in any format that a person writes
// (docs/reference/smart-ralph.md, R3-9 to R3-11). It is pure.
package plan

import (
	"strings"
	"unicode"
)

// Task is one piece of work.
type Task struct {
	Title       string
	Description string
	Criteria    []Criterion
}

// Criterion is one condition that must be met before the task is done.
type Criterion struct {
	Text string
	Done bool
}

// The largest plan that is accepted. A file with more tasks was misread.
const (
	MaxTasks    = 1000
	maxTitle    = 200
	maxCriteria = 200
	// maxBytes keeps the state file well below the size up to which it can be read
	// again.
	maxBytes = 700 << 10
)

// tidy makes the tasks fit for a state file: titles on one line, at least one criterion
// each. Tasks without a title are dropped.
func tidy(tasks []Task) []Task {
	kept := tasks[:0]
	for _, t := range tasks {
		// Asterisks around a title would be read as emphasis later.
		t.Title = strings.Trim(oneLine(t.Title, maxTitle), "* ")
		if t.Title == "" {
			continue
		}
		t.Description = strings.TrimSpace(t.Description)
		criteria := t.Criteria[:0]
		for _, c := range t.Criteria {
			if c.Text = oneLine(c.Text, 4*maxTitle); c.Text != "" && len(criteria) < maxCriteria {
				criteria = append(criteria, c)
			}
		}
		if t.Criteria = criteria; len(t.Criteria) == 0 {
			t.Criteria = []Criterion{{Text: t.Title}}
		}
		kept = append(kept, t)
	}
	return kept
}

// size is how many bytes the tasks take, roughly.
func size(tasks []Task) int {
	n := 0
	for _, t := range tasks {
		n += len(t.Title) + len(t.Description) + 100
		for _, c := range t.Criteria {
			n += len(c.Text) + 10
		}
	}
	return n
}

// oneLine folds white space and control characters, and cuts the text after limit
// characters.
func oneLine(s string, limit int) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s)
	s = strings.Join(strings.Fields(s), " ")
	n := 0
	for i := range s {
		if n++; n > limit {
			return s[:i] + "…"
		}
	}
	return s
}
