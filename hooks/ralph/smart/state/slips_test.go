package state_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
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
		// The correct key is there as well, so this one does not count.
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
	// Each of them is named.
	several := "note: mine\nactve: true\nstall_count: 1\nstall_count: 2\nverbos: true\nsession-id: x\nverbose: false\nsession_id: y\n"
	s := parsed(t, strings.Replace(text, "active: true\n", several+"active: true\n", 1))
	var lines []int
	for _, p := range s.Unclear() {
		lines = append(lines, p.Line)
	}
	if !slices.Equal(lines, []int{3, 6, 7}) || s.SessionID != "y" || s.Verbose || s.StallCount != 1 {
		t.Errorf("lines %v, %+v", lines, s.Problems())
	}
	for _, line := range []string{"vrxbose: 1", "vxebose: 1", "vrebosx: 1", "evrbsoe: 1", "verb: 1", "verbosely: 1", ": 3", "= 3", "rating: 1", "phrase: x", "tongue: x", "iterate: 2", "interactive: true", "max: 4", "iteration_ns: 4", "actve", "languages: x"} {
		if s := parsed(t, strings.Replace(text, "active: true", line+"\nactive: true", 1)); len(s.Problems()) != len(parsed(t, text).Problems()) {
			t.Errorf("%s: %+v", line, s.Problems())
		}
	}
	s = parsed(t, strings.Replace(text, "**完成度**: 75%", "**完成度**: 400%", 1))
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

// TestASecondStatusLine: the parts of a second line count; for missing parts, the first
// line counts.
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

// TestTheEncodingIsNamed: a UTF-16 file is reported as such, not as a file without front
// matter or without its end.
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

// TestValuesAtTheirLimits: the largest values count, a language is one of two, and a
// full-width colon may be a part of a value.
func TestValuesAtTheirLimits(t *testing.T) {
	t.Parallel()
	text := sample(t)
	for new, unclear := range map[string]int{
		"completion_threshold: 100": 0, "completion_threshold: 101": 1, "max_iterations: 1000000": 0, "max_iterations: 1000001": 1,
		`lang: "en"`: 0, "lang: zh": 0, "lang: ZH": 0, "lang: fr": 1, "lang: null": 0,
	} {
		key, _, _ := strings.Cut(new, ":")
		changed := strings.Replace(text, "completion_threshold: 90\n", "", 1)
		if key != "completion_threshold" {
			changed = strings.Replace(text, key+": 50\n", "", 1)
		}
		s := parsed(t, strings.Replace(changed, "active: true", new+"\nactive: true", 1))
		if got := s.Unclear(); len(got) != unclear || unclear > 0 && got[0].Line != 2 {
			t.Errorf("%s: %+v", new, got)
		}
	}
	if s := parsed(t, strings.Replace(text, "active: true", "lang: zh\nactive: true", 1)); s.Lang != "zh" {
		t.Errorf("lang %q", s.Lang)
	}
	if s := parsed(t, strings.Replace(text, `task_file: "tasks.md"`, "Task_File: a：b", 1)); s.TaskFile != "a：b" {
		t.Errorf("task_file %q", s.TaskFile)
	}
	if s := parsed(t, strings.Replace(text, `task_file: "tasks.md"`, "Task_File：a:b", 1)); s.TaskFile != "a:b" {
		t.Errorf("task_file %q", s.TaskFile)
	}
}

// TestTheWrittenIndex: an index counts if its task is in progress. An index without
// a task becomes 0 if no task is in progress.
func TestTheWrittenIndex(t *testing.T) {
	t.Parallel()
	text := sample(t)
	third := strings.LastIndex(text, "**状态**: pending")
	for _, status := range []string{"in_progress", "blocked"} {
		s := parsed(t, strings.Replace(text[:third]+"**状态**: "+status+text[third+len("**状态**: pending"):], "current_task_index: 1", "current_task_index: 2", 1))
		if s.CurrentIndex != 2 {
			t.Errorf("%s: %d", status, s.CurrentIndex)
		}
	}
	s := parsed(t, strings.Replace(strings.Replace(text, "**状态**: in_progress", "**状态**: pending", 1), "current_task_index: 1", "current_task_index: second", 1))
	if p := s.Problems(); s.CurrentIndex != 0 || len(p) == 0 || p[0].Line != 4 {
		t.Errorf("%d, %+v", s.CurrentIndex, p)
	}
}

// TestTheEndOfAFile: a last line without a line end is damage only if tasks are
// missing after it.
func TestTheEndOfAFile(t *testing.T) {
	t.Parallel()
	text := sample(t)
	for name, c := range map[string]struct {
		total, end string
		broken     bool
	}{
		"a task more than the count":     {"3", "\n## Task 4: Announce", false},
		"as many tasks as the count":     {"4", "\n## Task 4: Announce\n- [ ] sent", false},
		"a line that ends":               {"9", "\n## Task 4: Announce\n", false},
		"a task that has its status":     {"9", "\n## Task 4: Announce\n**Status**: pending", false},
		"a task in the middle of a line": {"9", "\n## Task 4: Anno", true},
	} {
		_, err := state.Parse([]byte(strings.Replace(text, "total_tasks: 3", "total_tasks: "+c.total, 1) + c.end))
		if errors.Is(err, state.ErrBroken) != c.broken {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestOtherEncodings: the first line that is not UTF-8 is named.
func TestOtherEncodings(t *testing.T) {
	t.Parallel()
	text := sample(t)
	before := len(parsed(t, text).Problems())
	s := parsed(t, strings.Replace(strings.Replace(text, "修复反斜杠路径处理问题", "\xd0\xde\xb8\xb4", 1), "创建使用说明文档", "\xb4\xb4\xbd\xa8", 1))
	p := s.Problems()
	if len(p) != before+1 || p[before].Line != 17 || p[before].Weight != state.Note || !strings.Contains(p[before].Text(false), "UTF-8") {
		t.Errorf("%+v", p)
	}
}
