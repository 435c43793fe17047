package keyword

import "strings"

// readKorean is the first rule for a Korean sentence.
func (p *place) readKorean() form {
	p.look()
	p.rest = p.after
	for rest, ok := korean.suffixes.cut(strings.TrimLeft(p.rest, " ")); ok; rest, ok = korean.suffixes.cut(strings.TrimLeft(p.rest, " ")) {
		p.rest = rest
	}
	// Ignore a path after the order; it is hidden.
	tail := strings.TrimRight(p.tail, " .!?？。~ㅋㅎ\n\x00")
	polite := korean.polite.end(tail)
	sentence := p.before + " " + p.after
	if korean.negations.in(p.after) || korean.reports.in(sentence) || !polite && (p.sent.question || korean.questions.in(sentence)) || strings.TrimSpace(p.before) != "" && p.isProduct(p.before, p.after) {
		return nothing
	}
	p.begs = polite || korean.begs.end(tail)
	p.request = p.begs || korean.requests.end(tail)
	if !p.begs && korean.advice.in(p.before) {
		return nothing
	}
	p.object, p.marked = korean.objects.cut(p.rest)
	p.object = strings.TrimLeft(p.object, " ")
	for ok := true; ok; {
		p.object, ok = korean.soon.cut(p.object)
	}
	return when(p.mode == cancel, p.cancelWide())
}

// endsKorean finds an order to end the mode: 랄프 중지해.
func (p *place) endsKorean() form {
	topic, _ := korean.topics.cut(p.rest)
	if korean.excludes.begin(strings.TrimLeft(topic, " ")) {
		return nothing // 랄프 대신 직접 고쳐줘
	}
	rest, ok := korean.enders.cut(p.object)
	if !ok {
		rest, ok = korean.enders.cut(strings.TrimLeft(topic, " "))
	}
	rest = strings.TrimLeft(rest, " 를을")
	if ok && !korean.notEnd.begin(rest) && (rest == "" && !strings.Contains(p.before, ":") || korean.endings.begin(rest)) {
		return ending
	}
	return when(ok, nothing)
}

// mannerKorean finds 랄프로 고쳐줘.
func (p *place) mannerKorean() form {
	rest, ok := korean.by.cut(p.rest)
	if before := strings.Trim(p.before, " ,(-"); ok && !p.quoted && strings.Trim(rest, " .!~。)\n") == "" && (korean.begs.end(before) || p.sent.start <= p.scan.inked.start && len(before) <= 12) {
		return "manner" // 랄프 모드로!
	}
	if ok && (p.request || korean.works.end(strings.TrimRight(p.tail, " .!。~\n\x00"))) && !korean.notBy.begin(strings.TrimLeft(rest, " ")) {
		return "manner"
	}
	return when(ok, nothing)
}

// startKorean finds an order to start the mode: 랄프 실행해줘.
func (p *place) startKorean() form {
	if rest, ok := korean.light.cut(strings.TrimLeft(p.object, " ")); ok && (rest == "" || korean.behindLight.begin(rest)) {
		return "start" // 랄프 해줘
	}
	rest, ok := korean.starters.cut(p.object)
	if !ok || !p.marked && !strings.HasPrefix(p.rest, " ") && p.rest != p.object {
		return undecided
	}
	if strings.HasPrefix(rest, "자 ") {
		return undecided // 사용자, "user"
	}
	rest = strings.TrimLeft(rest, "을를 ")
	if !korean.states.begin(rest) && (p.request || korean.light.begin(rest) || strings.Trim(rest, " .!\n") == "") {
		return "start"
	}
	return nothing
}

// headKorean finds a mention at the head of an order: 랄프: 테스트를 고쳐줘.
func (p *place) headKorean() form {
	if p.quoted || strings.Trim(p.before, " ,") != "" {
		return undecided
	}
	rest, ok := korean.headBreaks.cut(strings.TrimLeft(p.rest, " "))
	if ok {
		return when(strings.TrimSpace(rest) != "" && (p.begs || (p.request || p.titled() || korean.works.end(strings.TrimRight(p.tail, " .\n"))) && !korean.describes.in(rest) && !korean.features.begin(strings.TrimLeft(rest, " "))), "head")
	}
	return p.spacedKorean()
}

// spacedKorean finds a mention with only a space between it and its order.
func (p *place) spacedKorean() form {
	rest, ok := strings.CutPrefix(p.rest, " ")
	switch {
	case !ok, strings.TrimSpace(rest) == "", korean.features.begin(rest):
		return undecided
	case p.use != short && korean.fixes.begin(rest) && !strings.Contains(strings.TrimSpace(rest), " "):
		return undecided // 랄프 고쳐줘
	case p.use != short && !(p.coined && p.begs) && korean.defects.begin(rest):
		return undecided
	}
	tail := strings.TrimRight(p.tail, " .!~\n\x00")
	works := (p.request || korean.works.end(tail)) && p.rest == p.after
	return when(p.begs || works && (p.use == short || p.coined || korean.determiners.begin(rest)) || p.creates && korean.creations.end(tail), "head")
}

// tailKorean finds a mode that is appended to an order: 버그 수정해줘 ulw.
func (p *place) tailKorean() form {
	if p.quoted || p.sent.question || strings.Trim(p.rest, " .!~)）\n") != "" {
		return undecided
	}
	before := strings.TrimRight(p.before, " ,(（-–—")
	object := strings.Contains(strings.TrimSpace(before), " ")
	return when(korean.begs.end(before) || strings.HasSuffix(before, "때까지") || p.use == short && object && (korean.requests.end(before) || korean.works.end(before)), "tail")
}

// titled reports whether the prompt begins with the mode, a colon and an order without a verb: ulw: 메모리 누수 디버그.
func (p *place) titled() bool {
	tail := strings.TrimRight(p.tail, " .\n")
	return !p.strict && korean.colons.begin(strings.TrimLeft(p.rest, " ")) && p.sent.start <= p.scan.inked.start && !korean.statements.end(tail) && !p.sent.question
}
