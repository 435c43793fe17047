package specum

import (
	"slices"
	"strings"

	"github.com/hookbridge/bridge/internal/clean"
)

// Task is one task of tasks.md.
type Task struct {
	// Block is the task's line and what belongs to it.
	Block string
	// Done says that its box is ticked. Parallel and Verify are its marks.
	Done, Parallel, Verify bool
	// group numbers the sections between headings.
	group int
}

// Title is the text behind the box.
func (t Task) Title() string {
	line, _, _ := strings.Cut(t.Block, "\n")
	if _, rest, ok := strings.Cut(line, "]"); ok {
		line = rest
	}
	return clean.Clip(line, 100)
}

// Tasks is a tasks.md.
type Tasks struct {
	// Known is false when there is no tasks.md.
	Known bool
	List  []Task
	// Unchecked counts every open box, those inside of a task too.
	Unchecked int
}

// Checked counts the tasks that are done.
func (t Tasks) Checked() int {
	n := 0
	for _, task := range t.List {
		if task.Done {
			n++
		}
	}
	return n
}

// ParseTasks reads a tasks.md. A task begins in the first column; boxes are [ ],
// [x] and [X] behind -, * or +.
func ParseTasks(data []byte) Tasks {
	t := Tasks{Known: true}
	text := strings.ToValidUTF8(strings.TrimPrefix(string(data), "\ufeff"), "\ufffd")
	group, open := 0, false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		done, indented, ok := box(line)
		if ok && !done {
			t.Unchecked++
		}
		switch {
		case ok && !indented:
			t.List = append(t.List, Task{
				Block: clean.Text(line), Done: done, group: group,
				Parallel: strings.Contains(line, "[P]"), Verify: strings.Contains(line, "[VERIFY]"),
			})
			open = true
		case strings.HasPrefix(line, "#"):
			group++
			open = false
		case open:
			last := &t.List[len(t.List)-1]
			// A tab is layout, not a control character that hides something.
			last.Block += "\n" + clean.Text(strings.ReplaceAll(line, "\t", "  "))
		}
	}
	for i := range t.List {
		t.List[i].Block = clip(strings.TrimRight(t.List[i].Block, "\n "))
	}
	return t
}

// box reports whether a line is a box, ticked or not, in the first column or not.
func box(line string) (done, indented, ok bool) {
	rest := strings.TrimLeft(line, " \t")
	if len(rest) < 5 || !strings.ContainsRune("-*+", rune(rest[0])) || rest[1] != ' ' || rest[2] != '[' || rest[4] != ']' {
		return false, false, false
	}
	switch rest[3] {
	case ' ':
	case 'x', 'X':
		done = true
	default:
		return false, false, false
	}
	return done, len(rest) < len(line), true
}

// maxBlock is how much of a task goes into an instruction, which is paid for at
// every stop (smart-ralph#99). The rest stands in tasks.md.
const maxBlock = 4000

func clip(block string) string {
	if len(block) <= maxBlock {
		return block
	}
	return clean.Clip(block, maxBlock) + "\n(the rest stands in tasks.md)"
}

// maxParallel is how many tasks one group has at most.
const maxParallel = 5

// At returns the task at the index, or the group of parallel tasks that begins
// there: open neighbours that are marked [P], up to the next heading.
func (t Tasks) At(index int) []Task {
	if index < 0 || index >= len(t.List) {
		return nil
	}
	first := t.List[index]
	group := []Task{first}
	if !first.Parallel || first.Done {
		return group
	}
	for _, next := range t.List[index+1:] {
		if !next.Parallel || next.Done || next.group != first.group || len(group) == maxParallel {
			break
		}
		group = append(group, next)
	}
	return slices.Clip(group)
}
