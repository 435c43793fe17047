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
	if japanese.negations.in(p.after) || japanese.reports.in(p.before) || japanese.advice.in(p.before) && !strings.Contains(p.before, "この") || japanese.asks.in(p.after) || japanese.features.begin(p.rest) || p.sent.question && !polite || strings.TrimSpace(p.before) != "" && p.isProduct(p.before, p.after) {
		return nothing
	}
	tail, _ = japanese.softeners.cutEnd(tail)
	p.request = polite || japanese.requests.end(strings.TrimRight(tail, " "))
	return when(p.mode == cancel, p.cancelWide())
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
	if done, ok := japanese.light.cut(p.rest); ok && japaneseEnd(done) {
		return "start" // ralphして
	}
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
	if !ok || strings.TrimSpace(rest) == "" || japanese.particles.begin(p.rest) && !japanese.noParticles.begin(p.rest) {
		return undecided
	}
	tail := strings.TrimRight(p.tail, " 。.！!\n")
	whole := strings.Contains(rest, "を") && japanese.plain.end(tail) && !japanese.notPlain.end(tail) && !japanese.describes.in(rest)
	if whole && (japanese.determiners.begin(strings.TrimLeft(rest, " ")) || p.creates && japanese.creations.end(tail)) {
		return "head" // ralph: すべてのテストを通す
	}
	return when(p.request && !japanese.describes.in(rest) || p.plainOrder() || p.use == short && japanese.goesOn.end(strings.TrimRight(p.tail, " 。.！!\n")), "head")
}

// tailJapanese finds a mode that is appended to an order: エラーを全部直して ulw.
func (p *place) tailJapanese() form {
	if p.quoted || p.sent.question || strings.Trim(p.rest, " .!。！)）\n") != "" && !japaneseEnd(strings.TrimPrefix(p.rest, "で")) {
		return undecided
	}
	before, _ := japanese.softeners.cutEnd(strings.TrimRight(p.before, " \u3000,、，。(（-–—"))
	return when(japanese.verbs.end(before) || (p.use == short || p.coined) && strings.Contains(before, "を") && japanese.requests.end(before), "tail")
}

// japaneseEnd reports whether nothing follows but a polite word.
func japaneseEnd(text string) bool {
	text, _ = japanese.softeners.cut(text)
	return strings.Trim(text, " 。.！!\n)）") == ""
}

// plainOrder reports whether a colon and an order with a verb in dictionary form follow the mode: ultraqa：テストを書く.
func (p *place) plainOrder() bool {
	tail := strings.TrimRight(p.tail, " 。.\n")
	colon := !p.strict && japanese.colons.begin(p.rest)
	// ulw 認証を追加する
	alone := (p.use == short || p.coined) && strings.HasPrefix(p.after, " ") && p.sent.start <= p.scan.inked.start
	return (colon || alone) && strings.Contains(p.after, "を") && japanese.plain.end(tail) && !japanese.notPlain.end(tail)
}

// japaneseOrder reports whether the rest of a verb makes it an order: 停止して, 停止.
func japaneseOrder(rest string) bool {
	rest = strings.TrimLeft(rest, " ")
	return rest == "" || japanese.orders.begin(rest) && !japanese.noOrders.begin(rest)
}
