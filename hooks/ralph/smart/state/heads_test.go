package state_test

import (
	"strings"
	"testing"

	"github.com/hookbridge/bridge/hooks/ralph/smart/state"
)

const (
	describing = "修复反斜杠路径处理问题\n"
	lastBox    = "- [x] 测试 Windows 路径\n"
	firstEnd   = "**状态**: completed | **完成度**: 100% | **迭代**: 5\n"
)

// TestHeadsOfTasks: which lines begin a task, in a description and below a status.
func TestHeadsOfTasks(t *testing.T) {
	t.Parallel()
	text := sample(t)
	for line, title := range map[string]string{
		"###### Task 9: Deep": "Deep", "  ## Task 9: Indented": "Indented", "## Task 9\tTabbed": "Tabbed", "## Task 9 Plain": "Plain", "## task: Bare": "Bare", "## 任务：裸": "裸", "## Task 9:": "Task 9", "## Task 9": "Task 9",
		"####### Task 9: Seven": "", "## Task": "", "## 任务": "", "## Task:": "", "## Task list": "", "## Task 4th of July": "", "## Note: keep this": "", "## A": "", "Task 9: unmarked": "", "## Tasks: many": "",
	} {
		s := parsed(t, strings.Replace(text, describing, describing+line+"\n", 1))
		if title == "" {
			if len(s.Tasks) != 3 || !strings.HasSuffix(s.Tasks[0].Description, line) {
				t.Errorf("%q: %d tasks, description %q", line, len(s.Tasks), s.Tasks[0].Description)
			}
			continue
		}
		if len(s.Tasks) != 4 || s.Tasks[1].Title != title {
			t.Errorf("%q: %+v", line, s.Tasks)
		}
	}
	for lines, title := range map[string]string{
		"###### Notes\n- [ ] box": "Notes", "##\tNotes\n- [ ] box": "Notes", "#### Notes\n##### Part\n- [ ] box": "Notes", "## Notes\n**Criteria**:": "Notes", "## Notes\n**Status**: pending": "Notes",
		"Task 9: New\n- [ ] box": "New", "**Task 9: New**\n**Status**: pending": "New",
		"## Notes\n## More\n- text": "", "### Notes\n## 说明\n": "", "Task 9: New\n### Details\n- [ ] box": "Details", "## Notes\n### Task 4: other\n- [ ] x": "other", "##Notes\n- [ ] box": "", "Notes\n- [ ] box": "",
	} {
		s := parsed(t, strings.Replace(text, firstEnd, firstEnd+"\n"+lines+"\n", 1))
		if title == "" && len(s.Tasks) != 3 || title != "" && (len(s.Tasks) != 4 || s.Tasks[1].Title != title) {
			t.Errorf("%q: %+v", lines, s.Tasks)
		}
	}
	// Of two headings at the same level, only the one above the box begins a
	// task.
	s := parsed(t, strings.Replace(text, firstEnd, firstEnd+"\n## Notes\n## More\n- [ ] box\n", 1))
	if len(s.Tasks) != 4 || s.Tasks[1].Title != "More" {
		t.Errorf("%+v", s.Tasks)
	}
}

// TestProblemsOfSectionsHaveALine: each problem of a section is named with its line.
func TestProblemsOfSectionsHaveALine(t *testing.T) {
	t.Parallel()
	text := sample(t)
	for name, c := range map[string]struct {
		old, new string
		line     int
		want     string
	}{
		"no title":               {describing, describing + "## Task 9:\n", 18, "the task has no title"},
		"a status above a task":  {"## 任务 1", "**Status**: done\n## 任务 1", 16, "belongs to no task"},
		"a heading that is none": {firstEnd, firstEnd + "## Notes\n", 25, "\"## Task 2: title\""},
		"a task by its content":  {firstEnd, firstEnd + "## Notes\n- [ ] x\n", 25, "counts as the beginning of a task"},
		"two status lines":       {firstEnd, firstEnd + firstEnd, 25, "two status lines"},
	} {
		found := false
		for _, p := range parsed(t, strings.Replace(text, c.old, c.new, 1)).Problems() {
			found = found || p.Line == c.line && p.Weight == state.Note && strings.Contains(p.Text(false), c.want)
		}
		if !found {
			t.Errorf("%s: %+v", name, parsed(t, strings.Replace(text, c.old, c.new, 1)).Problems())
		}
	}
}

// TestCodeInASection: a code block above the criteria belongs to the description, and only
// its own mark ends it.
func TestCodeInASection(t *testing.T) {
	t.Parallel()
	text := sample(t)
	before := parsed(t, text)
	for _, block := range []string{"```\n## Task 9: x\n```", "```\n~~~\n## Task 9: x\n```", "````\n```\n## Task 9: x\n````", "```\n```go\n## Task 9: x\n```", "```\ncode\n`````"} {
		s := parsed(t, strings.Replace(text, describing, describing+block+"\n", 1))
		if len(s.Tasks) != 3 || s.Tasks[0].Description != before.Tasks[0].Description+"\n"+block {
			t.Errorf("%q: %d tasks, %q", block, len(s.Tasks), s.Tasks[0].Description)
		}
		s = parsed(t, strings.Replace(text, lastBox, lastBox+block+"\n", 1))
		if len(s.Tasks) != 3 || s.Tasks[0].Description != before.Tasks[0].Description {
			t.Errorf("%q below the criteria: %d tasks, %q", block, len(s.Tasks), s.Tasks[0].Description)
		}
		s = parsed(t, strings.Replace(text, "## 任务 1", block+"\n## 任务 1", 1))
		if len(s.Tasks) != 3 || s.Tasks[0].Description != before.Tasks[0].Description {
			t.Errorf("%q above the tasks: %d tasks, %q", block, len(s.Tasks), s.Tasks[0].Description)
		}
	}
}

// TestShortForms: a box needs its bracket, a status line without emphasis needs two parts,
// and a status may be in brackets.
func TestShortForms(t *testing.T) {
	t.Parallel()
	text := sample(t)
	for line, boxes := range map[string]int{"- [ ] y": 4, "* [x]y": 4, "- x] y": 3, "- [x y": 3, "- [x]": 3, "-": 3, "- ": 3, "x [ ] y": 3} {
		if s := parsed(t, strings.Replace(text, lastBox, lastBox+line+"\n", 1)); len(s.Tasks[0].Criteria) != boxes {
			t.Errorf("%q: %+v", line, s.Tasks[0].Criteria)
		}
	}
	const status = "**状态**: in_progress | **完成度**: 75% | **迭代**: 3"
	s := parsed(t, strings.Replace(text, status, "Status: skipped | Completion: 40%", 1))
	if task := s.Tasks[1]; task.Status != state.Skipped || task.Completion != 40 {
		t.Errorf("%+v", task)
	}
	s = parsed(t, strings.Replace(text, status, "**Status**: (done)", 1))
	if task := s.Tasks[1]; task.Status != state.Completed || len(s.Unclear()) != 0 {
		t.Errorf("%+v %+v", task, s.Unclear())
	}
}

// TestNumbersInAStatusLine: a word may follow a number, and a sign is none.
func TestNumbersInAStatusLine(t *testing.T) {
	t.Parallel()
	text := sample(t)
	for line, want := range map[string][2]int{
		"**Status**: pending | **Completion**: 99% | **Iterations**: 19": {99, 19}, "**Status**: pending | **Completion**: 9 % | **Iterations**: 90 times": {9, 90}, "**状态**: pending | **完成度**: ９９％ | **迭代**: ０次": {99, 0},
	} {
		s := parsed(t, strings.Replace(text, "**状态**: in_progress | **完成度**: 75% | **迭代**: 3", line, 1))
		if task := s.Tasks[1]; task.Completion != want[0] || task.Iterations != want[1] || len(s.Unclear()) != 0 {
			t.Errorf("%q: %+v %+v", line, task, s.Unclear())
		}
	}
	for _, value := range []string{"+5", "-5", "x5", "", "99999999999999999999"} {
		s := parsed(t, strings.Replace(text, "**迭代**: 3", "**迭代**: "+value, 1))
		if unclear := s.Unclear(); len(unclear) != 1 {
			t.Errorf("%q: %+v %+v", value, s.Tasks[1], unclear)
		}
	}
}

// TestWhichTaskIsBlocked: in a session that stopped because of a block, the only blocked
// task is the current one.
func TestWhichTaskIsBlocked(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		active, reason string
		blocked        []int
		want           int
	}{
		"one":               {"false", "blocked", []int{0}, 0},
		"the last one":      {"false", "blocked", []int{2}, 2},
		"two":               {"false", "blocked", []int{0, 2}, 1},
		"none":              {"false", "blocked", nil, 1},
		"an active session": {"true", "blocked", []int{2}, 1},
		"another reason":    {"false", "paused", []int{2}, 1},
	} {
		var b strings.Builder
		b.WriteString("---\nactive: " + c.active + "\ncurrent_task_index: 1\nend_reason: " + c.reason + "\n---\n")
		for i := range 3 {
			status := "pending"
			for _, n := range c.blocked {
				if n == i {
					status = "blocked"
				}
			}
			b.WriteString("## Task: x\n**Status**: " + status + "\n")
		}
		if s := parsed(t, b.String()); s.CurrentIndex != c.want {
			t.Errorf("%s: %d", name, s.CurrentIndex)
		}
	}
}

// TestWhatTheModelKnows: only in a session that analyses, tasks are new to the model.
func TestWhatTheModelKnows(t *testing.T) {
	t.Parallel()
	text := sample(t)
	for phase, briefed := range map[string]bool{"running": true, "assessing": true, "analyzing": false} {
		s := parsed(t, strings.Replace(text, "active: true", "active: true\nphase: "+phase+"\nbriefed: true", 1))
		want := state.Running
		if phase == "assessing" {
			want = state.Assessing
		}
		if s.Briefed != briefed || s.Phase != want {
			t.Errorf("%s: phase %s, briefed %v", phase, s.Phase, s.Briefed)
		}
	}
}
