package state

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/hookbridge/bridge/internal/statefile"
)

// statusOf reads the status that a person wrote in Chinese or English: 已完成, "Done ✅",
// in-progress.
func statusOf(word string) (Status, bool) {
	if cut := strings.IndexAny(word, "(（,，;；"); cut > 0 {
		word = word[:cut]
	}
	switch letters(word) {
	case "pending", "todo", "open", "waiting", "notstarted", "new", "incomplete", "待处理", "待办", "待开始", "未开始", "未处理", "未完成", "等待", "等待中", "待定":
		return Pending, true
	case "inprogress", "started", "working", "workinprogress", "wip", "doing", "ongoing", "running", "active", "进行中", "正在进行", "处理中", "正在处理", "开发中", "执行中":
		return InProgress, true
	case "completed", "complete", "done", "finished", "ok", "已完成", "完成", "完成了", "全部完成", "已全部完成", "已结束", "结束":
		return Completed, true
	case "blocked", "stuck", "failed", "fail", "failure", "error", "阻塞", "被阻塞", "已阻塞", "受阻", "卡住", "失败", "已失败", "出错":
		return Blocked, true
	case "skipped", "skip", "cancelled", "canceled", "dropped", "已跳过", "跳过", "已取消", "取消", "放弃":
		return Skipped, true
	}
	return "", false
}

// letters are the letters and digits of a text in lower case.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}

// halfWidth turns full-width digits and punctuation into their ASCII form.
func halfWidth(r rune) rune {
	if r >= '！' && r <= '～' {
		return r - '！' + '!'
	}
	return r
}

// numberOf reads a whole number: 8, "8", ８, 8 # a comment. A percent sign may follow.
func numberOf(text string) (int, bool) {
	text = strings.TrimSpace(strings.TrimRight(strings.Map(halfWidth, plain(text)), "% "))
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= 0
}

// countOf reads a number that a word may follow, such as 3 次 or 75.5%.
func countOf(text string) (int, bool) {
	text = strings.TrimSpace(strings.Map(halfWidth, text))
	end := strings.IndexFunc(text, func(r rune) bool { return r < '0' || r > '9' })
	if end < 0 {
		end = len(text)
	}
	n, err := strconv.Atoi(text[:end])
	return n, err == nil
}

// flagOf reads true and false, and the other words that people use for them.
func flagOf(text string) (on, ok bool) {
	switch strings.ToLower(strings.Map(halfWidth, plain(text))) {
	case "true", "yes", "on", "1", "y", "是", "开", "真":
		return true, true
	case "false", "no", "off", "0", "n", "否", "关", "假":
		return false, true
	}
	return false, false
}

// phaseOf reads a phase.
func phaseOf(text string) (Phase, bool) {
	switch phase := Phase(strings.ToLower(plain(text))); phase {
	case Analyzing, Running, Assessing, Done, Stopped:
		return phase, true
	default:
		return "", false
	}
}

// plain removes quotes and a comment from a number or a flag.
func plain(text string) string {
	text, _, _ = strings.Cut(text, " #")
	return statefile.Unquote(strings.TrimSpace(text))
}
