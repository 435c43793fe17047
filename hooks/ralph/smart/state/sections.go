package state

import (
	"strings"

	"github.com/hookbridge/bridge/hooks/ralph/smart/plan"
)

// readTasks reads the sections of the tasks. first is the line of the body's beginning.
func (s *State) readTasks(first int) {
	var t *Task
	var description []string
	end := func(line int) {
		if t != nil {
			t.Description = strings.TrimSpace(strings.Join(description, "\n"))
			t.last = line - 1
		}
		description = nil
	}
	criteria, fenced := false, fencedLines(s.lines)
	for i, line := range s.lines {
		if fenced[i] {
			if !criteria {
				description = append(description, unescaped(line))
			}
			continue
		}
		title, numbered, ok := taskHead(line)
		if !ok && t != nil && t.status >= 0 {
			if title = headingText(line); title != "" && !plan.IsCriteriaLabel(line) {
				ok = s.oddHead(i, first)
			}
		}
		if ok {
			end(i)
			s.Tasks = append(s.Tasks, Task{Title: title, Status: Pending, head: i, numbered: numbered, titled: title != "", status: -1})
			t, criteria = &s.Tasks[len(s.Tasks)-1], false
			if title == "" {
				t.Title = headingText(strings.TrimRight(line, ":：.、-–— *"))
				s.report(first+i, Note, "任务没有标题", "the task has no title")
			}
			continue
		}
		if t == nil {
			if _, ok := readStatus(line); ok {
				s.report(first+i, Note, "这行状态不属于任何任务: 上面没有任务的标题", "this status belongs to no task: there is no heading of a task above it")
			}
			continue
		}
		if status, ok := readStatus(line); ok {
			s.setStatus(t, status, i, first)
			continue
		}
		if !criteria && plan.IsCriteriaLabel(line) {
			criteria = true
			continue
		}
		done, text, ok := boxLine(line)
		switch {
		case ok:
			t.Criteria = append(t.Criteria, Criterion{text, done, i})
		case !criteria:
			description = append(description, unescaped(line))
		}
	}
	end(len(s.lines))
}

// fencedLines marks the lines of the code blocks. A block without an end hides nothing,
// and neither does a block that contains the status of a task: what looks like its end
// belongs to another block.
func fencedLines(lines []string) []bool {
	fenced := make([]bool, len(lines))
	begin, open := 0, ""
	for i, line := range lines {
		mark, fence := plan.IsFence(line)
		_, status := readStatus(line)
		switch _, _, head := taskHead(line); {
		case status && !head:
			open = ""
		case !fence:
		case open == "":
			begin, open = i, mark
		case mark[0] == open[0] && len(mark) >= len(open) && strings.Trim(strings.TrimSpace(line), mark[:1]) == "":
			for j := begin; j <= i; j++ {
				fenced[j] = true
			}
			open = ""
		}
	}
	return fenced
}

// oddHead reports whether a heading that is not marked as a task begins one. Below the
// status line of a task, nothing else is expected.
func (s *State) oddHead(i, first int) bool {
	if beginsTask(s.lines[i:]) {
		s.report(first+i, Note, "这一行不是 \"## 任务 N: 标题\", 但因为它下面的内容, 视为任务", "this line is not \"## Task N: title\", but counts as the beginning of a task because of what is below it")
		return true
	}
	s.report(first+i, Note, "这个标题不是任务; 要添加任务, 请写 \"## 任务 %d: 标题\"", "this heading does not begin a task; to add one, write \"## Task %d: title\"", len(s.Tasks)+1)
	return false
}

// setStatus takes the values of a status line.
func (s *State) setStatus(t *Task, status statusLine, i, first int) {
	again := t.status >= 0
	if again {
		s.report(first+i, Note, "这个任务有两行状态; 以后一行为准", "the task has two status lines; the last one counts")
	}
	t.status = i
	// If a part is missing from a second line, or is an unknown word there, the part of the
	// first line counts.
	if !again || status.good[statusPart] {
		t.Status = status.status
	}
	if !again || status.good[completionPart] {
		t.Completion = status.completion
	}
	if !again || status.good[iterationsPart] {
		t.Iterations = status.iterations
	}
	for _, bad := range status.bad {
		switch bad.part {
		case statusPart:
			s.report(first+i, Unclear, "不认识的状态 %q; 使用 %s (可用: pending、in_progress、completed、blocked、skipped, 或 待处理、进行中、已完成、阻塞、已跳过)",
				"unknown status %q; %s is used (known: pending, in_progress, completed, blocked, skipped, and the Chinese words)", quoted(bad.text), t.Status)
		case completionPart:
			s.report(first+i, Unclear, "完成度 %q 不是 0 到 100 的数; 使用 %d%%", "the completion %q is not a number from 0 to 100; %d%% is used", quoted(bad.text), t.Completion)
		case iterationsPart:
			s.report(first+i, Unclear, "迭代 %q 不是数字; 使用 %d", "the iterations %q are not a number; %d is used", quoted(bad.text), t.Iterations)
		case otherPart:
			s.report(first+i, Unclear, "状态行里的 %q 没有意义; 下次写入时会去掉", "%q has no meaning in a status line; the next write removes it", quoted(bad.text))
		}
	}
}

// beginsTask reports whether the lines below a heading that is not marked as a task have
// what only tasks have: a status, criteria or boxes.
func beginsTask(lines []string) bool {
	level := headingLevel(lines[0])
	if level == 0 {
		level = 6
	}
	for _, line := range lines[1:] {
		if plan.IsCriteriaLabel(line) {
			return true
		}
		if _, _, ok := taskHead(line); ok {
			return false
		}
		if other := headingLevel(line); other > 0 && other <= level {
			return false
		}
		if _, ok := readStatus(line); ok {
			return true
		}
		if _, _, ok := boxLine(line); ok {
			return true
		}
	}
	return false
}

// headingLevel is the level of a Markdown heading, or 0.
func headingLevel(line string) int {
	line = strings.TrimLeft(line, " \t")
	rest := strings.TrimLeft(line, "#")
	level := len(line) - len(rest)
	if level > 6 || strings.TrimSpace(rest) == "" || rest[0] != ' ' && rest[0] != '\t' {
		return 0
	}
	return level
}

// headingText is the text of a heading. A line that names a task counts as one even if it
// has no mark.
func headingText(line string) string {
	text := strings.TrimLeft(line, "# \t")
	if _, title, ok := plan.CutTaskWord(text); ok {
		return title
	}
	if headingLevel(line) == 0 {
		return ""
	}
	return strings.TrimSpace(strings.Trim(strings.TrimSpace(text), "#*"))
}

// taskHead reads "## 任务 2: title". It also accepts any heading level, "Task", a
// full-width colon, and a heading without its number, colon or title. numbered says that
// the number is in its usual place.
func taskHead(line string) (title string, numbered, ok bool) {
	line = strings.TrimLeft(line, " \t")
	text := strings.TrimLeft(line, "#")
	if len(text) == len(line) || len(line)-len(text) > 6 {
		return "", false, false
	}
	if _, title, ok = plan.CutTaskWord(text); ok {
		return title, true, true
	}
	text = strings.TrimSpace(strings.Trim(strings.TrimSpace(text), "*"))
	rest, found := strings.CutPrefix(text, "任务")
	if !found {
		if len(text) < 4 || !strings.EqualFold(text[:4], "task") {
			return "", false, false
		}
		rest = text[4:]
	}
	rest = strings.TrimLeft(rest, " \t")
	after := strings.TrimLeft(rest, "0123456789")
	digits := len(after) < len(rest)
	title = strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(after), ":：.、-–— *"))
	switch {
	case digits && (title == "" || after[0] == ' ' || after[0] == '\t'):
		return title, false, true
	case !digits && title != "" && (strings.HasPrefix(after, ":") || strings.HasPrefix(after, "：")):
		return title, false, true
	}
	return "", false, false
}

// The parts of a status line.
const (
	statusPart = iota
	completionPart
	iterationsPart
	otherPart
)

type badPart struct {
	part int
	text string
}

// statusLine holds what a status line says, and which parts of it cannot be
// understood.
type statusLine struct {
	status                 Status
	completion, iterations int
	// good are the parts that the line has and that have a meaning.
	good [otherPart + 1]bool
	bad  []badPart
}

// partOf is the part of a status line that a label names.
func partOf(label string) int {
	switch strings.ToLower(strings.TrimSpace(label)) {
	case "状态", "status":
		return statusPart
	case "完成度", "completion", "progress", "进度":
		return completionPart
	case "迭代", "迭代次数", "iterations", "iteration":
		return iterationsPart
	}
	return otherPart
}

// readStatus reads "**状态**: S | **完成度**: P% | **迭代**: K", or the same in English.
// The parts may come in any order, and only the status is needed. A line that is not bold
// counts if it has at least two parts and no other text.
func readStatus(line string) (st statusLine, ok bool) {
	line = strings.TrimLeft(line, " \t")
	if rest, found := strings.CutPrefix(line, "- "); found {
		line = strings.TrimLeft(rest, " \t")
	}
	bold := strings.HasPrefix(line, "**")
	parts := strings.FieldsFunc(strings.ReplaceAll(line, "*", ""), func(r rune) bool { return r == '|' || r == '｜' })
	if !bold && len(parts) < 2 {
		return st, false
	}
	for _, part := range parts {
		label, value, _ := cutColon(part)
		value = strings.TrimSpace(value)
		kind, good := partOf(label), true
		switch kind {
		case statusPart:
			ok = true
			if st.status, good = statusOf(value); !good {
				st.status = Pending
			}
		case completionPart:
			st.completion, good = countOf(value)
			st.good[kind], good = good, good && st.completion <= maxPercent
			st.completion = min(st.completion, maxPercent)
		case iterationsPart:
			st.iterations, good = countOf(value)
			st.iterations = min(st.iterations, maxIteration)
		case otherPart:
			if !bold {
				return statusLine{}, false
			}
			value = strings.TrimSpace(part)
			good = value == ""
		}
		if st.good[kind] = st.good[kind] || good; !good {
			st.bad = append(st.bad, badPart{kind, value})
		}
	}
	if st.status == Completed && !st.good[completionPart] {
		st.completion, st.good[completionPart] = maxPercent, true
	}
	return st, ok
}

// boxLine reads "- [x] text".
func boxLine(line string) (done bool, text string, ok bool) {
	rest := strings.TrimLeft(line, " \t")
	if len(rest) < 2 || rest[0] != '-' && rest[0] != '*' && rest[0] != '+' {
		return false, "", false
	}
	mark, text, found := strings.Cut(strings.TrimLeft(rest[1:], " \t"), "]")
	mark, opened := strings.CutPrefix(mark, "[")
	if text = strings.TrimSpace(text); !found || !opened || text == "" {
		return false, "", false
	}
	switch mark {
	case " ", "":
		return false, text, true
	case "x", "X", "√", "✓", "✔", "✅":
		return true, text, true
	}
	return false, "", false
}

// setBox ticks or unticks the box of a line.
func setBox(line string, done bool) string {
	from := strings.IndexByte(line, '[')
	to := from + strings.IndexByte(line[from:], ']')
	mark := " "
	if done {
		mark = "x"
	}
	return line[:from+1] + mark + line[to:]
}
