package state

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/hookbridge/bridge/hooks/ralph/smart/plan"
	"github.com/hookbridge/bridge/internal/statefile"
)

// ErrBroken means that a state file cannot be trusted (R3-18).
var ErrBroken = errors.New("the state is damaged")

// Parse reads a state file. With ErrBroken, the state holds what could be read, so that
// the caller can tell whose it is.
func Parse(data []byte) (State, error) {
	front, err := statefile.ParseFrontMatter(data)
	if err != nil {
		return State{Active: true, SessionID: ownerOf(data)}, fmt.Errorf("%w: it does not begin with a front matter between two lines of ---", ErrBroken)
	}
	s := State{front: front, eol: "\n"}
	body := front.Body()
	if strings.Contains(body, "\r\n") {
		s.eol = "\r\n"
	}
	s.lines = strings.Split(body, "\n")
	for i, line := range s.lines {
		s.lines[i] = strings.TrimSuffix(line, "\r")
	}
	problem := s.readFront()
	s.readTasks()
	if problem == "" {
		problem = s.check()
	}
	if problem != "" {
		return s, fmt.Errorf("%w: %s", ErrBroken, problem)
	}
	return s, nil
}

// ownerOf finds the session id in a file whose front matter is cut off.
func ownerOf(data []byte) string {
	for line := range strings.Lines(string(data[:min(len(data), 8<<10)])) {
		if id, ok := strings.CutPrefix(line, "session_id:"); ok && strings.HasSuffix(line, "\n") {
			return statefile.Unquote(strings.TrimSpace(id))
		}
	}
	return ""
}

// readFront fills in the fields of the front matter and returns the problem, if any.
func (s *State) readFront() (problem string) {
	number := func(key string, most int, required bool) int {
		text, ok := s.front.Get(key)
		if !ok && !required {
			return 0
		}
		n, err := strconv.Atoi(plain(text))
		switch {
		case problem != "":
		case !ok:
			problem = "the number " + key + " is missing"
		case err != nil || n < 0:
			problem = fmt.Sprintf("%s must be a non-negative integer (got: %.40s)", key, text)
		case n > most:
			problem = fmt.Sprintf("%s is larger than %d", key, most)
		}
		return n
	}
	flag := func(key string, absent bool) bool {
		text, ok := s.front.Get(key)
		if !ok {
			return absent
		}
		return strings.EqualFold(plain(text), "true")
	}
	text := func(key string) string {
		t, _ := s.front.Get(key)
		if t == "null" {
			return ""
		}
		return t
	}
	stamp := func(key string) time.Time {
		at, _ := time.Parse(time.RFC3339, text(key))
		return at
	}
	s.Active = flag("active", true)
	s.TaskFile = text("task_file")
	s.CurrentIndex = number("current_task_index", plan.MaxTasks, true)
	s.Iteration = number("iteration", maxIteration, true)
	s.MaxIterations = number("max_iterations", maxIteration, true)
	s.CompletionThreshold = number("completion_threshold", maxPercent, true)
	s.AutoApprove = flag("auto_approve", false)
	s.StrictMode = flag("strict_mode", false)
	s.Verbose = flag("verbose", false)
	s.StallDetection = number("stall_detection", maxIteration, true)
	s.StallCount = number("stall_count", maxIteration, true)
	s.LastCompletion = number("last_completion", maxPercent, true)
	s.Asks = number("asks", maxIteration, false)
	s.StartedAt, s.UpdatedAt = stamp("started_at"), stamp("updated_at")
	s.SessionID = text("session_id")
	s.Phase = Phase(text("phase"))
	s.Briefed = flag("briefed", true)
	s.Suggestion = text("last_suggestion")
	s.EndReason = text("end_reason")
	s.Lang = languageOf(text("lang"))
	return problem
}

// plain removes quotes and a comment from a number or a flag.
func plain(text string) string {
	text, _, _ = strings.Cut(text, " #")
	return statefile.Unquote(strings.TrimSpace(text))
}

// check looks for reasons not to trust the file. It also sets the phase if the file names
// none (the sample of docs/reference/smart-ralph.md#state).
func (s *State) check() (problem string) {
	total, _ := s.front.Get("total_tasks")
	n, err := strconv.Atoi(plain(total))
	switch {
	case err != nil || n < 0:
		return fmt.Sprintf("total_tasks must be a non-negative integer (got: %.40s)", total)
	case n != len(s.Tasks):
		return fmt.Sprintf("total_tasks is %d, but there are %d tasks", n, len(s.Tasks))
	case s.CurrentIndex > n:
		return fmt.Sprintf("current_task_index is %d of %d tasks", s.CurrentIndex, n)
	}
	switch s.Phase {
	case Analyzing, Running, Assessing, Done, Stopped:
	default:
		if s.Phase = Running; n == 0 {
			s.Phase = Analyzing
		}
	}
	if n == 0 && s.Phase != Analyzing && s.Phase != Stopped {
		return "there are no tasks, and the phase is not analyzing"
	}
	return ""
}

// readTasks reads the sections of the tasks.
func (s *State) readTasks() {
	var t *Task
	criteria := false
	var description []string
	end := func(line int) {
		if t != nil {
			t.Description = strings.TrimSpace(strings.Join(description, "\n"))
			t.last = line - 1
		}
		description, criteria = nil, false
	}
	for i, line := range s.lines {
		if title, ok := taskHead(line); ok {
			end(i)
			s.Tasks = append(s.Tasks, Task{Title: title, Status: Pending, head: i, status: -1})
			t = &s.Tasks[len(s.Tasks)-1]
			continue
		}
		if t == nil {
			continue
		}
		if t.readStatus(line) {
			t.status = i
			continue
		}
		if !criteria && plan.IsCriteriaLabel(line) {
			criteria = true
			continue
		}
		done, text, ok := boxLine(line)
		switch {
		case criteria && ok:
			t.Criteria = append(t.Criteria, Criterion{text, done, i})
		case !criteria:
			description = append(description, unescaped(line))
		}
	}
	end(len(s.lines))
}

// taskHead reads "## 任务 2: title". It also accepts any heading level, "Task" and a
// full-width colon.
func taskHead(line string) (title string, ok bool) {
	text := strings.TrimLeft(line, "#")
	if len(text) == len(line) || len(line)-len(text) > 6 {
		return "", false
	}
	_, title, ok = plan.CutTaskWord(text)
	return title, ok
}

// readStatus reads "**状态**: S | **完成度**: P% | **迭代**: K", or the same in English.
func (t *Task) readStatus(line string) bool {
	if !strings.HasPrefix(line, "**") {
		return false
	}
	plain := strings.ReplaceAll(strings.ReplaceAll(line, "*", ""), "：", ":")
	parts := strings.Split(plain, "|")
	if len(parts) != 3 {
		return false
	}
	var values [3]string
	for i, names := range [3][2]string{{"状态", "status"}, {"完成度", "completion"}, {"迭代", "iterations"}} {
		key, value, _ := strings.Cut(parts[i], ":")
		if key = strings.ToLower(strings.TrimSpace(key)); key != names[0] && key != names[1] {
			return false
		}
		values[i] = strings.TrimSpace(strings.TrimRight(strings.TrimSpace(value), "%％"))
	}
	status := Status(strings.ToLower(values[0]))
	completion, err := strconv.Atoi(values[1])
	iterations, err2 := strconv.Atoi(values[2])
	if err != nil || err2 != nil || completion < 0 || iterations < 0 {
		return false
	}
	switch status {
	case Pending, InProgress, Completed, Blocked, Skipped:
	default:
		return false
	}
	t.Status, t.Completion, t.Iterations = status, min(completion, maxPercent), iterations
	return true
}

// boxLine reads "- [x] text".
func boxLine(line string) (done bool, text string, ok bool) {
	rest := strings.TrimLeft(line, " \t")
	if len(rest) < 6 || rest[0] != '-' && rest[0] != '*' && rest[0] != '+' {
		return false, "", false
	}
	rest = strings.TrimLeft(rest[1:], " \t")
	if len(rest) < 3 || rest[0] != '[' || rest[2] != ']' || rest[1] != ' ' && rest[1] != 'x' && rest[1] != 'X' {
		return false, "", false
	}
	return rest[1] != ' ', strings.TrimSpace(rest[3:]), true
}
