package assess

import (
	"strings"
	"unicode"

	"github.com/hookbridge/bridge/hooks/ralph/smart/plan"
)

// key is a named part of an assessment.
type key int

const (
	noKey key = iota
	statusKey
	completionKey
	confidenceKey
	doneKey
	remainingKey
	blockerKey
	suggestionKey
	otherKey
)

// keyOf maps the names of the parts, in Chinese and English, to keys. A remark in
// brackets does not matter: "完成度 (%)", "Remaining items (2)", "状态 (Status)".
func keyOf(name string) key {
	if k := keyNamed(name); k != noKey {
		return k
	}
	if at := strings.IndexAny(name, "(（[【/／"); at > 0 {
		return keyNamed(name[:at])
	}
	return noKey
}

func keyNamed(name string) key {
	switch Fold(name) {
	case "完成状态", "状态", "任务状态", "当前状态", "status", "completionstatus", "taskstatus", "currentstatus", "overallstatus", "state":
		return statusKey
	case "完成度", "完成百分比", "完成率", "完成比例", "完成进度", "总体完成度", "进度", "completion", "completionpercentage", "completionrate", "completionlevel", "progress", "percentcomplete", "percentage",
		"completionpercent", "percentcompleted", "overallcompletion", "completeness":
		return completionKey
	case "置信度", "信心", "信心度", "信心程度", "把握", "确信度", "可信度", "确定性", "确定度", "自信度", "把握度", "可信程度", "confidence", "confidencelevel", "confidencescore", "certainty", "certaintylevel", "sureness", "howsure":
		return confidenceKey
	case "已完成项", "已完成", "完成项", "已完成的项", "已完成项目", "已完成事项", "已完成工作", "已完成内容", "已完成的工作", "completeditems", "done", "doneitems", "finisheditems", "itemscompleted", "completedwork", "itemsdone",
		"whatisdone", "whatwasdone", "whatsdone", "completedtasks", "completedcriteria", "finished", "accomplished", "achieved", "finishedwork", "donesofar", "完成内容", "完成的工作", "完成事项", "完成的项", "已做":
		return doneKey
	case "未完成项", "未完成", "剩余项", "待完成项", "未完成的项", "未完成项目", "未完成事项", "未完成工作", "未完成内容", "剩余工作", "剩余事项", "剩余任务", "待办", "待办事项", "待完成", "remainingitems", "remaining", "remainingwork", "remainingtasks",
		"pendingitems", "pending", "todo", "openitems", "itemsremaining", "incomplete", "incompleteitems", "incompletework", "unfinished", "unfinisheditems", "uncompleteditems", "missing", "missingitems", "leftitems", "itemsleft", "stillopen", "open", "outstandingitems", "outstanding", "whatremains", "leftovers", "notdone", "left", "stilltodo", "notyetdone", "remainingsteps", "unfinishedwork", "whatsleft", "剩余", "待做", "未做", "还剩":
		return remainingKey
	case "阻塞问题", "阻塞", "阻塞项", "阻塞原因", "阻塞点", "阻塞因素", "阻碍", "阻塞事项", "blockers", "blocker", "blockingissues", "blockeditems", "blockingissue", "blockedby", "blockingproblems", "blocking", "blockingproblem", "blockedon", "issues", "openissues", "problems", "openproblems", "obstacles", "impediments", "问题", "遇到的问题", "障碍", "卡点", "困难":
		return blockerKey
	case "建议", "下一步", "下一步建议", "后续建议", "下步建议", "suggestion", "suggestions", "nextaction", "nextactions", "nextstep", "nextsteps", "recommendation", "recommendations", "next", "followup", "followups", "proposal", "advice", "nextstepsuggestion", "下一步计划", "后续", "后续计划", "推荐":
		return suggestionKey
	case "理由", "说明", "原因", "reasoning", "reason", "notes", "note", "备注", "总结", "summary", "evidence", "证据", "comment", "comments", "remarks":
		return otherKey
	}
	return noKey
}

// Fold makes names and items comparable: it keeps only letters, in lower case, and
// digits.
func Fold(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

// keyLine reads the key of a line and its value: "**key**: value", "key: value", "2. key:
// value", "### key", "<key>value</key>", and the like.
func keyLine(line string) (k key, value string) {
	line = strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(line), "#>"))
	line, _ = plan.CutMarker(line)
	if k, value, ok := elementLine(line); ok {
		return k, value
	}
	if k, value, ok := markedLine(line); ok {
		return k, value
	}
	at, size := separator(line)
	if at < 0 || at > maxName {
		return noKey, ""
	}
	return keyOf(line[:at]), trimValue(line[at+size:])
}

// maxName is the length in bytes of the longest name of a key.
const maxName = 60

// trimValue removes the marks that close the emphasis of the key.
func trimValue(value string) string {
	value = strings.TrimSpace(value)
	return strings.TrimSpace(strings.TrimLeft(value, "*_`"))
}

// separator finds the separator between a key and its value.
func separator(line string) (at, size int) {
	at = -1
	for _, mark := range []string{":", "：", "﹕", "=", "＝", " - ", " – ", " — ", "–", "—", "\t", " -> ", "->", "→"} {
		if i := strings.Index(line, mark); i >= 0 && (at < 0 || i < at) {
			at, size = i, len(mark)
		}
	}
	return at, size
}

// markedLine reads a name between marks, after which the separator may be missing:
// "**key** value", "`key`: value", "【key】value".
func markedLine(line string) (k key, value string, ok bool) {
	for _, marks := range [][2]string{{"***", "***"}, {"**", "**"}, {"__", "__"}, {"`", "`"}, {"【", "】"}, {"[", "]"}, {"\"", "\""}, {"“", "”"}, {"*", "*"}, {"「", "」"}} {
		inner, found := strings.CutPrefix(line, marks[0])
		if !found {
			continue
		}
		name, rest, closed := strings.Cut(inner, marks[1])
		if !closed {
			continue
		}
		if k = keyOf(name); k == noKey {
			// "**key: value**"
			at, size := separator(name)
			if at < 0 || keyOf(name[:at]) == noKey {
				continue
			}
			return keyOf(name[:at]), trimValue(name[at+size:] + " " + rest), true
		}
		rest = strings.TrimSpace(strings.TrimLeft(rest, " *_`"))
		if at, size := separator(rest); at == 0 {
			rest = rest[size:]
		} else if cut, ok := strings.CutPrefix(rest, "- "); ok {
			rest = cut
		}
		return k, trimValue(rest), true
	}
	return noKey, "", false
}

// elementLine reads "<key>value</key>", "<key>" and "</key>"; the last one ends a list,
// like an unknown key without a value.
func elementLine(line string) (k key, value string, ok bool) {
	inner, found := strings.CutPrefix(line, "<")
	if !found {
		return noKey, "", false
	}
	name, rest, closed := strings.Cut(inner, ">")
	if !closed {
		return noKey, "", false
	}
	if ended, isEnd := strings.CutPrefix(name, "/"); isEnd && keyOf(ended) != noKey {
		return otherKey, "", true
	}
	if k = keyOf(name); k == noKey {
		return noKey, "", false
	}
	if at := strings.LastIndex(rest, "</"); at >= 0 {
		rest = rest[:at]
	}
	return k, strings.TrimSpace(rest), true
}

// isBareKey reports whether a line consists only of the name of a key. Words that are
// also a status are values, unless they are a heading: "done", "已完成".
func isBareKey(line string) bool {
	if at, _ := separator(line); at >= 0 || keyOf(line) == noKey {
		return false
	}
	return wordStatus(line) == Unknown || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "**")
}
