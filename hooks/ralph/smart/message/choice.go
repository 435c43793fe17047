package message

import (
	"strings"

	"github.com/hookbridge/bridge/hooks/ralph/smart/state"
	"github.com/hookbridge/bridge/internal/display"
)

// Unfinished describes a session that prevents a new one from starting, and names the
// three ways out (R3-44).
func (l Lang) Unfinished(s state.State, seen string) string {
	return l.unfinished(s, seen) +
		l.in("\n继续: 加上 --continue, 或者 "+display.Bridge+" ralph resume (/ralph-resume)\n新建: 加上 --new 重新启动, 旧会话会归档\n取消旧会话: "+display.Bridge+" ralph cancel (/cancel-ralph)",
			"\nTo continue it: run the command again with --continue, or "+display.Bridge+" ralph resume (/ralph-resume)\nTo start a new one: run the command again with --new; the old session moves to the history\nTo cancel it: "+display.Bridge+" ralph cancel (/cancel-ralph)")
}

func (l Lang) unfinished(s state.State, seen string) string {
	return l.in("发现未完成的 Smart Ralph 会话:\n", "There is an unfinished Smart Ralph session:\n") + l.About(s, seen)
}

// Choice is Unfinished as a question with three answers.
func (l Lang) Choice(s state.State, seen string) string {
	return l.unfinished(s, seen) + l.f("\n  1) 继续 %s\n  2) 新建; 旧会话会归档, 可以恢复\n  3) 取消, 什么都不改变\n",
		"\n  1) continue with %s\n  2) start a new one; the old session moves to the history\n  3) cancel and change nothing\n", show(s.TaskFile, maxShown))
}

// AskChoice asks for the answer.
func (l Lang) AskChoice() string {
	return l.in("请选择 1、2 或 3, 然后按回车: ", "Type 1, 2 or 3, and press Enter: ")
}

// NothingChanged says that the person chose to do nothing.
func (l Lang) NothingChanged() string {
	return l.in("已取消, 什么都没有改变。", "Cancelled; nothing was changed.")
}

// Answer is what a person chose.
type Answer int

// The answers. None means that the text is not one of them.
const (
	None Answer = iota
	ContinueOld
	StartNew
	ChangeNothing
)

// ParseAnswer reads the answer to Choice, in either language.
func ParseAnswer(text string) Answer {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "1", "c", "continue", "继续", "１":
		return ContinueOld
	case "2", "n", "new", "新建", "２":
		return StartNew
	case "3", "q", "quit", "cancel", "取消", "３":
		return ChangeNothing
	}
	return None
}

// Running says that a session is active, or holds unfinished work and may still be running,
// so no other one can start (R3-44). asked is the
// session that gave the command; it is empty in a terminal.
func (l Lang) Running(s state.State, seen, asked string) string {
	cancel := display.Bridge + " ralph cancel"
	if s.SessionID != "" && s.SessionID != asked {
		cancel += " --session " + display.Name(s.SessionID)
	}
	why := l.in("已有活跃的 Smart Ralph 会话, 不能再启动一个:\n", "A Smart Ralph session is already active, so another one cannot start:\n")
	if !s.Active {
		why = l.in("未完成的 Smart Ralph 任务属于另一个会话, 它可能仍在运行, 不能启动新的:\n", "Unfinished Smart Ralph work belongs to another session that may still be running, so no new one starts:\n")
	}
	return why + l.About(s, seen) +
		l.in("\n请先取消: "+cancel+" (/cancel-ralph)\n或者用 --new --force 代替它, 旧会话会归档",
			"\nEnd it first: "+cancel+" (/cancel-ralph)\nOr replace it with --new --force; the old session moves to the history")
}

// Replaced says where the replaced session is kept.
func (l Lang) Replaced(path, id string) string {
	return l.f("旧会话已归档: %s。恢复: "+display.Bridge+" ralph resume --restore %s", "The old session is kept in %s. To restore it: "+display.Bridge+" ralph resume --restore %s", path, id)
}

// OtherFile says that the unfinished session is about another task file.
func (l Lang) OtherFile(its, given string) string {
	return l.f("未完成的会话使用的是 %s, 不是 %s。继续它: "+display.Bridge+" ralph smart --continue; 用新文件启动: 加上 --new",
		"the unfinished session works on %s, not on %s. To continue it: "+display.Bridge+" ralph smart --continue. To start with the other file: --new", show(its, maxShown), show(given, maxShown))
}

// NothingToContinue says that there is no unfinished session.
func (l Lang) NothingToContinue() string {
	return l.in("没有可以继续的 Smart Ralph 会话", "there is no Smart Ralph session to continue")
}

// About describes a session in a few lines.
func (l Lang) About(s state.State, seen string) string {
	text := l.in("  📄 任务文件: ", "  📄 Task file: ") + show(s.TaskFile, maxShown) + "\n"
	if len(s.Tasks) == 0 {
		text += l.in("  📋 任务: 等待分析\n", "  📋 Tasks: not analysed yet\n")
	} else {
		text += l.f("  📋 任务: 完成 %d/%d", "  📋 Tasks: %d of %d done", s.Count(state.Completed), len(s.Tasks))
		if t := s.Current(); t != nil {
			text += l.f(", 当前: %s (%s, %d%%)", ", now: %s (%s, %d%%)", show(t.Title, maxShown), t.Status, t.Completion)
		}
		text += "\n"
	}
	text += l.f("  🔁 迭代: %d (最大 %s)\n", "  🔁 Iterations: %d (at most %s)\n", s.Iteration, l.limit(s.MaxIterations))
	if s.SessionID != "" {
		text += l.in("  👤 会话: ", "  👤 Session: ") + display.Name(s.SessionID) + "\n"
	}
	if seen != "" {
		text += l.in("  🕒 最近活动: ", "  🕒 Last seen: ") + seen + "\n"
	}
	return text
}
