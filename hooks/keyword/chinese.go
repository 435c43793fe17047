package keyword

import (
	"strings"
	"unicode/utf8"
)

// readChinese is the first rule for a Chinese sentence.
func (p *place) readChinese() form {
	p.look()
	p.clause = strings.TrimSpace(lastClause(p.before))
	p.rest, _ = chinese.suffixes.cut(strings.TrimLeft(p.after, " "))
	p.rest, _ = chinese.secondSuffixes.cut(strings.TrimLeft(p.rest, " "))
	p.rest = strings.TrimRight(p.rest, "\n ")
	asks := p.sent.question || strings.HasSuffix(strings.TrimRight(p.tail, " ？?。.!！\n"), "吗") || strings.HasSuffix(strings.TrimRight(p.tail, " ？?。\n"), "嗎")
	lead := strings.TrimSpace(strings.TrimSuffix(p.before, p.clause))
	switch {
	case strings.Contains(p.clause, "可以") && !p.sent.question && !chinese.begs.in(p.clause), lead != "" && chinese.advice.in(p.before), strings.TrimSpace(p.before) != "" && p.isProduct(p.before, p.after):
		return nothing
	case chinese.negations.in(p.clause), asks && !chinese.requests.in(p.before), chinese.reports.in(p.before):
		return nothing
	case p.mode != cancel:
		return undecided
	case politeChinese(p.clause):
		return ending
	}
	return nothing
}

// endsChinese finds an order to end the mode: 停止拉尔夫循环, 把拉尔夫停掉.
func (p *place) endsChinese() form {
	if lead, ok := chinese.enders.cutEnd(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(trimSmall(p.clause)), "掉"))); ok && politeChinese(lead) &&
		(chineseBreak(p.rest) || chinese.behindEnd.begin(p.rest)) && !strings.HasPrefix(p.rest, "了吗") {
		return ending
	}
	if lead, ok := strings.CutPrefix(p.clause, "把"); ok && strings.TrimSpace(lead) == "" && chinese.endersBehind.begin(p.rest) {
		return ending
	}
	if rest, ok := chinese.stops.cut(strings.TrimLeft(p.rest, " ")); ok && strings.TrimRight(rest, " 。.!！") == "" && strings.TrimSpace(p.before) == "" {
		return ending // ralph 停止
	}
	return when(chinese.asks.in(p.rest) && !chineseWork(p.rest) && !chinese.goesOn.begin(p.rest), nothing)
}

// mannerChinese finds 在自动驾驶模式下完成….
func (p *place) mannerChinese() form {
	lead, ok := chinese.in.cutEnd(p.clause)
	if !ok || !politeChinese(lead) {
		return undecided
	}
	if rest, ok := chinese.inside.cut(p.rest); ok && chineseWork(strings.TrimLeft(rest, "，, ")) {
		return "manner"
	}
	return nothing
}

// startChinese finds an order to start the mode: 用拉尔夫循环修复….
func (p *place) startChinese() form {
	before := trimSmall(p.clause)
	lead, ok := chinese.starters.cutEnd(before)
	if !ok {
		if lead, ok = chinese.delegates.cutEnd(before); ok && chineseBreak(p.rest) {
			return when(chinese.subjects.begin(lead) && !chinese.noSubject.in(lead), "start") // 把这个任务交给 ralph
		}
		if !ok || !politeChinese(lead) {
			return undecided
		}
		return when(chinese.delegated.begin(strings.TrimLeft(p.rest, " ")), "start")
	}
	if rest := strings.TrimLeft(p.rest, " "); strings.Contains(rest[:runes(rest, 4)], "了") || chinese.past.in(rest) {
		return nothing // 用 ralph 跑了一晚上
	}
	// 使用 ends with 用.
	lead = strings.TrimSpace(strings.TrimSuffix(strings.TrimSuffix(lead, "使"), "采"))
	subject := (chinese.subjects.begin(lead) || chinese.topics.begin(lead) && len(lead) <= 30 && !strings.HasSuffix(strings.TrimSpace(p.rest), "的")) && !chinese.noSubject.in(lead)
	if (politeChinese(lead) || chinese.asked.end(lead) || subject) && !chinese.things.in(lead) && chineseFollows(p.rest) {
		return "start"
	}
	return nothing
}

// headChinese finds a mention at the head of an order: 拉尔夫：修复….
func (p *place) headChinese() form {
	if p.quoted || !politeChinese(p.clause) || !politeChinese(strings.NewReplacer("，", "", ",", "", "：", "", ":", "").Replace(p.before)) || p.alone() {
		return undecided
	}
	rest, sep := chinese.headBreaks.cut(p.rest)
	rest = strings.TrimSpace(rest)
	if worked, ok := chinese.work.cut(rest); chinese.failures.in(p.rest) || ok && !sep && p.use != short && (chinese.results.begin(worked) || chinese.results.begin(worked[runes(worked, 1):]) || !p.coined && worked == "" && chinese.setups.begin(rest)) {
		return nothing // ralph 更新了什么, ralph 安装教程
	}
	if f := p.nounChinese(rest, sep); f != undecided {
		return f
	}
	begged, begs := chinese.begs.cut(rest)
	certain := sep || p.use == short || p.takesObject(rest)
	return when(begs && chineseWork(begged) || chineseWork(rest) && (certain || !chinese.nouns.begin(rest)) || sep && chinese.heads.begin(rest), "head")
}

// takesObject reports whether rest begins with a verb that may also be a noun, followed by its object.
func (p *place) takesObject(rest string) bool {
	object, noun := chinese.nouns.cut(rest)
	return noun && (chinese.objects.begin(object) || p.coined && len(object) >= len("代码") && !chinese.results.begin(object))
}

// nounChinese judges a mode at the head if the text after it does not begin with a verb.
func (p *place) nounChinese(rest string, sep bool) form {
	if chinese.describes.begin(rest) && (sep || !chinese.objects.in(rest)) {
		return nothing
	}
	if begun, ok := chinese.begins.cut(rest); ok && chineseBreak(begun) {
		return "head" // ralph 模式启动
	}
	if chinese.wishes.begin(rest) && (sep || p.creates) || sep && chinese.jobs.end(rest) {
		return "head" // autopilot：我想要一个博客
	}
	return when(p.use == short && len(rest) > 2*len("修") && !chinese.states.begin(rest) && !chinese.asks.in(rest) && !p.sent.question, "head")
}

// tailChinese finds a mode that is appended to an order: 修复所有 bug，ulw.
func (p *place) tailChinese() form {
	if p.quoted || p.sent.question || strings.Trim(p.rest, " .!。！)）\n") != "" {
		return undecided
	}
	order := strings.TrimRight(p.before, " ,，(（-–—")
	if politeChinese(order) && (strings.HasSuffix(order, "继续") || strings.HasSuffix(order, "繼續")) {
		return "tail"
	}
	marked := strings.ContainsAny(p.before[len(order):], ",，(（-–—")
	for ok := true; ok; {
		order, ok = chinese.polite.cut(strings.TrimLeft(order, " "))
	}
	object, ok := chinese.work.cut(order)
	return when(ok && (marked || p.use == short || p.coined) && len(strings.TrimSpace(object)) >= 3 && strings.TrimSpace(object) != "一下" && !strings.HasSuffix(object, "的"), "tail")
}

// runes is the length in bytes of the first n characters.
func runes(text string, n int) int {
	i := 0
	for ; n > 0 && i < len(text); n-- {
		_, size := utf8.DecodeRuneInString(text[i:])
		i += size
	}
	return i
}

// lastClause is the text after the last comma.
func lastClause(text string) string {
	i := strings.LastIndexAny(text, "，,：:、（(")
	if i < 0 {
		return text
	}
	_, size := utf8.DecodeRuneInString(text[i:])
	return text[i+size:]
}

// politeChinese reports whether a clause holds only polite words that introduce a
// request.
func politeChinese(text string) bool {
	for ok := true; ok; {
		text, ok = chinese.polite.cut(strings.Trim(text, " \t\"'“”\u3000-*1234567890."))
	}
	return text == ""
}

// trimSmall removes filler words between a verb and its object.
func trimSmall(text string) string {
	for ok := true; ok; {
		text, ok = chinese.small.cutEnd(strings.TrimSpace(text))
	}
	return text
}

func chineseBreak(text string) bool {
	text = strings.TrimLeft(text, " ")
	return text == "" || chinese.breaks.begin(text)
}

// chineseFollows reports whether, given the text after it, a mention can still be the
// name of a mode: 时, 的, 会 make it part of a statement.
func chineseFollows(text string) bool {
	return chineseBreak(text) || chineseWork(text) || chinese.follows.begin(strings.TrimLeft(text, " "))
}

// chineseWork reports whether the text begins with a verb of work.
func chineseWork(text string) bool { return chinese.work.begin(strings.TrimLeft(text, " ")) }
