package message

import (
	"strings"

	"github.com/hookbridge/bridge/hooks/ralph/smart/decide"
	"github.com/hookbridge/bridge/hooks/ralph/smart/state"
	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/protocol"
)

// Resumption is what a command did to continue a session.
type Resumption struct {
	Before, After state.State
	// Asked is the session that gave the command; it is empty in a terminal.
	Asked string
	// TestCommand and GitStatus are what the command changed, or nil.
	TestCommand *string
	GitStatus   *bool
}

// Resumption says what was done, one fact in a line.
func (l Lang) Resumption(r Resumption) string {
	before, after := r.Before, r.After
	lines := []string{l.resumedOrActive(r)}
	say := func(chinese, english string, args ...any) {
		lines = append(lines, l.f("  • "+chinese, "  • "+english, args...))
	}
	if why := l.stoppedBecause(before); why != "" {
		lines = append(lines, "  • "+why)
	}
	if from := before.SessionID; from != "" && from != after.SessionID {
		say("从会话 %s 接手", "It was taken over from session %s.", display.Name(from))
	}
	for i, t := range after.Tasks {
		if i >= len(before.Tasks) || before.Tasks[i].Status == t.Status {
			continue
		}
		switch {
		case t.Status == state.Skipped:
			say("已跳过任务 %d: %s", "Task %d is skipped: %s", i+1, show(t.Title, maxShown))
		case before.Tasks[i].Status == state.Blocked:
			say("任务 %d 不再被阻塞: %s", "Task %d is no longer blocked: %s", i+1, show(t.Title, maxShown))
		}
	}
	if before.MaxIterations != after.MaxIterations {
		say("最大迭代: %s → %s", "The limit was %s and is now %s.", l.limit(before.MaxIterations), l.limit(after.MaxIterations))
	}
	lines = append(lines, l.changed(r)...)
	switch after.SessionID {
	case r.Asked:
		if r.Asked == "" {
			lines = append(lines, l.WaitsForSession())
		}
	case "":
		lines = append(lines, l.WaitsForSession())
	default:
		say("会话 %s 可能还在运行, 会在它下一次停止时继续 (让别的会话接手: "+display.Bridge+" ralph resume --force)",
			"Session %s may still be running and continues it at its next stop. To give it to another session: "+display.Bridge+" ralph resume --force", display.Name(after.SessionID))
	}
	return strings.Join(lines, "\n")
}

// changed names the values that the command line changed, the limit aside.
func (l Lang) changed(r Resumption) (lines []string) {
	say := func(chinese, english string, args ...any) {
		lines = append(lines, l.f("  • "+chinese, "  • "+english, args...))
	}
	before, after := r.Before, r.After
	if before.CompletionThreshold != after.CompletionThreshold {
		say("完成阈值: %d%% → %d%%", "The completion threshold was %d%% and is now %d%%.", before.CompletionThreshold, after.CompletionThreshold)
	}
	if before.StallDetection != after.StallDetection {
		say("停滞检测: %d → %d", "The stall detection was %d and is now %d.", before.StallDetection, after.StallDetection)
	}
	if before.AutoApprove != after.AutoApprove {
		say("自动批准: %s", "Auto approve is now %s.", l.onOff(after.AutoApprove))
	}
	if before.StrictMode != after.StrictMode {
		say("严格模式: %s", "Strict mode is now %s.", l.onOff(after.StrictMode))
	}
	if before.Verbose != after.Verbose {
		say("详细输出: %s", "Verbose output is now %s.", l.onOff(after.Verbose))
	}
	if r.TestCommand != nil {
		say("测试命令: %s", "The test command is now %s", show(*r.TestCommand, maxShown))
	}
	if r.GitStatus != nil {
		say("使用 git status: %s", "The use of git status is now %s.", l.onOff(*r.GitStatus))
	}
	return lines
}

func (l Lang) onOff(on bool) string {
	if on {
		return l.in("开启", "on")
	}
	return l.in("关闭", "off")
}

// resumedOrActive is the first line.
func (l Lang) resumedOrActive(r Resumption) string {
	s := r.After
	active := r.Before.Active && r.Before.SessionID == s.SessionID
	switch {
	case len(s.Tasks) == 0 && active:
		return l.f("🔄 Smart Ralph: 会话已经是活跃的, 等待任务列表", "🔄 Smart Ralph: the session is already active and waits for the task list")
	case len(s.Tasks) == 0:
		return l.f("🔄 Smart Ralph: 恢复会话, 等待任务列表", "🔄 Smart Ralph: session resumed; it waits for the task list")
	case active:
		return l.f("🔄 Smart Ralph: 会话已经是活跃的, 任务 %d/%d (%s), 迭代 %d", "🔄 Smart Ralph: the session is already active with task %d/%d (%s), iteration %d",
			s.CurrentIndex+1, len(s.Tasks), show(s.Current().Title, maxShown), s.Iteration)
	}
	return l.Resumed(s)
}

// stoppedBecause says why a session did not continue by itself.
func (l Lang) stoppedBecause(s state.State) string {
	if s.Active {
		return ""
	}
	switch s.EndReason {
	case "paused":
		return l.in("之前已暂停", "It was paused.")
	case "stalled":
		return l.in("之前已停滞 (没有进展)", "It had stalled: there was no progress.")
	case "repeated_error":
		return l.in("之前因同一个错误反复出现而停止", "It had stopped, because the same error came again and again.")
	case "blocked":
		return l.in("之前被阻塞", "It was blocked.")
	case "idle":
		return l.in("之前因多次停止没有任何动作而停止", "It had stopped, because nothing happened between its stops.")
	case "no_tasks":
		return l.in("之前没有得到任务列表", "It had stopped without a task list.")
	case "cancelled":
		return l.in("之前已取消", "It had been cancelled.")
	case "replaced":
		return l.in("之前被新的会话代替", "A new session had replaced it.")
	case decide.ReasonLimit:
		return l.in("之前达到了最大迭代次数", "It had reached its limit.")
	}
	return ""
}

// CannotResume says why a session cannot be continued.
func (l Lang) CannotResume(why error) string {
	return l.in("无法恢复 Smart Ralph: ", "resume smart ralph: ") + protocol.ErrorIn(protocol.Lang(l), why)
}
