package state

import (
	"bytes"
	"strconv"
	"strings"
	"time"

	"github.com/hookbridge/bridge/hooks/ralph/smart/plan"
	"github.com/hookbridge/bridge/internal/statefile"
)

// escape precedes a line of a description that would otherwise be read as a part of the
// file, as in Markdown.
const escape = `\`

// pairs are the lines of the front matter, in the order of
// docs/reference/smart-ralph.md#state, followed by our own.
func (s State) pairs() [][2]string {
	flag, number := strconv.FormatBool, strconv.Itoa
	stamp := func(t time.Time) string { return statefile.Quote(t.UTC().Format(time.RFC3339)) }
	pairs := [][2]string{
		{"active", flag(s.Active)},
		{"task_file", statefile.Quote(s.TaskFile)},
		{"current_task_index", number(s.CurrentIndex)},
		{"total_tasks", number(len(s.Tasks))},
		{"iteration", number(s.Iteration)},
		{"max_iterations", number(s.MaxIterations)},
		{"completion_threshold", number(s.CompletionThreshold)},
		{"auto_approve", flag(s.AutoApprove)},
		{"stall_detection", number(s.StallDetection)},
		{"stall_count", number(s.StallCount)},
		{"last_completion", number(s.LastCompletion)},
		{"started_at", stamp(s.StartedAt)},
		{"strict_mode", flag(s.StrictMode)},
		{"verbose", flag(s.Verbose)},
		{"session_id", statefile.Quote(s.SessionID)},
		{"phase", string(s.Phase)},
		{"updated_at", stamp(s.UpdatedAt)},
		{"asks", number(s.Asks)},
		{"briefed", flag(s.Briefed)},
		{"last_suggestion", statefile.Quote(s.Suggestion)},
		{"end_reason", statefile.Quote(s.EndReason)},
	}
	if s.Lang != "" {
		pairs = append(pairs, [2]string{"lang", statefile.Quote(string(s.Lang))})
	}
	return pairs
}

// Bytes returns the text of the file. If the state was parsed, only changed lines differ
// from the text that was read; a state with new tasks gets a new body.
func (s State) Bytes() []byte {
	if s.lines == nil {
		return s.fresh()
	}
	return append(s.head(), s.body()...)
}

// head is the front matter that was read, with the changed values.
func (s State) head() []byte {
	var changed [][2]string
	for _, pair := range s.pairs() {
		if old, ok := s.front.Raw(pair[0]); !ok || !same(old, pair[1]) {
			changed = append(changed, pair)
		}
	}
	data := s.front.SetAll(changed...)
	return bytes.Clone(data[:len(data)-len(s.front.Body())])
}

// same reports whether a person wrote the same value in another form.
func same(old, value string) bool {
	if old == value || statefile.Unquote(old) == statefile.Unquote(value) {
		return true
	}
	return !strings.HasPrefix(value, `"`) && plain(old) == value
}

// body writes the tasks into the lines that were read.
func (s State) body() string {
	lines := append([]string(nil), s.lines...)
	after := map[int]string{}
	for i, t := range s.Tasks {
		lines[t.head] = t.numberedAs(i+1, lines[t.head])
		for _, c := range t.Criteria {
			if done, _, _ := boxLine(lines[c.line]); c.Done != done {
				lines[c.line] = setBox(lines[c.line], c.Done)
			}
		}
		switch {
		case t.status < 0:
			after[t.lastText(lines)] = t.statusLine(languageOfLine(lines[t.head]))
		default:
			now, _ := readStatus(lines[t.status])
			if now.status != t.Status || now.completion != t.Completion || now.iterations != t.Iterations || len(now.bad) > 0 {
				lines[t.status] = t.statusLine(languageOfLine(lines[t.status]))
			}
		}
	}
	if len(after) == 0 {
		return strings.Join(lines, s.eol)
	}
	var b []string
	for i, line := range lines {
		b = append(b, line)
		if status, ok := after[i]; ok {
			b = append(b, "", status)
		}
	}
	return strings.Join(b, s.eol)
}

// numberedAs is the heading of the task with its number. After a person has added, removed
// or moved a section, the numbers are missing or no longer in order.
func (t Task) numberedAs(number int, line string) string {
	if !t.numbered {
		marked := headLine(languageOfLine(line), number, t.Title)
		if title, _, _ := taskHead(marked); title == t.Title && t.titled {
			return marked
		}
		return line
	}
	from := strings.IndexAny(line, "0123456789")
	rest := strings.TrimLeft(line[from:], "0123456789")
	if written, err := strconv.Atoi(line[from : len(line)-len(rest)]); err == nil && written == number {
		return line
	}
	return line[:from] + strconv.Itoa(number) + rest
}

// lastText is the last line of the section that is not blank.
func (t Task) lastText(lines []string) int {
	for i := t.last; i > t.head; i-- {
		if strings.TrimSpace(lines[i]) != "" {
			return i
		}
	}
	return t.head
}

// fresh writes the tasks in the form of docs/reference/smart-ralph.md#state, and also the
// front matter if none was read.
func (s State) fresh() []byte {
	var b strings.Builder
	if s.eol == "" {
		b.WriteString("---\n")
		for _, pair := range s.pairs() {
			b.WriteString(pair[0] + ": " + pair[1] + "\n")
		}
		b.WriteString("---\n")
	} else {
		b.Write(s.head())
	}
	if s.preamble != "" {
		b.WriteString("\n" + s.preamble + "\n")
	}
	for i, t := range s.Tasks {
		b.WriteString("\n" + headLine(s.Lang, i+1, t.Title) + "\n")
		for line := range strings.SplitSeq(t.Description, "\n") {
			if line != "" || t.Description != "" {
				b.WriteString(escaped(line) + "\n")
			}
		}
		b.WriteString("\n" + criteriaLine(s.Lang) + "\n")
		for _, c := range t.Criteria {
			b.WriteString(setBox("- [ ] ", c.Done) + c.Text + "\n")
		}
		b.WriteString("\n" + t.statusLine(s.Lang) + "\n")
	}
	return []byte(b.String())
}

// escaped keeps a line of a description from being read as something else.
func escaped(line string) string {
	if isPart(strings.TrimLeft(line, escape)) {
		return escape + line
	}
	return line
}

// unescaped undoes escaped.
func unescaped(line string) string {
	if rest, ok := strings.CutPrefix(line, escape); ok && isPart(strings.TrimLeft(rest, escape)) {
		return rest
	}
	return line
}

// isPart reports whether a line belongs to the structure of the file.
func isPart(line string) bool {
	if _, _, head := taskHead(line); head || plan.IsCriteriaLabel(line) {
		return true
	}
	_, status := readStatus(line)
	_, _, box := boxLine(line)
	return status || box
}

// SetPlan gives the tasks to a state that has none. Text that a person wrote below the
// front matter stays above them.
func (s *State) SetPlan(tasks []plan.Task) {
	s.preamble = strings.TrimSpace(strings.Join(s.lines, "\n"))
	s.Tasks = nil
	for _, t := range tasks {
		task := Task{Title: t.Title, Description: t.Description, Status: Pending, status: -1}
		for _, c := range t.Criteria {
			task.Criteria = append(task.Criteria, Criterion{Text: c.Text, Done: c.Done})
		}
		s.Tasks = append(s.Tasks, task)
	}
	s.lines = nil
}
