package autopilot

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/moderegistry"
	"github.com/hookbridge/bridge/protocol"
)

// maxIdea is how many characters of the user's idea are sent to the model
// (Yeachan-Heo/oh-my-claudecode#2542).
const maxIdea = 500

// Facts are the input of a decision about a stop.
type Facts struct {
	Phase          Phase
	Iteration, Max int
	Idea           string
	// SpecFile and PlanFile are the paths of the specification and the plan, for the
	// model.
	SpecFile, PlanFile string
	// Cancelled says that a cancel signal names exactly this state.
	Cancelled bool
	Ending    moderegistry.Ending
}

// Decide decides about one stop and returns the phase after it. With protocol.Continue,
// Count is the iteration to write. It is pure. The signal of the phase is checked before
// the limit, so that the last iteration can still complete the work.
func Decide(f Facts, turn protocol.Turn) (protocol.Decision, Phase) {
	if f.Cancelled {
		return protocol.Finished("cancel-signal", "[AUTOPILOT CANCELLED] Autopilot was cancelled."), f.Phase
	}
	now, ok := stageOf(f.Phase, f.SpecFile, f.PlanFile)
	if !ok {
		return protocol.Allowed("unknown-phase", fmt.Sprintf("Autopilot: bridge does not know the phase %q, so this stop is allowed. To end autopilot: "+display.Bridge+" mode stop autopilot.", display.Text(display.Clip(string(f.Phase), 40)))), f.Phase
	}
	rule := "continue"
	if signalled(turn, now.signal) {
		if now.next == Complete {
			return protocol.Finished("complete", "[AUTOPILOT COMPLETE] All five phases are done."), Complete
		}
		done := now.phase
		now, _ = stageOf(now.next, f.SpecFile, f.PlanFile)
		rule = "phase-" + string(done) + "-done"
	}
	if f.Iteration >= f.Max {
		return protocol.Finished("max-iterations", fmt.Sprintf("[AUTOPILOT STOPPED] Max iterations (%d) reached in phase %s.", f.Max, now.phase)), now.phase
	}
	d := protocol.Decision{Kind: protocol.Continue, Rule: rule, Count: f.Iteration + 1}
	d.Reason = fmt.Sprintf("[AUTOPILOT - Phase: %s, iteration %d/%d]\n\n%s\n\nWhen this phase is done and checked, and not before, end your message with this word on a line of its own:\n%s",
		now.phase, d.Count, f.Max, now.instruction(), now.signal)
	if f.Idea != "" {
		d.Reason += "\n\nThe idea:\n" + display.Clip(f.Idea, maxIdea)
	}
	d.Reason += "\n\nIf the user wants to end it, run " + f.Ending.ForModel(moderegistry.Autopilot) + "."
	d.Message = fmt.Sprintf("🧭 Autopilot %s, iteration %d/%d | To stop: %s", now.phase, d.Count, f.Max, f.Ending.ForUser(moderegistry.Autopilot))
	return d, now.phase
}

// signalled reports whether the turn says that its phase is done: a line that ends with the signal and does not
// contradict it. In the middle of a longer line the word does not count: a plan may mention it, for example.
func signalled(turn protocol.Turn, signal string) bool {
	if turn.HasFinal && says(turn.Final, signal) {
		return true
	}
	return slices.ContainsFunc(turn.Entries, func(e protocol.Entry) bool { return e.Kind == protocol.EntryText && says(e.Text, signal) })
}

func says(text, signal string) bool {
	fenced := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") {
			fenced = !fenced
			continue
		}
		if strings.HasPrefix(line, ">") {
			continue
		}
		// The signal may be decorated, for example in bold.
		before, ok := strings.CutSuffix(strings.TrimRight(line, "*_`.!。！ \t"), signal)
		if !ok {
			continue
		}
		before = strings.TrimRight(before, "*_` \t")
		if before == "" || !fenced && announces(before) {
			return true
		}
	}
	return false
}

// announces reports whether the words before a signal introduce it: a few words, none of
// which is about another time or a negation.
func announces(before string) bool {
	words := strings.FieldsFunc(strings.ToLower(before), func(r rune) bool { return strings.ContainsRune(" \t*_`:.,;-—–()[]<>\"", r) })
	if len(words) > 8 {
		return false
	}
	for _, word := range words {
		switch word {
		case "not", "no", "never", "yet", "will", "would", "once", "when", "until", "before", "after", "if", "then", "say", "output", "emit", "print", "write",
			"don't", "can't", "cannot", "haven't", "hasn't", "isn't", "won't", "without", "unless", "should", "must", "shall", "next", "expected", "waiting", "for", "with",
			"want", "wants", "need", "needs", "only", "hook":
			return false
		}
		if strings.ContainsAny(word, "未不没沒") {
			return false
		}
	}
	return true
}
