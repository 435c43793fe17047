package persistentmode

import (
	"fmt"

	"github.com/hookbridge/bridge/client/claude/tasklist"
	"github.com/hookbridge/bridge/client/claude/transcript"
	"github.com/hookbridge/bridge/internal/promise"
	"github.com/hookbridge/bridge/moderegistry"
	"github.com/hookbridge/bridge/protocol"
)

// maxObjective is how many characters of the user's task are sent to the model
// (Yeachan-Heo/oh-my-claudecode#2542).
const maxObjective = 140

// Facts are the input of a decision about a stop.
type Facts struct {
	// Count is how often ultrawork sent the model back to work; Max is the limit.
	Count, Max int
	Objective  string
	Ending     moderegistry.Ending
	// Cancel is the cancel signal, if one is in progress.
	Cancel moderegistry.Signal
	Tasks  tasklist.Tasks
	// Lists says whether the model has a tool to write a task list with.
	Lists transcript.Offer
}

// donePromise is what the model promises when it has no task list to show.
const donePromise = "ULTRAWORK_COMPLETE"

// byPromise reports whether the work ends by the promise: the session has no list and, as
// far as is known, no tool to write one (docs/reference/stop-rules.md#ultrawork).
func (f Facts) byPromise() bool {
	return !f.Tasks.Known && !f.Tasks.Partial && f.Lists != transcript.Offered
}

// Decide decides about one stop. With protocol.Continue, Count is the counter to write.
// It is pure (docs/reference/stop-rules.md#ultrawork).
func Decide(f Facts, turn protocol.Turn) protocol.Decision {
	switch {
	case f.Cancel == moderegistry.SignalHere:
		return protocol.Finished("cancel-signal", "[ULTRAWORK CANCELLED] Ultrawork was cancelled.")
	case f.Cancel == moderegistry.SignalAnywhere:
		return protocol.Allowed("cancel-signal", "Ultrawork: this stop is allowed, because a cancel is in progress in this project. If the cancel is not for ultrawork, it continues with your next prompt.")
	case f.Tasks.Done():
		return protocol.Finished("tasks-done", "[ULTRAWORK COMPLETE] No incomplete tasks remain on the session's list.")
	case f.byPromise() && promise.Kept(turn, donePromise):
		return protocol.Finished("promise", "[ULTRAWORK COMPLETE] Claude says that everything is done. There is no task list to compare it with.")
	case f.Count >= f.Max:
		return protocol.Finished("max-reinforcements", fmt.Sprintf("[ULTRAWORK STOPPED] Claude was sent back to work %d times, which is the limit, and the work is not finished.", f.Count))
	}
	n := f.Count + 1
	text := f.full(n)
	if n%repeatFull != 1 {
		text = f.short(n)
	}
	return protocol.Decision{Kind: protocol.Continue, Rule: "reinforced", Reason: text, Count: n,
		Message: fmt.Sprintf("⚡ Ultrawork %d/%d | To stop: %s", n, f.Max, f.Ending.ForUser(moderegistry.Ultrawork))}
}
