package loop

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/promise"
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
	case s.Promise != "" && promise.Kept(turn, s.Promise, s.rawPromise):
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

// endWithoutPromise says when a loop without a promise ends.
func endWithoutPromise(s State) string {
	if s.MaxIterations == 0 {
		return "loop runs infinitely (" + display.Bridge + " ralph cancel ends it)"
	}
	return "stops after " + display.Count(s.MaxIterations, "iteration")
}
