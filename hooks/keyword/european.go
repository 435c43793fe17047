package keyword

import "strings"

// abroad finds an order in another European language, if no rule for English gave an answer.
func (p *place) abroad() form {
	sent := p.sent
	if p.quoted || p.use == order || p.use == head || sent.question {
		return undecided
	}
	first, last := p.edges()
	if p.negatedAbroad() {
		return undecided
	}
	if first >= p.from {
		return p.headAbroad(last)
	}
	verb := p.foreign(first)
	at := first + 1
	for at < min(p.from, first+8) && european.small.has(p.foreign(at)) {
		at++
	}
	switch {
	case at >= p.from && european.enders.has(verb) && last < p.to:
		return ending
	case verb == "active" && at == first+1 || english.starters.has(verb) && !european.links.has(p.foreign(p.to)):
		return undecided
	case at >= p.from && european.starters.has(verb) && p.linked(last):
		return "start"
	case last < p.to && p.ordersAbroad(first) && (p.mannerAbroad() || p.use == short && p.from-first >= 2):
		return "manner"
	}
	return undecided
}

// edges returns the first and the last word of a sentence, without polite words and
// marks.
func (p *place) edges() (first, last int) {
	sent := p.sent
	first, last = sent.head, len(sent.tokens)-1
	for n := 0; european.polite.has(p.foreign(first)) && n < 4; n++ {
		first++
	}
	for n := 0; last >= p.to && english.closes.has(sent.word(last)) && sent.tokens[last].kind == mark && n < 8; n++ {
		last--
	}
	return first, last
}

// negatedAbroad reports whether there is a negation near the mode.
func (p *place) negatedAbroad() bool {
	for i := max(0, p.from-clauseTokens); i < min(len(p.sent.tokens), p.to+clauseTokens); i++ {
		if european.negations.has(p.foreign(i)) {
			return true
		}
	}
	return false
}

// headAbroad judges a mode at the head of a sentence; last is its last word.
func (p *place) headAbroad(last int) form {
	final, before := p.foreign(last), p.foreign(last-1)
	switch {
	case last < p.to || p.sent.finite(p.to) || european.finite.has(p.foreign(p.to)):
		return undecided
	case european.lastEnders.has(final) && p.near(last):
		return ending
	case european.lastStarters.has(final) && p.near(last):
		return "start"
	case european.lastBy.has(p.foreign(p.to)) && european.finals.has(final):
		return "manner"
	}
	colon := p.sent.is(p.to, english.colons)
	if european.finals.has(final) && before != "zu" && last > p.to && (colon || p.use == short || p.coined || final != "et") {
		return "head"
	}
	return undecided
}

// near reports whether there is only the ending of the mode's name, or a word for "mode", between it and the last word.
func (p *place) near(last int) bool { return last-p.to <= 3 && !p.sent.is(p.to, english.colons) }

// linked reports whether the text after a mode is nothing, or its task.
func (p *place) linked(last int) bool {
	sent, i := p.sent, p.to
	for european.modes.has(p.foreign(i)) {
		i++
	}
	if i > last || sent.tokens[i].kind == mark || sent.works(i) {
		return true
	}
	if !european.links.has(p.foreign(i)) {
		return p.ordersAbroad(i)
	}
	next := p.foreign(i + 1)
	return i+1 < len(sent.tokens) && (european.behindLink.has(next) || p.ordersAbroad(i+1) || sent.tokens[i+1].kind == shown || infinitive.end(next) || strings.HasPrefix(p.foreign(last), "zu") || p.foreign(last-1) == "zu" || sent.works(i+1))
}

// infinitive are endings of infinitives.
var infinitive = parts{"ar", "er", "ir", "re", "ть", "ти"}

// mannerAbroad reports whether the words before a mode introduce a manner: "con ralph",
// "en modo ralph", "в режиме ralph".
func (p *place) mannerAbroad() bool {
	by, before := p.foreign(p.from-1), p.foreign(p.from-2)
	switch {
	case european.modes.has(by):
		return european.in.has(before) && !european.defects.has(p.foreign(p.from-3))
	case european.in.has(by):
		return european.modes.has(p.foreign(p.to)) && !european.defects.has(before)
	}
	return european.by.has(by)
}

// ordersAbroad reports whether a word begins an order.
func (p *place) ordersAbroad(i int) bool {
	w := p.foreign(i)
	if european.orders.has(w) || european.statements.has(w) || european.starters.has(w) {
		return true
	}
	return i < len(p.sent.tokens) && p.sent.tokens[i].kind == wide && russian.end(w)
}

// foreign returns a word in lower case, whatever its script.
func (p *place) foreign(i int) string {
	if i < 0 || i >= len(p.sent.tokens) {
		return ""
	}
	t := &p.sent.tokens[i]
	switch {
	case t.kind == wide && t.end-t.start <= 60:
		return strings.ToLower(string(p.scan.text[t.start:t.end]))
	case t.kind == word && accented([]byte(t.text)) > 0:
		return strings.ToLower(t.text)
	}
	return t.text
}
