package persistentmode

import (
	"fmt"

	"github.com/hookbridge/bridge/client/claude/tasklist"
	"github.com/hookbridge/bridge/internal/display"
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
	// Cancel is the cancel signal, if one is in progress.
	Cancel moderegistry.Signal
	Tasks  tasklist.Tasks
}

// Decide decides about one stop. With protocol.Continue, Count is the counter to write.
// It is pure (docs/reference/stop-rules.md#ultrawork).
func Decide(f Facts) protocol.Decision {
	switch {
	case f.Cancel == moderegistry.SignalHere:
		return protocol.Finished("cancel-signal", "[ULTRAWORK CANCELLED] Ultrawork was cancelled.")
	case f.Cancel == moderegistry.SignalAnywhere:
		return protocol.Allowed("cancel-signal", "Ultrawork: this stop is allowed, because a cancel is in progress in this project. If the cancel is not for ultrawork, it continues with your next prompt.")
	case f.Tasks.Done():
		return protocol.Finished("tasks-done", "[ULTRAWORK COMPLETE] No incomplete tasks remain on the session's list.")
	case f.Count >= f.Max:
		return protocol.Finished("max-reinforcements", fmt.Sprintf("[ULTRAWORK STOPPED] Claude was sent back to work %d times, which is the limit, and the work is not finished.", f.Count))
	}
	n := f.Count + 1
	text := fmt.Sprintf("[ULTRAWORK #%d/%d] Ultrawork is on.", n, f.Max)
	switch {
	case f.Tasks.Open() > 0:
		text += fmt.Sprintf(" Unfinished tasks on your list: %d. The next one: %s. Work on them now, independent ones in parallel, and mark each as completed when it is done and checked.",
			f.Tasks.Open(), display.Clip(f.Tasks.Next, maxObjective))
	case f.Tasks.Partial:
		text += " Your task list is too long to be read to its end, or a part of it cannot be read, so it is not clear whether you are finished. Go through the whole list: work on open tasks and delete completed ones. Ultrawork ends by itself when the list can be read and has no open task."
	default:
		text += " You have no task list, so it is not clear whether you are finished. Write one (TaskCreate or TodoWrite) with what is still to do, or with what you did, marked as completed. Ultrawork ends by itself when the list has no open task."
	}
	if f.Objective != "" {
		text += "\n\nTask: " + display.Clip(f.Objective, maxObjective)
	}
	text += "\n\nIf the user wants to end it, run /oh-my-claudecode:cancel or `" + display.Bridge + " mode stop ultrawork`."
	return protocol.Decision{Kind: protocol.Continue, Rule: "reinforced", Reason: text, Count: n,
		Message: fmt.Sprintf("⚡ Ultrawork %d/%d | To stop: "+display.Bridge+" mode stop ultrawork", n, f.Max)}
}
