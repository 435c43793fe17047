package keyword

import "strings"

// readJapanese is the first rule for a Japanese sentence.
func (p *place) readJapanese() form {
	p.look()
	p.rest = strings.TrimLeft(p.after, " \u3000")
	for rest, ok := japanese.suffixes.cut(p.rest); ok; rest, ok = japanese.suffixes.cut(p.rest) {
		p.rest = strings.TrimLeft(rest, " \u3000")
	}
	tail := strings.TrimRight(p.tail, " \u3000。.!！？?\n、~ー")
	polite := japanese.polite.end(tail)
	if japanese.negations.in(p.after) || japanese.reports.in(p.before) || japanese.asks.in(p.after) || japanese.features.begin(p.rest) || p.sent.question && !polite {
		return nothing
	}
	tail, _ = japanese.softeners.cutEnd(tail)
	p.request = polite || japanese.requests.end(strings.TrimRight(tail, " "))
	return when(p.mode == cancel, ending)
}

// endsJapanese finds an order to end the mode: ラルフを止めて.
func (p *place) endsJapanese() form {
	object, _ := japanese.objects.cut(p.rest)
	rest, ok := japanese.enders.cut(strings.TrimLeft(object, " 今すぐ"))
	return when(ok && !strings.HasPrefix(p.rest, "はい") && japaneseOrder(rest), ending)
}

// mannerJapanese finds ラルフで直して.
func (p *place) mannerJapanese() form {
	rest, ok := japanese.by.cut(p.rest)
	if ok && p.request && !japanese.notBy.begin(rest) {
		return "manner"
	}
	return when(ok, nothing)
}

// startJapanese finds an order to start the mode: ラルフを実行して.
func (p *place) startJapanese() form {
	object, marked := strings.CutPrefix(p.rest, "を")
	rest, ok := japanese.starters.cut(strings.TrimLeft(object, " "))
	if !ok || !marked && rest != "" && !japaneseOrder(rest) {
		return undecided
	}
	only := strings.Trim(rest, " 。！!\n")
	goesOn := japaneseOrder(rest) && strings.Contains(rest, "を") && !japanese.past.end(strings.TrimRight(p.tail, " 。.！!\n"))
	if (p.request || only == "" || goesOn || only == "せよ" && japaneseOrder(rest)) && !japanese.states.begin(rest) {
		return "start"
	}
	return nothing
}

// headJapanese finds a mention at the head of an order: ラルフ：テストを直して.
func (p *place) headJapanese() form {
	if p.quoted || strings.Trim(p.before, " \u3000、,よしでは") != "" {
		return undecided
	}
	rest, ok := japanese.headBreaks.cut(p.after)
	return when(ok && strings.TrimSpace(rest) != "" && (p.request || p.plainOrder()), "head")
}

// plainOrder reports whether a colon follows the mode, and an order in the form of the
// dictionary: ultraqa：テストを書く.
func (p *place) plainOrder() bool {
	tail := strings.TrimRight(p.tail, " 。.\n")
	return !p.strict && japanese.colons.begin(p.rest) && strings.Contains(p.after, "を") && japanese.plain.end(tail) && !japanese.notPlain.end(tail)
}

// japaneseOrder reports whether the rest of a verb makes it an order: 停止して, 停止.
func japaneseOrder(rest string) bool {
	rest = strings.TrimLeft(rest, " ")
	return rest == "" || japanese.orders.begin(rest) && !japanese.noOrders.begin(rest)
}
