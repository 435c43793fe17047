package assess

import (
	"strings"
)

// statusOf maps words to statuses. Only whole words count: "not completed" is not
// "completed". The list of choices, copied as it is from the form, is unknown.
func statusOf(s string) Status {
	status := claimedStatus(s)
	if status == Completed && isHalfHearted(s) {
		return Unknown
	}
	return status
}

// isHalfHearted reports whether a status asks, or takes back what it says: "completed?",
// "completed (not yet verified)".
func isHalfHearted(s string) bool {
	s = strings.NewReplacer("没有未完成", "", "无未完成", "", "not applicable", "", "没有待", "", "无待", "").Replace(strings.ToLower(s))
	return hasWord(s, "not", "cannot", "can't", "didn't", "don't", "doesn't", "isn't", "wasn't", "haven't", "hasn't", "yet", "but", "except", "however", "although", "though", "unverified", "untested", "pending", "unsure", "uncertain", "probably", "maybe", "perhaps", "partially", "partly", "mostly", "almost", "nearly", "hopefully", "likely", "until", "unless", "once", "if") ||
		hasPart(s, "?", "？", "但", "尚", "还没", "还未", "未验证", "未测", "未经", "没有验证", "没有测试", "没验证", "没测", "待", "除了", "可能", "大概", "也许", "应该", "基本", "如果")
}

// claimedStatus is statusOf, but ignores what else the line says.
func claimedStatus(s string) Status {
	if ticked, boxes := tickedChoice(s); boxes {
		s = ticked
	}
	if status, several := choices(s); several {
		return status
	}
	if status := wordStatus(s); status != Unknown {
		return status
	}
	if cut := strings.IndexAny(s, "(（[【,，。;；:：—–!！"); cut > 0 {
		s = s[:cut]
	}
	s, _, _ = strings.Cut(s, " - ")
	if status := wordStatus(s); status != Unknown {
		return status
	}
	// The same status in two languages.
	if status := agreed(strings.Fields(s)); status != Unknown {
		return status
	}
	return startOf(s)
}

// startOf reads a status that is followed by words: "blocked by a missing key". It
// never returns "completed".
func startOf(s string) Status {
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return (r < 'a' || r > 'z') && r < 0x80 && r != '_' })
	first, second := "", ""
	if len(words) > 0 {
		first = words[0]
	}
	if len(words) > 1 {
		second = words[1]
	}
	switch {
	case first == "blocked" && second != "", first == "waiting" && (second == "for" || second == "on"), strings.HasPrefix(first, "被阻塞"), strings.HasPrefix(first, "阻塞于"), strings.HasPrefix(first, "等待"):
		return Blocked
	case first == "in" && second == "progress", first == "in_progress", first == "partially", first == "partly", first == "mostly", first == "almost", first == "nearly", first == "still", first == "not" && strings.HasPrefix(Fold(s), "notyet"),
		strings.HasPrefix(first, "进行中"), strings.HasPrefix(first, "尚未"), strings.HasPrefix(first, "还未"), strings.HasPrefix(first, "还没"), strings.HasPrefix(first, "部分"), strings.HasPrefix(first, "未完成"), strings.HasPrefix(first, "基本"), strings.HasPrefix(first, "接近"):
		return InProgress
	}
	return Unknown
}

// remarkOf returns the text after the word of a status.
func remarkOf(s string) string {
	s = strings.TrimSpace(s)
	at := strings.IndexAny(s, " (（,，:：;；—–")
	if at < 0 {
		return ""
	}
	rest := strings.Trim(s[at:], " \t-—–:：,，;；()（）。.*`")
	for _, word := range []string{"by ", "on ", "because ", "due to ", "since "} {
		rest = strings.TrimPrefix(rest, word)
	}
	return rest
}

// choices reads alternatives, which must agree.
func choices(s string) (status Status, several bool) {
	parts := strings.FieldsFunc(s, func(r rune) bool { return r == '|' || r == '｜' || r == '/' || r == '／' })
	if len(parts) < 2 {
		return Unknown, false
	}
	return agreed(parts), true
}

func agreed(parts []string) Status {
	if len(parts) < 2 {
		return Unknown
	}
	status := Unknown
	for _, part := range parts {
		if Fold(part) == "" {
			continue
		}
		switch now := wordStatus(part); {
		case now == Unknown, status != Unknown && now != status:
			return Unknown
		default:
			status = now
		}
	}
	return status
}

// tickedChoice returns the ticked choice of "[x] completed [ ] in_progress"; it is empty
// unless exactly one is ticked.
func tickedChoice(s string) (choice string, boxes bool) {
	if !strings.Contains(s, "[ ]") && !strings.Contains(strings.ToLower(s), "[x]") {
		return "", false
	}
	n := 0
	for _, part := range strings.Split(s, "[")[1:] {
		if mark, word, ok := strings.Cut(part, "]"); ok && strings.EqualFold(mark, "x") {
			choice, n = strings.Trim(word, " -*|/,，;；"), n+1
		}
	}
	if n != 1 {
		return "", true
	}
	return choice, true
}

func wordStatus(s string) Status {
	switch Fold(s) {
	case "completed", "complete", "done", "finished", "已完成", "完成", "全部完成", "完成了", "true", "已全部完成", "全部已完成", "任务完成", "任务已完成", "已经完成", "完全完成", "已完成全部", "fullycompleted", "fullycomplete",
		"completedsuccessfully", "successfullycompleted", "taskcompleted", "taskcomplete", "taskdone", "alldone", "alldoneandverified", "allcompleted":
		return Completed
	case "inprogress", "incomplete", "notcompleted", "notcomplete", "notdone", "notfinished", "unfinished", "partial", "partiallycompleted", "partiallycomplete", "partiallydone", "partlydone", "partlycompleted", "ongoing", "underway",
		"workinprogress", "wip", "continue", "continuing", "started", "pending", "notstarted", "inprogess", "progressing", "notyetcompleted", "notyetcomplete", "notyetdone", "almostcomplete", "nearlycomplete", "nearlydone",
		"进行中", "未完成", "部分完成", "正在进行", "正在进行中", "仍在进行", "仍在进行中", "接近完成", "基本完成", "大部分完成", "尚未完成", "还未完成", "没有完成", "还没完成", "还没有完成", "未全部完成", "继续", "处理中", "开发中", "待处理", "未开始", "false", "almostdone", "mostlydone":
		return InProgress
	case "blocked", "阻塞", "被阻塞", "已阻塞", "受阻", "阻塞中", "卡住", "卡住了", "被卡住", "等待用户", "等待中", "stuck", "onhold", "waiting", "waitingforuser", "waitingfortheuser", "waitingforinput", "needsinput", "needsuser", "needsuserinput":
		return Blocked
	case "skipped", "skip", "跳过", "已跳过", "建议跳过":
		return Skipped
	}
	return Unknown
}

// isNone reports whether a text means "none". The rest of the text must not take that
// back: "none, but the tests did not run" is something.
func isNone(s string) bool {
	if wordNone(s) || phraseNone(s) {
		return true
	}
	at := strings.IndexAny(s, "(（[,，。.;；:：—–!！")
	if at <= 0 {
		head, tail, cut := strings.Cut(s, " - ")
		return cut && wordNone(head) && Fold(head) != "" && !takesBack(tail)
	}
	return wordNone(s[:at]) && Fold(s[:at]) != "" && !takesBack(s[at:])
}

// isSolved reports whether a blocker is already solved.
func isSolved(s string) bool {
	s = strings.ToLower(s)
	if hasWord(s, "not", "cannot", "yet", "partly", "partially", "still", "unresolved", "isn't", "hasn't", "wasn't", "once", "until", "if", "when", "must", "should", "needs") ||
		hasPart(s, "未", "没", "不", "尚", "还", "仍", "部分", "待", "需", "如果") && !hasPart(s, "，已", ", 已", ",已") {
		return false
	}
	end := strings.TrimRight(s, " .。!！)）")
	for _, word := range []string{"resolved", "solved", "fixed", "cleared", "no longer blocking", "worked around", "已解决", "已经解决", "已处理", "已经处理", "已修复", "已恢复", "已绕过", "已排除", "已消除", "解决了"} {
		if strings.HasSuffix(end, word) {
			return true
		}
	}
	return false
}

// isWaiting reports whether a text says that the work waits for somebody.
func isWaiting(s string) bool {
	s = strings.ToLower(strings.TrimSpace(s))
	for _, word := range []string{"waiting for ", "waiting on ", "awaiting ", "blocked by ", "blocked on ", "等待", "正在等待", "在等", "需要你", "需要用户", "需要人工"} {
		if strings.HasPrefix(s, word) {
			return true
		}
	}
	return false
}

// takesBack reports whether a remark contradicts "none".
func takesBack(s string) bool {
	s = strings.ToLower(s)
	for _, word := range strings.FieldsFunc(s, func(r rune) bool { return r != '\'' && r != '’' && (r < 'a' || r > 'z') }) {
		switch strings.ReplaceAll(word, "’", "'") {
		case "but", "except", "however", "although", "though", "besides", "apart", "only", "still", "yet", "todo", "need", "needs", "needed", "remain", "remains", "should", "must", "unless", "until", "if",
			"not", "cannot", "can't", "didn't", "don't", "doesn't", "isn't", "wasn't", "haven't", "hasn't", "pending", "missing", "failing", "fails", "failed", "unverified", "untested", "waiting", "later":
			return true
		}
	}
	for _, part := range []string{"但", "不过", "然而", "除", "还", "仍", "尚", "未", "待", "需", "只是", "只有", "没有验证", "没有测试", "没验证", "没跑", "没测", "失败", "缺", "等", "如果", "若", "之外", "以外"} {
		if strings.Contains(s, part) {
			return true
		}
	}
	return false
}

// phraseNone reads "None within this task" and "没有剩余的工作": a word for "none",
// followed only by where or of what there is none.
func phraseNone(s string) bool {
	words := strings.Fields(strings.ToLower(s))
	if len(words) > 1 && words[0] == "none" {
		switch words[1] {
		case "within", "in", "for", "at", "from", "so", "as", "left", "to", "known", "remaining", "currently", "right", "that", "beyond", "outside":
			return !takesBack(strings.Join(words[1:], " "))
		}
	}
	rest := strings.TrimRight(strings.TrimSpace(s), " 。.!！")
	for _, lead := range []string{"目前", "暂时", "当前", "本轮", "现在"} {
		rest = strings.TrimPrefix(rest, lead)
	}
	denied := false
	for _, no := range []string{"没有", "并无", "暂无", "无"} {
		if after, ok := strings.CutPrefix(rest, no); ok && !denied {
			rest, denied = after, true
		}
	}
	for cut := denied; cut; {
		cut = false
		for _, word := range []string{"任何", "其他", "其它", "明显", "剩余", "遗留", "未完成", "未完", "待办", "待完成", "阻塞", "阻碍", "遇到", "发现", "存在", "需要处理", "问题", "工作", "事项", "内容", "任务", "项目", "项", "的", "了", "点"} {
			if after, ok := strings.CutPrefix(rest, word); ok {
				rest, cut = after, true
			}
		}
	}
	return denied && rest == ""
}

func wordNone(s string) bool {
	switch Fold(s) {
	case "", "无", "没有", "暂无", "无阻塞", "没有阻塞", "无阻塞问题", "没有阻塞问题", "none", "na", "nothing", "null", "nil", "no", "noblockers", "noneremaining", "没有了", "全部完成", "nothingremaining",
		"无明显阻塞", "目前无", "目前没有", "没有任何阻塞", "无剩余", "无剩余项", "无未完成项", "没有未完成项", "全部已完成", "noblocker", "noneatthemoment", "nonecurrently", "currentlynone",
		"noneidentified", "nothingleft", "noneleft", "noremainingitems", "alldone", "allcompleted", "allitemscompleted",
		"空", "零", "不适用", "无遗留", "无遗留项", "没有遗留", "没有剩余", "没有剩余项", "无其他", "均已完成", "都已完成", "全都完成", "全部完成了", "已全部完成", "无阻塞项", "无阻碍", "没有问题", "无问题", "没有阻塞项", "目前没有阻塞", "目前无阻塞", "无未完成", "暂时没有", "暂时无",
		"nothingremains", "nothingblocking", "nothingblocks", "nothingatall", "nothingtodo", "noitems", "noitemsremaining", "noneatall", "nonesofar", "nonefound", "noneknown", "noopenitems", "noblockingissues", "noremainingwork", "notapplicable",
		"allitemsdone", "alltasksdone", "allcriteriamet", "empty", "0", "0items", "noissues":
		return true
	}
	return false
}
