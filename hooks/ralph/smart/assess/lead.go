package assess

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// lead is the last sentence before a block, in lower case, and how it ends.
type lead struct {
	sentence string
	end      ending
}

// ending is how the text before a block ends.
type ending int

const (
	// ended is a sentence with its full stop, or no sentence.
	ended ending = iota
	// item is a list item, a heading or the row of a table, which need no full stop.
	item
	// open is a sentence without an end: it may go on in the block.
	open
	// colon is a sentence whose colon introduces the block.
	colon
)

func (e ending) leads() bool { return e == open || e == colon }

// leadIn finds the last sentence before a block. A sentence may take several lines.
func leadIn(before string) lead {
	const reach = 400
	before = strings.TrimRightFunc(strings.ToValidUTF8(before[max(0, len(before)-reach):], ""), unicode.IsSpace)
	before = strings.TrimRightFunc(before, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("*_`#-", r) })
	lines := strings.Split(before, "\n")
	text := ""
	for i := len(lines) - 1; i >= 0; i-- {
		line := strings.TrimSpace(lines[i])
		if line == "" || text != "" && endingOf(line) != open {
			break
		}
		text = strings.TrimSpace(line + " " + text)
		if isItem(line) {
			break
		}
	}
	l := lead{end: endingOf(text)}
	_, size := utf8.DecodeLastRuneInString(text)
	body := text[:len(text)-size]
	if at := strings.LastIndexAny(body, "。！？；!?;"); at >= 0 {
		_, n := utf8.DecodeRuneInString(body[at:])
		text = text[at+n:]
	} else if at := strings.LastIndex(body, ". "); at >= 0 {
		text = text[at+1:]
	}
	l.sentence = strings.ToLower(text)
	return l
}

func endingOf(line string) ending {
	r := lastRune(strings.TrimRight(line, "*_` "))
	switch {
	case line == "":
		return ended
	case r == ':' || r == '：':
		return colon
	case isItem(line):
		return item
	case strings.ContainsRune(".!?;。！？；…✅✔✓☑🎉)）>\"”", r):
		return ended
	}
	return open
}

// isItem reports whether a line is a list item, a heading or the row of a table.
func isItem(line string) bool {
	rest := strings.TrimLeft(line, "0123456789")
	if len(rest) < len(line) && (strings.HasPrefix(rest, ". ") || strings.HasPrefix(rest, ") ") || strings.HasPrefix(rest, "、")) {
		return true
	}
	for _, mark := range []string{"- ", "* ", "+ ", "• ", "#", "|", "**", "✅", "✔", "✓", "☑"} {
		if strings.HasPrefix(line, mark) {
			return true
		}
	}
	return false
}

// quotes reports whether the sentence shows that the block belongs to somebody else, or
// is not what the turn says. A sentence with a colon must present the block.
func (l lead) quotes() bool {
	s := l.sentence
	switch l.end {
	case ended:
		return isFromElsewhere(s) && (hasWord(s, "block", "assessment", "following", "below", "this") || hasPart(s, "评估", "以下", "如下", "下面"))
	case item:
		return isCutShort(s)
	case open:
		return isDenied(s) || isCutShort(s) || isAsked(s) || isFromElsewhere(s)
	case colon:
	}
	return isDenied(s) || isAsked(s) || isFromElsewhere(s) || hasSource(s) && !isOwn(s) || !presents(s)
}

// presents reports whether a sentence can lead into the assessment of the turn.
func presents(s string) bool {
	return hasPart(s, "assess", "evaluat", "complet", "verif", "conclu", "follow", "summar",
		"évaluation", "evaluación", "bewertung", "avaliação", "valutazione", "оценк", "評価", "평가",
		"评估", "自评", "评价", "状态", "总结", "小结", "结论", "完成", "如下", "以下", "最终", "结果", "汇报", "报告", "验证", "通过") ||
		hasWord(s, "status", "done", "finished", "final", "finally", "result", "results", "report", "verdict", "here", "here's", "now", "below", "met", "pass", "passes", "green", "works", "block")
}

// isOwn reports whether a sentence names the assessment of this turn.
func isOwn(s string) bool {
	return hasPart(s, "my assessment", "my completion", "my final", "here is the assessment", "here is the completion", "here is the final", "final assessment", "assessment of this turn", "assessment for this turn", "this turn", "我的评估", "本轮", "最终评估")
}

// isDenied reports whether a sentence says that something cannot be said, or cannot
// be said yet.
func isDenied(s string) bool {
	return hasWord(s, "cannot", "can't", "couldn't", "yet", "unable", "won't", "wouldn't", "isn't", "haven't", "hasn't", "didn't", "refuse", "premature", "pretend", "hope", "wish") ||
		hasPart(s, "too early", "can not", "不能", "不可以", "无法", "还没", "尚未", "没有完成", "没完成", "未能", "不应", "不该", "为时过早")
}

// isAsked reports whether a sentence only says what somebody asks for.
func isAsked(s string) bool {
	if hasPart(s, "here is", "here's", "here are", "below is", "as you asked", "as you requested", "as requested", "以下是", "这是", "评估如下") {
		return false
	}
	return hasWord(s, "you", "your", "they", "wants", "want", "asks", "asked", "required", "requires", "format", "form") || hasPart(s, "你要", "你想", "您要", "要求", "格式", "提示词", "想要")
}

// isFromElsewhere reports whether a sentence attributes a statement to somebody or
// something else.
func isFromElsewhere(s string) bool {
	const said = "says said wrote writes reported reports returned returns pasted pastes sent sends showed shows printed prints found finds ended ends contains contained gave gives produced emitted claimed claims answered replied outputs quoted copied reads logged stated recorded has had"
	if hasSource(s) && (hasWord(s, strings.Fields(said)...) || hasPart(s, "输出", "返回", "给出", "写", "说", "贴", "报告", "显示", "内容", "结果", "评估是", "评估为", "发来", "包含")) && !isOwn(s) {
		return true
	}
	return hasPart(s, "output of ", "content of ", "contents of ", "quote from", "quoted from", "copied from", "pasted", "last session", "last time", "last run", "last iteration", "other session", "another session", "other task", "another task", "上一次", "上一个", "上个", "上次", "另一个", "别的任务", "粘贴")
}

// hasSource reports whether a sentence names a person or thing that may be quoted.
func hasSource(s string) bool {
	for _, word := range strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" `\"'*(),:：，（）", r) }) {
		for _, kind := range []string{".md", ".txt", ".log", ".json", ".yaml", ".yml", ".toml", ".xml", ".html", ".go", ".py", ".js", ".ts", ".sh"} {
			if strings.HasSuffix(word, kind) {
				return true
			}
		}
	}
	return hasWord(s, "user", "users", "user's", "subagent", "subagent's", "subagents", "agent", "agent's", "grep", "rg", "cat", "tool", "tool's", "script", "command", "hook", "file", "notes", "log", "logs", "transcript", "history", "stdout", "prompt", "instructions", "docs", "documentation", "readme", "page", "ticket", "issue", "comment", "colleague", "reviewer", "customer", "somebody", "someone", "teammate", "he", "she", "they", "worker", "assistant", "model") ||
		hasPart(s, "工具", "用户", "子代理", "子智能体", "子任务", "代理", "文件", "日志", "命令", "脚本", "提示词", "笔记", "文档", "同事", "审查者", "别人", "他说", "她说", "历史", "助手", "模型")
}

// isCutShort reports whether a sentence stops before its object: "then emit".
func isCutShort(s string) bool {
	words := strings.Fields(strings.TrimRight(s, "*_` "))
	if len(words) == 0 {
		return false
	}
	switch words[len(words)-1] {
	case "with", "emit", "output", "write", "written", "wrote", "say", "says", "said", "for", "post", "print", "printed", "send", "like", "reads", "contains", "me", "claim", "answer", "reply", "as", "the", "and", "then", "until", "give", "return", "returned", "from":
		return true
	}
	for _, end := range []string{"输出", "写", "写上", "写出", "给出", "返回", "发出", "说", "然后", "提交"} {
		if strings.HasSuffix(s, end) {
			return true
		}
	}
	return false
}

// goesOn reports whether a sentence that began before the block continues after
// it.
func goesOn(after string) bool {
	after = strings.TrimLeftFunc(after, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("*_`~-", r) })
	r, _ := utf8.DecodeRuneInString(after)
	return r >= 'a' && r <= 'z' || strings.HasPrefix(after, "但") || strings.HasPrefix(after, "可是") || strings.HasPrefix(after, "不过")
}

// span is a part of a text.
type span struct{ start, stop int }

// hidden finds the HTML comments of a text, and the elements whose content is quoted or
// folded away. An element without a closing tag is only a mention of its name.
func hidden(text string) (spans []span) {
	lower := strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
	if len(lower) != len(text) {
		lower = text
	}
	find := func(begin, end string) {
		for at := 0; ; {
			i := strings.Index(lower[at:], begin)
			if i < 0 {
				return
			}
			start := at + i
			j := strings.Index(lower[start:], end)
			if j < 0 {
				if begin == "<!--" && strings.TrimSpace(lineBefore(text, start)) == "" {
					spans = append(spans, span{start, len(text)})
				}
				return
			}
			at = start + j + len(end)
			spans = append(spans, span{start, at})
		}
	}
	find("<!--", "-->")
	for _, name := range []string{"details", "blockquote", "pre", "code", "example", "quote", "template", "system-reminder", "tool_result", "document", "file"} {
		find("<"+name+">", "</"+name+">")
		find("<"+name+" ", "</"+name+">")
	}
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	merged := spans[:0]
	for _, s := range spans {
		if n := len(merged); n > 0 && s.start < merged[n-1].stop {
			merged[n-1].stop = max(merged[n-1].stop, s.stop)
			continue
		}
		merged = append(merged, s)
	}
	return merged
}

// hides reports whether a position lies in one of the spans.
func hides(spans []span, at int) bool {
	i, exact := slices.BinarySearchFunc(spans, at, func(s span, at int) int { return cmp.Compare(s.start, at) })
	return exact || i > 0 && at < spans[i-1].stop
}
