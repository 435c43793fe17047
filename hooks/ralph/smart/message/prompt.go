package message

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/bridge/hooks/ralph/smart/assess"
	"github.com/hookbridge/bridge/hooks/ralph/smart/decide"
	"github.com/hookbridge/bridge/hooks/ralph/smart/plan"
	"github.com/hookbridge/bridge/hooks/ralph/smart/signal"
	"github.com/hookbridge/bridge/hooks/ralph/smart/state"
)

// MaxEmbedded is the largest size in bytes of a task file that is put into the prompt.
// The model reads a larger file itself.
const MaxEmbedded = 64 << 10

// Parse asks the model for the task list (R3-10, R3-11). text is the text of the task
// file, or empty if it cannot be embedded.
func (l Lang) Parse(name, text string) string {
	var b strings.Builder
	if text == "" || len(text) > MaxEmbedded {
		b.WriteString(l.f("用 Read 工具读取任务文件 %s。\n\n", "Read the task file %s with the Read tool.\n\n", name))
	} else {
		fence := fenceFor(text)
		b.WriteString(l.f("任务文件 %s:\n\n", "The task file %s:\n\n", name) + fence + "\n" + strings.TrimRight(text, "\n") + "\n" + fence + "\n\n")
	}
	b.WriteString(l.in("把它的内容整理成任务列表, 保持原来的顺序和意图, 为每个任务写出可以检查的完成标准。只输出一个 <task-analysis> 块, 格式如下, 不要开始实现:\n\n",
		"Turn its content into a list of tasks. Keep the order and the intent, and give each task criteria that can be checked. Do not start implementing. Output exactly one <task-analysis> block in this form, and nothing else:\n\n"))
	b.WriteString(analysisForm(l))
	return b.String()
}

func analysisForm(l Lang) string {
	return l.in("<task-analysis>\n## 任务 1: 标题\n一两句描述\n\n**完成标准**:\n- [ ] 标准\n- [ ] 标准\n\n## 任务 2: 标题\n...\n</task-analysis>",
		"<task-analysis>\n## Task 1: title\nA sentence or two\n\n**Criteria**:\n- [ ] criterion\n- [ ] criterion\n\n## Task 2: title\n...\n</task-analysis>")
}

// fenceFor returns a fence that is longer than any fence in the text.
func fenceFor(text string) string {
	longest, run := 2, 0
	for i := range len(text) {
		if text[i] != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return strings.Repeat("`", longest+1)
}

// ParseAgain asks again and says what was wrong (R3-12).
func (l Lang) ParseAgain(problem error, name, text string, first bool) string {
	if first {
		return l.Parse(name, text)
	}
	return l.in("还没有可用的任务列表: ", "There is no task list yet: ") + l.problem(problem) + "\n\n" + l.Parse(name, text)
}

func (l Lang) problem(err error) string {
	switch err {
	case plan.ErrNoAnalysis:
		return l.in("没有找到 <task-analysis> 块 (需要开始和结束标签)。", "no <task-analysis> block was found (both the opening and the closing tag are needed).")
	case plan.ErrNoTasks:
		return l.in("<task-analysis> 块里没有任务; 每个任务以 \"## 任务 1: 标题\" 这样的一行开始。", "the <task-analysis> block contains no task; each task begins with a line such as \"## Task 1: title\".")
	case plan.ErrTooLong:
		return l.in("任务的文字太长; 请缩短描述, 只写出文件名。", "the tasks are too long; shorten the descriptions and name files instead.")
	case plan.ErrTooMany:
		return l.f("<task-analysis> 块里的任务超过 %d 个, 请合并。", "the <task-analysis> block contains more than %d tasks; merge some.", plan.MaxTasks)
	}
	return fmt.Sprint(err)
}

// Task tells the model the current task. ask says that the user has to be asked first
// (auto_approve false).
func (l Lang) Task(s state.State, ask bool) string {
	var b strings.Builder
	l.task(&b, s)
	if ask {
		b.WriteString(l.in("\n开始之前: 先向用户简要汇报上一个任务的结果, 并用 AskUserQuestion 询问是否开始这个任务; 得到同意之前不要修改文件。\n",
			"\nBefore you start: briefly tell the user how the last task went, and ask with AskUserQuestion whether to start this one. Change no file before they agree.\n"))
	}
	l.request(&b, s)
	return b.String()
}

func (l Lang) task(b *strings.Builder, s state.State) {
	t := s.Current()
	fmt.Fprintf(b, "%s\n", l.f("任务 %d/%d: %s", "Task %d/%d: %s", s.CurrentIndex+1, len(s.Tasks), t.Title))
	if t.Description != "" {
		b.WriteString("\n" + t.Description + "\n")
	}
	b.WriteString("\n")
	l.criteria(b, *t)
}

func (l Lang) criteria(b *strings.Builder, t state.Task) {
	b.WriteString(l.in("**完成标准**:\n", "**Criteria**:\n"))
	for _, c := range t.Criteria {
		mark := " "
		if c.Done {
			mark = "x"
		}
		fmt.Fprintf(b, "- [%s] %s\n", mark, c.Text)
	}
}

// request asks for the assessment at the end of the turn, so that it needs no extra turn
// (R3-20). The attributes distinguish the assessment from an older one (R3-21).
func (l Lang) request(b *strings.Builder, s state.State) {
	b.WriteString(l.in("\n完成本轮工作后, 在回复末尾输出评估块:\n\n", "\nWhen the work of this turn is done, end your answer with this block:\n\n"))
	l.form(b, s)
	b.WriteString(l.in("\n只有全部完成标准真正满足时才能写 completed; 不要为了结束循环而写不实的评估。需要用户才能继续时写 blocked, 并写明阻塞问题。\n",
		"\nWrite completed only when every criterion is truly met; never write a false assessment to end the loop. If you cannot continue without the user, write blocked and name the blocker.\n"))
}

func (l Lang) form(b *strings.Builder, s state.State) {
	fmt.Fprintf(b, "<completion-assessment task=\"%d\" iteration=\"%d\">\n", s.CurrentIndex+1, s.Iteration+1)
	b.WriteString(l.in("**完成状态**: completed | in_progress | blocked\n**完成度**: 0-100%\n**置信度**: 0-100%\n**已完成项**:\n- ...\n**未完成项**:\n- ... (没有就写 无)\n**阻塞问题**: 无\n**建议**: 下一步做什么\n",
		"**Status**: completed | in_progress | blocked\n**Completion**: 0-100%\n**Confidence**: 0-100%\n**Completed items**:\n- ...\n**Remaining items**:\n- ... (or: none)\n**Blockers**: none\n**Suggestion**: what to do next\n"))
	b.WriteString("</completion-assessment>\n")
}

// Assess asks only for an assessment, with the rule signals as a reference. a is an
// assessment that could not be read, or nil.
func (l Lang) Assess(s state.State, signals signal.Signals, a *assess.Assessment) string {
	var b strings.Builder
	if a == nil {
		b.WriteString(l.in("本轮没有评估。不要继续实现, 只评估当前任务。\n\n", "The turn had no assessment. Do not continue the work; only assess the current task.\n\n"))
	} else {
		b.WriteString(l.f("无法读懂本轮的评估, 其中没有可以识别的完成状态。它的第一行: \"%s\"\n不要继续实现, 只按下面的格式重写评估; 完成状态只写 completed、in_progress 或 blocked 中的一个。\n\n",
			"The assessment of the turn cannot be read, because it has no status that is known. Its first line: \"%s\"\nDo not continue the work; only repeat the assessment in the form below. The status must be one of completed, in_progress and blocked.\n\n", show(a.First, maxShown)))
	}
	fmt.Fprintf(&b, "%s\n\n", l.f("任务 %d/%d: %s", "Task %d/%d: %s", s.CurrentIndex+1, len(s.Tasks), s.Current().Title))
	l.criteria(&b, *s.Current())
	b.WriteString(l.in("\n规则检查结果, 供参考:\n", "\nWhat the rule checks found, for reference:\n") + l.Signals(signals))
	b.WriteString(l.in("\n输出:\n\n", "\nOutput:\n\n"))
	l.form(&b, s)
	return b.String()
}

// The limits of what is sent back to the model at each iteration.
const (
	maxItems       = 20
	maxItem        = 300
	maxDescription = 400
)

// Numbers says that the assessment named another task or iteration than the one that
// ended. It is empty if the numbers are right. s is the state before the turn was judged.
func (l Lang) Numbers(s state.State, a *assess.Assessment) string {
	task, iteration := s.CurrentIndex+1, s.Iteration+1
	if a == nil || (a.Task == 0 || a.Task == task) && (a.Iteration == 0 || a.Iteration == iteration) {
		return ""
	}
	number := func(n int) string {
		if n == 0 {
			return "-"
		}
		return strconv.Itoa(n)
	}
	return l.f("注意: 上一个评估块写的是 task=%s iteration=%s, 而那一轮是 task=%d iteration=%d; 已按那一轮计算。请照抄下面格式中的编号。\n\n",
		"Note: the last assessment named task=%s iteration=%s, but that turn was task=%d iteration=%d; it was taken for that turn. Copy the numbers of the form below.\n\n", number(a.Task), number(a.Iteration), task, iteration)
}

// GoOn continues a task: what remains, what the model suggested, and why a claimed
// completion did not count.
func (l Lang) GoOn(step decide.Step, signals signal.Signals, a *assess.Assessment) string {
	s := step.State
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", l.f("继续任务 %d/%d: %s", "Continue task %d/%d: %s", s.CurrentIndex+1, len(s.Tasks), s.Current().Title))
	if text := s.Current().Description; text != "" {
		// The model may have lost this in a compaction.
		b.WriteString("\n" + clip(text, maxDescription) + "\n")
	}
	switch {
	case a == nil:
		b.WriteString(l.in("\n没有收到评估, 本轮只按规则判断。\n", "\nNo assessment came, so this turn was judged by the rules alone.\n"))
	case len(step.Verdict.Against) > 0:
		b.WriteString(l.in("\n任务还不能算完成: ", "\nThe task does not count as done yet: ") + l.claims(step.Verdict.Against) + l.in("。\n", ".\n"))
		if slices.Contains(step.Verdict.Against, decide.Admitted) {
			b.WriteString(l.f("回复里的原话: \"%s\"。如果其实已经做好并验证过, 请说明并再次给出评估; 同一个任务只问一次。\n", "What it says: \"%s\". If that is done and checked, say so and assess again; this is asked once for each task.\n", show(signals.Admitted, maxItem)))
		}
	case step.Verdict.Cause == decide.UnknownStatus, step.Verdict.Cause == decide.UnnamedBlocker:
		b.WriteString("\n" + l.Cause(step.Verdict.Cause) + l.in("。\n", ".\n"))
	}
	b.WriteString(l.in("\n规则检查结果:\n", "\nWhat the rule checks found:\n") + l.Signals(signals))
	if signals.TestOutput != "" {
		fence := fenceFor(signals.TestOutput)
		b.WriteString(l.in("\n测试输出的结尾:\n", "\nThe end of the test output:\n") + fence + "\n" + signals.TestOutput + "\n" + fence + "\n")
	}
	if a != nil && len(a.Remaining) > 0 {
		b.WriteString(l.in("\n**未完成项**:\n", "\n**Remaining items**:\n"))
		for i, item := range a.Remaining {
			if i == maxItems {
				break
			}
			b.WriteString("- " + clip(item, maxItem) + "\n")
		}
	}
	if s.Suggestion != "" {
		b.WriteString(l.in("\n**建议**: ", "\n**Suggestion**: ") + s.Suggestion + "\n")
	}
	b.WriteString("\n")
	l.criteria(&b, *s.Current())
	l.request(&b, s)
	return b.String()
}

// Resume tells a model without context that the session continues, and everything that it
// needs to know (R3-43).
func (l Lang) Resume(s state.State) string {
	var b strings.Builder
	b.WriteString(l.f("这是恢复的会话: 之前的 Smart Ralph 会话在迭代 %d 中断, 现在继续。先查看文件和 git 的现状, 不要重做已完成的任务。\n\n",
		"This is a resumed session: an earlier Smart Ralph session was interrupted at iteration %d and continues now. Check the files and git first, and do not redo finished work.\n\n", s.Iteration))
	b.WriteString(l.in("任务总览:\n", "All tasks:\n") + l.Overview(s) + "\n")
	if s.Suggestion != "" {
		b.WriteString(l.in("上次的建议: ", "The last suggestion: ") + s.Suggestion + "\n\n")
	}
	b.WriteString(l.in("当前 ", "Now: "))
	l.task(&b, s)
	l.request(&b, s)
	return b.String()
}
