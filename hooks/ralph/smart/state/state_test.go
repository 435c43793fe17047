package state_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/bridge/hooks/ralph/smart/plan"
	"github.com/hookbridge/bridge/hooks/ralph/smart/state"
)

// sample is the state file of docs/reference/smart-ralph.md#state, as it stands there.
func sample(t testing.TB) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "sample.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func parsed(t testing.TB, text string) state.State {
	t.Helper()
	s, err := state.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestTheSampleOfTheDesign(t *testing.T) {
	t.Parallel()
	s := parsed(t, sample(t))
	if !s.Active || s.TaskFile != "tasks.md" || s.CurrentIndex != 1 || s.Iteration != 8 || s.MaxIterations != 50 || s.CompletionThreshold != 90 ||
		s.AutoApprove || s.StallDetection != 5 || s.StallCount != 0 || s.LastCompletion != 75 || s.Phase != state.Running ||
		!s.StartedAt.Equal(time.Date(2026, 1, 23, 14, 30, 0, 0, time.UTC)) {
		t.Errorf("front matter: %+v", s)
	}
	type row struct {
		title, description string
		status             state.Status
		completion, count  int
		done, total        int
	}
	var rows []row
	for _, task := range s.Tasks {
		done, total := task.Boxes()
		rows = append(rows, row{task.Title, task.Description, task.Status, task.Completion, task.Iterations, done, total})
	}
	want := []row{
		{"修复 Windows 路径问题", "修复反斜杠路径处理问题", state.Completed, 100, 5, 3, 3},
		{"添加错误处理", "在关键函数中添加错误处理,防止程序崩溃", state.InProgress, 75, 3, 2, 3},
		{"编写 README", "创建使用说明文档", state.Pending, 0, 0, 0, 3},
	}
	if !reflect.DeepEqual(rows, want) {
		t.Errorf("tasks:\n%+v\nwant\n%+v", rows, want)
	}
	// R3-15: the index is 0-based, and the iterations of the tasks add up.
	if s.Current().Title != "添加错误处理" || s.Tasks[0].Iterations+s.Tasks[1].Iterations != s.Iteration {
		t.Errorf("current %q, iteration %d", s.Current().Title, s.Iteration)
	}
}

// TestWhatIsNotKnownStays holds R3-13: a rewrite changes only its own values and keeps
// the rest to the byte.
func TestWhatIsNotKnownStays(t *testing.T) {
	t.Parallel()
	text := strings.Replace(sample(t), "active: true", "note: mine # keep\nactive: true", 1)
	text = strings.Replace(text, "## 任务 2", "A remark of mine.\n\n## 任务 2", 1)
	text = strings.Replace(text, "- [ ] 测试错误场景", "- [ ] 测试错误场景\n  and a note", 1)
	for _, text := range []string{text, strings.ReplaceAll(text, "\n", "\r\n"), "\ufeff" + text} {
		s := parsed(t, text)
		s.Iteration = 9
		s.Tasks[1].Criteria[2].Done = true
		s.Tasks[1].Completion, s.Tasks[1].Iterations = 100, 4
		got := string(s.Bytes())
		want := strings.NewReplacer("iteration: 8", "iteration: 9", "- [ ] 测试错误场景", "- [x] 测试错误场景",
			"**完成度**: 75% | **迭代**: 3", "**完成度**: 100% | **迭代**: 4").Replace(text)
		// The fields that the sample lacks are added after its own fields.
		head, rest, _ := strings.Cut(got, "\nstrict_mode: false")
		wantHead, wantRest, _ := strings.Cut(want, "\n---")
		if strings.TrimSuffix(head, "\r") != strings.TrimSuffix(wantHead, "\r") {
			t.Errorf("front matter:\n%q\nwant\n%q", head, wantHead)
		}
		if _, rest, _ = strings.Cut(rest, "\n---"); rest != wantRest {
			t.Errorf("body:\n%q\nwant\n%q", rest, wantRest)
		}
		if again := string(parsed(t, got).Bytes()); again != got {
			t.Errorf("a second write changes the file:\n%s\nwas\n%s", again, got)
		}
	}
}

// TestHandEdits holds R3-13.
func TestHandEdits(t *testing.T) {
	t.Parallel()
	text := sample(t)
	for name, edit := range map[string][2]string{
		"English labels":          {"**状态**: in_progress | **完成度**: 75% | **迭代**: 3", "**Status**: in_progress | **Completion**: 75% | **Iterations**: 3"},
		"full-width marks":        {"**状态**: in_progress | **完成度**: 75% | **迭代**: 3", "**状态**：in_progress | **完成度**：75％ | **迭代**：3"},
		"an English heading":      {"## 任务 2: 添加", "### Task 2：添加"},
		"a comment":               {"iteration: 8", "iteration: 8 # so far"},
		"quotes around a number":  {"iteration: 8", `iteration: "8"`},
		"no space after the key":  {"iteration: 8", "iteration:8"},
		"criteria with a capital": {"- [x] 识别关键函数", "* [X] 识别关键函数"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := parsed(t, strings.Replace(text, edit[0], edit[1], 1))
			done, total := s.Tasks[1].Boxes()
			if s.Iteration != 8 || len(s.Tasks) != 3 || s.Tasks[1].Status != state.InProgress || s.Tasks[1].Completion != 75 || done != 2 || total != 3 {
				t.Errorf("%+v", s)
			}
			if !strings.Contains(string(s.Bytes()), edit[1]) {
				t.Errorf("the edit is gone:\n%s", s.Bytes())
			}
		})
	}
	// A task that somebody added without a status line gets one.
	s := parsed(t, strings.Replace(text, "total_tasks: 3", "total_tasks: 4", 1)+"\n## 任务 4: 发布\n")
	if s.Tasks[3].Status != state.Pending || !strings.HasSuffix(string(s.Bytes()), "## 任务 4: 发布\n\n**状态**: pending | **完成度**: 0% | **迭代**: 0\n") {
		t.Errorf("%+v\n%s", s.Tasks[3], s.Bytes())
	}
}

// TestWhatIsOpen: which statuses and sessions still need work, and what comes next.
func TestWhatIsOpen(t *testing.T) {
	t.Parallel()
	for status, open := range map[state.Status]bool{state.Pending: true, state.InProgress: true, state.Blocked: true, state.Completed: false, state.Skipped: false} {
		s := state.State{Phase: state.Stopped, Tasks: []state.Task{{Status: state.Completed}, {Status: status}}}
		if status.IsOpen() != open || s.IsUnfinished() != open {
			t.Errorf("%s: open %v, unfinished %v", status, status.IsOpen(), s.IsUnfinished())
		}
	}
	for phase, want := range map[state.Phase]bool{state.Analyzing: true, state.Done: false} {
		if s := (state.State{Phase: phase}); s.IsUnfinished() != want {
			t.Errorf("%s without tasks: %v", phase, !want)
		}
	}
	for want, statuses := range map[int][]state.Status{
		-1: {state.InProgress, state.Completed, state.Blocked}, 1: {state.InProgress, state.InProgress}, 2: {state.InProgress, state.Skipped, state.Pending},
	} {
		var s state.State
		for _, status := range statuses {
			s.Tasks = append(s.Tasks, state.Task{Status: status})
		}
		if got := s.Next(); got != want {
			t.Errorf("%v: %d", statuses, got)
		}
	}
}

// TestLinesOfATask: which lines are headings, statuses and boxes, and which are only
// text.
func TestLinesOfATask(t *testing.T) {
	t.Parallel()
	const status, box, head = "**状态**: in_progress | **完成度**: 75% | **迭代**: 3", "- [ ] 测试错误场景", "## 任务 2: "
	text := sample(t)
	for line, total := range map[string]int{
		"+ [x] a": 3, "- [x]a": 3, "-   [x]": 2, "- [√] a": 3, "- [] a": 3, "-\t[X] a": 3, "- [x]": 2, "-    [x": 2, "- (x] a": 2, "- [x) a": 2, "- [y] a": 2, "= [x] a": 2,
	} {
		s := parsed(t, strings.Replace(text, box, line, 1))
		if _, got := s.Tasks[1].Boxes(); got != total {
			t.Errorf("%q: %d boxes", line, got)
		}
	}
	for _, line := range []string{strings.Replace(status, "75", "x", 1), strings.Replace(status, "75", "-1", 1), strings.Replace(status, "3", "x", 1), strings.Replace(status, "3", "-1", 1)} {
		// What can be read counts; the rest is reported with its line.
		s := parsed(t, strings.Replace(text, status, line, 1))
		if unclear := s.Unclear(); s.Tasks[1].Status != state.InProgress || s.Tasks[1].Completion+s.Tasks[1].Iterations > 75 || len(unclear) != 1 || unclear[0].Line != 34 {
			t.Errorf("%q: %+v, %+v", line, s.Tasks[1], unclear)
		}
	}
	zero := parsed(t, strings.Replace(text, status, "**状态**: blocked | **完成度**: 0% | **迭代**: 0", 1))
	if zero.Tasks[1].Status != state.Blocked {
		t.Errorf("%+v", zero.Tasks[1])
	}
	if s := parsed(t, strings.Replace(text, head, "###### 任务 2: ", 1)); len(s.Tasks) != 3 {
		t.Errorf("%d tasks", len(s.Tasks))
	}
	for _, line := range []string{"####### 任务 2: ", "任务 2: "} {
		if s := parsed(t, strings.Replace(text, head, line, 1)); len(s.Tasks) != 3 || s.Tasks[1].Title != "添加错误处理" || len(s.Problems()) != 1 || s.Problems()[0].Line != 26 {
			t.Errorf("%q: %+v, %+v", line, s.Tasks, s.Problems())
		}
	}
}

// TestDamage holds the list of R3-18: what cannot be used at all, with its line.
func TestDamage(t *testing.T) {
	t.Parallel()
	text := sample(t)
	for name, c := range map[string]struct {
		text, want string
		line       int
	}{
		"empty":                     {"", "the file is empty", 1},
		"blank":                     {"\n \n", "the file is empty", 1},
		"no front matter":           {"\n## 任务 1: x\n", "the front matter is missing", 2},
		"cut off":                   {text[:100], "does not end with a line of ---", 2},
		"an empty front matter":     {"---\n---\n## 任务 1: x\n", "the front matter is empty", 2},
		"cut off in the middle":     {text[:strings.Index(text, "- [ ] 测试错误场景")] + "- [ ] 测", "the file ends in the middle of task 2, and total_tasks is 3", 32},
		"all tasks are gone":        {text[:strings.Index(text, "## 任务 1")], "there are no tasks", 15},
		"words and no task":         {text[:strings.Index(text, "## 任务 1")] + "my words", "there are no tasks", 15},
		"no heading is left":        {strings.ReplaceAll(text, "## 任务 ", "## "), "there are no tasks", 16},
		"zero bytes":                {strings.Repeat("\x00", 500), "only NUL bytes", 1},
		"zero bytes at the end":     {text + "\x00", "only NUL bytes", strings.Count(text, "\n") + 1},
		"keys without their tasks":  {"active: true\niteration: 3\n", "does not end with a line of ---", 1},
		"a text in another format":  {"{\"active\": true}", "the front matter is missing", 1},
		"prose":                     {"Note: this is a text.\n", "the front matter is missing", 1},
		"no tasks in a running one": {strings.Replace(text[:strings.Index(text, "## 任务 1")], "total_tasks: 3", "total_tasks: 0\nphase: running", 1), "there are no tasks", 16},
	} {
		s, err := state.Parse([]byte(c.text))
		problem, _ := errors.AsType[state.Problem](err)
		if !errors.Is(err, state.ErrBroken) || !strings.Contains(err.Error(), c.want) || problem.Line != c.line {
			t.Errorf("%s: error %v, want line %d: %q", name, err, c.line, c.want)
		}
		_ = s.Bytes()
	}
	// The owner of a damaged file can still be found.
	if s, _ := state.Parse([]byte("---\nactive: true\nsession_id: \"abc\"\nphase")); s.SessionID != "abc" {
		t.Errorf("cut off: session %q", s.SessionID)
	}
	// So can what it says about being active; a file that says nothing counts as paused.
	for head, active := range map[string]bool{"active: true\n": true, "active: false\n": false, "": false, "active: tr": false} {
		if s, _ := state.Parse([]byte("---\n" + head)); s.Active != active {
			t.Errorf("%q: active %v", head, s.Active)
		}
	}
}

// TestAStateWithoutTasks: only a session that awaits its tasks, or was stopped while it did, has none.
func TestAStateWithoutTasks(t *testing.T) {
	t.Parallel()
	for phase, broken := range map[state.Phase]bool{state.Analyzing: false, state.Stopped: false, state.Running: true, state.Assessing: true, state.Done: true} {
		s := fresh(0)
		s.Phase, s.Active = phase, phase != state.Stopped
		if got, err := state.Parse(s.Bytes()); errors.Is(err, state.ErrBroken) != broken || got.Phase != phase {
			t.Errorf("%s: phase %s, %v", phase, got.Phase, err)
		}
	}
}

// TestCurrentAndCount: the current task, and the number of tasks with a
// status.
func TestCurrentAndCount(t *testing.T) {
	t.Parallel()
	s := fresh(3)
	s.Tasks[0].Status = state.Completed
	for index, title := range map[int]string{-1: "", 0: s.Tasks[0].Title, 2: s.Tasks[2].Title, 3: ""} {
		s.CurrentIndex = index
		if got := s.Current(); got == nil && title != "" || got != nil && got.Title != title {
			t.Errorf("%d: %+v", index, got)
		}
	}
	if s.Count(state.Completed) != 1 || s.Count(state.Pending) != 2 || s.Count(state.Blocked) != 0 {
		t.Errorf("%d completed, %d pending, %d blocked", s.Count(state.Completed), s.Count(state.Pending), s.Count(state.Blocked))
	}
}

// TestMoves is the whole state machine of docs/reference/smart-ralph.md#statuses
// (R3-17).
func TestMoves(t *testing.T) {
	t.Parallel()
	all := []state.Status{state.Pending, state.InProgress, state.Completed, state.Blocked, state.Skipped}
	legal := map[[2]state.Status]bool{
		{state.Pending, state.InProgress}:   true,
		{state.InProgress, state.Completed}: true,
		{state.InProgress, state.Blocked}:   true,
		{state.InProgress, state.Skipped}:   true,
		{state.Blocked, state.InProgress}:   true,
		{state.Blocked, state.Skipped}:      true,
	}
	for _, from := range all {
		for _, to := range all {
			task := state.Task{Title: "x", Status: from}
			err := task.Move(to)
			switch {
			case legal[[2]state.Status{from, to}]:
				if err != nil || task.Status != to {
					t.Errorf("%s to %s: %v, now %s", from, to, err, task.Status)
				}
			case !errors.Is(err, state.ErrIllegalMove) || task.Status != from:
				t.Errorf("%s to %s: %v, now %s", from, to, err, task.Status)
			}
		}
	}
}

// fresh is a new state with n tasks.
func fresh(n int) state.State {
	var tasks []plan.Task
	for i := range n {
		tasks = append(tasks, plan.Task{Title: fmt.Sprint("任务名 ", i), Description: "要做什么\nand why", Criteria: []plan.Criterion{{Text: "一"}, {Text: "二", Done: true}, {Text: "三"}}})
	}
	s := state.State{Active: true, TaskFile: `a "b" \c.md`, MaxIterations: 50, CompletionThreshold: 90, StallDetection: 5, Phase: state.Running,
		StartedAt: time.Date(2026, 1, 23, 14, 30, 0, 0, time.UTC), SessionID: "s-1"}
	s.SetPlan(tasks)
	return s
}

// TestANewFileHasTheFormOfTheDesign holds R3-14 and R3-16.
func TestANewFileHasTheFormOfTheDesign(t *testing.T) {
	t.Parallel()
	got := string(fresh(2).Bytes())
	for _, want := range []string{
		"---\nactive: true\ntask_file: \"a \\\"b\\\" \\\\c.md\"\ncurrent_task_index: 0\ntotal_tasks: 2\niteration: 0\nmax_iterations: 50\ncompletion_threshold: 90\n" +
			"auto_approve: false\nstall_detection: 5\nstall_count: 0\nlast_completion: 0\nstarted_at: \"2026-01-23T14:30:00Z\"\n",
		"---\n\n## 任务 1: 任务名 0\n要做什么\nand why\n\n**完成标准**:\n- [ ] 一\n- [x] 二\n- [ ] 三\n\n**状态**: pending | **完成度**: 0% | **迭代**: 0\n\n## 任务 2: 任务名 1\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the file lacks\n%s\nit is\n%s", want, got)
		}
	}
	s := parsed(t, got)
	if s.TaskFile != `a "b" \c.md` || s.SessionID != "s-1" || s.Tasks[1].Description != "要做什么\nand why" || !s.Tasks[1].Criteria[1].Done {
		t.Errorf("%+v", s)
	}
	if again := string(s.Bytes()); again != got {
		t.Errorf("a second write changes the file:\n%s", again)
	}
}

// TestADescriptionIsNoStructure writes lines that look like parts of the file.
func TestADescriptionIsNoStructure(t *testing.T) {
	t.Parallel()
	s := fresh(1)
	hostile := "## 任务 9: 假\n**完成标准**:\n- [x] 假\n**状态**: completed | **完成度**: 100% | **迭代**: 9\n---\nend"
	s.SetPlan([]plan.Task{{Title: "真", Description: hostile, Criteria: []plan.Criterion{{Text: "真的"}}}})
	back := parsed(t, string(s.Bytes()))
	if len(back.Tasks) != 1 || back.Tasks[0].Description != hostile || back.Tasks[0].Status != state.Pending || len(back.Tasks[0].Criteria) != 1 {
		t.Errorf("%+v\n%s", back.Tasks, s.Bytes())
	}
}

// TestAPlanKeepsWhatAHandWrote gives tasks to a file into which a person wrote notes
// before the analysis came.
func TestAPlanKeepsWhatAHandWrote(t *testing.T) {
	t.Parallel()
	s := state.State{Active: true, TaskFile: "t.md", MaxIterations: 50, CompletionThreshold: 90, StallDetection: 5, Phase: state.Analyzing, StartedAt: time.Unix(0, 0)}
	text := strings.Replace(string(s.Bytes()), "active: true", "mine: 1\nactive: true", 1) + "\nA note.\n"
	s = parsed(t, text)
	s.SetPlan([]plan.Task{{Title: "a", Criteria: []plan.Criterion{{Text: "b"}}}})
	s.Phase = state.Running
	got := string(s.Bytes())
	if !strings.Contains(got, "mine: 1\n") || !strings.Contains(got, "---\n\nA note.\n\n## 任务 1: a\n") || len(parsed(t, got).Tasks) != 1 {
		t.Errorf("%s", got)
	}
}

func TestClone(t *testing.T) {
	t.Parallel()
	s := fresh(1)
	c := s.Clone()
	c.Tasks[0].Criteria[0].Done, c.Tasks[0].Status = true, state.Completed
	if s.Tasks[0].Criteria[0].Done || s.Tasks[0].Status != state.Pending {
		t.Error("a clone shares its tasks")
	}
}

func BenchmarkStateParse200(b *testing.B) {
	data := fresh(200).Bytes()
	for b.Loop() {
		if _, err := state.Parse(data); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkStateBytes200(b *testing.B) {
	s, err := state.Parse(fresh(200).Bytes())
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		s.Iteration++
		s.Tasks[7].Iterations++
		s.Bytes()
	}
}

func FuzzParse(f *testing.F) {
	f.Add(sample(f))
	f.Add(string(fresh(2).Bytes()))
	f.Fuzz(func(t *testing.T, text string) {
		s, err := state.Parse([]byte(text))
		if err != nil {
			return
		}
		s.Iteration = 77
		for i := range s.Tasks {
			s.Tasks[i].Iterations = 5
			for j := range s.Tasks[i].Criteria {
				s.Tasks[i].Criteria[j].Done = true
			}
		}
		data := s.Bytes()
		back, err := state.Parse(data)
		if err != nil {
			t.Fatalf("what was written cannot be read: %v\n%q\nfrom\n%q", err, data, text)
		}
		if back.Iteration != 77 || len(back.Tasks) != len(s.Tasks) {
			t.Fatalf("%+v\nfrom\n%q", back, text)
		}
		for i, task := range back.Tasks {
			if task.Title != s.Tasks[i].Title || task.Iterations != 5 || len(task.Criteria) != len(s.Tasks[i].Criteria) {
				t.Fatalf("task %d: %+v, want %+v\nfrom\n%q", i, task, s.Tasks[i], text)
			}
		}
	})
}

// FuzzPlan writes random task lists and reads them back: whatever a model says must never
// produce a state that counts as damaged. Holds R3-16.
func FuzzPlan(f *testing.F) {
	for _, seed := range []string{"## 任务 1: a\nb\n- [ ] c", "## Task 1: **", "1. #\n2. ## 任务 3: x", `{"tasks":[{"title":"任务 2: x","description":"## 任务 9: y\\n---","criteria":["[x] z","**完成标准**:"]}]}`,
		"## 任务 1: : *\n\\## 任务 2: x\n\\\\**状态**: completed | **完成度**: 1% | **迭代**: 2"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		tasks, err := plan.ParseAnalysis("<task-analysis>\n" + text + "\n</task-analysis>")
		if err != nil {
			tasks = plan.Whole(text, "name")
		}
		if len(tasks) == 0 {
			return
		}
		s := state.State{Active: true, MaxIterations: 50, CompletionThreshold: 90, Phase: state.Running}
		s.SetPlan(tasks)
		back, err := state.Parse(s.Bytes())
		if err != nil {
			t.Fatalf("%v\n%q\nfrom\n%q", err, s.Bytes(), text)
		}
		for i, task := range back.Tasks {
			if task.Title != tasks[i].Title || len(task.Criteria) != len(tasks[i].Criteria) || task.Status != state.Pending {
				t.Fatalf("task %d: %+v, want %+v\nfrom\n%q", i, task, tasks[i], text)
			}
		}
	})
}
