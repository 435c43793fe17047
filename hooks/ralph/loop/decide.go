package loop

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/hookbridge/bridge/hooks"
)

// Verdict is what Decide found.
type Verdict struct {
	Kind hooks.DecisionKind
	// Rule names the branch of seed 000 or of the decision tree in the dialect's
	// description that was taken.
	Rule    string
	Message string
}

// Decide follows the decision tree of ralph-loop: a corrupted state, the limit,
// a turn that cannot be read, the promise, an empty prompt; otherwise the loop
// goes on. It is pure.
func Decide(s State, turn hooks.Turn) Verdict {
	switch {
	case s.Problem != "":
		return corrupted(s.Problem)
	case s.MaxIterations > 0 && s.Iteration >= s.MaxIterations:
		return Verdict{hooks.Finish, "max-iterations", fmt.Sprintf("🛑 Ralph loop: Max iterations (%d) reached.", s.MaxIterations)}
	case !turn.HasFinal:
		return unreadable(turn.Err)
	case s.Promise != "" && keeps(s, turn):
		return Verdict{hooks.Finish, "promise", fmt.Sprintf("✅ Ralph loop: Detected <promise>%s</promise>", s.Promise)}
	case strings.TrimSpace(s.Prompt) == "":
		return corrupted("no prompt text found after the front matter")
	}
	return Verdict{hooks.Continue, "continue", iterationMessage(s)}
}

func corrupted(problem string) Verdict {
	return Verdict{hooks.Finish, "state-corrupted", "⚠️ Ralph loop: State file corrupted: " + problem + ". The loop has stopped."}
}

func unreadable(err hooks.TurnError) Verdict {
	rule, what := "no-final-message", "the turn has no final message"
	switch err {
	case hooks.TranscriptMissing:
		rule, what = "transcript-missing", "Transcript file not found"
	case hooks.TranscriptUnreadable:
		rule, what = "transcript-unreadable", "the transcript could not be read"
	case hooks.TranscriptUnparsable:
		rule, what = "transcript-unparsable", "Failed to parse the transcript"
	case hooks.TranscriptNoAssistant:
		rule, what = "no-assistant-message", "No assistant messages found in transcript"
	case hooks.TurnOK:
	}
	return Verdict{hooks.Finish, rule, "⚠️ Ralph loop: " + what + ", and the client sent no last message. The loop has stopped."}
}

func iterationMessage(s State) string {
	next := strconv.Itoa(s.Iteration + 1)
	if s.Promise == "" {
		return "🔄 Ralph iteration " + next + " | No completion promise set - loop runs infinitely" + infiniteHint(s)
	}
	return "🔄 Ralph iteration " + next + " | To stop: output <promise>" + s.Promise + "</promise> (only when the statement is TRUE)"
}

// infiniteHint names the limit of a loop that has no promise.
func infiniteHint(s State) string {
	if s.MaxIterations == 0 {
		return " (bridge ralph cancel ends it)"
	}
	return fmt.Sprintf(" (up to its limit of %d iterations)", s.MaxIterations)
}

// keeps reports whether the turn keeps the promise. A tag counts anywhere in the
// last message; in earlier texts of the turn it must stand alone on its line, so
// that a quoted file does not end the loop (design decision 15).
func keeps(s State, turn hooks.Turn) bool {
	if tagged(s, turn.Final, false) {
		return true
	}
	for _, entry := range turn.Entries {
		if entry.Kind == hooks.EntryText && entry.Text != turn.Final && tagged(s, entry.Text, true) {
			return true
		}
	}
	return false
}

// tagged looks for a promise tag whose text is the promise. White space counts
// as one space on both sides; everything else is compared literally. A tag
// inside a tag may be the right one, so each opening is tried.
func tagged(s State, text string, alone bool) bool {
	const open, closing = "<promise>", "</promise>"
	promise, raw := fold(s.Promise), fold(s.rawPromise)
	// Longer text between the tags than this is no promise with some white
	// space in it, and a hostile message must not cost quadratic time.
	longest := 8*len(s.Promise) + 4096
	for start, end := nextTag(text, 0, open), 0; start >= 0; start = nextTag(text, start+len(open), open) {
		inner := start + len(open)
		if end < inner {
			if end = nextTag(text, inner, closing); end < 0 {
				return false
			}
		}
		if end-inner > longest {
			continue
		}
		said := fold(text[inner:end])
		if said != "" && (said == promise || said == raw) && (!alone || standsAlone(text, start, end+len(closing))) {
			return true
		}
	}
	return false
}

// nextTag returns where tag begins at or after from, or -1.
func nextTag(text string, from int, tag string) int {
	i := strings.Index(text[from:], tag)
	if i < 0 {
		return -1
	}
	return from + i
}

func fold(s string) string { return strings.Join(strings.Fields(s), " ") }

// standsAlone reports whether text[start:end] fills its lines.
func standsAlone(text string, start, end int) bool {
	before := text[:start]
	if i := strings.LastIndexByte(before, '\n'); i >= 0 {
		before = before[i+1:]
	}
	after, _, _ := strings.Cut(text[end:], "\n")
	return strings.TrimSpace(before) == "" && strings.TrimSpace(after) == ""
}
