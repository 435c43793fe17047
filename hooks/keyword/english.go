package keyword

import (
	"slices"
	"strings"
)

// clauseTokens is how many tokens around a mention a rule for English checks.
const clauseTokens = 40

// readEnglish is the first rule for a sentence in Latin script.
func (p *place) readEnglish() form {
	p.group()
	switch {
	case p.sent.negated(p.from), p.sent.asks() && !(p.sent.head == p.from && !p.quoted && p.politely()):
		return nothing
	case p.mode == cancel:
		return p.cancelWord()
	case p.sent.head != p.from && p.isProduct(p.scan.before(p.start, 60, p.sent.start), p.scan.after(p.end, min(60, p.sent.end-p.end))):
		return nothing
	case p.sent.head == p.from && p.sent.is(p.to, english.quits) && p.sent.skip(p.to+1, english.closes) >= len(p.sent.tokens) && !p.quoted:
		return ending // ralph off
	case p.sent.head == p.from && p.sent.is(p.to, english.goesOn) && p.sent.skip(p.to+1, english.closes) >= len(p.sent.tokens) && !p.quoted && p.sent.end >= p.scan.inked.end && p.sent.start <= p.scan.inked.start:
		return "head" // ralph resume
	}
	p.starts = p.sent.clauses(p.from)
	return undecided
}

// politely reports whether a polite order follows a mode: "ralph, can you fix it?"
func (p *place) politely() bool {
	i := p.to
	if p.sent.is(i, english.colons) || p.sent.is(i, english.headBreaks) {
		i++
	}
	j := p.sent.skipPolite(i)
	return j > p.sent.skipFillers(i) && p.sent.works(j)
}

// group extends a mention to adjacent mentions, as in "ralph and ultrawork mode": what is
// said about one applies to all.
func (p *place) group() {
	all, sent := p.scan.mentions, p.sent
	p.from, p.to = p.first, sent.skipSuffix(p.last)
	for i := p.at - 1; i >= max(0, p.at-4) && p.use != order && all[i].use != order && all[i].mode != cancel && all[i].sentence == p.sentence && sent.joins(sent.skipSuffix(all[i].last), p.from); i-- {
		p.from = all[i].first
	}
	for i := p.at + 1; i < min(len(all), p.at+5) && p.use != order && all[i].use != order && all[i].mode != cancel && all[i].sentence == p.sentence && sent.joins(p.to, all[i].first); i++ {
		p.to = sent.skipSuffix(all[i].last)
	}
}

// joins reports whether the tokens join two mentions.
func (sent *sentence) joins(from, to int) bool {
	return to == from || to-from == 1 && sent.is(from, english.joins)
}

// skipSuffix skips "mode" or "loop" after a mention.
func (sent *sentence) skipSuffix(i int) int {
	if sent.is(i, english.suffixes) {
		return i + 1
	}
	return i
}

// negated reports whether the clause before a mention contains a negation.
func (sent *sentence) negated(at int) bool {
	for i := at - 1; i >= max(0, at-clauseTokens); i-- {
		switch t := &sent.tokens[i]; {
		case t.kind != mark && english.negations.has(t.text):
			return true
		case t.kind == mark && english.clauseEnds.has(t.text):
			// This also catches "Fix it, but not with ralph".
			return false
		}
	}
	return false
}

// asks reports whether the sentence is a question (and not a polite order) or an order to
// explain.
func (sent *sentence) asks() bool {
	first, next := sent.word(sent.head), sent.word(sent.head+1)
	switch {
	case english.questions.has(first), english.auxiliaries.has(first) && english.persons.has(next):
		return true
	case english.modals.has(first):
		// "Can you …" is an order; "can ralph …" asks.
		return next != "you" && (next != "we" || !sent.question)
	}
	return sent.question && first != "please" && first != "let's"
}

// skipFillers skips words that introduce a request.
func (sent *sentence) skipFillers(i int) int {
	for ; i < len(sent.tokens); i++ {
		t := &sent.tokens[i]
		if t.kind == mark && !english.opens.has(t.text) || english.fillers.has(t.text) || sent.word(i+1) == "." && isNumber(t.text) {
			continue
		}
		break
	}
	return i
}

// skipPolite skips fillers and the words that turn an order into a polite request.
func (sent *sentence) skipPolite(i int) int {
	i = sent.skipFillers(i)
	for _, phrase := range english.polite {
		if j := sent.match(phrase, i); j > 0 {
			return sent.skipFillers(j)
		}
	}
	return i
}

// clauses returns the positions before a mention at which an order may begin: the start of the sentence, after a comma
// or dash, and after "and" in a sentence that already gives orders. An order cannot begin a subordinate clause.
func (sent *sentence) clauses(upto int) []int {
	starts := []int{}
	from := max(0, upto-clauseTokens)
	if from == 0 {
		starts = append(starts, 0)
	}
	imperative := isVerb(sent.word(sent.order))
	for i := from; i < upto; i++ {
		switch t := &sent.tokens[i]; {
		case t.kind == mark && sent.advises():
			// "For long tasks, use ralph." tells people when to use it.
		case t.kind == mark:
			// "Task: use ralph" counts; after "Translate: …" comes somebody's text.
			if english.breaks.has(t.text) || t.text == "(" && imperative || t.text == ":" && i <= 3 && !imperative && !sent.is(i-1, english.fields) {
				starts = append(starts, i+1)
			}
		case i <= sent.order:
		case english.subordinators.has(t.text):
			return starts
		case imperative && english.conjunctions.has(t.text):
			starts = append(starts, i+1)
		}
	}
	return starts
}

// advises reports whether a sentence begins with a purpose or a kind of task, as advice in a document does: "For long
// tasks, use ralph."
func (sent *sentence) advises() bool {
	next := sent.head + 1
	switch sent.word(sent.head) {
	case "to":
		return !sent.is(next, english.articles)
	case "for":
		return next < len(sent.tokens) && sent.tokens[next].kind == word && !sent.is(next, english.determiners)
	}
	return false
}

// isVerb reports whether a word can begin an order.
func isVerb(w string) bool {
	return english.work.has(w) || english.starters.has(w) || english.looks.has(w)
}

// endsEnglish finds an order to end the modes: "stop the ralph loop".
func (p *place) endsEnglish() form { return when(slices.ContainsFunc(p.starts, p.endsClause), ending) }

func (p *place) endsClause(clause int) bool {
	sent := p.sent
	i := sent.skipPolite(clause)
	switch {
	case sent.is(i, english.enders):
		i++
	case !sent.is(i, english.turns):
		return false
	case sent.is(i+1, english.off):
		i += 2
	default:
		// "turn ralph off"
		return i+1 <= p.from && sent.onlySmall(i+1, p.from) && sent.is(p.to, english.off)
	}
	return i <= p.from && sent.onlySmall(i, p.from) && (sent.is(p.to, english.behindEnd) || sent.word(p.to) == "for" && sent.word(p.to+1) == "now")
}

// onlySmall reports whether there are only filler words between two tokens.
func (sent *sentence) onlySmall(from, to int) bool {
	if to-from > 6 {
		return false
	}
	return from >= to || sent.skip(from, english.small) >= to
}

// cancelsAll reports an order to end every mode: "stop all modes", 取消所有模式.
func (s *scan) cancelsAll(n int) bool {
	return !s.sentences[n].question && s.endsAll(n) && !s.introduced(n)
}

func (s *scan) endsAll(n int) bool {
	sent := &s.sentences[n]
	text := s.after(sent.start, min(windowBytes, sent.end-sent.start))
	for _, words := range chinese.endAll {
		if at := strings.Index(text, words); at >= 0 && politeChinese(text[:at-len(lastClause(text[:at]))]) {
			return true
		}
	}
	i := sent.order
	if !sent.is(i, english.allEnders) || !sent.is(i+1, english.all) {
		return false
	}
	i = sent.skip(i+2, english.active)
	return sent.is(i, english.modes) && sent.is(i+1, english.behindAll)
}

// cancelWord judges cancelomc. It counts as an order if it is alone in its clause or follows an order to end something.
func (p *place) cancelWord() form {
	sent := p.sent
	behind := sent.word(p.last)
	switch {
	case p.quoted, english.beforeCancel.has(sent.word(p.first - 1)), english.behindCancel.has(behind), behind == "and" && sent.is(p.last+1, english.results):
		return nothing
	case slices.ContainsFunc(sent.clauses(p.first), p.cancelsClause):
		return ending
	}
	return nothing
}

func (p *place) cancelsClause(clause int) bool {
	sent := p.sent
	if sent.word(clause-1) == ":" && sent.head < clause {
		return false // error: cancelomc
	}
	i := sent.skipPolite(clause)
	for i < p.first && (sent.word(i) != "" && sent.word(i)[0] == '@' || sent.is(i, english.called)) {
		i++ // @claude cancelomc, ralph cancelomc
	}
	return i == p.first || sent.skipFillers(clause) == p.first || sent.is(i, english.enders) && !sent.has(i, p.first, english.beforeCancel) || sent.is(i, english.issues) && i+1 == p.first
}

// orderEnglish judges a trigger that is an order in itself.
func (p *place) orderEnglish() form {
	if p.use != order {
		return undecided
	}
	sent := p.sent
	if !slices.ContainsFunc(p.starts, func(c int) bool { return sent.skipPolite(c) == p.first || sent.skipFillers(c) == p.first }) {
		return nothing
	}
	if !p.creates {
		return when(sent.is(p.last, english.behindOrder), "order")
	}
	// "build me an app" counts only if the user wants something whole.
	i := p.last
	if sent.is(i, english.indefinite) {
		i++
	}
	if (sent.head == p.first || sent.order == p.first) && sent.is(i, english.creations) && sent.is(i+1, english.behindCreation) {
		return "order"
	}
	return nothing
}

// startEnglish finds an order to start the modes: "use ralph to …".
func (p *place) startEnglish() form {
	return when(slices.ContainsFunc(p.starts, p.startsClause), "start")
}

func (p *place) startsClause(clause int) bool {
	sent, to := p.sent, p.to
	i := sent.skipPolite(clause)
	switch {
	case i >= p.from:
		// "I'd like autopilot", without words in between.
		return false
	case sent.is(i, english.delegates):
		// "have ralph finish it"; "ask Ralph to finish it" speaks of a person.
		if sent.is(i, english.says) && p.isName() || !sent.onlySmall(i+1, p.from) || sent.word(i) == "let" && sent.word(i+1) == "me" {
			return false
		}
		if sent.word(to) == "to" {
			to++
		}
		return sent.works(to)
	case sent.is(i, english.we):
		if !sent.is(i+1, english.wants) || !sent.onlySmall(i+2, p.from) {
			return false
		}
		return sent.is(to, english.behindWant) || sent.word(to) == "to" && sent.works(to+1)
	case !sent.is(i, english.starters), sent.word(i) == "set" && !sent.is(to-1, english.suffixes):
		return false // "set up ralph" installs it
	}
	i++
	if sent.is(i, english.particles) {
		i++
	}
	return i <= p.from && sent.onlySmall(i, p.from) && sent.follows(to)
}

// follows reports whether, given the text after it, a mention can still be the name of a
// mode: in "use the ralph module" it is part of another name.
func (sent *sentence) follows(i int) bool {
	if i >= len(sent.tokens) {
		return true
	}
	if sent.word(i) == "skill" {
		// "use the ralph skill to finish it"
		return i+1 >= len(sent.tokens) || sent.tokens[i+1].kind == mark || sent.word(i+1) == "to" && sent.works(i+2)
	}
	switch t := &sent.tokens[i]; {
	case t.text == "for" && !sent.is(i+1, english.determiners):
		// "Use ralph for long tasks" is advice.
		return !sent.has(i+1, i+6, english.generic)
	case t.kind == shown, isNumber(t.text), english.behindMode.has(t.text):
		return true
	case t.kind == mark:
		return t.text != "("
	case t.text == "to":
		// A place is not an order.
		return !sent.is(i+1, english.articles)
	case t.text == "in" || t.text == "on":
		return !sent.is(sent.skip(i+1, english.beforePlace), english.places)
	default:
		return english.work.has(t.text) && !english.nouns.has(t.text)
	}
}

// mannerEnglish finds a mode as the way to carry out an order: "fix it with ralph", "in
// ultrawork mode, build the page".
func (p *place) mannerEnglish() form {
	sent := p.sent
	at := p.from - 1
	for sent.is(at, english.beforeManner) {
		at--
	}
	by, suffixed := sent.word(at), sent.is(p.to-1, english.suffixes)
	if !sent.leadsManner(at, suffixed) {
		return undecided
	}
	if sent.order == at {
		// The manner comes before the order.
		i := p.to
		if sent.is(i, english.mannerMarks) {
			i++
		}
		return when(sent.works(sent.skipPolite(i)), "manner")
	}
	if !sent.follows(p.to) || sent.ofMode(at-1) || by == "on" && !p.mannerOn(at) {
		return undecided
	}
	for _, clause := range p.starts {
		i := sent.skipPolite(clause)
		w := sent.word(i)
		if i >= at || !english.work.has(w) && !english.starters.has(w) {
			continue
		}
		// In "replace the loop with ralph", ralph is not the manner.
		another := english.takesWith.has(w) && by != "using" && by != "via" && !(suffixed && by == "in")
		enough := i < at-1 || english.goes.has(w) || english.does.has(w) || suffixed && english.runs.has(w)
		return when(enough && !another && !sent.has(i, at, english.subordinators), "manner")
	}
	return undecided
}

// leadsManner reports whether a word begins a manner: "with ralph", "in ralph mode", but not
// "write docs about using ralph".
func (sent *sentence) leadsManner(at int, suffixed bool) bool {
	return (sent.is(at, english.by) || suffixed && sent.is(at, english.in)) && !(sent.word(at) == "using" && sent.is(at-1, english.topics))
}

// mannerOn reports whether "on" introduces a manner and not a place: "do it on autopilot", "build a website on
// autopilot", but not "deploy to staging on autopilot".
func (p *place) mannerOn(at int) bool {
	return p.sent.is(at-1, english.beforeOn) || p.creates && p.to-p.from == 1 && !p.sent.is(p.sent.order, english.hosts)
}

// ofMode reports whether the words before the mode name a defect of the mode itself: "fix the bug in ralph mode", but
// not "fix all errors" or "fix lint errors".
func (sent *sentence) ofMode(i int) bool {
	return sent.is(i, english.defects) && !sent.is(i-1, english.kinds) && !sent.has(i-3, i, english.allOf)
}

// tailEnglish finds a mode that is appended to an order: "fix the imports, ralph". An
// abbreviation needs no comma.
func (p *place) tailEnglish() form {
	sent := p.sent
	if sent.skip(p.to, english.closes) < len(sent.tokens) || p.quoted || p.alongside() || p.from == 0 || !p.scan.isOrder(p.sentence) ||
		sent.has(max(1, p.from-clauseTokens), p.from, english.subordinators) {
		return undecided
	}
	if sent.is(p.from-1, english.hooks) {
		return when(p.from > 2 && !p.signsBehind(), "tail")
	}
	object := p.from >= 3 || p.from == 2 && (isPlural(sent.word(1)) || sent.is(1, english.pronouns))
	return when(p.use == short && object && sent.tokens[p.from-1].kind != mark && !sent.is(p.from-1, english.beforeNoun), "tail")
}

// alongside reports whether the sentence mentions a mode outside of the mention's group.
func (p *place) alongside() bool {
	if p.sent.mentions == 1 {
		return false
	}
	all := p.scan.mentions
	from, to := p.scan.firstMention(p.sentence), p.at+1
	return all[from].first < p.from || to < len(all) && all[to].sentence == p.sentence && all[to].first >= p.to
}

// isOrder reports whether a sentence begins with an order, from the nth token on.
func (s *scan) isOrder(n int) bool {
	for ; n < len(s.sentences); n++ {
		sent := &s.sentences[n]
		if sent.order >= len(sent.tokens) {
			continue
		}
		return sent.tokens[sent.order].kind == wide || !sent.question && isVerb(sent.word(sent.order))
	}
	return false
}
