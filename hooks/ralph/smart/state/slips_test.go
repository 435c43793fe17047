package state_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/hookbridge/bridge/hooks/ralph/smart/state"
)

// TestAFencedTaskIsNone: a heading in a code block begins no task. A code block that does
// not end, or that holds the status of a task, hides nothing.
func TestAFencedTaskIsNone(t *testing.T) {
	t.Parallel()
	text := sample(t)
	before := parsed(t, text)
	for fence, want := range map[string]int{
		"```md\n## Task 9: example\n- [ ] a box\n```": 3,
		"~~~\n## 任务 9: 示例\n~~~":                       3,
		"```\nopen":                                   3,
		"```\n## Task 9: open":                        4,
		"```\n## Task 9: x\n**Status**: pending\n```": 4,
	} {
		s := parsed(t, strings.Replace(text, "## 任务 2", fence+"\n\n## 任务 2", 1))
		if len(s.Tasks) != want || want == 3 && len(s.Tasks[0].Criteria) != len(before.Tasks[0].Criteria) || s.Tasks[want-1].Title != before.Tasks[2].Title {
			t.Errorf("%s: %d tasks, %+v", fence, len(s.Tasks), s.Tasks)
		}
	}
}

// TestSlipsAreReported: a misspelt key and a completion above 100 are named by their line.
func TestSlipsAreReported(t *testing.T) {
	t.Parallel()
	text := sample(t)
	for _, line := range []string{"max-iterations: 3", "max_iterations=3", "Max Iterations: 3", "max_iteration: 3", "max_iteratons：3", "max_iterationss: 3", "max_iteratoins: 3", "mix_iterations ＝ 3"} {
		// There is also the right key, so this one says nothing.
		s := parsed(t, strings.Replace(text, "active: true", line+"\nactive: true", 1))
		unclear := s.Unclear()
		if len(unclear) != 1 || unclear[0].Line != 2 || !strings.Contains(unclear[0].Text(false), line) || s.MaxIterations != 50 {
			t.Errorf("%s: %d, %+v", line, s.MaxIterations, unclear)
		}
		written := string(s.Bytes())
		if again := parsed(t, written); !strings.Contains(written, "\n# "+line+"\n") || len(again.Problems()) != len(parsed(t, text).Problems()) || again.MaxIterations != 50 {
			t.Errorf("%s: %+v\n%s", line, again.Problems(), written)
		}
		// Without the right key, what it means is clear.
		s = parsed(t, strings.Replace(text, "max_iterations: 50", line, 1))
		found := false
		for _, p := range s.Problems() {
			found = found || p.Line == 7 && p.Weight == state.Note && strings.Contains(p.Text(false), line) && strings.Contains(p.Text(false), "max_iterations: 3")
		}
		if !found || s.MaxIterations != 3 || len(s.Unclear()) != 0 {
			t.Errorf("%s: %d, %+v", line, s.MaxIterations, s.Problems())
		}
		if written = string(s.Bytes()); !strings.Contains(written, "\nmax_iterations: 3\n") || strings.Contains(written, line) {
			t.Errorf("%s is not repaired:\n%s", line, written)
		}
	}
	if s := parsed(t, strings.Replace(text, `task_file: "tasks.md"`, "task-file=\"a=b：c:d.md\"", 1)); s.TaskFile != "a=b：c:d.md" {
		t.Errorf("the value is %q", s.TaskFile)
	}
	for _, line := range []string{"rating: 1", "phrase: x", "tongue: x", "iterate: 2", "interactive: true", "max: 4", "iteration_ns: 4", "actve", "languages: x"} {
		if s := parsed(t, strings.Replace(text, "active: true", line+"\nactive: true", 1)); len(s.Problems()) != len(parsed(t, text).Problems()) {
			t.Errorf("%s: %+v", line, s.Problems())
		}
	}
	s := parsed(t, strings.Replace(text, "**完成度**: 75%", "**完成度**: 400%", 1))
	if unclear := s.Unclear(); len(unclear) != 1 || !strings.Contains(unclear[0].Text(false), "400%") || s.Tasks[1].Completion != 100 {
		t.Errorf("%+v", unclear)
	}
	if s := parsed(t, strings.Replace(text, "active: true", "note: mine\n# max-iterations: 3\nactive: true", 1)); len(s.Problems()) != len(parsed(t, text).Problems()) {
		t.Errorf("%+v", s.Problems())
	}
}

// TestNoLimitIsNamed: a person who writes 0 may expect that the session ends.
func TestNoLimitIsNamed(t *testing.T) {
	t.Parallel()
	text := sample(t)
	s := parsed(t, strings.Replace(text, "max_iterations: 50", "max_iterations: 0", 1))
	before := len(parsed(t, text).Problems())
	if p := s.Problems(); s.MaxIterations != 0 || len(p) != before+1 || p[0].Line != 7 || p[0].Weight != state.Note || !strings.Contains(p[0].Text(false), "no limit") {
		t.Errorf("%+v", s.Problems())
	}
	if s := parsed(t, strings.Replace(text, "stall_detection: 5", "stall_detection: 0", 1)); len(s.Problems()) != before {
		t.Errorf("%+v", s.Problems())
	}
}

// TestASecondStatusLine: what it says counts, and everything else stays as the first one
// says.
func TestASecondStatusLine(t *testing.T) {
	t.Parallel()
	text := sample(t)
	const first = "**状态**: in_progress | **完成度**: 75% | **迭代**: 3"
	for second, want := range map[string]struct {
		status                 state.Status
		completion, iterations int
		unclear                string
	}{
		"**状态**: 快好了":                    {state.InProgress, 75, 3, "in_progress is used"},
		"**状态**: 快好了 | **完成度**: 80%":     {state.InProgress, 80, 3, "in_progress is used"},
		"**Status**: blocked":            {state.Blocked, 75, 3, ""},
		"**Status**: done":               {state.Completed, 100, 3, ""},
		"**完成度**: lots | **状态**: 阻塞":     {state.Blocked, 75, 3, "75% is used"},
		"**状态**: pending | **迭代**: some": {state.Pending, 75, 3, "3 is used"},
		"**状态**: pending | **迭代**: 4":    {state.Pending, 75, 4, ""},
	} {
		s := parsed(t, strings.Replace(text, first, first+"\n"+second, 1))
		task, unclear := s.Tasks[1], s.Unclear()
		if task.Status != want.status || task.Completion != want.completion || task.Iterations != want.iterations || len(unclear) > 1 ||
			(len(unclear) == 1) != (want.unclear != "") || want.unclear != "" && (unclear[0].Line != 35 || !strings.Contains(unclear[0].Text(false), want.unclear)) {
			t.Errorf("%s: %+v %+v", second, task, unclear)
		}
		again := parsed(t, string(s.Bytes()))
		if task := again.Tasks[1]; task.Status != want.status || task.Completion != want.completion || task.Iterations != want.iterations || len(again.Unclear()) != 0 {
			t.Errorf("%s: second reading %+v %+v", second, task, again.Unclear())
		}
	}
}

// TestTheEncodingIsNamed: a file in UTF-16 has front matter, and was written to its end.
func TestTheEncodingIsNamed(t *testing.T) {
	t.Parallel()
	text := sample(t)
	for encoding, order := range map[string]binary.AppendByteOrder{"UTF-16LE": binary.LittleEndian, "UTF-16BE": binary.BigEndian} {
		for _, text := range []string{text, "\ufeff" + text, strings.TrimSpace(text), strings.ReplaceAll(text, "\n", "\r\n")} {
			var data []byte
			for _, unit := range utf16.Encode([]rune(text)) {
				data = order.AppendUint16(data, unit)
			}
			s, err := state.Parse(data)
			if p := s.Problems(); !errors.Is(err, state.ErrBroken) || len(p) != 1 || p[0].Line != 1 || !strings.Contains(p[0].Text(false), encoding) || !strings.Contains(p[0].Text(true), encoding) {
				t.Errorf("%s: %v, %+v", encoding, err, p)
			}
		}
	}
	// Zeros at the end or in a line are something else.
	if s, err := state.Parse(append([]byte(text), bytes.Repeat([]byte{0}, 3*len(text))...)); err == nil || !strings.Contains(err.Error(), "only NUL bytes") {
		t.Errorf("%v, %+v", err, s.Problems())
	}
	if _, err := state.Parse([]byte(strings.Replace(text, "75%", "75\x00%", 1))); err != nil {
		t.Error(err)
	}
}
