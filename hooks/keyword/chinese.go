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
	switch {
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
	lead, ok := chinese.starters.cutEnd(trimSmall(p.clause))
	if !ok {
		return undecided
	}
	// 使用 ends with 用.
	lead = strings.TrimSpace(strings.TrimSuffix(strings.TrimSuffix(lead, "使"), "采"))
	subject := chinese.subjects.begin(lead) && !chinese.noSubject.in(lead)
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
	if chinese.failures.in(p.rest) {
		return nothing
	}
	rest, sep := chinese.headBreaks.cut(p.rest)
	rest = strings.TrimSpace(rest)
	begged, begs := chinese.begs.cut(rest)
	certain := sep || p.use == short
	if object, noun := chinese.nouns.cut(rest); noun && chinese.objects.begin(object) {
		certain = true
	}
	if p.use == short && len(rest) > 2*len("修") && !chinese.states.begin(rest) && !chinese.asks.in(rest) && !p.sent.question {
		return "head"
	}
	return when(begs && chineseWork(begged) || chineseWork(rest) && (certain || !chinese.nouns.begin(rest)) || sep && chinese.heads.begin(rest), "head")
}

// lastClause is the text after the last comma.
func lastClause(text string) string {
	i := strings.LastIndexAny(text, "，,：:、")
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

// trimSmall removes the small words between a verb and its object.
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
