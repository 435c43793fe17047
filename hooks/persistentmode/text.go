package persistentmode

import (
	"fmt"

	"github.com/hookbridge/bridge/client/claude/transcript"
	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/moderegistry"
)

// After repeatFull stops the model gets the full text again, because it may have forgotten the first one.
const repeatFull = 10

// full is the text of the first stop.
func (f Facts) full(n int) string {
	text := fmt.Sprintf("[ULTRAWORK #%d/%d] Ultrawork is on.", n, f.Max)
	switch {
	case f.Tasks.Open() > 0:
		text += f.openTasks() + " Work on them now, independent ones in parallel, and mark each as completed when it is done and checked."
	case f.Tasks.Partial:
		text += " Your task list is too long to be read to its end, or a part of it cannot be read, so it is not clear whether you are finished. Go through the whole list: work on open tasks and delete completed ones. Ultrawork ends by itself when the list can be read and has no open task."
	case f.Lists == transcript.NotOffered:
		text += " If anything is left to do, do it now, independent parts in parallel. When everything is done and checked, and not before, output <promise>" + donePromise + "</promise>; ultrawork then ends."
	default:
		text += " You have no task list, so it is not clear whether you are finished. Write one (TaskCreate or TodoWrite) with what is still to do, or with what you did, marked as completed. Ultrawork ends by itself when the list has no open task."
		if f.Lists == transcript.OfferUnknown {
			text += " If you have no tool for task lists, output <promise>" + donePromise + "</promise> when everything is done and checked, and not before."
		}
	}
	if f.Objective != "" {
		text += "\n\nTask: " + display.Clip(f.Objective, maxObjective)
	}
	return text + "\n\nIf the user wants to end it, run " + f.Ending.ForModel(moderegistry.Ultrawork) + "."
}

// short is the text of the stops between two full ones: what to do next and how it ends.
func (f Facts) short(n int) string {
	text := fmt.Sprintf("[ULTRAWORK #%d/%d]", n, f.Max)
	switch {
	case f.Tasks.Open() > 0:
		return text + f.openTasks()
	case f.Tasks.Partial:
		return text + " Your task list still cannot be read completely. Work on open tasks and delete completed ones."
	case f.Lists == transcript.NotOffered:
		return text + " Go on. When everything is done and checked, output <promise>" + donePromise + "</promise>."
	case f.Lists == transcript.OfferUnknown:
		return text + " Go on, and write a task list. If you have no tool for that, output <promise>" + donePromise + "</promise> when everything is done and checked."
	}
	return text + " Go on, and write a task list (TaskCreate or TodoWrite). Ultrawork ends when it has no open task."
}

func (f Facts) openTasks() string {
	return fmt.Sprintf(" Unfinished tasks on your list: %d. The next one: %s.", f.Tasks.Open(), display.Clip(f.Tasks.Next, maxObjective))
}
