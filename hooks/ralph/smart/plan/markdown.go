package plan

import (
	"math"
	"slices"
	"strings"
)

// section is a task whose lines have not been parsed yet.
type section struct {
	title string
	lines []string
}

// Parse finds the tasks of a text without a model: headings that say "任务 N" or "Task N",
// JSON or YAML with a list of tasks, sections, numbered lines, list items. ok is false if
// the text has none of these. For each form, the text is read once from start to end.
func Parse(text string) (tasks []Task, ok bool) {
	tasks, err := parse(text)
	return tasks, err == nil
}

// parse is Parse with the reason why there is no task: ErrNoTasks or ErrTooMany.
func parse(text string) (tasks []Task, err error) {
	text = normalise(text)
	if tasks, ok := parseJSON(text); ok {
		return fitting(tasks)
	}
	lines := strings.Split(text, "\n")
	code := codeLines(lines)
	for _, split := range []func([]string, []bool) []section{bySaidTask, byYAML, bySection, byNumber, byBullet} {
		sections := split(lines, code)
		if len(sections) > MaxTasks {
			return nil, ErrTooMany
		}
		tasks = tasks[:0]
		for _, s := range sections {
			tasks = append(tasks, s.task())
		}
		if tasks = tidy(tasks); len(tasks) > 0 {
			return fitting(tasks)
		}
	}
	return nil, ErrNoTasks
}

// fitting rejects task lists that do not fit into a state file.
func fitting(tasks []Task) ([]Task, error) {
	if len(tasks) > MaxTasks {
		return nil, ErrTooMany
	}
	if size(tasks) > maxBytes {
		return nil, ErrTooLong
	}
	return tasks, nil
}

// Whole turns the whole text into one task, for a text without a list. name is the title
// if the text has none.
func Whole(text, name string) []Task {
	text = strings.TrimSpace(normalise(text))
	title, rest, _ := strings.Cut(text, "\n")
	const most = 80
	title = oneLine(strings.TrimLeft(title, "# \t"), most)
	if title == "" {
		title = oneLine(name, most)
	}
	if strings.TrimSpace(rest) == "" {
		rest = ""
	} else {
		rest = text
	}
	const longest = 64 << 10
	if len(rest) > longest {
		rest = strings.ToValidUTF8(rest[:longest], "") + "\n…"
	}
	return tidy([]Task{{Title: title, Description: rest}})
}

func normalise(text string) string {
	text = strings.TrimPrefix(text, "\ufeff")
	return strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
}

// codeLines marks the lines of code blocks, because a heading in a code block is not a
// heading.
func codeLines(lines []string) []bool {
	code := make([]bool, len(lines))
	open := ""
	for i, line := range lines {
		mark, fence := IsFence(line)
		switch {
		case open == "" && fence:
			open, code[i] = mark, true
		case open != "":
			code[i] = true
			if fence && mark[0] == open[0] && len(mark) >= len(open) && strings.TrimSpace(strings.TrimLeft(line, " "+mark[:1])) == "" {
				open = ""
			}
		}
	}
	return code
}

// cut splits the lines into sections. starts says whether a line begins a section; ends
// says whether it ends the last one.
func cut(lines []string, code []bool, starts func(line string) (title string, ok bool), ends func(line string) bool) []section {
	var sections []section
	open := false
	for i, line := range lines {
		if !code[i] {
			if title, ok := starts(line); ok {
				sections = append(sections, section{title: title})
				open = true
				continue
			}
			if ends(line) {
				open = false
			}
		}
		if open {
			last := &sections[len(sections)-1]
			last.lines = append(last.lines, line)
		}
	}
	return sections
}

// bySaidTask uses the headings that say 任务 N or Task N.
func bySaidTask(lines []string, code []bool) []section {
	top := 7
	for i, line := range lines {
		if level, text := heading(line); !code[i] && isTaskWord(text) {
			top = min(top, level)
		}
	}
	if top == 7 {
		return nil
	}
	mixed := countsOn(lines, code, top)
	return cut(lines, code, func(line string) (string, bool) {
		level, text := heading(line)
		if level != top && !mixed {
			return "", false
		}
		_, title, ok := CutTaskWord(text)
		return title, ok
	}, func(line string) bool {
		level, text := heading(line)
		return level > 0 && level <= top && !isTaskWord(text)
	})
}

// countsOn reports whether the deeper headings that say 任务 N continue the numbers of
// those at the top level: "## Task 1", "### Task 2". Numbers that begin anew belong to
// parts of a task.
func countsOn(lines []string, code []bool, top int) bool {
	seen, last := map[int]bool{}, 0
	for i, line := range lines {
		level, text := heading(line)
		number, _, ok := CutTaskWord(text)
		if code[i] || !ok {
			continue
		}
		if seen[number] || level > top && number != last+1 {
			return false
		}
		seen[number], last = true, number
	}
	return true
}

// bySection uses the headings of the most useful level: the second level if there is one,
// else the first level that occurs twice, else a single heading.
func bySection(lines []string, code []bool) []section {
	var count [7]int
	for i, line := range lines {
		if level, text := heading(line); !code[i] && !IsCriteriaLabel(text) && !isCover(text) {
			count[level]++ // 0 are the other lines
		}
	}
	at := 0
	for level := 1; level <= 6 && at == 0; level++ {
		if count[level] > 1 || count[level] == 1 && level > 1 {
			at = level
		}
	}
	if at == 0 {
		return nil
	}
	return cut(lines, code, func(line string) (string, bool) {
		level, text := heading(line)
		if _, title, ok := CutTaskWord(text); ok {
			text = title
		}
		return text, level == at && !IsCriteriaLabel(text) && !isCover(text)
	}, func(line string) bool {
		level, text := heading(line)
		return level > 0 && level < at && !IsCriteriaLabel(text)
	})
}

// isCover reports whether a heading is a title above a list of tasks rather than a task.
func isCover(text string) bool {
	switch strings.ToLower(strings.Trim(text, " :：*")) {
	case "todo", "todos", "to do", "tasks", "task list", "任务", "任务列表", "待办", "待办事项":
		return true
	}
	return false
}

// byNumber uses the numbered lines with the smallest indentation.
func byNumber(lines []string, code []bool) []section {
	return byItem(lines, code, func(it item) bool { return it.numbered })
}

// byBullet uses the list items with the smallest indentation.
func byBullet(lines []string, code []bool) []section {
	return byItem(lines, code, func(it item) bool { return !it.numbered })
}

func byItem(lines []string, code []bool, wanted func(item) bool) []section {
	left := math.MaxInt
	for i, line := range lines {
		if it, ok := listItem(line); ok && !code[i] && wanted(it) {
			left = min(left, it.indent)
		}
	}
	if left == math.MaxInt {
		return nil
	}
	return cut(lines, code, func(line string) (string, bool) {
		it, ok := listItem(line)
		return it.text, ok && wanted(it) && it.indent == left
	}, func(line string) bool {
		// Other text with the same indentation belongs to no item.
		return strings.TrimSpace(line) != "" && len(line)-len(strings.TrimLeft(line, " \t")) <= left && !isItem(line)
	})
}

func isItem(line string) bool {
	_, ok := listItem(line)
	return ok
}

// task reads the description and the criteria from the lines.
func (s section) task() Task {
	t := Task{Title: strings.Trim(s.title, "* ")}
	labelled, boxed := false, false
	code := codeLines(s.lines)
	for i, line := range s.lines {
		if code[i] {
			continue
		}
		labelled = labelled || IsCriteriaLabel(line)
		if it, ok := listItem(line); ok {
			boxed = boxed || it.boxed
		}
	}
	var description []string
	after := false
	for i, line := range s.lines {
		if !code[i] {
			if IsCriteriaLabel(line) {
				after = true
				continue
			}
			it, ok := listItem(line)
			if ok && (it.boxed || after || !labelled && !boxed) {
				t.Criteria = append(t.Criteria, Criterion{it.text, it.done})
				continue
			}
		}
		description = append(description, cutLabel(line))
	}
	t.Description = strings.Join(description, "\n")
	return t
}

// byYAML uses the entries of a list under the key tasks.
func byYAML(lines []string, _ []bool) []section {
	start := slices.IndexFunc(lines, func(line string) bool {
		key := strings.ToLower(strings.TrimRight(line, " \t"))
		return key == "tasks:" || key == "任务:" || key == "任务："
	})
	if start < 0 {
		return nil
	}
	left := -1
	var sections []section
	for _, line := range lines[start+1:] {
		rest := strings.TrimLeft(line, " ")
		indent := len(line) - len(rest)
		body, dash := strings.CutPrefix(rest, "- ")
		switch {
		case strings.TrimSpace(line) == "":
		case dash && (left < 0 || indent == left):
			left = indent
			sections = append(sections, section{})
			sections[len(sections)-1].yaml(body)
		case left >= 0 && indent > left:
			sections[len(sections)-1].yaml(rest)
		default:
			return titled(sections)
		}
	}
	return titled(sections)
}

// yaml reads one line of an entry: a title, a description or a criterion.
func (s *section) yaml(line string) {
	key, value, found := strings.Cut(line, ":")
	value = strings.Trim(strings.TrimSpace(value), `"'`)
	switch strings.ToLower(strings.TrimSpace(key)) {
	case "title", "name", "task", "标题", "任务":
		if found {
			s.title = value
			return
		}
	case "description", "desc", "描述":
		if found {
			s.lines = append(s.lines, strings.TrimSpace(strings.TrimLeft(value, "|>")))
			return
		}
	case "criteria", "acceptance", "done_when", "完成标准":
		if found {
			s.lines = append(s.lines, "**Criteria**:")
			return
		}
	}
	if s.title == "" && len(s.lines) == 0 {
		s.title = strings.Trim(strings.TrimSpace(line), `"'`)
		return
	}
	s.lines = append(s.lines, line)
}

func titled(sections []section) []section {
	for _, s := range sections {
		if s.title == "" {
			return nil
		}
	}
	return sections
}
