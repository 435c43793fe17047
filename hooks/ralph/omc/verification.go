package omc

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// Verification is a pending verification: a reviewer has to confirm the work before the
// loop ends.
type Verification struct {
	Claim                 string
	RequestID, StoryID    string
	Attempts, MaxAttempts int
	// Story says that only one story is verified, and not the whole work.
	Story bool
	// Feedback is the report of a review that did not approve.
	Feedback string
}

// Review is what the reviewers of a turn said.
type Review struct {
	// Answered says that a reviewer reported; Approved says that it approved.
	Answered, Approved bool
	// Text is the last report.
	Text string
}

// Review looks for an approval in the turn. Only the result of a reviewer's tool call
// counts: the model's own words, and the prompt in which it tells the reviewer how to
// approve, come from the model itself (Yeachan-Heo/oh-my-claudecode#1216; oh-my-claudecode
// accepted the tag anywhere in the transcript, so the model could approve its own work).
func (v Verification) Review(turn protocol.Turn) Review {
	var review Review
	prompts := map[string]string{}
	for _, e := range turn.Entries {
		switch e.Kind {
		case protocol.EntryToolUse:
			if prompt, ok := reviewer(e); ok {
				prompts[e.ToolUseID] = prompt
			}
		case protocol.EntryToolResult:
			prompt, ok := prompts[e.ToolUseID]
			if ok && e.ToolUseID != "" && !e.IsError && !strings.HasPrefix(strings.TrimSpace(e.Text), "Async agent launched") {
				text := e.Text
				if prompt = strings.TrimSpace(prompt); prompt != "" {
					text = strings.ReplaceAll(text, prompt, "")
				}
				review = Review{Answered: true, Approved: v.approves(text), Text: text}
			}
		case protocol.EntryText:
		}
	}
	return review
}

// reviewer reports whether a tool call gives work to a reviewer, and returns its
// instructions.
func reviewer(e protocol.Entry) (prompt string, ok bool) {
	if claude.Kind(e.ToolName) != protocol.ToolAgent {
		return "", false
	}
	input, err := statefile.ParseObject(jsontext.Value(e.ToolInput))
	if err != nil {
		return "", false
	}
	words := strings.FieldsFunc(strings.ToLower(input.Text("subagent_type")), func(r rune) bool { return r < 'a' || r > 'z' })
	for _, word := range words {
		switch word {
		case "architect", "critic", "reviewer", "verifier":
			return input.Text("prompt"), true
		}
	}
	return "", false
}

// approves reports whether a line of the report approves this very request. A quoted line
// does not count.
func (v Verification) approves(report string) bool {
	fenced := false
	for line := range strings.Lines(report) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") {
			fenced = !fenced
			continue
		}
		if !fenced && v.isApproval(line) {
			return true
		}
	}
	return false
}

// isApproval parses <ralph-approved request-id="…"
// story-id="…">VERIFIED_COMPLETE</ralph-approved> (or architect-approved), which must be
// the whole line.
func (v Verification) isApproval(line string) bool {
	for _, tag := range []string{"ralph-approved", "architect-approved"} {
		inner, ok := strings.CutPrefix(line, "<"+tag)
		if !ok {
			continue
		}
		inner, ok = strings.CutSuffix(inner, "</"+tag+">")
		attributes, content, found := strings.Cut(inner, ">")
		return ok && found && (attributes == "" || attributes[0] == ' ') && strings.TrimSpace(content) == "VERIFIED_COMPLETE" &&
			(v.RequestID == "" || attribute(attributes, "request-id") == v.RequestID) &&
			(v.StoryID == "" || attribute(attributes, "story-id") == v.StoryID)
	}
	return false
}

// attribute returns the value of name="value", or "".
func attribute(attributes, name string) string {
	_, rest, _ := strings.Cut(attributes, " "+name+`="`)
	value, _, ok := strings.Cut(rest, `"`)
	if !ok {
		return ""
	}
	return value
}

// ask tells the model to get the work reviewed.
func (v Verification) ask() string {
	tag := "<ralph-approved"
	if v.RequestID != "" {
		tag += fmt.Sprintf(" request-id=%q", v.RequestID)
	}
	if v.StoryID != "" {
		tag += fmt.Sprintf(" story-id=%q", v.StoryID)
	}
	text := "The work needs a review. Start a reviewer now, in the foreground, with the Task tool (subagent_type architect, critic or verifier), and have it check the result against the task"
	if v.Claim != "" {
		text += ", in particular this claim: " + display.Clip(v.Claim, maxEchoed)
	}
	return text + "\n\nIf the reviewer approves, its report must end with this text on a line of its own:\n" + tag +
		">VERIFIED_COMPLETE</ralph-approved>\n\nNothing that you write yourself counts as an approval."
}
