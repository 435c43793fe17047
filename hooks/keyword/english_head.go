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
	if p.quoted || sent.skipFillers(clause) != p.from && sent.skipPolite(clause) != p.from || clause != 0 && sent.head != p.from && (p.use != short || sent.word(clause-1) != ",") {
		return false
	}
	if separated, answer := p.headsSeparated(); separated {
		return answer
	}
	i := sent.skipFlags(p.to)
	if sent.complains(i) {
		return false
	}
	urged := i
	i = sent.skip(i, english.urges)
	switch next := sent.word(i + 1); {
	case i > urged && sent.is(i, english.work) && (next == "" || next == "\n"):
		return true // ralph please fix
	case sent.word(i) == "don't" && sent.is(i+1, english.stops):
		return true // ralph don't stop until it works
	}
	return p.wish(i) || p.task(i) || p.headsObject(i)
}

// headsSeparated judges a mode that is followed by a mark, or needs one.
func (p *place) headsSeparated() (separated, answer bool) {
	sent := p.sent
	switch {
	case sent.is(p.to, english.colons):
		return true, p.headsColon() || p.wish(p.to+1)
	case sent.word(p.to) == "]" && p.use != short:
		return true, false // the subject of a title: "[ralph] add a limit"
	case sent.is(p.to, english.urges) && sent.is(p.to+1, english.headBreaks):
		return true, sent.works(sent.skipPolite(p.to + 2)) // ralph mode please, fix it
	case sent.is(p.to, english.headBreaks):
		return true, !sent.logged() && (sent.works(sent.skipPolite(p.to+1)) || p.wish(p.to+1))
	}
	return p.use == head, false
}

// skipFlags skips the options of a command: "ralph --no-prd fix it".
func (sent *sentence) skipFlags(i int) int {
	for strings.HasPrefix(sent.word(i), "--") {
		i++
		if isNumber(sent.word(i)) {
			i++
		}
	}
	return i
}

// headsObject judges a mode that is directly followed by a verb or an object.
func (p *place) headsObject(i int) bool {
	sent := p.sent
	switch {
	case sent.is(i, english.the) && sent.is(i+1, english.wholes):
		return !sent.finite(i)
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
	return sent.works(i) || p.worksAbroad(i, p.use == short || p.coined)
}

// wish reports whether a polite order begins at i: "can you …", "I need a …".
func (p *place) wish(i int) bool {
	sent := p.sent
	if j := sent.skipPolite(i); j > sent.skipFillers(i) && sent.works(j) {
		return true
	}
	i = sent.skipFillers(i)
	return sent.word(i) == "i" && sent.is(i+1, english.wants) && (sent.is(i+2, english.indefinite) || sent.is(i+2, english.owned) || sent.is(i+2, english.the) || sent.word(i+2) == "you")
}

// task reports whether the rest of the prompt names a task without a verb: "ulw code
// review", "ralph every open issue", "ralph docs/design.md".
func (p *place) task(i int) bool {
	sent := p.sent
	last := len(sent.tokens) - 1
	for n := 0; last > i && sent.is(last, english.closes) && n < 8; n++ {
		last--
	}
	if p.to != i || sent.start > p.scan.inked.start || sent.end < p.scan.inked.end || sent.finite(i) || last-i > 8 || i > last {
		return false
	}
	switch {
	case last == i && sent.tokens[i].kind == shown:
		return true
	case sent.is(i, english.allOf):
		return last > i && (isPlural(sent.word(last)) || sent.is(last, english.items))
	case sent.is(i, english.items):
		return last == i+1 && sent.file(last)
	}
	return p.use == short && sent.is(last, english.jobs) && !sent.has(i, last, english.parts)
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

// reaches reports whether a place or a time, rather than a name, begins at i.
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
	if sent.word(1) == "[" && sent.word(2) == "]" || sent.printed(i) || sent.works(i) && sent.complains(i) {
		return false // a list of tasks, the output of a command, or a complaint
	}
	if sent.word(0) == "-" || sent.word(0) == "*" {
		return sent.works(sent.skipPolite(i)) // an item of a list of modes is none
	}
	if sent.start <= p.scan.inked.start && p.later(i) {
		return true
	}
	if !p.strict && !sent.finite(p.to) && sent.start <= p.scan.inked.start && !sent.has(i, i+4, english.describes) {
		return i < len(sent.tokens) && sent.word(i) != "\n" || p.scan.isOrder(p.sentence+1)
	}
	i = sent.skipPolite(i)
	return sent.works(i) || sent.actionable(p.to+1) || p.worksAbroad(i, true)
}

// later reports whether the text after a colon begins with a report that an order follows: "ralph: the tests fail, fix
// them".
func (p *place) later(from int) bool {
	sent := p.sent
	for i := from; i < min(from+clauseTokens, len(sent.tokens)); i++ {
		if sent.is(i, english.breaks) && sent.works(sent.skipPolite(i+1)) {
			return true
		}
	}
	return false
}

// worksAbroad reports whether an order in another European language begins at i. certain says that it cannot be the verb
// of a statement.
func (p *place) worksAbroad(i int, certain bool) bool {
	sent := p.sent
	if i+1 >= len(sent.tokens) {
		return false
	}
	w := p.foreign(i)
	if european.negations.has(w) || european.finite.has(w) {
		return false
	}
	if sent.tokens[i].kind == wide {
		return russian.end(w) || certain && russianWork.end(w)
	}
	return european.orders.has(w) || certain && european.statements.has(w)
}

// appendedEnglish finds a mode that is the manner of an order in another script:
// 쿼리를 최적화하자 with ulw.
func (p *place) appendedEnglish() form {
	sent := p.sent
	first := sent.is(p.first-1, english.by) && !sent.question && !p.quoted
	return when(first && p.first > 1 && sent.tokens[p.first-2].kind == wide && sent.skip(sent.skipSuffix(p.last), english.closes) >= len(sent.tokens), "manner")
}

// shortOrder reports whether two words are an order although the first one may be a noun: "fix errors", "update
// dependencies". If nothing else shows that it is an order, the second word must be a thing to work on.
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

// isPlural reports whether a word looks like a plural.
func isPlural(w string) bool {
	return len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") && !strings.HasSuffix(w, "is")
}

// actionable reports whether there is an order near the colon after a trigger.
func (sent *sentence) actionable(i int) bool {
	if sent.finite(i) {
		return false
	}
	for j := i; j < i+8; j++ {
		w := sent.word(j)
		switch {
		case english.describes.has(w):
			return false
		case english.keeps.has(w), english.work.has(w) && !english.nouns.has(w):
			return true
		case english.subjects.has(w):
			return false
		}
	}
	return false
}

func (sent *sentence) until(i int) bool { return sent.has(i, i+clauseTokens, english.until) }

// file reports whether a word is a file name or the number of an issue.
func (sent *sentence) file(i int) bool {
	if i >= len(sent.tokens) {
		return false
	}
	t := &sent.tokens[i]
	return t.kind == shown || t.kind == word && (t.text[0] == '#' || t.text[0] == '@')
}

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
	case sent.is(i, english.titles) && sent.is(i+1, english.behindTitle):
		return false // ralph setup on macOS
	case sent.file(i + 1):
		return true
	case !english.nouns.has(w):
		return !sent.is(i+1, english.states)
	case sent.is(i+1, english.determiners), sent.shortOrder(i):
		return true
	case sent.is(i+1, english.behindNoun):
		return false
	}
	return !sent.finite(i) && len(sent.tokens)-i > 2
}
