package specum

import (
	"fmt"
	"strings"

	"github.com/hookbridge/bridge/internal/display"
)

// words formats the texts of a variant. The lines in docs/reference/ralph-specum.md#texts
// must not change, because callers look for them.
type words struct {
	v variant
	f Facts
}

// line formats a line for stderr.
func (w words) line(text string) string { return "[" + w.v.tag + "] " + text }

// title is the beginning of a message for the user.
func (w words) title() string { return "R" + w.v.tag[1:] }

func (w words) statePath() string { return w.f.Path + "/" + w.v.state }

func (w words) position() string { return w.f.State.Position() }

// Position is the number of the current task, and of all tasks. After the last task it stays at the last one.
func (s State) Position() string {
	return fmt.Sprintf("%d/%d", min(s.TaskIndex+1, s.TotalTasks), s.TotalTasks)
}

func (w words) stopped() string {
	return fmt.Sprintf("Session stopped during %s: %s | Task: %s | Attempt: %d", w.v.noun, w.f.Name, w.position(), w.f.State.TaskIteration)
}

// next is the instruction that continues a spec in the ordinary case.
func (w words) next() (reason, message string) {
	s := w.f.State
	message = fmt.Sprintf("%s iteration %d | Task %s", w.title(), s.GlobalIteration, w.position())
	if w.v.brief {
		return fmt.Sprintf("Continue to task %s. Read %s and tasks.md, do the task, and note it in the state. When all are done, output %s.", w.position(), w.v.state, Token), message
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Continue %s: %s (Task %s, Iter %d)\n\n## State\nPath: %s | Index: %d | Iteration: %d/%d | Recovery: %t\n",
		w.v.noun, w.f.Name, w.position(), s.GlobalIteration, w.f.Path, s.TaskIndex, s.TaskIteration, s.MaxTask, s.Recovery)
	if w.v.gates {
		fmt.Fprintf(&b, "NativeSync: %t\n", s.NativeSync)
		if w.tasks(&b) {
			message += " (PARALLEL GROUP)"
		}
	}
	fmt.Fprintf(&b, "\n## Resume\n1. Read %[1]s/%[2]s and %[1]s/tasks.md\n2. Delegate task %[3]d to spec-executor (or qa-engineer for [VERIFY])\n"+
		"3. On TASK_COMPLETE: verify, update state, advance\n4. If taskIndex >= totalTasks: delete state file, output %[4]s\n",
		w.f.Path, w.v.state, s.TaskIndex, Token)
	b.WriteString("\n## Critical\n- Delegate via Task tool - do NOT implement yourself\n" +
		"- Verify all 4 layers before advancing (see implement.md Section 7)\n" +
		"- On failure: increment taskIteration, retry or generate fix task if recoveryMode\n")
	return b.String(), message
}

// tasks writes the current task, or the group of tasks that run in parallel.
func (w words) tasks(b *strings.Builder) (parallel bool) {
	group := w.f.Tasks.At(w.f.State.TaskIndex)
	if len(group) == 0 {
		return false
	}
	if len(group) == 1 {
		b.WriteString("\n## Current Task\n" + group[0].Block() + "\n")
		return false
	}
	b.WriteString("\n## Current Task Group (PARALLEL)\n")
	for _, task := range group {
		b.WriteString(task.Block() + "\n")
	}
	i := w.f.State.TaskIndex
	fmt.Fprintf(b, "These %d tasks are independent: dispatch all of them in ONE message, one Task call each. "+
		"Give each its own notes file, progressFile: .progress-task-%d.md to .progress-task-%d.md. "+
		"When all have reported, merge the notes into .progress.md and set taskIndex to %d.\n", len(group), i, i+len(group)-1, i+len(group))
	return true
}

func (w words) recovery(lines ...string) string {
	var b strings.Builder
	b.WriteString("\n\nRecovery options:")
	for i, line := range lines {
		fmt.Fprintf(&b, "\n%d. %s", i+1, line)
	}
	return b.String() + "\n"
}

func (w words) corrupt() (reason, message string) {
	return "ERROR: Corrupt state file at " + w.statePath() + w.recovery(
			"Reset state: "+w.v.command+":implement (reinitializes from tasks.md)",
			"Cancel "+w.v.noun+": "+w.v.command+":cancel"),
		w.title() + ": corrupt state file"
}

func (w words) corruptNotice() string {
	return fmt.Sprintf("%s: corrupt state file. %s is not valid JSON. Claude was told once how to fix it, so stops are allowed from now on. "+
		"The loop continues when the file can be read again: %s:implement writes it again.", w.title(), display.Text(w.statePath()), w.v.command)
}

func (w words) limit(counted bool, blocks int) (reason, message string) {
	reason = fmt.Sprintf("ERROR: Maximum global iterations (%d) reached.\n\nThis safety limit prevents infinite execution loops.", w.f.State.MaxGlobal)
	if counted {
		reason += fmt.Sprintf("\n\nglobalIteration is %d, but this session was sent back to work %d times.", w.f.State.GlobalIteration, blocks)
	}
	return reason + w.recovery(
			"Review .progress.md for failure patterns",
			"Fix issues manually, then run: "+w.v.command+":implement",
			"Cancel and restart: "+w.v.command+":cancel"),
		fmt.Sprintf("%s: max iterations (%d) reached", w.title(), w.f.State.MaxGlobal)
}

func (w words) limitLines() []string {
	return []string{
		w.line(fmt.Sprintf("ERROR: Maximum global iterations (%d) reached. Review .progress.md for failure patterns.", w.f.State.MaxGlobal)),
		w.line("Recovery: fix issues manually, then run " + w.v.command + ":implement or " + w.v.command + ":cancel"),
	}
}

func (w words) limitNotice() string {
	return fmt.Sprintf("%s: max iterations (%d) reached. Claude was told once, so stops are allowed from now on. To continue: raise maxGlobalIterations in %s (0 means no limit), or run %s:implement.",
		w.title(), w.f.State.MaxGlobal, display.Text(w.statePath()), w.v.command)
}

func (w words) quick() (reason, message string) {
	phase := display.Name(display.Clip(w.f.State.Phase, 40))
	return fmt.Sprintf("Quick mode active — do NOT stop. Continue spec phase: %s for %s. "+
			"Write what this phase asks for, set the next phase in %s, and continue with it. Do not ask the user: decide yourself and write the decision down.",
			phase, w.f.Name, w.statePath()),
		fmt.Sprintf("%s quick mode: continue %s phase", w.title(), phase)
}

// allowed says why a stop within a continued turn is allowed although work is left. It is
// empty if bridge did not continue the turn: then the stop belongs to another hook, and
// the plugin is silent too.
func (w words) allowed(blocked bool) string {
	s := w.f.State
	why := "no progress since the last block, so this stop is allowed."
	switch {
	case w.f.Remembers && !blocked:
		return ""
	case !w.f.Remembers:
		why = "this stop is allowed, because bridge cannot keep records and so cannot see progress: set HOME or XDG_STATE_HOME."
	case w.f.Strict:
		why = "this stop is allowed, because strict_guard is on and bridge has already continued this turn."
	}
	where := fmt.Sprintf("is in phase %s", display.Name(display.Clip(s.Phase, 40)))
	if s.Phase == PhaseExecution {
		where = "is at task " + w.position()
		if group := w.f.Tasks.At(s.TaskIndex); len(group) > 0 {
			where += " (" + group[0].Title() + ")"
		}
	}
	return fmt.Sprintf("%s: %s %s %s %s. bridge continues it after your next prompt. To end it: "+display.Bridge+" ralph cancel --dialect %s.",
		w.title(), why, display.Title(w.v.noun), w.f.Name, where, w.f.Kind)
}

func (w words) noTasks() string {
	return fmt.Sprintf("%s: %s %s has no tasks, so stops are allowed: totalTasks is 0 in %s. To count the tasks of tasks.md: %s:implement.",
		w.title(), w.v.noun, w.f.Name, display.Text(w.statePath()), w.v.command)
}

func (w words) incomplete() (reason, message string) {
	s, n := w.f.State, w.f.Tasks.Unchecked
	return fmt.Sprintf("Tasks incomplete: state index (%d) reached total (%d), but tasks.md has %d unchecked items.\n\n## Action Required\n"+
			"1. Read %s/tasks.md and find the items with [ ]\n"+
			"2. Tick what is done and verified; fix tasks that were added later also count\n"+
			"3. For the rest: set totalTasks to the number of tasks and taskIndex to the first open one in %s\n"+
			"4. Delegate that task to spec-executor (or qa-engineer for [VERIFY]) and continue\n"+
			"5. When nothing is open: delete state file, output %s\n",
			s.TaskIndex, s.TotalTasks, n, w.f.Path, w.v.state, Token),
		fmt.Sprintf("%s: %d unchecked tasks remain in tasks.md", w.title(), n)
}

func (w words) incompleteNotice(said int) string {
	return fmt.Sprintf("%s: %d unchecked tasks remain in tasks.md. Claude was sent back to them %d times in a row without a change, so this stop is allowed. Please check %s/tasks.md.",
		w.title(), w.f.Tasks.Unchecked, said, display.Text(w.f.Path))
}

// completeDespite warns if the coordinator and its state say that all is done, but
// tasks.md disagrees.
func (w words) completeDespite() string {
	if w.f.Content != Object || w.f.Tasks.Unchecked == 0 {
		return ""
	}
	return fmt.Sprintf("%s: Claude said %s for %s, but tasks.md has unchecked items (%d). The stop is allowed; please check tasks.md.",
		w.title(), Token, w.f.Name, w.f.Tasks.Unchecked)
}
