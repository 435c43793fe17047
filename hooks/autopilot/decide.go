package autopilot

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/protocol"
)

// maxIdea is how much of the user's idea goes back to the model, in characters
// (Yeachan-Heo/oh-my-claudecode#2542).
const maxIdea = 500

// Facts are what autopilot looks at when the session stops.
type Facts struct {
	Phase          Phase
	Iteration, Max int
	Idea           string
	// SpecFile and PlanFile are the files of the specification and the plan, for
	// the model.
	SpecFile, PlanFile string
	// Cancelled says that a cancel of this very state is under way.
	Cancelled bool
}

// Decide decides about one stop, and says in which phase the mode is then. With
// protocol.Continue, Count is the iteration as it is to be written. It is pure. The
// signal of the phase comes before the limit, so that the last iteration can still
// complete the work.
func Decide(f Facts, turn protocol.Turn) (protocol.Decision, Phase) {
	if f.Cancelled {
		return protocol.Finished("cancel-signal", "[AUTOPILOT CANCELLED] Autopilot was cancelled."), f.Phase
	}
	now, ok := stageOf(f.Phase, f.SpecFile, f.PlanFile)
	if !ok {
		return protocol.Allowed("unknown-phase", fmt.Sprintf("Autopilot: the phase %q is not one that bridge knows, so nothing is enforced. To end it: "+display.Bridge+" mode stop autopilot.", display.Text(display.Clip(string(f.Phase), 40)))), f.Phase
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
	d.Reason = fmt.Sprintf("[AUTOPILOT - Phase: %s, iteration %d/%d]\n\n%s\n\nWhen this phase is done and checked, and not before, end your message with this word alone on its line:\n%s",
		now.phase, d.Count, f.Max, now.instruction(), now.signal)
	if f.Idea != "" {
		d.Reason += "\n\nThe idea:\n" + display.Clip(f.Idea, maxIdea)
	}
	d.Reason += "\n\nIf the user wants to end it, run /oh-my-claudecode:cancel or `" + display.Bridge + " mode stop autopilot`."
	d.Message = fmt.Sprintf("🧭 Autopilot %s, iteration %d/%d | To stop: "+display.Bridge+" mode stop autopilot", now.phase, d.Count, f.Max)
	return d, now.phase
}

// signalled reports whether the turn says that its phase is done: a line that
// ends with the signal and says nothing against it. In a longer text the word is
// a mention, such as a plan to say it later.
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
		// What is left of the signal when its decoration is gone.
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

// announces reports whether the words before a signal announce it: few words,
// none of which speaks of another time or denies it.
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
