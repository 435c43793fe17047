package keyword

import "strings"

// readKorean is the first rule for a Korean sentence.
func (p *place) readKorean() form {
	p.look()
	p.rest = p.after
	for rest, ok := korean.suffixes.cut(strings.TrimLeft(p.rest, " ")); ok; rest, ok = korean.suffixes.cut(strings.TrimLeft(p.rest, " ")) {
		p.rest = rest
	}
	// A path after the order is hidden and means nothing.
	tail := strings.TrimRight(p.tail, " .!?？。~ㅋㅎ\n\x00")
	polite := korean.polite.end(tail)
	sentence := p.before + " " + p.after
	if korean.negations.in(p.after) || korean.reports.in(sentence) || !polite && (p.sent.question || korean.questions.in(sentence)) {
		return nothing
	}
	p.request = polite || korean.requests.end(tail)
	p.object, p.marked = korean.objects.cut(p.rest)
	p.object = strings.TrimLeft(p.object, " ")
	for ok := true; ok; {
		p.object, ok = korean.soon.cut(p.object)
	}
	return when(p.mode == cancel, ending)
}

// endsKorean finds an order to end the mode: 랄프 중지해.
func (p *place) endsKorean() form {
	rest, ok := korean.enders.cut(p.object)
	if ok && !korean.notEnd.begin(rest) {
		return ending
	}
	return when(ok, nothing)
}

// mannerKorean finds 랄프로 고쳐줘.
func (p *place) mannerKorean() form {
	rest, ok := korean.by.cut(p.rest)
	if ok && p.request && !korean.notBy.begin(strings.TrimLeft(rest, " ")) {
		return "manner"
	}
	return when(ok, nothing)
}

// startKorean finds an order to start the mode: 랄프 실행해줘.
func (p *place) startKorean() form {
	rest, ok := korean.starters.cut(p.object)
	if !ok || !p.marked && !strings.HasPrefix(p.rest, " ") && p.rest != p.object {
		return undecided
	}
	rest = strings.TrimLeft(rest, "을를 ")
	if !korean.states.begin(rest) && (p.request || strings.Trim(rest, " .!\n") == "") {
		return "start"
	}
	return nothing
}

// headKorean finds a mention at the head of an order: 랄프: 테스트를 고쳐줘.
func (p *place) headKorean() form {
	if p.quoted || !p.request || strings.Trim(p.before, " ,") != "" {
		return undecided
	}
	rest, ok := korean.headBreaks.cut(strings.TrimLeft(p.rest, " "))
	return when(ok && strings.TrimSpace(rest) != "", "head")
}
