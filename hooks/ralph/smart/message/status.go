package message

import (
	"fmt"

	"github.com/hookbridge/bridge/hooks/ralph/smart/decide"
	"github.com/hookbridge/bridge/hooks/ralph/smart/state"
)

// Progress says in a few words how far a session has come.
func (l Lang) Progress(s state.State) string {
	if len(s.Tasks) == 0 {
		return l.in("尚无任务", "no tasks yet")
	}
	text := l.f("任务 %d/%d", "task %d/%d", min(s.CurrentIndex+1, len(s.Tasks)), len(s.Tasks))
	if t := s.Current(); t != nil {
		text += fmt.Sprintf(" (%d%%)", t.Completion)
	}
	return text
}

// EndsBy says what ends a session.
func (l Lang) EndsBy(s state.State) string {
	done, limit := l.in("所有任务完成", "all tasks done"), l.times(s.MaxIterations)
	switch {
	case s.MaxIterations > 0 && s.StallDetection > 0:
		return l.f("%s、%s, 或连续 %d 次没有进展", "%s, %s, or %d in a row without progress", done, limit, s.StallDetection)
	case s.MaxIterations > 0:
		return l.f("%s或 %s", "%s or %s", done, limit)
	case s.StallDetection > 0:
		return l.f("%s或连续 %d 次没有进展", "%s or %[3]s in a row without progress", done, s.StallDetection, l.times(s.StallDetection))
	}
	return done
}

// Ended says why a session is paused. English shows the word of the state file.
func (l Lang) Ended(reason string) string {
	switch reason {
	case decide.ReasonBlocked:
		return l.in("被阻塞", reason)
	case decide.ReasonLimit:
		return l.in("达到最大迭代次数", reason)
	case "stalled":
		return l.in("停滞", reason)
	case "repeated_error":
		return l.in("同一个错误反复出现", reason)
	case "paused":
		return l.in("已暂停", reason)
	case "idle":
		return l.in("没有活动", reason)
	case "no_tasks":
		return l.in("没有任务列表", reason)
	case "done":
		return l.in("已完成", reason)
	case "replaced":
		return l.in("被新会话代替", reason)
	case "damaged":
		return l.in("状态损坏", reason)
	case "cancelled":
		return l.in("已取消", reason)
	}
	return reason
}
