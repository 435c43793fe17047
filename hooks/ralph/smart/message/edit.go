package message

import (
	"errors"
	"strings"

	"github.com/hookbridge/bridge/hooks/ralph/smart/state"
	"github.com/hookbridge/bridge/internal/display"
)

// Problem describes something in a state file, with its line.
func (l Lang) Problem(p state.Problem) string {
	return l.f("第 %d 行: %s", "line %d: %s", p.Line, p.Text(l == Chinese))
}

// Damage describes the error of a state file that cannot be used.
func (l Lang) Damage(err error) string {
	if p, ok := errors.AsType[state.Problem](err); ok {
		return l.Problem(p)
	}
	return err.Error()
}

// BackupUsed says in one line that the backup is used in place of a damaged
// state.
func (l Lang) BackupUsed(err error) string {
	return l.f("state.md 已损坏, 使用它的备份 (%s)", "state.md is damaged; its backup is used (%s)", l.Damage(err))
}

// Unclear names the parts of state.md that bridge cannot understand, and the copy that
// is kept before the next write.
func (l Lang) Unclear(problems []state.Problem, path string) string {
	const most = 5
	var b strings.Builder
	b.WriteString(l.in("⚠️ state.md 里有无法理解的内容:", "⚠️ Something in state.md has no meaning:"))
	for i, p := range problems {
		if i == most {
			b.WriteString(l.f("\n  … 还有 %d 处", "\n  … and %d more", len(problems)-most))
			break
		}
		b.WriteString("\n  " + l.Problem(p))
	}
	return b.String() + l.f("\n修改前的文件保存在 %s。检查: "+display.Bridge+" ralph check", "\nThe file as it was is kept in %s. To check the new one: "+display.Bridge+" ralph check", path)
}

// StandsStill says that a session was paused because its state does not say whether it is
// active.
func (l Lang) StandsStill() string {
	return l.in("⏸️ Smart Ralph 会话已暂停, 因为 state.md 没有说明它是否活跃 (active: true 或 false)。", "⏸️ The Smart Ralph session is paused, because state.md does not say whether it is active (active: true or false). ") + l.ResumeHint()
}

// ProblemText is Problem without the line.
func (l Lang) ProblemText(p state.Problem) string { return p.Text(l == Chinese) }

// Weight is the word for the kind of a problem.
func (l Lang) Weight(w state.Weight) string {
	switch w {
	case state.Note:
		return l.in("提示", "note")
	case state.Unclear:
		return l.in("无法理解", "unclear")
	case state.Grave:
	}
	return l.in("错误", "error")
}

// Checked says how a state file is understood.
func (l Lang) Checked(s state.State, broken, backup bool) string {
	switch {
	case broken && backup:
		return l.in("这个文件无法使用; 下一次停止时会使用备份, 这个文件保存到历史里。请先改正它。", "The file cannot be used. The next stop uses the backup and keeps this file in the history, so correct it first.")
	case broken:
		return l.in("这个文件无法使用。", "The file cannot be used.")
	}
	text := l.in("会话: 已暂停", "Session: paused")
	if s.Active {
		text = l.in("会话: 活跃", "Session: active")
	}
	text += l.f("; 任务: %d\n", "; tasks: %d\n", len(s.Tasks))
	for i, t := range s.Tasks {
		mark := " "
		if i == s.CurrentIndex {
			mark = ">"
		}
		done, total := t.Boxes()
		text += l.f("%s %d. [%s] %s (%d%%, 清单 %d/%d)\n", "%s %d. [%s] %s (%d%%, criteria %d/%d)\n", mark, i+1, t.Status, show(t.Title, maxShown), t.Completion, done, total)
	}
	return strings.TrimSuffix(text, "\n")
}
