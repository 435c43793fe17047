package message

import (
	"slices"
	"strings"

	"github.com/hookbridge/bridge/hooks/ralph/smart/decide"
)

// Cause describes a cause in words.
func (l Lang) Cause(c decide.Cause) string {
	switch c {
	case decide.Done:
		return l.in("任务完成", "the task is done")
	case decide.BlockerNamed:
		return l.in("有阻塞问题", "a blocker is named")
	case decide.SkipWished:
		return l.in("Claude 建议跳过", "the model suggests skipping it")
	case decide.LimitReached:
		return l.in("达到最大迭代次数", "the limit is reached")
	case decide.NoProgress:
		return l.in("没有进展", "no progress")
	case decide.SameError:
		return l.in("同一个错误反复出现", "the same error again and again")
	case decide.NoAssessment:
		return l.in("没有评估", "no assessment")
	case decide.NotCompleted:
		return l.in("任务还在进行中", "the task is still in progress")
	case decide.UnnamedBlocker:
		return l.in("状态是 blocked, 但没有写明阻塞问题", "the status is blocked, but no blocker is named")
	case decide.UnknownStatus:
		return l.in("无法识别完成状态, 只能是 completed、in_progress 或 blocked", "the status is unknown; it must be completed, in_progress or blocked")
	case decide.LowConfidence:
		return l.in("置信度不够", "the confidence is too low")
	case decide.LowCompletion:
		return l.in("完成度没有达到阈值", "the completion is below the threshold")
	case decide.Contradiction:
		return l.in("写了 completed, 但同时列出了未完成项或阻塞问题", "it says completed, but lists remaining items or a blocker")
	case decide.CutOff:
		return l.in("评估块没有写完 (缺少结束标签)", "the block is cut off: its closing tag is missing")
	case decide.OtherTask:
		return l.in("评估块写的是另一个任务, 列出的也是那个任务的标准", "the block names another task and lists the criteria of that task")
	case decide.Admitted:
		return l.in("回复里承认有没做完或没验证的地方", "the message admits a gap")
	case decide.Leftovers:
		return l.in("本轮的搜索还能找到未完成的标记 (如 TODO)", "a search of the turn still finds marks of unfinished work, such as TODO")
	case decide.NoWork:
		return l.in("这个任务还没有使用过任何工具, 请先检查一遍再确认", "no tool was used for this task; check the result before you confirm it")
	case decide.Refuted:
		return l.in("完成标准提到的命令, 最后一次运行失败了", "a command that the criteria name failed in its last run")
	case decide.TestsFail:
		return l.in("测试失败, 而完成标准要求测试", "tests fail, and the criteria require them")
	case decide.BoxesOpen:
		return l.in("严格模式: 清单还有未勾选的项", "strict mode: some criteria are not ticked")
	case decide.ErrorsOccurred:
		return l.in("严格模式: 本轮有工具出错", "strict mode: tools failed in this turn")
	}
	return string(c)
}

// claims lists the reasons why a claimed completion does not count.
func (l Lang) claims(causes []decide.Cause) string {
	var parts []string
	for _, c := range causes {
		if text := l.Cause(c); !slices.Contains(parts, text) {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, "; ")
}
