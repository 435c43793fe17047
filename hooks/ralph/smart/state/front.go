package state

import (
	"bytes"
	"strings"
	"time"

	"github.com/hookbridge/bridge/hooks/ralph/smart/config"
	"github.com/hookbridge/bridge/internal/statefile"
)

const byteOrderMark = "\ufeff"

// frontLines are the lines of a file, with the position of its front matter.
type frontLines struct {
	lines []string
	// first and last are the indexes of the first key and of the line after the last one.
	first, last int
	// open and closed say that there is a line of dashes above and below the keys.
	open, closed bool
}

// body is the index of the first line of the body.
func (f frontLines) body() int {
	if f.closed {
		return f.last + 1
	}
	return f.last
}

// findFront finds the front matter, also if a person removed one of its lines of dashes
// or added blank lines above it.
func (s *State) findFront(data []byte) (f frontLines, ok bool) {
	f.lines = strings.Split(strings.TrimPrefix(string(data), byteOrderMark), "\n")
	for i, line := range f.lines {
		f.lines[i] = strings.TrimSuffix(line, "\r")
	}
	for f.first < len(f.lines) && strings.TrimSpace(f.lines[f.first]) == "" {
		f.first++
	}
	if f.first == len(f.lines) {
		s.report(1, Grave, "文件是空的", "the file is empty")
		return f, false
	}
	switch line := f.lines[f.first]; {
	case isDashes(line):
		f.open = true
		f.first++
	case knownKey(line) == "":
		s.report(f.first+1, Grave, "文件开头没有 front matter: 第一行必须是 ---, 接着是各个键, 然后又是一行 ---",
			"the front matter is missing: the file must begin with a line of ---, the keys, and another line of ---")
		return f, false
	default:
		s.report(f.first+1, Note, "键的上面缺少一行 ---", "the line of --- above the keys is missing")
	}
	for f.last = f.first; f.last < len(f.lines); f.last++ {
		line := f.lines[f.last]
		if f.closed = isDashes(line); f.closed {
			break
		}
		if isPart(line) {
			s.report(f.last+1, Note, "任务之前缺少一行 ---, 它结束 front matter", "the line of --- that ends the front matter is missing above this line")
			break
		}
	}
	if f.last == len(f.lines) {
		s.report(f.first+1, Grave, "front matter 没有用一行 --- 结束, 后面也没有任务", "the front matter does not end with a line of ---, and no task follows")
		return f, false
	}
	if f.last == f.first {
		s.report(f.first+1, Grave, "front matter 是空的", "the front matter is empty")
		return f, false
	}
	return f, true
}

func isDashes(line string) bool { return strings.TrimRight(line, " \t") == "---" }

// knownKey is the key of a line of the front matter, as it should be written, or empty.
func knownKey(line string) string {
	at := strings.IndexAny(line, ":：")
	if at < 0 {
		return ""
	}
	switch key := strings.ToLower(strings.TrimSpace(line[:at])); key {
	case "active", "task_file", "current_task_index", "total_tasks", "iteration", "max_iterations", "completion_threshold", "auto_approve",
		"stall_detection", "stall_count", "last_completion", "started_at", "strict_mode", "verbose", "session_id", "phase", "updated_at", "asks",
		"briefed", "last_suggestion", "end_reason", "lang":
		return key
	}
	return ""
}

// marks are the characters that people write after a key.
const marks = ":：=＝"

// misspelt returns the key that a line of the front matter means, although the line has
// another mark or one wrong letter: "max-iterations: 3", "max_iterations=3",
// "max_iteratons: 3". It is empty for every other line.
func misspelt(line string) string {
	at := strings.IndexAny(line, marks)
	if at < 0 || strings.HasPrefix(line, "#") {
		return ""
	}
	name := foldKey(line[:at])
	for _, key := range []string{"active", "task_file", "current_task_index", "total_tasks", "iteration", "max_iterations", "completion_threshold", "auto_approve",
		"stall_detection", "stall_count", "last_completion", "started_at", "strict_mode", "verbose", "session_id", "phase", "end_reason", "lang"} {
		if folded := foldKey(key); name == folded || len(folded) >= minSlip && oneSlip(name, folded) {
			return key
		}
	}
	return ""
}

// minSlip is the length of the shortest key of which a misspelt form is recognised. A
// shorter one is similar to other words.
const minSlip = 6

// oneSlip reports whether b is a with one letter missing, replaced, added or swapped
// with its neighbour. a and b are not equal.
func oneSlip(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	switch len(b) - len(a) {
	case 0:
		return a[i+1:] == b[i+1:] || a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
	case 1:
		return a[i:] == b[i+1:]
	}
	return false
}

// foldKey removes the case and the marks of a key.
func foldKey(key string) string {
	return strings.NewReplacer("-", "", "_", "", " ", "", "\t", "", "－", "", "＿", "", "\"", "", "'", "").Replace(strings.ToLower(key))
}

// readFront finds the front matter and brings it into the form that FrontMatter reads.
func (s *State) readFront(data []byte) (f frontLines, ok bool) {
	if f, ok = s.findFront(data); !ok {
		return f, false
	}
	regular := f.open && f.closed && f.first == 1
	given, seen := map[string]bool{}, map[string]int{}
	for _, line := range f.lines[f.first:f.last] {
		given[knownKey(line)] = true
	}
	for n, line := range f.lines[f.first:f.last] {
		i := f.first + n
		key := knownKey(line)
		if key == "" {
			if key = misspelt(line); key == "" {
				continue
			}
			regular = false
			if given[key] {
				// As a comment it stays in the file, but is reported only once.
				f.lines[i] = "# " + line
				s.report(i+1, Unclear, "%s 不起作用, 因为已有 %s; 下次写入时改为注释", "%s has no effect, because there is also %s; the next write makes it a comment", quoted(strings.TrimSpace(line)), key)
				continue
			}
			given[key] = true
			value := strings.TrimLeft(line[strings.IndexAny(line, marks):], marks)
			f.lines[i] = key + ": " + strings.TrimSpace(value)
			s.report(i+1, Note, "%s 按 \"%s\" 理解", "%s is read as \"%s\"", quoted(strings.TrimSpace(line)), quoted(f.lines[i]))
			line = f.lines[i]
		}
		if before := seen[key]; before > 0 {
			s.report(i+1, Note, "%[2]s 出现了两次; 第 %[1]d 行的值有效", "%[2]s is given twice; the value in line %[1]d counts", before, key)
			continue
		}
		seen[key] = i + 1
		if !strings.HasPrefix(line, key+":") {
			_, value, _ := cutColon(line)
			f.lines[i], regular = key+": "+strings.TrimSpace(value), false
		}
	}
	s.keyLines, s.closing = seen, f.last+1
	var err error
	if !regular {
		data = f.rebuilt(data)
	}
	if s.front, err = statefile.ParseFrontMatter(data); err != nil {
		s.report(f.first+1, Grave, "front matter 无法读取", "the front matter cannot be read")
		return f, false
	}
	return f, true
}

// rebuilt is the file with both lines of dashes.
func (f frontLines) rebuilt(data []byte) []byte {
	eol := "\n"
	if first, _, _ := bytes.Cut(data, []byte("\n")); bytes.HasSuffix(first, []byte("\r")) {
		eol = "\r\n"
	}
	var b bytes.Buffer
	if bytes.HasPrefix(data, []byte(byteOrderMark)) {
		b.WriteString(byteOrderMark)
	}
	lines := append([]string{"---"}, f.lines[f.first:f.last]...)
	lines = append(append(lines, "---"), f.lines[f.body():]...)
	b.WriteString(strings.Join(lines, eol))
	return b.Bytes()
}

func cutColon(line string) (before, after string, ok bool) {
	if before, after, ok = strings.Cut(line, "："); ok && !strings.Contains(before, ":") {
		return before, after, true
	}
	return strings.Cut(line, ":")
}

// line is the line of a key or, if there is none, the line before which the
// key would be added.
func (s *State) line(key string) int {
	if line := s.keyLines[key]; line > 0 {
		return line
	}
	return s.closing
}

// number reads a number from 0 to most. If there is none, it returns
// instead.
func (s *State) number(key string, most, instead int) int {
	text, ok := s.front.Get(key)
	if !ok {
		s.report(s.line(key), Note, "缺少 %s; 使用 %d", "%s is missing; %d is used", key, instead)
		return instead
	}
	n, ok := numberOf(text)
	if !ok {
		s.report(s.line(key), Unclear, "%s 必须是非负整数 (现在是: %s); 使用 %d", "%s must be a non-negative integer (got: %s); %d is used", key, quoted(text), instead)
		return instead
	}
	if n > most {
		s.report(s.line(key), Unclear, "%s 大于 %d (现在是: %s); 使用 %d", "%s is larger than %d (got: %s); %d is used", key, most, quoted(text), instead)
		return instead
	}
	return n
}

// flag reads true or false.
func (s *State) flag(key string, absent bool) bool {
	text, ok := s.front.Get(key)
	if !ok {
		return absent
	}
	on, ok := flagOf(text)
	if !ok {
		s.report(s.line(key), Unclear, "%s 必须是 true 或 false (现在是: %s); 使用 false", "%s must be true or false (got: %s); false is used", key, quoted(text))
	}
	return on
}

func (s *State) text(key string) string {
	t, _ := s.front.Get(key)
	if t == "null" {
		return ""
	}
	return t
}

func (s *State) stamp(key string) time.Time {
	text := s.text(key)
	at, err := time.Parse(time.RFC3339, text)
	if err != nil && text != "" {
		s.report(s.line(key), Unclear, "%s 不是时间 (例如 2026-01-23T14:30:00Z)", "%s is not a time (such as 2026-01-23T14:30:00Z)", key)
	}
	return at
}

// readTexts fills in the texts, flags and times of the front matter. Whether the session
// is active must be clear: a person who paused it does not expect that an edit starts it.
func (s *State) readTexts() {
	s.TaskFile, s.SessionID = s.text("task_file"), s.text("session_id")
	s.Suggestion, s.EndReason = s.text("last_suggestion"), s.text("end_reason")
	s.AutoApprove, s.StrictMode, s.Verbose = s.flag("auto_approve", false), s.flag("strict_mode", false), s.flag("verbose", false)
	s.Briefed = s.flag("briefed", true)
	s.StartedAt, s.UpdatedAt = s.stamp("started_at"), s.stamp("updated_at")
	if s.Lang = languageOf(s.text("lang")); s.Lang == "" && s.text("lang") != "" {
		s.report(s.line("lang"), Unclear, "lang 只能是 en 或 zh (现在是: %s)", "lang must be en or zh (got: %s)", quoted(s.text("lang")))
	}
	text, given := s.front.Get("phase")
	phase, known := phaseOf(text)
	if s.Phase = phase; given && !known {
		s.report(s.line("phase"), Unclear, "phase 只能是 analyzing、running、assessing、done 或 stopped (现在是: %s)",
			"phase must be analyzing, running, assessing, done or stopped (got: %s)", quoted(text))
	}
	if text, given = s.front.Get("active"); given {
		_, s.says = flagOf(text)
		s.Active = s.flag("active", false)
		return
	}
	s.report(s.line("active"), Note, "缺少 active; 会话视为已暂停", "active is missing; the session counts as paused")
}

// readCounts fills in the numbers. Those that the tasks show are not required.
func (s *State) readCounts() {
	sum, completion := 0, 0
	for _, t := range s.Tasks {
		sum += t.Iterations
	}
	s.readIndex()
	if t := s.Current(); t != nil {
		completion = t.Completion
	}
	s.Iteration = s.number("iteration", maxIteration, min(sum, maxIteration))
	usual := config.Defaults()
	s.MaxIterations = s.number("max_iterations", maxIteration, usual.MaxIterations)
	if _, ok := s.front.Get("max_iterations"); ok && s.MaxIterations == 0 {
		s.report(s.line("max_iterations"), Note, "max_iterations 是 0: 会话没有迭代上限", "max_iterations is 0: the session has no limit")
	}
	s.CompletionThreshold = s.number("completion_threshold", maxPercent, usual.CompletionThreshold)
	s.StallDetection = s.number("stall_detection", maxIteration, usual.StallDetection)
	s.StallCount = s.number("stall_count", maxIteration, 0)
	s.LastCompletion = s.number("last_completion", maxPercent, completion)
	if _, ok := s.front.Get("asks"); ok {
		s.Asks = s.number("asks", maxIteration, 0)
	}
	if total, ok := s.front.Get("total_tasks"); ok {
		if n, ok := numberOf(total); !ok || n != len(s.Tasks) {
			s.report(s.line("total_tasks"), Note, "total_tasks 是 %s, 但有 %d 个任务; 以任务为准", "total_tasks is %s, but there are %d tasks; the tasks count", quoted(total), len(s.Tasks))
		}
	} else {
		s.report(s.line("total_tasks"), Note, "缺少 total_tasks; 有 %d 个任务", "total_tasks is missing; there are %d tasks", len(s.Tasks))
	}
}

// readIndex finds the current task. If nobody works on the task that the index names, for
// example because a person added a section above it, the task in progress counts instead
// or, in a session that waits for a person, the blocked one.
func (s *State) readIndex() {
	text, given := s.front.Get("current_task_index")
	n, ok := numberOf(text)
	if !ok {
		n = -1
	}
	s.CurrentIndex = min(max(n, 0), len(s.Tasks))
	written := s.Current()
	if ok && written != nil && (written.Status == InProgress || written.Status == Blocked) {
		return
	}
	if found := s.worked(); found >= 0 {
		s.CurrentIndex = found
	}
	if !given || n != s.CurrentIndex {
		s.report(s.line("current_task_index"), Note, "current_task_index 是 %s; 按任务的状态, 当前任务是 %d (从 0 开始)",
			"current_task_index is %s; judging by the tasks, it is %d (counted from 0)", quoted(absentAs(text, given)), s.CurrentIndex)
	}
}

func absentAs(text string, given bool) string {
	if given {
		return text
	}
	return "-"
}

// worked is the index of the first task in progress. In a session that stopped because a
// task is blocked, it may also be the only blocked one.
func (s *State) worked() int {
	blocked, several := -1, false
	for i, t := range s.Tasks {
		if t.Status == InProgress {
			return i
		}
		if t.Status == Blocked {
			blocked, several = i, blocked >= 0
		}
	}
	if s.Active || several || s.EndReason != "blocked" {
		return -1
	}
	return blocked
}
