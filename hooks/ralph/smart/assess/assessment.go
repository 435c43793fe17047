// Package assess reads the model's own assessment of a task from its
// <completion-assessment> block (docs/reference/smart-ralph.md, R3-21 to R3-26). It is
// pure.
package assess

import "strings"

// Status is what the model says about the task.
type Status string

// The statuses. An unknown status never completes a task.
const (
	Unknown    Status = "unknown"
	Completed  Status = "completed"
	InProgress Status = "in_progress"
	Blocked    Status = "blocked"
	Skipped    Status = "skipped"
)

// Assessment is the content of a block.
type Assessment struct {
	Status Status
	// Completion and Confidence are percentages from 0 to 100. A missing confidence
	// counts as 0, so it never completes a task.
	Completion, Confidence int
	Done, Remaining        []string
	// Blocker is empty when nothing blocks.
	Blocker    string
	Suggestion string
	// Partial says that the block was cut off. Its confidence is then 0.
	Partial bool
	// Contradiction says which part of the block contradicts its status; it is empty if
	// none does.
	Contradiction Contradiction
	// Task and Iteration are the attributes of the tag; 0 means absent.
	Task, Iteration int
}

// Contradiction is a reason not to believe the status "completed".
type Contradiction string

// The contradictions (R3-25).
const (
	Consistent     Contradiction = ""
	ItemsRemain    Contradiction = "items remain"
	BlockerRemains Contradiction = "a blocker is named"
)

const (
	openTag  = "<completion-assessment"
	closeTag = "</completion-assessment>"
)

// Find reads the last assessment of a text; ok is false when there is none.
func Find(text string) (a Assessment, ok bool) {
	var body string
	for at := len(text); ; {
		at = strings.LastIndex(text[:at], openTag)
		if at < 0 {
			return Assessment{}, false
		}
		if body, ok = afterTag(text[at:], &a); ok {
			break
		}
	}
	before, _, closed := strings.Cut(body, closeTag)
	if before = strings.TrimSpace(before); before == "" && closed {
		return Assessment{}, false
	}
	a.read(unfence(before))
	a.Partial = !closed
	a.judge()
	return a, true
}

// FindAlone is Find for an earlier text of the turn, where only a tag at the beginning of
// a line counts, because a quoted tag must not count.
func FindAlone(text string) (Assessment, bool) {
	at := strings.LastIndex(text, openTag)
	if at < 0 || strings.TrimSpace(text[strings.LastIndexByte(text[:at], '\n')+1:at]) != "" {
		return Assessment{}, false
	}
	return Find(text)
}

// afterTag reads the attributes of a tag and returns what follows it.
func afterTag(text string, a *Assessment) (body string, ok bool) {
	const most = 200
	rest := text[len(openTag):]
	shut := strings.IndexByte(rest[:min(len(rest), most)], '>')
	if shut < 0 || strings.ContainsAny(rest[:shut], "\n<") || shut > 0 && rest[0] != ' ' {
		return "", false
	}
	*a = Assessment{}
	for _, field := range strings.Fields(rest[:shut]) {
		name, value, _ := strings.Cut(field, "=")
		n, _ := percent(strings.Trim(value, `"'`), 1<<30)
		switch name {
		case "task":
			a.Task = n
		case "iteration":
			a.Iteration = n
		}
	}
	return rest[shut+1:], true
}

// judge resolves contradictions between the parts of the block.
func (a *Assessment) judge() {
	if a.Partial {
		a.Confidence = 0
	}
	if a.Status != Completed {
		return
	}
	switch {
	case len(a.Remaining) > 0:
		a.Contradiction = ItemsRemain
	case a.Blocker != "":
		a.Contradiction = BlockerRemains
	}
	if a.Contradiction != Consistent {
		a.Status = InProgress
	}
}

// Claims reports whether the model says that the task is done, whether or not it is
// believed.
func (a Assessment) Claims() bool { return a.Status == Completed || a.Contradiction != Consistent }

// IsBlocked reports whether the block names a blocker.
func (a Assessment) IsBlocked() bool { return a.Status == Blocked && a.Blocker != "" }

// unfence removes a code fence that surrounds the whole text.
func unfence(text string) string {
	if !strings.HasPrefix(text, "```") {
		return text
	}
	_, inner, found := strings.Cut(text, "\n")
	if !found {
		return text
	}
	return strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(inner), "```"))
}
