package plan

import (
	"strings"
	"unicode/utf8"
)

// heading removes the marks of a Markdown heading; level is 0 for any other line.
func heading(line string) (level int, text string) {
	for level < len(line) && line[level] == '#' {
		level++
	}
	if level == 0 || level > 6 {
		return 0, ""
	}
	rest := line[level:]
	text = strings.TrimSpace(strings.TrimRight(strings.TrimSpace(rest), "#"))
	if text == "" {
		return 0, ""
	}
	// "#tag" is not a heading, but "##任务 1" is meant as one.
	if rest[0] != ' ' && rest[0] != '\t' && rest[0] < utf8.RuneSelf && !isTaskWord(text) {
		return 0, ""
	}
	return level, text
}

func isTaskWord(text string) bool {
	_, _, ok := CutTaskWord(text)
	return ok
}

// CutTaskWord reads "任务 3: title" or "Task 3: title" and returns the number and the
// title.
func CutTaskWord(text string) (number int, title string, ok bool) {
	text = strings.TrimSpace(strings.Trim(text, "*"))
	rest, found := strings.CutPrefix(text, "任务")
	if !found {
		if len(text) < 4 || !strings.EqualFold(text[:4], "task") {
			return 0, "", false
		}
		rest = text[4:]
	}
	rest = strings.TrimLeft(rest, " \t#")
	digits := 0
	for digits < len(rest) && rest[digits] >= '0' && rest[digits] <= '9' {
		if digits < 6 {
			number = number*10 + int(rest[digits]-'0')
		}
		digits++
	}
	if digits == 0 {
		return 0, "", false
	}
	rest = strings.TrimLeft(rest[digits:], " \t")
	for _, mark := range []string{":", "：", ".", "、", "-", "–", "—"} {
		if title, found = strings.CutPrefix(rest, mark); found {
			title = strings.TrimSpace(strings.Trim(strings.TrimSpace(title), "*"))
			return number, title, title != ""
		}
	}
	return 0, "", false
}

// item is a list item.
type item struct {
	indent   int
	numbered bool
	boxed    bool
	done     bool
	text     string
}

// listItem reads "- text", "- [x] text", "1. text", "1、text", "(1) text" and similar
// forms.
func listItem(line string) (it item, ok bool) {
	rest := strings.TrimLeft(line, " \t")
	for _, c := range line[:len(line)-len(rest)] {
		if c == '\t' {
			it.indent += 4
		} else {
			it.indent++
		}
	}
	body, ok := bullet(rest)
	if !ok {
		if body, ok = number(rest); !ok {
			return item{}, false
		}
		it.numbered = true
	}
	it.text = strings.TrimSpace(body)
	if it.done, it.boxed, body = box(it.text); it.boxed {
		it.text = body
	}
	return it, it.text != ""
}

// Marker is the kind of mark with which a list item begins.
type Marker int

// The markers.
const (
	NoMarker Marker = iota
	Bullet
	Number
)

// CutMarker removes the mark of a list item from the beginning of a line: "- ", "1. ",
// "(2) ", "三、".
func CutMarker(line string) (rest string, kind Marker) {
	line = strings.TrimSpace(line)
	if rest, ok := bullet(line); ok {
		return strings.TrimSpace(rest), Bullet
	}
	if rest, ok := number(line); ok {
		return strings.TrimSpace(rest), Number
	}
	return line, NoMarker
}

// CutBox removes a check box from the beginning of a text.
func CutBox(text string) (done, boxed bool, rest string) { return box(text) }

func bullet(s string) (rest string, ok bool) {
	for _, mark := range []string{"- ", "* ", "+ ", "-\t", "*\t", "+\t", "• ", "•", "· ", "– ", "-[", "*["} {
		if rest, ok = strings.CutPrefix(s, mark); ok {
			if strings.HasSuffix(mark, "[") {
				rest = "[" + rest
			}
			return rest, true
		}
	}
	return "", false
}

// number removes "12." "12)" "12、" "(12)" "（12）" "一、" from the beginning of a line.
func number(s string) (rest string, ok bool) {
	open := ""
	for _, mark := range []string{"(", "（"} {
		if after, found := strings.CutPrefix(s, mark); found {
			s, open = after, mark
		}
	}
	digits := 0
	for digits < len(s) && digits < 4 && s[digits] >= '0' && s[digits] <= '9' {
		digits++
	}
	if digits == 0 {
		digits = chineseNumber(s)
	}
	if digits == 0 {
		return "", false
	}
	s = s[digits:]
	marks := []string{". ", ".\t", ") ", "、", "．", "） ", "）", ")"}
	if open == "" {
		// "3.5 times" and "2)x" are not items, but "1.修复" is.
		marks = []string{". ", ".\t", ") ", "、", "．", "）"}
	}
	for _, mark := range marks {
		if rest, ok = strings.CutPrefix(s, mark); ok {
			return rest, true
		}
	}
	for _, mark := range []string{".", ")"} {
		if rest, found := strings.CutPrefix(s, mark); open == "" && found {
			// "1.修复" and "1.**title**", but not "3.5 times".
			if r, _ := utf8.DecodeRuneInString(rest); r >= 0x2e80 && r != utf8.RuneError || r == '*' || r == '_' || r == '[' {
				return rest, true
			}
		}
	}
	return "", false
}

// chineseNumber returns the length of a number such as 十二 at the start of s.
func chineseNumber(s string) int {
	n := 0
	for _, r := range s {
		if !strings.ContainsRune("一二三四五六七八九十", r) {
			break
		}
		n += utf8.RuneLen(r)
	}
	if n > 9 {
		return 0
	}
	return n
}

// box removes a check box from the beginning of a list item.
func box(s string) (done, boxed bool, rest string) {
	for _, mark := range []string{"[ ]", "[]", "[x]", "[X]", "[√]", "[✓]", "[✔]", "[-]", "[~]"} {
		if after, ok := strings.CutPrefix(s, mark); ok {
			return mark != "[ ]" && mark != "[]" && mark != "[-]" && mark != "[~]", true, strings.TrimSpace(after)
		}
	}
	return false, false, s
}

// IsFence reports whether the line opens or closes a code block, and returns its fence.
func IsFence(line string) (mark string, ok bool) {
	line = strings.TrimLeft(line, " ")
	for _, c := range []byte{'`', '~'} {
		n := 0
		for n < len(line) && line[n] == c {
			n++
		}
		if n >= 3 {
			return line[:n], true
		}
	}
	return "", false
}

// IsCriteriaLabel reports whether the line introduces criteria, such as "**完成标准**:".
func IsCriteriaLabel(line string) bool {
	line = strings.TrimLeft(line, "# \t")
	line = strings.ReplaceAll(line, "*", "")
	line = strings.ToLower(strings.TrimRight(strings.TrimSpace(line), ":： "))
	switch line {
	case "完成标准", "验收标准", "完成条件", "criteria", "acceptance criteria", "completion criteria", "done when", "success criteria":
		return true
	}
	return false
}

// cutLabel removes "**描述**:" from a line of a description.
func cutLabel(line string) string {
	for _, label := range []string{"**描述**", "**Description**", "**说明**", "**描述:**", "**描述：**", "**Description:**"} {
		if rest, ok := strings.CutPrefix(line, label); ok {
			return strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(rest), ":："))
		}
	}
	return line
}
