package message

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/hookbridge/bridge/hooks/ralph/smart/assess"
	"github.com/hookbridge/bridge/hooks/ralph/smart/decide"
	"github.com/hookbridge/bridge/hooks/ralph/smart/signal"
	"github.com/hookbridge/bridge/hooks/ralph/smart/state"
	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/protocol"
)

// maxShown is how many characters of a title or name are shown.
const maxShown = 120

// Start is the first notice of the command (docs/reference/smart-ralph.md#texts).
// analysing is false if no model has to read the file.
func (l Lang) Start(s state.State, analysing bool) string {
	threshold := strconv.Itoa(s.CompletionThreshold) + "%"
	if s.StrictMode {
		threshold = l.in("100% (严格模式: 清单全部勾选, 没有工具出错)", "100% (strict mode: every criterion ticked, no failed tool)")
	}
	text := l.f("🚀 Smart Ralph 启动\n%s\n📄 任务文件: %s\n🎯 完成阈值: %s\n🔁 最大迭代: %s\n⚙️  自动批准: %t\n%[1]s\n",
		"🚀 Smart Ralph started\n%s\n📄 Task file: %s\n🎯 Completion threshold: %s\n🔁 Max iterations: %s\n⚙️  Auto approve: %t\n%[1]s\n",
		rule(), show(s.TaskFile, maxShown), threshold, l.limit(s.MaxIterations), s.AutoApprove)
	if analysing {
		text += l.in("\n📋 正在分析任务文件...\n", "\n📋 Analysing the task file...\n")
	}
	return text
}

func (l Lang) limit(n int) string {
	if n == 0 {
		return l.in("无限制", "unlimited")
	}
	return strconv.Itoa(n)
}

// Iteration is shown while a task is in progress.
func (l Lang) Iteration(s state.State, task int) string {
	t := s.Tasks[task]
	return l.f("🔄 Smart Ralph - 迭代 %d\n%s\n📋 任务: %d/%d (%s)\n📊 完成度: %d%%\n🔁 当前任务迭代: %d\n%[2]s",
		"🔄 Smart Ralph - iteration %d\n%s\n📋 Task: %d/%d (%s)\n📊 Completion: %d%%\n🔁 Iterations of this task: %d\n%[2]s",
		s.Iteration, rule(), task+1, len(s.Tasks), show(t.Title, maxShown), t.Completion, t.Iterations)
}

// TaskDone is shown when a task is done and another begins.
func (l Lang) TaskDone(s state.State, task int) string {
	t := s.Tasks[task]
	return l.f("✅ 任务 %d 完成! (%s)\n%s\n📊 统计:\n  • 迭代次数: %d\n  • 完成度: %d%%\n\n🎯 切换到下一个任务...\n\n",
		"✅ Task %d done! (%s)\n%s\n📊 Statistics:\n  • Iterations: %d\n  • Completion: %d%%\n\n🎯 On to the next task...\n\n",
		task+1, show(t.Title, maxShown), rule(), t.Iterations, t.Completion) + l.Begins(s)
}

// Begins names the task that begins.
func (l Lang) Begins(s state.State) string {
	return l.f("开始执行任务 %d/%d: %s", "Starting task %d/%d: %s", s.CurrentIndex+1, len(s.Tasks), show(s.Current().Title, maxShown))
}

// Summary is shown at the end. Its title says that all tasks are done only if all were
// completed; skipped and blocked tasks are listed separately.
func (l Lang) Summary(s state.State) string {
	completed := s.Count(state.Completed)
	var b strings.Builder
	if completed == len(s.Tasks) {
		b.WriteString(l.in("🎉 所有任务已完成!\n", "🎉 All tasks are done!\n"))
	} else {
		b.WriteString(l.f("🏁 没有可以继续的任务了 (完成 %d/%d)\n", "🏁 No task is left to work on (%d of %d done)\n", completed, len(s.Tasks)))
	}
	b.WriteString(l.f("%s\n📊 总体统计:\n  • 总任务数: %d\n  • 总迭代次数: %d\n", "%s\n📊 Overall:\n  • Tasks: %d\n  • Iterations: %d\n", rule(), len(s.Tasks), s.Iteration))
	if completed > 0 {
		// The average leaves out skipped and blocked tasks.
		cost := 0
		for _, t := range s.Tasks {
			if t.Status == state.Completed {
				cost += t.Iterations
			}
		}
		b.WriteString(l.f("  • 平均每任务: %.1f 次迭代\n", "  • Iterations per completed task: %.1f\n", float64(cost)/float64(completed)))
	}
	l.list(&b, s, state.Completed, l.in("✅ 已完成任务:", "✅ Done:"))
	l.list(&b, s, state.Skipped, l.in("⏭️ 已跳过:", "⏭️ Skipped:"))
	l.list(&b, s, state.Blocked, l.in("⛔ 被阻塞:", "⛔ Blocked:"))
	b.WriteString("\n" + rule())
	return b.String()
}

// list names the tasks with a status.
func (l Lang) list(b *strings.Builder, s state.State, status state.Status, title string) {
	const most = 20
	n := 0
	for i, t := range s.Tasks {
		if t.Status != status {
			continue
		}
		if n++; n == 1 {
			b.WriteString("\n" + title + "\n")
		}
		if n > most {
			continue
		}
		number := i + 1
		if status == state.Completed {
			number = n
		}
		fmt.Fprintf(b, "  %d. %s (%s)\n", number, show(t.Title, maxShown), l.times(t.Iterations))
	}
	if n > most {
		b.WriteString(l.f("  … 还有 %d 个\n", "  … and %d more\n", n-most))
	}
}

// Planned shows the new task list.
func (l Lang) Planned(s state.State, fallback bool, inFile int) string {
	var b strings.Builder
	if fallback {
		b.WriteString(l.f("⚠️ Claude 没有给出任务列表, 已直接从任务文件解析出 %d 个任务。请检查 .claude/ralph-smart/state.md, 可以手动修改。\n",
			"⚠️ Claude gave no task list, so bridge read the tasks from the file itself: %d found. Check .claude/ralph-smart/state.md; you can edit it.\n", len(s.Tasks)))
	} else {
		b.WriteString(l.f("📋 任务分析完成: %d 个任务\n", "📋 The task file is analysed. Tasks: %d\n", len(s.Tasks)))
	}
	const most = 10
	for i, t := range s.Tasks {
		if i == most {
			b.WriteString(l.f("  … 还有 %d 个\n", "  … and %d more\n", len(s.Tasks)-most))
			break
		}
		fmt.Fprintf(&b, "  %d. %s\n", i+1, show(t.Title, maxShown))
	}
	if !fallback && inFile > 1 && inFile != len(s.Tasks) {
		b.WriteString(l.f("⚠️ 任务文件看起来有 %d 个任务; 如果不对, 请修改 .claude/ralph-smart/state.md。\n",
			"⚠️ The task file seems to contain a different number of tasks: %d. If that is right, correct .claude/ralph-smart/state.md.\n", inFile))
	}
	return b.String() + "\n" + l.Begins(s)
}

// AnalysisMissing says that the task list is asked for again.
func (l Lang) AnalysisMissing(s state.State) string {
	return l.f("📋 Smart Ralph: 请求任务列表 (第 %d 次, 最多 3 次)", "📋 Smart Ralph: asking for the task list (request %d of at most 3)", s.Asks)
}

// AssessmentMissing says that an assessment is asked for. a is an assessment that could
// not be read, or nil.
func (l Lang) AssessmentMissing(s state.State, a *assess.Assessment) string {
	if a != nil {
		return l.f("📝 Smart Ralph: 无法读懂本轮的 <completion-assessment> (\"%s\"), 请求重写 (第 %d 次, 最多 2 次, 不计入迭代)",
			"📝 Smart Ralph: the <completion-assessment> of the turn (\"%s\") cannot be read, so Claude is asked to repeat it (request %d of at most 2; not counted as an iteration)", show(a.First, maxShown), s.Asks)
	}
	return l.f("📝 Smart Ralph: 本轮没有 <completion-assessment>, 请求评估 (第 %d 次, 最多 2 次, 不计入迭代)",
		"📝 Smart Ralph: the turn had no <completion-assessment>, so Claude is asked for one (request %d of at most 2; not counted as an iteration)", s.Asks)
}

// Resumed says that a session continues.
func (l Lang) Resumed(s state.State) string {
	return l.f("🔄 Smart Ralph: 恢复会话, 任务 %d/%d (%s), 迭代 %d", "🔄 Smart Ralph: session resumed with task %d/%d (%s), iteration %d",
		s.CurrentIndex+1, len(s.Tasks), show(s.Current().Title, maxShown), s.Iteration)
}

// Left says that a task was left unfinished while the session continues.
func (l Lang) Left(step decide.Step, blocker string) string {
	t := step.State.Tasks[step.Task]
	head := l.f("⏭️ 任务 %d 停滞, 已跳过 (%s)", "⏭️ Task %d made no progress and is skipped (%s)", step.Task+1, show(t.Title, maxShown))
	if t.Status == state.Blocked {
		head = l.f("⛔ 任务 %d 被阻塞 (%s): %s", "⛔ Task %d is blocked (%s): %s", step.Task+1, show(t.Title, maxShown), show(blocker, 300))
	}
	return head + "\n" + rule() + "\n" + l.in("🎯 切换到下一个任务...\n\n", "🎯 On to the next task...\n\n") + l.Begins(step.State)
}

// Paused says why the session stopped, and how to continue it.
func (l Lang) Paused(step decide.Step, s signal.Signals, blocker string) string {
	st := step.State
	where := "\n" + rule() + "\n" + l.where(st) + "\n"
	if st.EndReason == decide.ReasonLimit {
		text := l.f("🛑 Smart Ralph: 达到最大迭代次数 (%[1]d)", "🛑 Smart Ralph: the limit of %[2]s is reached", st.MaxIterations, l.times(st.MaxIterations)) + where +
			l.f("状态已保存。继续: "+display.Bridge+" ralph resume --max-iterations %d\n取消: "+display.Bridge+" ralph cancel",
				"The state is kept. To continue: "+display.Bridge+" ralph resume --max-iterations %d\nTo cancel: "+display.Bridge+" ralph cancel", 2*st.MaxIterations)
		if step.Verdict.Outcome == decide.TaskCompleted {
			text = l.f("✅ 任务 %d 完成! (%s)\n", "✅ Task %d done! (%s)\n", step.Task+1, show(st.Tasks[step.Task].Title, maxShown)) + text
		}
		return text
	}
	if step.Verdict.Outcome != decide.Blocked && st.EndReason == decide.ReasonBlocked {
		return l.Summary(st) + "\n" + l.in("会话已保留, 还有被阻塞的任务。\n", "The session is kept, because a task is still blocked.\n") + l.whenSolved()
	}
	switch step.Verdict.Outcome {
	case decide.Blocked:
		what := l.in("⛔ Smart Ralph: 任务被阻塞, 需要你的帮助", "⛔ Smart Ralph: the task is blocked and needs your help")
		why := show(blocker, 500)
		if step.Verdict.Cause == decide.SkipWished {
			what = l.in("⏭️ Smart Ralph: Claude 建议跳过这个任务, 由你决定", "⏭️ Smart Ralph: Claude suggests skipping this task; please decide")
		}
		if why != "" {
			why = l.in("❓ 阻塞问题: ", "❓ Blocker: ") + why + "\n"
		}
		return what + where + why + l.whenSolved()
	case decide.Stalled:
		head := l.f("⏸️ Smart Ralph: 检测到停滞 (连续 %[1]d 次迭代没有进展), 请你决定", "⏸️ Smart Ralph: stalled (%[2]s in a row without progress); please decide", st.StallCount, l.times(st.StallCount))
		if step.Verdict.Cause == decide.SameError {
			head = l.f("⏸️ Smart Ralph: 同一个错误已连续出现 %d 次, 请你决定", "⏸️ Smart Ralph: the same error ended %d iterations in a row; please decide", s.Repeats)
		}
		return head + where +
			l.in("可能的原因: 任务太大、标准不明确、缺少信息或权限、同一个错误反复出现。\n建议:\n"+
				"  1. 看看最近的输出, 补充信息后继续: "+display.Bridge+" ralph resume\n"+
				"  2. 修改 .claude/ralph-smart/state.md (拆分任务, 写清标准), 用 "+display.Bridge+" ralph check 检查, 然后继续\n"+
				"  3. 跳过此任务: "+display.Bridge+" ralph resume --skip (取消: "+display.Bridge+" ralph cancel)",
				"The task may be too large, its criteria may be unclear, or information or a permission may be missing.\nWhat you can do:\n"+
					"  1. Read the last answers, add what is missing, and continue: "+display.Bridge+" ralph resume\n"+
					"  2. Edit .claude/ralph-smart/state.md (smaller tasks, clearer criteria), check it with "+display.Bridge+" ralph check, then continue\n"+
					"  3. Skip the task: "+display.Bridge+" ralph resume --skip (to cancel: "+display.Bridge+" ralph cancel)")
	case decide.TaskCompleted, decide.MaxIterations, decide.Continue:
	}
	return ""
}

// whenSolved says how to continue a session with a blocked task.
func (l Lang) whenSolved() string {
	return l.in("解决后继续: "+display.Bridge+" ralph resume (/ralph-resume)\n跳过此任务: "+display.Bridge+" ralph resume --skip\n取消: "+display.Bridge+" ralph cancel",
		"To continue once it is solved: "+display.Bridge+" ralph resume (/ralph-resume)\nTo skip the task: "+display.Bridge+" ralph resume --skip\nTo cancel: "+display.Bridge+" ralph cancel")
}

// where says how far the session is.
func (l Lang) where(s state.State) string {
	done := s.Count(state.Completed)
	text := l.f("📋 完成 %d/%d, 迭代 %d", "📋 %d of %d done, iteration %d", done, len(s.Tasks), s.Iteration)
	if t := s.Current(); t != nil {
		text += l.f(", 当前任务 %d: %s (%d%%)", ", current task %d: %s (%d%%)", s.CurrentIndex+1, show(t.Title, maxShown), t.Completion)
	}
	return text
}

// CannotAsk says why the user was not asked before the next task.
func (l Lang) CannotAsk() string {
	return l.in("ℹ️ auto_approve 为 false, 但此会话无法回答问题, 因此直接继续。", "ℹ️ auto_approve is false, but nobody can answer in this session, so the next task starts at once.")
}

// Verbose shows the decision and everything that led to it.
func (l Lang) Verbose(step decide.Step, s signal.Signals, a *assess.Assessment) string {
	var b strings.Builder
	b.WriteString("\n" + l.in("🔍 规则信号: ", "🔍 Rules: ") + strings.ReplaceAll(strings.TrimSpace(l.Signals(s)), "\n", ", "))
	b.WriteString(l.f(", 重复错误: %d, 工具调用: %d, git: %s", ", same error: %d, tool calls: %d, git: %s", s.Repeats, s.ToolCalls, l.moved(s)))
	b.WriteString("\n" + l.in("🤖 AI 评估: ", "🤖 Assessment: "))
	if a == nil {
		b.WriteString(l.in("无", "none"))
	} else {
		b.WriteString(l.f("%s, 完成度 %d%%, 置信度 %d%%, 已完成 %d, 未完成 %d", "%s, completion %d%%, confidence %d%%, done %d, remaining %d",
			a.Status, a.Completion, a.Confidence, len(a.Done), len(a.Remaining)))
		if a.Blocker != "" {
			b.WriteString(", " + show(a.Blocker, maxShown))
		}
	}
	b.WriteString("\n" + l.in("⚖️ 决策: ", "⚖️ Decision: "))
	if step.Verdict.Outcome == "" {
		b.WriteString(string(step.Kind))
		return b.String()
	}
	b.WriteString(string(step.Verdict.Outcome) + " (" + l.Cause(step.Verdict.Cause) + ")")
	for _, c := range step.Verdict.Against {
		if c != step.Verdict.Cause {
			b.WriteString("; " + l.Cause(c))
		}
	}
	return b.String()
}

func (l Lang) moved(s signal.Signals) string {
	if s.Moved {
		return l.in("有变化", "moved")
	}
	return l.in("无变化", "unchanged")
}

// Signals are the lines that the model gets for reference (R3-31).
func (l Lang) Signals(s signal.Signals) string {
	tests := l.in("未知", "unknown")
	switch s.Tests {
	case signal.TestsPass:
		tests = l.in("通过", "pass")
	case signal.TestsFail:
		tests = l.in("失败", "fail")
	case signal.TestsUnknown:
	}
	text := l.f("文件变化: %d\n测试: %s\n清单: %d/%d\n错误: %d\n", "File changes: %d\nTests: %s\nChecklist: %d/%d\nErrors: %d\n",
		max(s.Files, s.Listed), tests, s.BoxesDone, s.BoxesTotal, s.Errors)
	if s.FileTotal > 0 {
		text += l.f("任务文件清单: %d/%d\n", "Boxes in the task file: %d/%d\n", s.FileDone, s.FileTotal)
	}
	return text
}

// Overview lists all tasks with their status.
func (l Lang) Overview(s state.State) string {
	const most = 60
	var b strings.Builder
	for i, t := range s.Tasks {
		// In a long list, tasks far from the current one are left out.
		if far := i - s.CurrentIndex; len(s.Tasks) > most && (far > most/2 || far < -most/2) {
			continue
		}
		fmt.Fprintf(&b, "%d. [%s] %s (%d%%, %s)\n", i+1, t.Status, clip(t.Title, maxShown), t.Completion, l.times(t.Iterations))
	}
	return b.String()
}

// Recovered says that a damaged state was replaced by its backup.
func (l Lang) Recovered(damage error, at, history string) string {
	return l.f("⚠️ state.md 已损坏 (%v), 已从备份恢复 (备份时间 %s)。损坏的文件保存在 %s。",
		"⚠️ state.md was damaged (%v), so the backup from %s was used. The damaged file is kept in %s.", damage, at, history)
}

// Lost says that neither the state nor its backup can be used. kept names the copies.
func (l Lang) Lost(damage error, kept string) string {
	return l.f("⚠️ Smart Ralph: state.md 无法使用 (%v), 也没有可用的备份。它保存在 %s, 停止已放行。要继续: 改正它, 用 "+display.Bridge+" ralph check 文件 检查, 然后放回 .claude/ralph-smart/state.md。要重新开始: "+display.Bridge+" ralph smart 文件",
		"⚠️ Smart Ralph: state.md cannot be used (%v), and there is no usable backup. It is kept in %s, and stops are allowed. To continue: correct it, check it with "+display.Bridge+" ralph check FILE, and copy it back to .claude/ralph-smart/state.md. To begin anew: "+display.Bridge+" ralph smart FILE", damage, kept)
}

// NoTasks says that there is no task to work on.
func (l Lang) NoTasks(name string, err error) string {
	why := ""
	if err != nil {
		why = show(protocol.ErrorIn(protocol.Lang(l), err), 300)
	}
	return l.f("⚠️ Smart Ralph: 没有得到任务列表, 也无法读取任务文件 %s (%s)。请检查文件, 然后运行 "+display.Bridge+" ralph resume, 或 "+display.Bridge+" ralph cancel。",
		"⚠️ Smart Ralph: there is no task list, and the task file %s cannot be read (%s). Fix the file and run "+display.Bridge+" ralph resume, or "+display.Bridge+" ralph cancel.", show(name, 300), why)
}

// Archived says where the finished session is.
func (l Lang) Archived(path string, blocked bool, id string) string {
	text := l.f("🗂️ 会话已归档: %s", "🗂️ The session is archived in %s", path)
	if blocked {
		text += l.f("。继续被阻塞的任务: "+display.Bridge+" ralph resume --restore %s", ". To continue a blocked task: "+display.Bridge+" ralph resume --restore %s", id)
	}
	return text
}

// ResumeHint says how to continue a paused session.
func (l Lang) ResumeHint() string {
	return l.in("状态已保存。继续: "+display.Bridge+" ralph resume", "Its state is kept. To continue: "+display.Bridge+" ralph resume")
}

// Note is a remark about a program that ran or could not run.
func (l Lang) Note(text string) string { return show(text, 300) }

// Cancelled says how far a session was when it was cancelled (R3-40).
func (l Lang) Cancelled(s state.State, id string) string {
	where := l.in("等待任务分析", "waiting for the task list")
	if len(s.Tasks) > 0 {
		where = l.f("任务 %d/%d", "task %d/%d", min(s.CurrentIndex+1, len(s.Tasks)), len(s.Tasks))
	}
	return l.f("Smart Ralph 已取消 (%s, 迭代 %d)。会话已归档, 恢复: "+display.Bridge+" ralph resume --restore %s",
		"Smart Ralph was cancelled (%s, iteration %d). It is archived; to restore it: "+display.Bridge+" ralph resume --restore %s", where, s.Iteration, id)
}

// EndedMeanwhile says that there is nothing left to cancel.
func (l Lang) EndedMeanwhile() string {
	return l.in("Smart Ralph 会话已经结束。", "The Smart Ralph session has already ended.")
}

// PausedByHand says that stops are now allowed.
func (l Lang) PausedByHand(s state.State) string {
	return l.f("Smart Ralph 已在迭代 %d 暂停。继续: "+display.Bridge+" ralph resume", "Smart Ralph is paused at iteration %d. To continue: "+display.Bridge+" ralph resume", s.Iteration)
}

// WaitsForSession says that the next session of the project takes over.
func (l Lang) WaitsForSession() string {
	return l.in("此命令不是在 Claude Code 会话里运行的: 本项目中下一个停止的会话会接手。", "This command runs outside of a Claude Code session: the next session that stops in this project takes over.")
}

// NoHistory says that no session has ended yet.
func (l Lang) NoHistory() string { return l.in("没有历史会话。", "The history is empty.") }

// NothingToClean says that there is no data.
func (l Lang) NothingToClean() string {
	return l.in("没有 Smart Ralph 数据。", "There are no Smart Ralph files in this project.")
}

// Cleaned says how many files were deleted.
func (l Lang) Cleaned(n int) string {
	return l.f("已删除 %d 个文件。", "Files deleted: %d.", n)
}
