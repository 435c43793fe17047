package state

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/hookbridge/bridge/hooks/ralph/smart/taskfile"
	"github.com/hookbridge/bridge/internal/statefile"
)

// Parse reads a state file. People edit it, so whatever can be understood is used, and
// Problems says what was not as it should be. The error is a Problem that wraps
// ErrBroken; the state then holds what could be read, so that the caller can tell whose
// it is and whether it was active.
func Parse(data []byte) (State, error) {
	s := State{eol: "\n"}
	whole := bytes.TrimRight(data, "\x00")
	if bytes.IndexByte(whole, 0) >= 0 {
		if encoding := taskfile.Encoding(whole); strings.HasPrefix(encoding, "UTF-16") {
			s.report(1, Grave, "文件的编码是 %s; 请保存为 UTF-8", "the encoding of the file is %s; save it as UTF-8", encoding)
			return s.rest(data)
		}
	}
	if len(whole) < len(data) {
		s.report(1+bytes.Count(whole, []byte("\n")), Grave, "从这里起只有 NUL 字节: 文件没有写完", "from here on there are only NUL bytes: the file was not written to its end")
		return s.rest(data)
	}
	front, ok := s.readFront(data)
	if !ok {
		return s.rest(data)
	}
	body := s.front.Body()
	if strings.Contains(body, "\r\n") {
		s.eol = "\r\n"
	}
	s.lines = strings.Split(body, "\n")
	for i, line := range s.lines {
		s.lines[i] = strings.TrimSuffix(line, "\r")
	}
	first := front.body() + 1
	s.readTexts()
	s.readTasks(first)
	if !utf8.Valid(data) {
		for i, line := range front.lines {
			if !utf8.ValidString(line) {
				s.report(i+1, Note, "这一行不是 UTF-8; 请把文件保存为 UTF-8", "this line is not UTF-8; save the file as UTF-8")
				break
			}
		}
	}
	s.readCounts()
	s.check(first, len(front.lines))
	return s, s.grave()
}

// grave is the first problem that keeps the file from being used.
func (s State) grave() error {
	for _, p := range s.Problems() {
		if p.Weight == Grave {
			return p
		}
	}
	return nil
}

// rest is what is known of a file without a usable front matter: its owner, and that it
// is active, if it says so.
func (s State) rest(data []byte) (State, error) {
	s.eol = ""
	for line := range strings.Lines(string(data[:min(len(data), 8<<10)])) {
		if !strings.HasSuffix(line, "\n") {
			break
		}
		_, value, _ := cutColon(line)
		value = statefile.Unquote(strings.TrimSpace(value))
		switch knownKey(line) {
		case "session_id":
			s.SessionID = value
		case "active":
			s.Active, s.says = flagOf(value)
		case "lang":
			s.Lang = languageOf(value)
		}
	}
	return s, s.grave()
}

// check settles the phase and looks for reasons not to use the file. first is the line of
// the body's beginning, and last is the last line of the file.
func (s *State) check(first, last int) {
	n := len(s.Tasks)
	total, _ := s.front.Get("total_tasks")
	expected, _ := numberOf(total)
	if end := s.lines[len(s.lines)-1]; n > 0 && n < expected && end != "" && s.Tasks[n-1].status < 0 {
		s.report(last, Grave, "文件在任务 %d 中间结束, 而 total_tasks 是 %d", "the file ends in the middle of task %d, and total_tasks is %d", n, expected)
	}
	if n == 0 && (expected > 0 || s.Phase != Analyzing && s.Phase != Stopped) {
		line := first
		for i, text := range s.lines {
			if headingLevel(text) > 0 {
				line = first + i
				break
			}
		}
		s.report(min(line, last), Grave, "没有任务: 任务的标题要写成 \"## 任务 1: 标题\"", "there are no tasks: the heading of a task looks like \"## Task 1: title\"")
	}
	switch {
	case s.grave() != nil:
	case !s.Active && s.Phase != Stopped && (s.Phase != Done || s.hasOpen()):
		s.Phase = Stopped
	case s.Active && n == 0:
		s.Phase = Analyzing
	case s.Active && s.Phase == Analyzing:
		// A person wrote the tasks before the model did, so the model does not know
		// them yet.
		s.Phase, s.Briefed = Running, false
	case s.Active && s.Phase != Assessing:
		s.Phase = Running
	}
}

func (s *State) hasOpen() bool {
	for _, t := range s.Tasks {
		if t.Status.IsOpen() {
			return true
		}
	}
	return false
}
