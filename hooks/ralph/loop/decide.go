package loop

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/protocol"
)

// Decide follows the decision tree of ralph-loop: a corrupted state, the limit, a turn
// that cannot be read, the promise, an empty prompt; otherwise the loop continues. It is
// pure.
func Decide(s State, turn protocol.Turn) protocol.Decision {
	switch {
	case s.Problem != "":
		return corrupted(s.Problem)
	case s.MaxIterations > 0 && s.Iteration >= s.MaxIterations:
		return protocol.Finished("max-iterations", fmt.Sprintf("🛑 Ralph loop: Max iterations (%d) reached.", s.MaxIterations))
	case !turn.HasFinal && turn.Err != protocol.TurnOK:
		return unreadable(turn.Err)
	case s.Promise != "" && keeps(s, turn):
		return protocol.Finished("promise", fmt.Sprintf("✅ Ralph loop: Detected <promise>%s</promise>", s.Promise))
	case strings.TrimSpace(s.Prompt) == "":
		return corrupted("no prompt text found after the front matter")
	}
	return protocol.Decision{Kind: protocol.Continue, Rule: "continue", Count: s.Iteration, Reason: s.Prompt, Context: promiseContext(s), Message: iterationMessage(s)}
}

// maxPromise is the length in bytes of the longest promise that the model is told: the
// client cuts a context of more than 10,000 characters.
const maxPromise = 8000

// promiseContext tells the model how the loop ends. The prompt may not say that, and the
// message for the user does not reach the model (docs/design.md#promise).
func promiseContext(s State) string {
	if s.Promise == "" || len(s.Promise) > maxPromise {
		return ""
	}
	return "This is a loop: the task above is given to you again each time you stop. It ends when you output <promise>" + s.Promise +
		"</promise>. Output that only when it is completely true, and never just to end the loop."
}

func corrupted(problem string) protocol.Decision {
	return protocol.Finished("state-corrupted", "⚠️ Ralph loop: State file corrupted: "+problem+". The loop has stopped.")
}

func unreadable(err protocol.TurnError) protocol.Decision {
	var rule, what string
	switch err {
	case protocol.TranscriptMissing:
		rule, what = "transcript-missing", "Transcript file not found"
	case protocol.TranscriptUnreadable:
		rule, what = "transcript-unreadable", "the transcript could not be read"
	case protocol.TranscriptUnparsable:
		rule, what = "transcript-unparsable", "Failed to parse the transcript"
	case protocol.TranscriptNoAssistant:
		rule, what = "no-assistant-message", "No assistant messages found in transcript"
	case protocol.TurnOK:
	}
	return protocol.Finished(rule, "⚠️ Ralph loop: "+what+", and the client sent no last message. The loop has stopped.")
}

func iterationMessage(s State) string {
	next := strconv.Itoa(s.Iteration + 1)
	if s.Promise == "" {
		return "🔄 Ralph iteration " + next + " | No completion promise set - " + endWithoutPromise(s)
	}
	return "🔄 Ralph iteration " + next + " | To stop: output <promise>" + s.Promise + "</promise> (only when the statement is TRUE)"
}

// endWithoutPromise says when a loop ends that has no promise.
func endWithoutPromise(s State) string {
	if s.MaxIterations == 0 {
		return "loop runs infinitely (" + display.Bridge + " ralph cancel ends it)"
	}
	return fmt.Sprintf("stops after %d iterations", s.MaxIterations)
}

// keeps reports whether the turn keeps the promise. A tag counts anywhere in the last
// message. In earlier texts of the turn it must be alone on its line, so that a quoted
// file does not end the loop (docs/design.md#promise).
func keeps(s State, turn protocol.Turn) bool {
	if tagged(s, turn.Final, false) {
		return true
	}
	for _, entry := range turn.Entries {
		if entry.Kind == protocol.EntryText && entry.Text != turn.Final && tagged(s, entry.Text, true) {
			return true
		}
	}
	return false
}

// tagged looks for a promise tag that contains the promise; angle brackets may be written
// as in HTML. Any white space counts as one space; everything else is compared literally.
// Because a tag inside a tag may be the right one, the text is compared backwards from
// each closing tag, so that even a hostile message is read only once.
func tagged(s State, text string, alone bool) bool {
	promises := []string{fold(s.Promise), fold(s.rawPromise)}
	if between(promises, text, alone, "<promise>", "</promise>") {
		return true
	}
	if !strings.Contains(text, "&lt;promise&gt;") {
		return false
	}
	for _, promise := range promises[:2] {
		promises = append(promises, strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(promise))
	}
	return between(promises, text, alone, "&lt;promise&gt;", "&lt;/promise&gt;")
}

// between looks for one of the promises between two tags.
func between(promises []string, text string, alone bool, open, closing string) bool {
	for from := 0; ; {
		length := strings.Index(text[from:], closing)
		if length < 0 {
			return false
		}
		end := from + length
		for _, promise := range promises {
			if promise == "" {
				continue
			}
			before, ok := cutFolded(text[from:end], promise)
			if !ok || !strings.HasSuffix(before, open) {
				continue
			}
			if !alone || standsAlone(text[:from+len(before)-len(open)], text[end+len(closing):]) {
				return true
			}
		}
		from = end + len(closing)
	}
}

// fold replaces each run of white space with one space and trims the ends.
func fold(s string) string { return strings.Join(strings.Fields(s), " ") }

// cutFolded returns the text before a folded suffix of s, ignoring differences in white
// space.
func cutFolded(s, folded string) (before string, ok bool) {
	s = strings.TrimRightFunc(s, unicode.IsSpace)
	for {
		at := strings.LastIndexByte(folded, ' ')
		if s, ok = strings.CutSuffix(s, folded[at+1:]); !ok {
			return "", false
		}
		before = strings.TrimRightFunc(s, unicode.IsSpace)
		if at < 0 {
			return before, true
		}
		if len(before) == len(s) {
			return "", false
		}
		s, folded = before, folded[:at]
	}
}

// standsAlone reports whether the line has only white space before and after a tag.
func standsAlone(before, after string) bool {
	left := strings.TrimRightFunc(before, unicode.IsSpace)
	right := strings.TrimLeftFunc(after, unicode.IsSpace)
	return (left == "" || strings.Contains(before[len(left):], "\n")) &&
		(right == "" || strings.Contains(after[:len(after)-len(right)], "\n"))
}
