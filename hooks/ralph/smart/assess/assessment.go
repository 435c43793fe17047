// Package assess reads the model's own judgement of a task out of its
// <completion-assessment> block (docs/reference/smart-ralph.md, R3-21 to R3-26). It is
// pure.
package assess

import "strings"

// Status is what the model says about the task.
type Status string

// The statuses. An unknown one never completes a task.
const (
	Unknown    Status = "unknown"
	Completed  Status = "completed"
	InProgress Status = "in_progress"
	Blocked    Status = "blocked"
	Skipped    Status = "skipped"
)

// Assessment is a block that was read.
type Assessment struct {
	Status Status
	// Completion and Confidence are percentages from 0 to 100. A confidence that
	// is not given is 0: it never completes a task.
	Completion, Confidence int
	Done, Remaining        []string
	// Blocker is empty when nothing blocks.
	Blocker    string
	Suggestion string
	// Partial says that the block was cut off; its confidence is 0 then.
	Partial bool
	// Contradiction says what in the block speaks against its status, or is
	// empty.
	Contradiction Contradiction
	// Task and Iteration are the attributes of the tag, 0 when absent.
	Task, Iteration int
}

// Contradiction is a reason for which a "completed" is not believed.
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

// FindAlone is Find for an earlier text of the turn, where only a tag that begins
// a line counts: a quoted one does not.
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

// judge settles what the parts of the block mean together.
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

// Claims reports whether the model says that the task is done, believed or not.
func (a Assessment) Claims() bool { return a.Status == Completed || a.Contradiction != Consistent }

// IsBlocked reports a block with a name.
func (a Assessment) IsBlocked() bool { return a.Status == Blocked && a.Blocker != "" }

// unfence takes the text out of a code block that surrounds all of it.
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
