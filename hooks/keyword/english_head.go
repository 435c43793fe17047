package keyword

import (
	"slices"
	"strings"
)

// headEnglish finds a mention at the head of an order: "ralph: fix the tests",
// "ultrawork fix everything".
func (p *place) headEnglish() form {
	switch {
	case p.use == order:
		return nothing
	case slices.ContainsFunc(p.starts, p.headsClause):
		return "head"
	}
	return when(p.use == head, nothing)
}

func (p *place) headsClause(clause int) bool {
	sent := p.sent
	if p.quoted || sent.skipFillers(clause) != p.from && sent.skipPolite(clause) != p.from || clause != 0 && sent.head != p.from {
		return false
	}
	switch {
	case sent.is(p.to, english.colons):
		return p.headsColon()
	case sent.is(p.to, english.headBreaks):
		return sent.works(sent.skipPolite(p.to + 1))
	case p.use == head:
		return false
	}
	i := p.to
	for strings.HasPrefix(sent.word(i), "--") {
		i++ // ralph --no-prd fix it
	}
	i = sent.skip(i, english.urges)
	switch {
	case p.verb(i):
		return true
	case sent.is(i, english.it):
		return sent.is(i+1, english.behindIt) || sent.until(i) && !sent.finite(i)
	case sent.is(i, english.everything):
		return !sent.finite(i)
	case sent.is(i, english.the):
		return sent.until(i) || p.use == short && !sent.finite(i)
	case sent.is(i, english.through):
		return !sent.finite(i) && sent.start <= p.scan.inked.start && sent.reaches(i+1)
	}
	return sent.works(i) || p.worksAbroad(i, p.use == short)
}

// verb reports whether the mode is the verb of an order: "ralph this task", "autopilot a
// todo app", "please ralph the login bug".
func (p *place) verb(i int) bool {
	sent := p.sent
	if sent.finite(i) || sent.is(i+1, english.occasions) {
		return false
	}
	switch {
	case sent.is(i, english.indefinite):
		return sent.has(i+1, i+6, english.creations) && sent.start <= p.scan.inked.start
	case sent.is(i, english.owned):
		return i+1 < len(sent.tokens) && sent.tokens[i+1].kind == word && len(sent.tokens)-i <= 6
	}
	return false
}

// reaches reports whether a place or a time begins at i, and not a name.
func (sent *sentence) reaches(i int) bool {
	if i >= len(sent.tokens) {
		return false
	}
	t := &sent.tokens[i]
	return t.kind == shown || t.kind == wide || isNumber(t.text) || english.determiners.has(t.text) || english.indefinite.has(t.text)
}

// headsColon reports whether an order follows the colon after a trigger.
func (p *place) headsColon() bool {
	sent, i := p.sent, p.to+1
	if !p.strict && !sent.finite(p.to) && sent.start <= p.scan.inked.start {
		return i < len(sent.tokens) && sent.word(i) != "\n" || p.scan.isOrder(p.sentence+1)
	}
	i = sent.skipPolite(i)
	return sent.works(i) || sent.actionable(p.to+1) || p.worksAbroad(i, true)
}

// worksAbroad reports whether an order in another European language begins at i. certain
// says that the verb of a statement is out of the question.
func (p *place) worksAbroad(i int, certain bool) bool {
	sent := p.sent
	if i+1 >= len(sent.tokens) {
		return false
	}
	if t := sent.tokens[i]; t.kind == wide {
		return russian.end(string(p.scan.text[t.start:t.end]))
	}
	return sent.is(i, european.orders) || certain && sent.is(i, european.statements)
}

// appendedEnglish finds a mode that is the manner of an order in another script:
// 쿼리를 최적화하자 with ulw.
func (p *place) appendedEnglish() form {
	sent := p.sent
	first := sent.is(p.first-1, english.by) && !sent.question && !p.quoted
	return when(first && p.first > 1 && sent.tokens[p.first-2].kind == wide && sent.skip(sent.skipSuffix(p.last), english.closes) >= len(sent.tokens), "manner")
}

// shortOrder reports whether two words are an order although the first one may be a noun:
// "fix errors", "update dependencies". Where nothing else shows it, the second one must be
// a thing to work on.
func (sent *sentence) shortOrder(i int) bool {
	if !sent.is(i, english.work) || sent.finite(i) {
		return false
	}
	object := sent.word(i + 1)
	switch {
	case !sent.is(i+2, english.behindOrder), object == "", strings.HasSuffix(object, "ed"), english.notObjects.has(object):
		return false
	case sent.is(i, english.repairs):
		return english.defective.has(object) || isPlural(object)
	}
	return !english.behindNoun.has(object) && isPlural(object)
}

// isPlural reports whether a word looks like several things.
func isPlural(w string) bool {
	return len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") && !strings.HasSuffix(w, "is")
}

// actionable reports whether an order is near the colon after a trigger.
func (sent *sentence) actionable(i int) bool {
	if sent.finite(i) {
		return false
	}
	for j := i; j < i+8; j++ {
		w := sent.word(j)
		switch {
		case english.keeps.has(w), english.work.has(w) && !english.nouns.has(w):
			return true
		case english.subjects.has(w):
			return false
		}
	}
	return false
}

func (sent *sentence) until(i int) bool { return sent.has(i, i+clauseTokens, english.until) }

// finite reports whether a verb turns the text into a statement: "ralph build is broken".
func (sent *sentence) finite(i int) bool {
	for j := i; j < i+6; j++ {
		switch {
		case sent.is(j, english.finite):
			return true
		case sent.is(j, english.newClause):
			return false
		}
	}
	return false
}

// works reports whether an order to do something begins at i.
func (sent *sentence) works(i int) bool {
	w := sent.word(i)
	switch {
	case !english.work.has(w) && !english.looks.has(w):
		return false
	case !english.nouns.has(w):
		return !sent.is(i+1, english.states)
	case sent.is(i+1, english.determiners), sent.shortOrder(i):
		return true
	case sent.is(i+1, english.behindNoun):
		return false
	}
	return !sent.finite(i) && len(sent.tokens)-i > 2
}
