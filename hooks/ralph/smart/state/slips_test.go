package state_test

import (
	"strings"
	"testing"
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
	for _, line := range []string{"max-iterations: 3", "max_iterations=3", "Max Iterations: 3", "max_iteration: 3", "completion-threshold = 90"} {
		s := parsed(t, strings.Replace(text, "active: true", line+"\nactive: true", 1))
		found := false
		for _, p := range s.Problems() {
			found = found || p.Line == 2 && strings.Contains(p.Text(false), line)
		}
		if !found {
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
