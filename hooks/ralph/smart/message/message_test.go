package message_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/hookbridge/bridge/hooks/ralph/smart/assess"
	"github.com/hookbridge/bridge/hooks/ralph/smart/decide"
	"github.com/hookbridge/bridge/hooks/ralph/smart/message"
	"github.com/hookbridge/bridge/hooks/ralph/smart/plan"
	"github.com/hookbridge/bridge/hooks/ralph/smart/signal"
	"github.com/hookbridge/bridge/hooks/ralph/smart/state"
)

const rule = "━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━"

// seed is the session of the samples in docs/reference/smart-ralph.md.
func seed() state.State {
	s := state.State{Active: true, TaskFile: "tasks.md", MaxIterations: 50, CompletionThreshold: 90, StallDetection: 5, CurrentIndex: 1, Iteration: 8, Phase: state.Running}
	s.SetPlan([]plan.Task{
		{Title: "修复 Windows 路径问题", Criteria: []plan.Criterion{{Text: "测试"}}},
		{Title: "添加错误处理", Description: "在关键函数中添加错误处理", Criteria: []plan.Criterion{{Text: "识别关键函数", Done: true}, {Text: "测试错误场景"}}},
		{Title: "编写 README", Criteria: []plan.Criterion{{Text: "编写安装步骤"}}},
	})
	s.Tasks[0].Status, s.Tasks[0].Completion, s.Tasks[0].Iterations = state.Completed, 100, 5
	s.Tasks[1].Status, s.Tasks[1].Completion, s.Tasks[1].Iterations = state.InProgress, 75, 3
	return s
}

// TestTheTextsOfTheDesign compares the texts of docs/reference/smart-ralph.md#texts
// literally.
func TestTheTextsOfTheDesign(t *testing.T) {
	t.Parallel()
	s := seed()
	done := seed()
	done.Tasks[1].Status, done.Tasks[1].Completion = state.Completed, 100
	done.CurrentIndex = 2
	all := seed()
	all.Iteration = 15
	for i, n := range []int{5, 3, 7} {
		all.Tasks[i].Status, all.Tasks[i].Iterations = state.Completed, n
	}
	for name, c := range map[string][2]string{
		"9.1": {message.Chinese.Start(s, true), "🚀 Smart Ralph 启动\n" + rule + "\n📄 任务文件: tasks.md\n🎯 完成阈值: 90%\n🔁 最大迭代: 50\n⚙️  自动批准: false\n" + rule + "\n\n📋 正在分析任务文件...\n"},
		"9.2": {message.Chinese.Iteration(s, 1), "🔄 Smart Ralph - 迭代 8\n" + rule + "\n📋 任务: 2/3 (添加错误处理)\n📊 完成度: 75%\n🔁 当前任务迭代: 3\n" + rule},
		"9.3": {message.Chinese.TaskDone(done, 1), "✅ 任务 2 完成! (添加错误处理)\n" + rule + "\n📊 统计:\n  • 迭代次数: 3\n  • 完成度: 100%\n\n🎯 切换到下一个任务...\n\n开始执行任务 3/3: 编写 README"},
		"9.4": {message.Chinese.Summary(all), "🎉 所有任务已完成!\n" + rule + "\n📊 总体统计:\n  • 总任务数: 3\n  • 总迭代次数: 15\n  • 平均每任务: 5.0 次迭代\n\n✅ 已完成任务:\n  1. 修复 Windows 路径问题 (5 次迭代)\n  2. 添加错误处理 (3 次迭代)\n  3. 编写 README (7 次迭代)\n\n" + rule},
	} {
		if c[0] != c[1] {
			t.Errorf("%s:\n%s\nwant\n%s", name, c[0], c[1])
		}
	}
}

// TestASummaryIsHonest holds R3-36: skipped and blocked tasks are listed, and nobody is
// told that all is done.
func TestASummaryIsHonest(t *testing.T) {
	t.Parallel()
	s := seed()
	s.Tasks[1].Status, s.Tasks[2].Status = state.Skipped, state.Blocked
	for lang, wants := range map[message.Lang][]string{
		message.Chinese: {"完成 1/3", "⏭️ 已跳过:\n  2. 添加错误处理", "⛔ 被阻塞:\n  3. 编写 README", "平均每任务: 5.0"},
		message.English: {"1 of 3 done", "Iterations per completed task: 5.0", "⏭️ Skipped:\n  2. ", "⛔ Blocked:\n  3. "},
	} {
		got := lang.Summary(s)
		for _, want := range wants {
			if !strings.Contains(got, want) {
				t.Errorf("%s lacks %q:\n%s", lang, want, got)
			}
		}
		if strings.Contains(got, "🎉") {
			t.Errorf("%s", got)
		}
	}
}

func TestLangOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		configured string
		env        map[string]string
		want       message.Lang
	}{
		{"", nil, message.English},
		{"", map[string]string{"LANG": "C"}, message.English},
		{"", map[string]string{"LANG": "C.UTF-8"}, message.English},
		{"", map[string]string{"LC_ALL": "POSIX", "LANG": "en_US.UTF-8"}, message.English},
		{"", map[string]string{"LANG": "en_US.UTF-8"}, message.English},
		{"", map[string]string{"LANG": "zh_CN.UTF-8"}, message.Chinese},
		{"", map[string]string{"LANG": "de_DE.UTF-8"}, message.English},
		{"", map[string]string{"LC_MESSAGES": "zh_TW", "LANG": "en_US"}, message.Chinese},
		{"", map[string]string{"BRIDGE_LANG": "en", "LANG": "zh_CN"}, message.English},
		{"zh", map[string]string{"BRIDGE_LANG": "en", "LANG": "en_US"}, message.Chinese},
		{"klingon", map[string]string{"BRIDGE_LANG": "en"}, message.English},
	} {
		if got := message.LangOf(c.configured, func(name string) string { return c.env[name] }); got != c.want {
			t.Errorf("%q %v: %s", c.configured, c.env, got)
		}
	}
}

// everything holds each text in a language, by name.
func everything(l message.Lang) map[string]string {
	s, signals := seed(), signal.Signals{Files: 3, Tests: signal.TestsFail, BoxesDone: 1, BoxesTotal: 2, FileTotal: 4, Repeats: 3, TestOutput: "FAIL"}
	a := &assess.Assessment{Status: assess.InProgress, Remaining: []string{"x"}, Blocker: "b"}
	step := func(o decide.Outcome, c decide.Cause) decide.Step {
		s := s
		if o == decide.MaxIterations {
			s.EndReason = decide.ReasonLimit
		}
		return decide.Step{Kind: decide.Paused, State: s, Task: 1, Verdict: decide.Verdict{Outcome: o, Cause: c, Against: []decide.Cause{c, decide.LowConfidence}}}
	}
	err, unread := errors.New("err"), &assess.Assessment{First: "x"}
	texts := map[string]string{
		"start": l.Start(s, true), "iteration": l.Iteration(s, 1), "done": l.TaskDone(s, 1), "summary": l.Summary(s), "planned": l.Planned(s, false, 7),
		"fallback": l.Planned(s, true, 3), "analysis": l.AnalysisMissing(s), "status": l.Progress(s), "ends by": l.EndsBy(s), "ended": l.Ended("stalled"), "assessment": l.AssessmentMissing(s, nil), "unreadable": l.AssessmentMissing(s, unread) + l.Assess(s, signals, unread), "numbers": l.Numbers(s, &assess.Assessment{Task: 1, Iteration: 1}), "resumed": l.Resumed(s),
		"left": l.Left(decide.Step{State: s, Task: 1}, ""), "blocked": l.Paused(step(decide.Blocked, decide.BlockerNamed), signals, "b"), "skip": l.Paused(step(decide.Blocked, decide.SkipWished), signals, ""),
		"max": l.Paused(step(decide.MaxIterations, decide.LimitReached), signals, ""), "stalled": l.Paused(step(decide.Stalled, decide.NoProgress), signals, ""),
		"error": l.Paused(step(decide.Stalled, decide.SameError), signals, ""), "cannot ask": l.CannotAsk(), "verbose": l.Verbose(step(decide.Continue, decide.TestsFail), signals, a),
		"recovered": l.Recovered(err, "at", "dir"), "lost": l.Lost(err, "dir"), "no tasks": l.NoTasks("f", err), "archived": l.Archived("p", true, "id"), "hint": l.ResumeHint(),
		"unfinished": l.Unfinished(s, "now"), "running": l.Running(s, "now", "s2"), "cancelled": l.Cancelled(s, "id"), "paused": l.PausedByHand(s), "waits": l.WaitsForSession(),
		"parse": l.Parse("f", "text"), "parse big": l.Parse("f", ""), "again": l.ParseAgain(plan.ErrNoAnalysis, "f", "x", false), "task": l.Task(s, true), "assess": l.Assess(s, signals, nil),
		"go on": l.GoOn(step(decide.Continue, decide.TestsFail), signals, a), "go on alone": l.GoOn(step(decide.Continue, decide.NoAssessment), signals, nil), "resume": l.Resume(s),
		"clean": l.NothingToClean() + l.Cleaned(3) + l.NoHistory(),
	}
	for _, c := range []decide.Cause{decide.Done, decide.BlockerNamed, decide.SkipWished, decide.LimitReached, decide.NoProgress, decide.SameError, decide.NoAssessment, decide.NotCompleted, decide.UnnamedBlocker,
		decide.UnknownStatus, decide.LowConfidence, decide.LowCompletion, decide.Contradiction, decide.CutOff, decide.OtherTask, decide.Admitted, decide.Leftovers, decide.NoWork, decide.Refuted, decide.TestsFail, decide.BoxesOpen, decide.ErrorsOccurred} {
		texts["cause "+string(c)] = l.Cause(c)
	}
	maps.Copy(texts, ofCommands(l))
	return texts
}

// TestEnglishIsEnglish looks for Chinese in the English texts, apart from the titles of
// tasks, and for a missing English text.
func TestEnglishIsEnglish(t *testing.T) {
	t.Parallel()
	s := seed()
	var own []string // the texts of the tasks, the longest first
	for _, task := range s.Tasks {
		own = append(own, task.Title, task.Description)
		for _, c := range task.Criteria {
			own = append(own, c.Text)
		}
	}
	slices.SortFunc(own, func(a, b string) int { return len(b) - len(a) })
	chinese := everything(message.Chinese)
	for name, text := range everything(message.English) {
		for _, part := range own {
			if part != "" {
				text = strings.ReplaceAll(text, part, "")
			}
		}
		if at := strings.IndexFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) }); at >= 0 || strings.Contains(text, "%!") {
			t.Errorf("%s: %s", name, text)
		}
		if got := chinese[name]; !strings.ContainsFunc(got, func(r rune) bool { return unicode.Is(unicode.Han, r) }) || strings.Contains(got, "%!") {
			t.Errorf("%s in Chinese: %s", name, got)
		}
	}
}

// TestPromptsAreShort checks the 4 KiB of docs/reference/smart-ralph.md#texts: everything
// but the task's own text is paid for at each iteration.
func TestPromptsAreShort(t *testing.T) {
	t.Parallel()
	for _, lang := range []message.Lang{message.Chinese, message.English} {
		s := seed()
		a := &assess.Assessment{Status: assess.InProgress, Remaining: strings.Split(strings.Repeat("一个很长的未完成项目 ", 20), " ")}
		s.Suggestion = strings.Repeat("字", 300)
		for name, text := range map[string]string{
			"task": lang.Task(s, true), "assess": lang.Assess(s, signal.Signals{}, nil), "parse": lang.Parse("tasks.md", "x"), "resume": lang.Resume(s),
			"go on": lang.GoOn(decide.Step{State: s, Task: 1, Verdict: decide.Verdict{Against: []decide.Cause{decide.TestsFail, decide.BoxesOpen, decide.LowConfidence}}}, signal.Signals{}, a),
		} {
			if len(text) > 4096 {
				t.Errorf("%s %s has %d bytes", lang, name, len(text))
			}
		}
	}
}

// TestFence keeps a task file from ending its own fence.
func TestFence(t *testing.T) {
	t.Parallel()
	got := message.Chinese.Parse("t.md", "a\n`````\nb\n")
	if !strings.Contains(got, "\n``````\na\n`````\nb\n``````\n") {
		t.Errorf("%s", got)
	}
}

// TestNoticesAreClean: titles from a file are shown without characters that control a
// terminal.
func TestNoticesAreClean(t *testing.T) {
	t.Parallel()
	s := seed()
	s.Tasks[1].Title = "a\x1b[2Jb\u202ec" + strings.Repeat("长", 500)
	s.TaskFile = "t\x07.md"
	for name, text := range map[string]string{"iteration": message.Chinese.Iteration(s, 1), "start": message.Chinese.Start(s, false), "about": message.English.About(s, "")} {
		if strings.ContainsAny(text, "\x1b\u202e\x07") || len(text) > 2000 {
			t.Errorf("%s: %q", name, text)
		}
	}
	// A form that a model copies unchanged completes nothing.
	for _, lang := range []message.Lang{message.Chinese, message.English} {
		text := lang.Task(s, false)
		if a, ok := assess.Find(text); ok && a.Status != assess.Unknown {
			t.Errorf("%s: %+v", lang, a)
		}
		_, form, _ := strings.Cut(text, "<completion-assessment")
		if a, ok := assess.Find("<completion-assessment" + form); !ok || a.Status != assess.Unknown || a.Task != 2 || a.Iteration != 9 {
			t.Errorf("%s: the form alone: %v %+v", lang, ok, a)
		}
	}
}

// TestNoticesFitTheClient checks that notices stay within the client's cap of
// 10,000 characters.
func TestNoticesFitTheClient(t *testing.T) {
	t.Parallel()
	s := state.State{MaxIterations: 50, CurrentIndex: 1}
	var tasks []plan.Task
	for i := range 900 {
		tasks = append(tasks, plan.Task{Title: fmt.Sprint(i, strings.Repeat("长", 190)), Criteria: []plan.Criterion{{Text: "x"}}})
	}
	s.SetPlan(tasks)
	for i := range s.Tasks {
		s.Tasks[i].Status = []state.Status{state.Completed, state.Skipped, state.Blocked}[i%3]
	}
	long := strings.Repeat("字", 20_000)
	step := decide.Step{State: s, Task: 1, Verdict: decide.Verdict{Outcome: decide.Blocked}}
	for name, text := range map[string]string{
		"summary": message.English.Summary(s), "planned": message.English.Planned(s, true, 3), "paused": message.English.Paused(step, signal.Signals{}, long),
		"left": message.English.Left(step, long), "verbose": message.English.Verbose(step, signal.Signals{}, &assess.Assessment{Blocker: long}), "note": message.English.Note(long),
	} {
		if n := len([]rune(text)); n > 9_500 {
			t.Errorf("%s has %d characters", name, n)
		}
	}
}
