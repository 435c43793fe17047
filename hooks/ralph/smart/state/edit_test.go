package state_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hookbridge/bridge/hooks/ralph/smart/state"
	"github.com/hookbridge/bridge/protocol"
)

// TestStatusWords: the words that a person writes for a status, in both languages. Holds
// R3-17.
func TestStatusWords(t *testing.T) {
	t.Parallel()
	text := sample(t)
	const status = "**状态**: in_progress | **完成度**: 75% | **迭代**: 3"
	for word, want := range map[string]state.Status{
		"待处理": state.Pending, "未开始": state.Pending, "todo": state.Pending, "Pending": state.Pending, "not started": state.Pending,
		"进行中": state.InProgress, "in progress": state.InProgress, "In-Progress": state.InProgress, "doing": state.InProgress,
		"已完成": state.Completed, "完成": state.Completed, "done": state.Completed, "DONE ✅": state.Completed, "✅ 已完成": state.Completed, "已完成（人工）": state.Completed, "`completed`": state.Completed,
		"阻塞": state.Blocked, "失败": state.Blocked, "被阻塞": state.Blocked, "failed": state.Blocked, "blocked.": state.Blocked,
		"已跳过": state.Skipped, "跳过": state.Skipped, "Skipped": state.Skipped,
	} {
		for _, line := range []string{
			"**状态**: " + word + " | **完成度**: 75% | **迭代**: 3", "**状态**：" + word + " ｜ **完成度**：７５％ ｜ **迭代**：3 次",
			"状态: " + word + " | 完成度: 75% | 迭代: 3", "  - **Status:** " + word + " | **Completion:** 75.5 % | **Iterations:** 3", "**迭代**: 3 | **完成度**: 75 | **状态**: " + word,
		} {
			s := parsed(t, strings.Replace(text, status, line, 1))
			task := s.Tasks[1]
			if task.Status != want || task.Completion != 75 || task.Iterations != 3 || len(s.Unclear()) != 0 {
				t.Errorf("%q: %+v %+v", line, task, s.Problems())
			}
			if !strings.Contains(string(s.Bytes()), line+"\n") {
				t.Errorf("%q was changed:\n%s", line, s.Bytes())
			}
		}
		short := parsed(t, strings.Replace(text, status, "**状态**: "+word, 1))
		completion := 0
		if want == state.Completed {
			completion = 100
		}
		if task := short.Tasks[1]; task.Status != want || task.Completion != completion {
			t.Errorf("%q alone: %+v", word, task)
		}
	}
	for _, word := range []string{"完工了吗", "maybe", "?", "", "in", "completed | in_progress"} {
		s := parsed(t, strings.Replace(text, status, "**状态**: "+word+" | **完成度**: 75% | **迭代**: 3", 1))
		unclear := s.Unclear()
		if s.Tasks[1].Status == state.InProgress || len(unclear) != 1 || unclear[0].Line != 34 {
			t.Errorf("%q: %+v %+v", word, s.Tasks[1], unclear)
		}
		if got := string(s.Bytes()); !strings.Contains(got, "**完成度**: 75% | **迭代**: 3") || len(parsed(t, got).Unclear()) != 0 {
			t.Errorf("%q was not repaired:\n%s", word, got)
		}
	}
	// Other lines are no status lines.
	for _, line := range []string{"status: x", "Status: the | is a pipe", "a | b", "**Note**: done | **Completion**: 3", "**Statuses**: done", "| 状态 | done |"} {
		if s := parsed(t, strings.Replace(text, "修复反斜杠路径处理问题\n", line+"\n", 1)); s.Tasks[0].Status != state.Completed || len(s.Problems()) != 0 || s.Tasks[0].Description != line {
			t.Errorf("%q: %+v %+v", line, s.Tasks[0], s.Problems())
		}
	}
}

// TestCountsComeFromTheTasks: the front matter may lack what the sections show, and the
// file is used even if one of these values cannot be read. Holds R3-13.
func TestCountsComeFromTheTasks(t *testing.T) {
	t.Parallel()
	text := sample(t)
	for name, c := range map[string]struct {
		old, new string
		// line and weight are those of the problem.
		line   int
		weight state.Weight
		check  func(s state.State) bool
	}{
		"no total":              {"total_tasks: 3\n", "", 13, state.Note, func(s state.State) bool { return len(s.Tasks) == 3 }},
		"another total":         {"total_tasks: 3", "total_tasks: 7", 5, state.Note, func(s state.State) bool { return len(s.Tasks) == 3 }},
		"a total without sense": {"total_tasks: 3", "total_tasks: three", 5, state.Note, func(s state.State) bool { return len(s.Tasks) == 3 }},
		"no index":              {"current_task_index: 1\n", "", 13, state.Note, func(s state.State) bool { return s.CurrentIndex == 1 }},
		"another index":         {"current_task_index: 1", "current_task_index: 9", 4, state.Note, func(s state.State) bool { return s.CurrentIndex == 1 }},
		"an index from 1":       {"current_task_index: 1", "current_task_index: 2", 4, state.Note, func(s state.State) bool { return s.CurrentIndex == 1 }},
		"no iteration":          {"\niteration: 8", "", 13, state.Note, func(s state.State) bool { return s.Iteration == 8 }},
		"no stall count":        {"stall_count: 0\n", "", 13, state.Note, func(s state.State) bool { return s.StallCount == 0 }},
		"no last completion":    {"last_completion: 75\n", "", 13, state.Note, func(s state.State) bool { return s.LastCompletion == 75 }},
		"no limit":              {"max_iterations: 50\n", "", 13, state.Note, func(s state.State) bool { return s.MaxIterations == 50 }},
		"iteration in words":    {"\niteration: 8", "\niteration: eight", 6, state.Unclear, func(s state.State) bool { return s.Iteration == 8 }},
		"a negative iteration":  {"\niteration: 8", "\niteration: -1", 6, state.Unclear, func(s state.State) bool { return s.Iteration == 8 }},
		"an absurd iteration":   {"\niteration: 8", "\niteration: 1000001", 6, state.Unclear, func(s state.State) bool { return s.Iteration == 8 }},
		"a threshold of 101":    {"threshold: 90", "threshold: 101", 8, state.Unclear, func(s state.State) bool { return s.CompletionThreshold == 90 }},
		"a limit in words":      {"max_iterations: 50", "max_iterations: many", 7, state.Unclear, func(s state.State) bool { return s.MaxIterations == 50 }},
		"a flag without sense":  {"auto_approve: false", "auto_approve: perhaps", 9, state.Unclear, func(s state.State) bool { return !s.AutoApprove }},
		"a phase without sense": {"stall_count: 0", "phase: thinking", 11, state.Unclear, func(s state.State) bool { return s.Phase == state.Running }},
		"a time without sense":  {`started_at: "2026-01-23T14:30:00Z"`, "started_at: yesterday", 13, state.Unclear, func(s state.State) bool { return s.StartedAt.IsZero() }},
		"a key twice":           {"stall_count: 0\n", "stall_count: 2\nstall_count: 0\n", 12, state.Note, func(s state.State) bool { return s.StallCount == 2 }},
	} {
		s := parsed(t, strings.Replace(text, c.old, c.new, 1))
		found := false
		for _, p := range s.Problems() {
			found = found || p.Line == c.line && p.Weight == c.weight && p.Text(true) != "" && p.Text(false) != p.Text(true)
		}
		if !found || !c.check(s) {
			t.Errorf("%s: %+v\n%+v", name, s.Problems(), s)
		}
		if again := parsed(t, string(s.Bytes())); len(again.Unclear()) != 0 || len(again.Tasks) != 3 {
			t.Errorf("%s is not repaired: %+v\n%s", name, again.Problems(), s.Bytes())
		}
	}
	for old, new := range map[string]string{
		"active: true": "Active： YES", "\niteration: 8": "\n  iteration : ８", "auto_approve: false": "auto_approve: 否", "stall_detection: 5": "\tstall_detection:\t5 # five",
		"completion_threshold: 90": "completion_threshold: 90%", "---\nactive": "\n\n---\nactive",
	} {
		s := parsed(t, strings.Replace(text, old, new, 1))
		if !s.Active || s.Iteration != 8 || s.AutoApprove || s.StallDetection != 5 || s.CompletionThreshold != 90 || len(s.Problems()) != 0 {
			t.Errorf("%q: %+v\n%+v", new, s.Problems(), s)
		}
		if again := parsed(t, string(s.Bytes())); again.Iteration != 8 || !again.Active {
			t.Errorf("%q: second reading %+v", new, again)
		}
	}
}

// TestMissingDashes: one line of dashes may be missing.
func TestMissingDashes(t *testing.T) {
	t.Parallel()
	text := sample(t)
	for name, c := range map[string]struct {
		text string
		line int
	}{
		"above": {strings.TrimPrefix(text, "---\n"), 1},
		"below": {strings.Replace(text, "00Z\"\n---\n", "00Z\"\n", 1), 15},
	} {
		for _, text := range []string{c.text, strings.ReplaceAll(c.text, "\n", "\r\n"), "\ufeff" + c.text} {
			s := parsed(t, text)
			if p := s.Problems(); s.Iteration != 8 || len(s.Tasks) != 3 || len(p) != 1 || p[0].Line != c.line {
				t.Errorf("%s: %+v, %+v", name, p, s)
			}
			got := string(s.Bytes())
			if again := parsed(t, got); len(again.Problems()) != 0 && strings.Contains(fmt.Sprint(again.Problems()), "---") || len(again.Tasks) != 3 || strings.Contains(text, "\r") != strings.Contains(got, "\r\n") || strings.HasPrefix(text, "\ufeff") != strings.HasPrefix(got, "\ufeff") {
				t.Errorf("%s is not repaired: %+v\n%q", name, again.Problems(), got)
			}
		}
	}
}

// TestSectionsOfAPerson: sections that are added, moved and removed. Holds R3-13.
func TestSectionsOfAPerson(t *testing.T) {
	t.Parallel()
	text := sample(t)
	first, second, third := strings.Index(text, "## 任务 1"), strings.Index(text, "## 任务 2"), strings.Index(text, "## 任务 3")
	head, one, two, three := text[:first], text[first:second], text[second:third], text[third:]
	for name, c := range map[string]struct {
		text, titles string
		current      string
	}{
		"added at the end":        {text + "\n## 任务 4: 发布\n- [ ] 打标签\n", "修复 Windows 路径问题 添加错误处理 编写 README 发布", "添加错误处理"},
		"added in front":          {head + "## Task 0: 准备\n\n" + one + two + three, "准备 修复 Windows 路径问题 添加错误处理 编写 README", "添加错误处理"},
		"added without a number":  {text + "\n## Task: 发布\n", "修复 Windows 路径问题 添加错误处理 编写 README 发布", "添加错误处理"},
		"added without a colon":   {text + "\n## 任务 4 发布\n", "修复 Windows 路径问题 添加错误处理 编写 README 发布", "添加错误处理"},
		"added without the word":  {text + "\n## 发布\n- [ ] 打标签\n", "修复 Windows 路径问题 添加错误处理 编写 README 发布", "添加错误处理"},
		"a heading that is none":  {text + "\n## Notes\nText.\n", "修复 Windows 路径问题 添加错误处理 编写 README", "添加错误处理"},
		"added without a title":   {text + "\n## 任务 4:\n", "修复 Windows 路径问题 添加错误处理 编写 README 任务 4", "添加错误处理"},
		"removed":                 {head + two + three, "添加错误处理 编写 README", "添加错误处理"},
		"the last one removed":    {head + one + two, "修复 Windows 路径问题 添加错误处理", "添加错误处理"},
		"moved":                   {head + three + "\n\n" + one + two, "编写 README 修复 Windows 路径问题 添加错误处理", "添加错误处理"},
		"renamed":                 {strings.Replace(text, "添加错误处理\n", "处理错误\n", 1), "修复 Windows 路径问题 处理错误 编写 README", "处理错误"},
		"indented":                {strings.Replace(text, "## 任务 2", "  ##\t任务 2", 1), "修复 Windows 路径问题 添加错误处理 编写 README", "添加错误处理"},
		"without the word either": {strings.Replace(text, "## 任务 2: ", "## ", 1), "修复 Windows 路径问题 添加错误处理 编写 README", "添加错误处理"},
	} {
		s := parsed(t, c.text)
		titles := func(s state.State) string {
			var all []string
			for _, task := range s.Tasks {
				all = append(all, task.Title)
			}
			return strings.Join(all, " ")
		}
		if titles(s) != c.titles || s.Current() == nil || s.Current().Title != c.current || len(s.Unclear()) != 0 {
			t.Errorf("%s: %q, current %+v, %+v", name, titles(s), s.Current(), s.Problems())
		}
		got := string(s.Bytes())
		again := parsed(t, got)
		if titles(again) != c.titles || string(again.Bytes()) != got {
			t.Errorf("%s: after a write: %q\n%s", name, titles(again), got)
		}
		for i := range again.Tasks {
			if heading := fmt.Sprintf("%d: %s\n", i+1, again.Tasks[i].Title); !strings.Contains(got, "任务 "+heading) && !strings.Contains(got, "Task "+heading) && !strings.Contains(name, "without a title") {
				t.Errorf("%s: the numbers are not in order:\n%s", name, got)
			}
		}
	}
	// A box is a criterion also without the label.
	if s := parsed(t, text+"\n## 任务 4: 发布\nText.\n- [ ] 打标签\n"); len(s.Tasks[3].Criteria) != 1 || s.Tasks[3].Description != "Text." {
		t.Errorf("%+v", s.Tasks[3])
	}
}

// TestABlockedSessionKnowsItsTask: a session that waits for a person keeps its task after
// a section was added above it.
func TestABlockedSessionKnowsItsTask(t *testing.T) {
	t.Parallel()
	text := strings.NewReplacer("active: true", "active: false\nphase: stopped\nend_reason: blocked", "in_progress", "blocked", "## 任务 1", "## 任务 1: 新的\n\n## 任务 2").Replace(sample(t))
	if s := parsed(t, text); s.Current() == nil || s.Current().Title != "添加错误处理" {
		t.Errorf("%+v", s)
	}
}

// TestWhetherASessionIsActive: only a clear word makes it active.
func TestWhetherASessionIsActive(t *testing.T) {
	t.Parallel()
	text := sample(t)
	for head, want := range map[string]bool{
		"active: true": true, "active: TRUE": true, "active: yes": true, "active: 1": true, "active: 是": true, "active: \"true\"": true,
		"active: false": false, "active: flase": false, "active: ture": false, "active:": false, "active: no": false, "active: tr": false,
		"x: 1": false, "phase: running": false, "phase: stopped": false,
		"active: true\nphase: stopped": true, "active: false\nphase: running": false,
	} {
		s := parsed(t, strings.Replace(text, "active: true", head, 1))
		if says := strings.Contains(head, "active") && !strings.Contains(head, "ture") && !strings.Contains(head, "flase") && head != "active:" && head != "active: tr"; s.SaysActive() != says {
			t.Errorf("%q: says %v", head, !says)
		}
		if s.Active != want || s.Active == (s.Phase == state.Stopped) {
			t.Errorf("%q: active %v, phase %s", head, s.Active, s.Phase)
		}
	}
}

// TestTasksBeforeTheAnalysis: tasks that a person writes while the model is asked for
// them count, and the model is told.
func TestTasksBeforeTheAnalysis(t *testing.T) {
	t.Parallel()
	s := fresh(0)
	s.Phase, s.Briefed = state.Analyzing, true
	s = parsed(t, string(s.Bytes())+"\n## 任务 1: 手写\n- [ ] 一\n")
	if s.Phase != state.Running || s.Briefed || len(s.Tasks) != 1 {
		t.Errorf("%+v", s)
	}
	done := fresh(1)
	done.Active, done.Phase, done.Tasks[0].Status = false, state.Done, state.Completed
	if s := parsed(t, string(done.Bytes())); s.Phase != state.Done {
		t.Errorf("%+v", s)
	}
	if s := parsed(t, string(done.Bytes())+"\n## 任务 2: 新的\n"); s.Phase != state.Stopped || !s.IsUnfinished() {
		t.Errorf("%+v", s)
	}
}

// TestEveryKeyIsKnown: a key with a stray space is found by its name, so each key that is
// written must be known.
func TestEveryKeyIsKnown(t *testing.T) {
	t.Parallel()
	all := fresh(1)
	all.Lang = protocol.Chinese
	text := string(all.Bytes())
	head, rest, _ := strings.Cut(strings.TrimPrefix(text, "---\n"), "---\n")
	odd := "---\n  " + strings.ReplaceAll(strings.TrimSuffix(head, "\n"), "\n", "\n  ") + "\n---\n" + rest
	if got := string(parsed(t, odd).Bytes()); got != text {
		t.Errorf("%s\nwant\n%s", got, text)
	}
}
