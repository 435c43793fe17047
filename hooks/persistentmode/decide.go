package persistentmode

import (
	"fmt"

	"github.com/hookbridge/bridge/client/claude/tasklist"
	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/moderegistry"
	"github.com/hookbridge/bridge/protocol"
)

// maxObjective is how much of the user's task goes back to the model, in characters
// (Yeachan-Heo/oh-my-claudecode#2542).
const maxObjective = 140

// Facts are what ultrawork looks at when the session stops.
type Facts struct {
	// Count is how often it sent the model back to work, and Max how often it may.
	Count, Max int
	Objective  string
	// Cancel is the cancel that is under way.
	Cancel moderegistry.Signal
	Tasks  tasklist.Tasks
}

// Decide decides about one stop. With protocol.Continue, Count is the counter as it is
// to be written. It is pure (docs/reference/stop-rules.md#ultrawork).
func Decide(f Facts) protocol.Decision {
	switch {
	case f.Cancel == moderegistry.SignalHere:
		return protocol.Finished("cancel-signal", "[ULTRAWORK CANCELLED] Ultrawork was cancelled.")
	case f.Cancel == moderegistry.SignalAnywhere:
		return protocol.Allowed("cancel-signal", "Ultrawork: this stop is allowed, because a cancel is under way in this project. If ultrawork was not meant, it goes on with your next prompt.")
	case f.Tasks.Done():
		return protocol.Finished("tasks-done", "[ULTRAWORK COMPLETE] No incomplete tasks remain on the session's list.")
	case f.Count >= f.Max:
		return protocol.Finished("max-reinforcements", fmt.Sprintf("[ULTRAWORK STOPPED] Sent back to work %d times, which is the limit, and the work is not finished.", f.Count))
	}
	n := f.Count + 1
	text := fmt.Sprintf("[ULTRAWORK #%d/%d] Ultrawork is on.", n, f.Max)
	switch {
	case f.Tasks.Open() > 0:
		text += fmt.Sprintf(" %d task(s) on your list are not finished; the next one is: %s. Work on them now, independent ones in parallel, and mark each as completed when it is done and checked.",
			f.Tasks.Open(), display.Clip(f.Tasks.Next, maxObjective))
	case f.Tasks.Partial:
		text += " Your task list is too long to be read to its end, or a part of it cannot be read, so nobody can tell whether you are finished. Look through all of it: work on what is open, and delete what is completed; ultrawork ends by itself when the list can be read and nothing on it is open."
	default:
		text += " You have no task list, so nobody can tell whether you are finished. Write one (TaskCreate or TodoWrite) with what is still to do, or with what was done, each marked as completed; ultrawork ends by itself when nothing on it is open."
	}
	if f.Objective != "" {
		text += "\n\nTask: " + display.Clip(f.Objective, maxObjective)
	}
	text += "\n\nIf the user wants to end it, run /oh-my-claudecode:cancel or `" + display.Bridge + " mode stop ultrawork`."
	return protocol.Decision{Kind: protocol.Continue, Rule: "reinforced", Reason: text, Count: n,
		Message: fmt.Sprintf("⚡ Ultrawork %d/%d | To stop: "+display.Bridge+" mode stop ultrawork", n, f.Max)}
}
