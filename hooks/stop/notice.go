package stop

import (
	"fmt"

	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/protocol"
)

// The notices about a loop are in the language of the loop, so that one conversation has
// one language.

func forgetMessage(owner protocol.Active) string {
	return fmt.Sprintf(protocol.LangOf(owner).In(
		"%s: 本次停止已放行, 因为 bridge 无法写入自己的记录; 没有记录就分不清循环是在工作还是卡住了。循环和计数都保留, 下一个使用工具的回合会继续。解决办法: 把 HOME 或 XDG_STATE_HOME 设为可以写入的目录。",
		"%s: this stop is allowed, because bridge cannot write its records. Without them, a stuck loop looks like a working one. "+
			"The loop and its counter are kept; it continues with the next turn that uses a tool. To fix this: set HOME or XDG_STATE_HOME to a directory that you can write to."), title(owner.Label()))
}

func idleMessage(owner protocol.Active, resume string) string {
	return fmt.Sprintf(protocol.LangOf(owner).In(
		"%s: 连续 %d 次停止都是同样的消息, 而且没有使用工具, 因此已结束。%s",
		"%s: ended after %d stops in a row with the same message and no tool call. %s"), title(owner.Label()), idleLimit, resume)
}

func capMessage(owner protocol.Active, limit int) string {
	return fmt.Sprintf(protocol.LangOf(owner).In(
		"%s: 本次停止已放行, 因为 Claude Code 会忽略下一次阻止 (没有使用工具时最多连续 %d 次)。循环和计数都保留, 你的下一条消息之后继续。取消这个上限: 在设置的 env 中写 CLAUDE_CODE_STOP_HOOK_BLOCK_CAP=0。",
		"%s: this stop is allowed, because Claude Code overrides the next block (its cap is %d in a row without a tool call). "+
			"The loop and its counter are kept; it continues with your next prompt. To lift the cap: set CLAUDE_CODE_STOP_HOOK_BLOCK_CAP=0 in the env of your settings."), title(owner.Label()), limit)
}

func lockMessage(owner protocol.Active, err error) string {
	return fmt.Sprintf(protocol.LangOf(owner).In(
		"%s: 本次停止已放行, 因为无法取得项目的锁 (%v)。没有任何改动, 你的下一条消息之后继续。",
		"%s: this stop is allowed, because %v. Nothing was changed; the loop continues with your next prompt."), title(owner.Label()), err)
}

func changedMessage(owner protocol.Active) string {
	return fmt.Sprintf(protocol.LangOf(owner).In(
		"%s: 本次停止已放行, 因为你的命令运行期间状态被删除或修改了。没有覆盖任何内容; "+display.Bridge+" status 显示当前状态。",
		"%s: this stop is allowed, because its state was removed or changed while your commands ran. Nothing was overwritten; "+display.Bridge+" status shows the current state."), title(owner.Label()))
}

func exemptMessage(owner protocol.Active, why exemption) string {
	lang := protocol.LangOf(owner)
	return fmt.Sprintf(lang.In(
		"%s: 本次停止已放行, 因为%s。没有任何改动, 你的下一条消息之后继续。",
		"%s: this stop is allowed, because %s. Nothing was changed; it continues with your next prompt."), title(owner.Label()), lang.In(why.chinese(), why.because))
}

// chinese is why.because in Chinese.
func (why exemption) chinese() string {
	switch why.rule {
	case "context-limit":
		return "上下文已满, 循环无法腾出空间 (请用 /compact 或 /clear)"
	case "cancel":
		return "你正在取消"
	case "user-abort":
		return "你中断了会话, 或要求停止"
	case "rate-limit":
		return "API 达到速率或容量上限, 立即继续只会再次碰到它"
	case "authentication":
		return "API 拒绝了登录 (请重新登录后继续)"
	case "scheduled-wake-up":
		return "会话已安排好自己的唤醒"
	case "api-error":
		return "本轮以 API 错误结束"
	case "thinking-only":
		return "最近三轮只有思考, 没有文字, 也没有使用工具"
	}
	return why.because
}

func agentsMessage(owner protocol.Active, n int) string {
	return fmt.Sprintf(protocol.LangOf(owner).In(
		"%s: 正在等待后台代理 (%d 个在运行), 它们报告后继续。",
		"%s: waiting for background agents (%d running); it continues when they report."), title(owner.Label()), n)
}

func unsavedMessage(owner protocol.Active, err error) string {
	return fmt.Sprintf(protocol.LangOf(owner).In(
		"%s: 本次停止已放行, 因为无法保存状态 (%v)。没有丢失任何内容。请排除原因, 你的下一条消息之后继续。",
		"%s: the stop is allowed, because its state could not be saved (%v). Nothing is lost. Fix the cause; the loop then continues with your next prompt."), title(owner.Label()), err)
}
