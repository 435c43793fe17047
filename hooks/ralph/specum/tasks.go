package specum

import (
	"bytes"
	"slices"
	"strings"

	"github.com/hookbridge/bridge/internal/display"
)

// Task is one task of tasks.md.
type Task struct {
	// Block is the line of the task and the lines that belong to it, exactly as in the
	// file.
	block []byte
	// Done says that its box is ticked; Parallel says that it is marked [P].
	Done, Parallel bool
	// group numbers the sections between headings.
	group int
}

// Block returns the line of the task and the lines that belong to it, made safe to show.
func (t Task) Block() string {
	var lines []string
	for line := range strings.Lines(strings.TrimRight(clip(string(t.block)), "\r\n ")) {
		// A tab is layout; it hides nothing.
		lines = append(lines, display.Text(strings.ReplaceAll(strings.TrimRight(line, "\r\n"), "\t", "  ")))
	}
	return strings.Join(lines, "\n")
}

// Title is the text after the box.
func (t Task) Title() string {
	line, _, _ := strings.Cut(string(t.block), "\n")
	line = display.Text(strings.TrimRight(line, "\r"))
	if _, rest, ok := strings.Cut(line, "]"); ok {
		line = rest
	}
	return display.Clip(line, 100)
}

// Tasks is the content of a tasks.md.
type Tasks struct {
	// Known is false when there is no tasks.md.
	Known bool
	// Unread says that tasks.md exists but cannot be judged, because it is too large or
	// not a regular file.
	Unread bool
	List   []Task
	// Unchecked counts every open box, including those inside a task.
	Unchecked int
}

// mayLeaveNotes reports whether some tasks run in parallel. Only those write notes of
// their own, and looking for the notes costs a dozen system calls.
func (t Tasks) mayLeaveNotes() bool {
	return !t.Known || slices.ContainsFunc(t.List, func(task Task) bool { return task.Parallel })
}

// Checked counts the finished tasks.
func (t Tasks) Checked() int {
	n := 0
	for _, task := range t.List {
		if task.Done {
			n++
		}
	}
	return n
}

// ParseTasks reads a tasks.md. A task begins in the first column; boxes are [ ], [x] and
// [X] after -, * or +.
func ParseTasks(data []byte) Tasks {
	t := Tasks{Known: true}
	text := bytes.TrimPrefix(data, []byte("\ufeff"))
	// This is an upper limit: most lines that begin with a box are tasks.
	t.List = make([]Task, 0, bytes.Count(text, []byte("\n- ["))+1)
	group := 0
	// begin is the start of the task that is being read, or -1.
	begin := -1
	end := func(at int) {
		if begin >= 0 {
			t.List[len(t.List)-1].block = text[begin:at]
			begin = -1
		}
	}
	for at := 0; at < len(text); {
		line := text[at:]
		next := len(text)
		if i := bytes.IndexByte(line, '\n'); i >= 0 {
			line, next = line[:i], at+i+1
		}
		done, indented, ok := box(line)
		if ok && !done {
			t.Unchecked++
		}
		switch {
		case ok && !indented:
			end(at)
			begin = at
			t.List = append(t.List, Task{
				Done: done, group: group,
				Parallel: bytes.Contains(line, []byte("[P]")),
			})
		case bytes.HasPrefix(line, []byte("#")):
			end(at)
			group++
		}
		at = next
	}
	end(len(text))
	return t
}

// box reports whether a line has a box, ticked or not, in the first column or further in.
func box(line []byte) (done, indented, ok bool) {
	rest := line
	for len(rest) > 0 && (rest[0] == ' ' || rest[0] == '\t') {
		rest = rest[1:]
	}
	if len(rest) < 5 || rest[0] != '-' && rest[0] != '*' && rest[0] != '+' || rest[1] != ' ' || rest[2] != '[' || rest[4] != ']' {
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

// maxBlock is how many bytes of a task go into an instruction, which costs tokens at
// every stop (tzachbon/smart-ralph#99). The rest is in tasks.md.
const maxBlock = 4000

func clip(block string) string {
	if len(block) <= maxBlock {
		return block
	}
	return strings.ToValidUTF8(block[:maxBlock], "") + " …\n(the rest is in tasks.md)"
}

// maxParallel is how many tasks one group has at most.
const maxParallel = 5

// At returns the task at the index, or the parallel group that begins there: adjacent
// open tasks that are marked [P], up to the next heading.
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
