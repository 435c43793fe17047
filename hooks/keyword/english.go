package keyword

import (
	"slices"

	"github.com/hookbridge/bridge/moderegistry"
)

// clauseTokens is how far a rule for English looks around a mention.
const clauseTokens = 40

// english judges a mention in a sentence of Latin words.
func (s *scan) english(m mention) (rule string, end bool) {
	sent := s.sentences[m.sentence]
	first, last := s.group(m, sent)
	if s.negated(sent, first) {
		return "", false
	}
	if s.asks(sent) {
		return "", false
	}
	if m.trigger.Mode == cancel {
		return s.cancelWord(m, sent), false
	}
	starts := s.clauses(sent, first)
	for _, c := range starts {
		if s.ends0(c, first, last, sent) {
			return "cancel", true
		}
	}
	if m.trigger.use == order {
		return s.phrase(m, sent, starts), false
	}
	for _, c := range starts {
		if s.heads(c, m, first, last, sent) {
			return "head", false
		}
	}
	if m.trigger.use == head {
		return "", false
	}
	for _, c := range starts {
		if s.starts(c, first, last, sent) {
			return "start", false
		}
	}
	switch {
	case s.manner(starts, first, last, sent):
		return "manner", false
	case s.tails(m, first, last, sent):
		return "tail", false
	case s.alone(m):
		return "alone", false
	}
	return "", false
}

// group widens a mention to the mentions beside it, as in "ralph and ultrawork
// mode": what is said of one is said of all.
func (s *scan) group(m mention, sent sentence) (first, last int) {
	at := slices.IndexFunc(s.mentions, func(o mention) bool { return o.start == m.start })
	first, last = m.first, s.suffix(m.last, sent)
	for i := at - 1; i >= max(0, at-4) && s.mentions[i].sentence == m.sentence; i-- {
		if gap := s.suffix(s.mentions[i].last, sent); !s.joins(gap, first) {
			break
		}
		first = s.mentions[i].first
	}
	for i := at + 1; i < min(len(s.mentions), at+5) && s.mentions[i].sentence == m.sentence; i++ {
		if !s.joins(last, s.mentions[i].first) {
			break
		}
		last = s.suffix(s.mentions[i].last, sent)
	}
	return first, last
}

// joins reports tokens that join two mentions.
func (s *scan) joins(from, to int) bool {
	if to-from > 1 || to < from {
		return false
	}
	if to == from {
		return true
	}
	switch s.tokens[from].text {
	case "and", "+", "&", "with", ",", "plus":
		return true
	}
	return false
}

// suffix skips "mode" or "loop" behind a mention.
func (s *scan) suffix(i int, sent sentence) int {
	if i < sent.last {
		switch s.tokens[i].text {
		case "mode", "loop":
			return i + 1
		}
	}
	return i
}

func (s *scan) word(i int, sent sentence) string {
	if i < sent.first || i >= sent.last {
		return ""
	}
	return s.tokens[i].text
}

// negated reports a no in the clause before a mention.
func (s *scan) negated(sent sentence, at int) bool {
	for i := at - 1; i >= max(sent.first, at-clauseTokens); i-- {
		switch s.tokens[i].text {
		case ",", ";", ":":
			// "Fix it, but not with ralph" is caught on the way here.
			return false
		case "don't", "dont", "not", "never", "without", "no", "avoid", "instead", "rather", "won't", "can't", "cannot", "unlike", "except", "isn't", "doesn't", "didn't", "shouldn't", "nor", "wouldn't", "couldn't", "hate", "stopped", "nothing":
			return true
		}
	}
	return false
}

// asks reports a question that is no polite order, and orders to explain.
func (s *scan) asks(sent sentence) bool {
	i := s.skipFillers(sent.first, sent)
	head := s.word(i, sent)
	next := s.word(i+1, sent)
	switch head {
	case "what", "what's", "whats", "how", "how's", "why", "when", "where", "which", "who", "who's", "whose", "explain", "describe", "tell", "define", "discuss", "does", "did", "is", "are", "was", "were", "has", "should", "shall", "whenever", "lol", "summarise", "summarize", "translate", "imagine", "suppose", "if", "unless":
		return true
	case "do", "have":
		if next == "you" || next == "i" || next == "we" || next == "they" {
			return true
		}
	case "can", "could", "would", "will":
		// "Can you …" is an order; "can ralph …" asks.
		return next != "you" && next != "we" || next == "we" && !sent.question
	}
	return sent.question && head != "please" && head != "let's"
}

// skipFillers skips what people say before they come to the point.
func (s *scan) skipFillers(i int, sent sentence) int {
	for i < sent.last {
		t := s.tokens[i]
		if t.kind == mark {
			switch t.text {
			case "(", "\"", "'":
				return i
			}
			i++
			continue
		}
		switch t.text {
		case "ok", "okay", "alright", "great", "good", "hey", "hi", "hello", "thanks", "now", "then", "so", "and", "also", "next", "first", "finally", "just", "please", "pls", "yes", "yep", "yeah", "again", "well", "right", "cool", "perfect", "sure", "enough", "but", "claude", "afterwards", "maybe", "todo", "task", "instead", "quick", "simple", "kindly":
			i++
			continue
		}
		if isNumber(t.text) && s.word(i+1, sent) == "." {
			i++
			continue
		}
		return i
	}
	return i
}

// skipPolite skips fillers and the words that turn an order into a request.
func (s *scan) skipPolite(i int, sent sentence) int {
	i = s.skipFillers(i, sent)
	for _, words := range []string{
		"can you", "could you", "would you", "will you", "can we", "could we", "i want you to", "i need you to", "i'd like you to", "i would like you to",
		"i want to", "i'd like to", "i would like to", "i'd like", "let's", "let us", "lets", "go ahead and", "feel free to", "you should", "you must", "we should", "time to", "be sure to", "make sure to", "make sure you", "try to", "i'll",
	} {
		if j := s.match(words, i, sent.last); j > 0 {
			return s.skipFillers(j, sent)
		}
	}
	return i
}

// clauses returns where an order may begin, before a mention: with the sentence,
// behind a comma or dash, and behind an "and" of a sentence that gives orders
// already. What a subordinate clause says is no order.
func (s *scan) clauses(sent sentence, upto int) []int {
	starts := []int{}
	from := max(sent.first, upto-clauseTokens)
	if from == sent.first {
		starts = append(starts, sent.first)
	}
	head := s.skipPolite(sent.first, sent)
	imperative := isWork(s.word(head, sent)) || isStart(s.word(head, sent)) || isLook(s.word(head, sent))
	for i := from; i < upto; i++ {
		if s.tokens[i].kind != mark && i > head && isSubordinator(s.tokens[i].text) {
			return starts
		}
		switch s.tokens[i].text {
		case ",", "-", "–", "—", "，":
			starts = append(starts, i+1)
		case ":":
			// "Task: use ralph"; what "Translate: …" announces is a text.
			if i-sent.first <= 3 && !imperative {
				starts = append(starts, i+1)
			}
		case "and", "then", "so":
			if imperative && i > head {
				starts = append(starts, i+1)
			}
		}
	}
	return starts
}

// isSubordinator reports a word behind which no order stands.
func isSubordinator(w string) bool {
	switch w {
	case "when", "whenever", "if", "that", "which", "who", "because", "while", "where", "user", "users", "lets", "allows", "allow", "can", "could", "should", "would", "may", "might", "button", "how", "why", "what", "says", "said", "they", "he", "she", "it's", "whether", "unless", "although", "since":
		return true
	}
	return false
}

// ends0 reports an order to end the modes: "stop the ralph loop".
func (s *scan) ends0(c, first, last int, sent sentence) bool {
	i := s.skipPolite(c, sent)
	switch s.word(i, sent) {
	case "cancel", "stop", "exit", "quit", "end", "abort", "kill", "disable", "terminate", "halt", "leave", "deactivate":
		i++
	case "turn", "switch", "shut":
		if next := s.word(i+1, sent); next == "off" || next == "down" {
			i += 2
			break
		}
		// "turn ralph off"
		after := s.word(last, sent)
		return i+1 <= first && s.gap(i+1, first, sent) && (after == "off" || after == "down")
	default:
		return false
	}
	if i > first || !s.gap(i, first, sent) {
		return false
	}
	switch s.word(last, sent) {
	case "", "\n", ".", "!", "?", ",", ";", "-", "–", "—", "please", "now", "and", "immediately", "right", "but", "then", "here", "completely", "too", "again", ":)":
		return true
	case "for":
		return s.word(last+1, sent) == "now"
	}
	return false
}

// gap reports that only small words stand between two tokens.
func (s *scan) gap(from, to int, sent sentence) bool {
	if to-from > 6 {
		return false
	}
	for i := from; i < to; i++ {
		switch s.word(i, sent) {
		case "the", "a", "an", "my", "our", "your", "this", "that", "it", "in", "on", "into", "to", "using", "up", "me", "full", "another", "new", "now", "again", "everything", "all", "omc", "with", "us", "off", "current", "running", "over", "fresh", "just", "under", "them", "these", "things", "of":
		default:
			return false
		}
	}
	return true
}

// cancelsAll reports an order to end every mode: "stop all modes", 取消所有模式.
func (s *scan) cancelsAll(n int) bool {
	sent := s.sentences[n]
	if sent.question || s.introduced(n) {
		return false
	}
	text := s.after(sent.start, min(windowBytes, sent.end-sent.start))
	for _, words := range []string{"取消所有模式", "停止所有模式", "退出所有模式", "关闭所有模式", "取消全部模式"} {
		if at := indexClause(text, words); at >= 0 && politeChinese(text[:at]) {
			return true
		}
	}
	i := s.skipPolite(sent.first, sent)
	switch s.word(i, sent) {
	case "cancel", "stop", "exit", "end", "quit", "disable":
	default:
		return false
	}
	i++
	switch s.word(i, sent) {
	case "all", "every":
	default:
		return false
	}
	i++
	for s.word(i, sent) == "the" || s.word(i, sent) == "active" || s.word(i, sent) == "omc" || s.word(i, sent) == "running" {
		i++
	}
	if w := s.word(i, sent); w != "modes" && w != "mode" {
		return false
	}
	switch s.word(i+1, sent) {
	case "", "\n", ".", "!", ",", "now", "please", "and":
		return true
	}
	return false
}

// cancelWord judges cancelomc, which is liberal: the word means nothing else.
func (s *scan) cancelWord(m mention, sent sentence) string {
	prev, next := s.word(m.first-1, sent), s.word(m.last, sent)
	if m.quoted {
		return ""
	}
	switch prev {
	case "the", "a", "an", "for", "of", "to", "from", "with", "about", "in", "on", "that", "this", "like", "as", "by", "is", "or":
		return ""
	}
	if isWork(prev) || isLook(prev) || prev == "called" || prev == "named" || prev == "keyword" || prev == "word" {
		return ""
	}
	switch next {
	case "keyword", "command", "trigger", "handler", "function", "token", "word", "is", "does", "was", "did", "has", "doesn't", "didn't", "should", "will", "would", "can", "in", "or", "never", "keeps", "works", "stops", "ends", "fails":
		return ""
	}
	return "cancel"
}

// phrase judges a trigger that is an order by itself.
func (s *scan) phrase(m mention, sent sentence, starts []int) string {
	at := false
	for _, c := range starts {
		if s.skipPolite(c, sent) == m.first || s.skipFillers(c, sent) == m.first {
			at = true
		}
	}
	if !at {
		return ""
	}
	if m.trigger.Mode != moderegistry.Autopilot {
		switch s.word(m.last, sent) {
		case "to", "on", "for", "and", "in", "over", ":", "with", "so", "", "\n", ".", "!", ",":
			return "order"
		}
		return ""
	}
	// "build me an app": the creation of something whole, and nothing beside it.
	if s.skipFillers(sent.first, sent) != m.first && s.skipPolite(sent.first, sent) != m.first {
		return ""
	}
	i := m.last
	if w := s.word(i, sent); w == "a" || w == "an" {
		i++
	}
	switch s.word(i, sent) {
	case "app", "project", "tool", "plugin", "website", "api", "server", "cli", "script", "system", "service", "dashboard", "bot", "extension", "feature":
	default:
		return ""
	}
	switch s.word(i+1, sent) {
	case "", "\n", ".", "!", ",", ":", "that", "which", "to", "for", "with", "where", "like", "and", "using", "in", "called", "so", "please":
		return "order"
	}
	return ""
}

// heads reports a mention at the head of an order: "ralph: fix the tests",
// "ultrawork fix everything".
func (s *scan) heads(c int, m mention, first, last int, sent sentence) bool {
	if m.quoted || s.skipFillers(c, sent) != first && s.skipPolite(c, sent) != first {
		return false
	}
	if c != sent.first && s.skipFillers(sent.first, sent) != first {
		return false
	}
	next := s.word(last, sent)
	switch next {
	case ":", "：":
		if m.trigger.Mode != moderegistry.Ralph && !s.finite(last, sent) && s.empty(sent.start) {
			return last+1 < sent.last && s.word(last+1, sent) != "\n" || s.isOrder(m.sentence+1)
		}
		return s.works(s.skipPolite(last+1, sent), sent) || s.actionable(last+1, sent)
	case ",", "-", "–", "—", "，", "!":
		return s.works(s.skipPolite(last+1, sent), sent)
	}
	if m.trigger.use == head {
		return false
	}
	i := last
	for s.word(i, sent) == "please" || s.word(i, sent) == "now" || s.word(i, sent) == "and" || s.word(i, sent) == "to" || s.word(i, sent) == "just" || s.word(i, sent) == "go" {
		i++
	}
	switch s.word(i, sent) {
	case "this", "it":
		switch s.word(i+1, sent) {
		case "", "\n", ".", "!", ",", "until", "till", "please", "now", ":", "for", "with", "and", "up":
			return true
		}
		return s.until(i, sent) && !s.finite(i, sent)
	case "until", "till", "everything":
		return !s.finite(i, sent)
	case "the", "all", "these", "every":
		return s.until(i, sent) || m.trigger.Text == "ulw" && !s.finite(i, sent)
	case "on", "for", "through":
		return !s.finite(i, sent) && i+1 < sent.last && s.empty(sent.start)
	}
	return s.works(i, sent)
}

// empty reports that nothing stands before the offset.
func (s *scan) empty(start int) bool {
	for i := 0; i < start; i++ {
		if s.text[i] > ' ' || s.text[i] == hidden {
			return false
		}
	}
	return true
}

// actionable reports an order near the colon behind a trigger.
func (s *scan) actionable(i int, sent sentence) bool {
	if s.finite(i, sent) {
		return false
	}
	for j := i; j < min(sent.last, i+8); j++ {
		switch s.word(j, sent) {
		case "make", "keep", "until", "get":
			return true
		case "i", "we", "you", "he", "she":
			return false
		}
		if isWork(s.word(j, sent)) && !isNounToo(s.word(j, sent)) {
			return true
		}
	}
	return false
}

func (s *scan) until(i int, sent sentence) bool {
	for j := i; j < min(sent.last, i+clauseTokens); j++ {
		if w := s.word(j, sent); w == "until" || w == "till" {
			return true
		}
	}
	return false
}

// finite reports a verb that makes a statement of what follows: "ralph build is
// broken".
func (s *scan) finite(i int, sent sentence) bool {
	for j := i; j < min(sent.last, i+6); j++ {
		switch s.word(j, sent) {
		case "is", "was", "were", "has", "had", "fails", "failed", "broke", "broken", "took", "looks", "seems", "keeps", "doesn't", "didn't", "crashed", "crashes", "isn't", "wasn't", "does", "did", "hangs", "works", "worked", "never", "ran", "went", "got", "shows", "says", "said", "deleted", "won't", "can't", "stuck":
			return true
		case "that", "which", "until", "where", "if", "and", "what", "why":
			return false
		}
	}
	return false
}

// works reports an order to do something at i.
func (s *scan) works(i int, sent sentence) bool {
	w := s.word(i, sent)
	if !isWork(w) && !isLook(w) {
		return false
	}
	if !isNounToo(w) {
		next := s.word(i+1, sent)
		return next != "is" && next != "was" && next != "has" && next != "failed" && next != "fails"
	}
	switch s.word(i+1, sent) {
	case "the", "a", "an", "all", "every", "each", "this", "that", "these", "those", "my", "our", "it", "them", "everything", "any", "some", "both", "me", "us", "its", "their", "whole", "up", "out", "and", "until", "on":
		return true
	case "", "\n", ".", "!", ",", "notes", "suite", "suites", "script", "scripts", "log", "logs", "output", "result", "results", "status", "comments", "failure", "failures", "time", "times", "plan", "error", "errors":
		return false
	}
	return !s.finite(i, sent) && sent.last-i > 2
}

// starts reports an order to start the modes: "use ralph to …".
func (s *scan) starts(c, first, last int, sent sentence) bool {
	i := s.skipPolite(c, sent)
	w := s.word(i, sent)
	switch {
	case i >= first:
		// "I'd like autopilot", with nothing between.
		return false
	case w == "have" || w == "let" || w == "get" || w == "ask" || w == "tell":
		// "have ralph finish it"
		if !s.gap(i+1, first, sent) || w == "let" && s.word(i+1, sent) == "me" {
			return false
		}
		if s.word(last, sent) == "to" {
			last++
		}
		return s.works(last, sent)
	case w == "i" || w == "we":
		v := s.word(i+1, sent)
		if v != "want" && v != "need" || !s.gap(i+2, first, sent) {
			return false
		}
		switch s.word(last, sent) {
		case "to":
			return s.works(last+1, sent)
		case "", "\n", ".", "!", "for", "on", "please", "now":
			return true
		}
		return false
	case !isStart(w):
		return false
	}
	i++
	switch s.word(i, sent) {
	case "on", "up", "off", "to", "into", "out":
		i++
	}
	return i <= first && s.gap(i, first, sent) && s.follows(last, sent)
}

// follows reports that what stands behind a mode leaves it a mode: in "use the
// ralph module" it is a part of something else.
func (s *scan) follows(i int, sent sentence) bool {
	if i >= sent.last {
		return true
	}
	t := s.tokens[i]
	if t.kind == shown || isNumber(t.text) {
		return true
	}
	if t.kind == mark {
		return t.text != "("
	}
	switch t.text {
	case "until", "till", "now", "please", "again", "here", "over", "against", "across", "this", "so", "then", "right", "immediately", "today", "tonight", "overnight", "too", "instead", "but", "max", "--max-iterations", "through", "once", "and", "with", "first", "next", "everywhere", "for", "mode", "off", "while", "yourself":
		return true
	case "to":
		// A place is no order.
		switch s.word(i+1, sent) {
		case "the", "a", "an", "my", "our":
			return false
		}
		return true
	case "in", "on":
		j := i + 1
		for s.word(j, sent) == "the" || s.word(j, sent) == "a" || s.word(j, sent) == "our" || s.word(j, sent) == "every" || s.word(j, sent) == "my" || s.word(j, sent) == "each" {
			j++
		}
		switch s.word(j, sent) {
		case "settings", "config", "configuration", "simulator", "ui", "app", "menu", "dashboard", "production", "header", "readme", "documentation", "docs", "port", "startup", "boot", "launch", "page", "click", "load", "login", "start", "server", "homepage", "staging", "toolbar", "sidebar":
			return false
		}
		return true
	}
	return isWork(t.text) && !isNounToo(t.text)
}

// manner reports a way to carry out an order: "fix it with ralph", "in ultrawork
// mode, build the page".
func (s *scan) manner(starts []int, first, last int, sent sentence) bool {
	p := first - 1
	for s.word(p, sent) == "the" || s.word(p, sent) == "a" || s.word(p, sent) == "full" {
		p--
	}
	by := s.word(p, sent)
	suffixed := last > sent.first && (s.tokens[last-1].text == "mode" || s.tokens[last-1].text == "loop")
	switch by {
	case "using", "via", "with":
	case "in", "under":
		if !suffixed {
			return false
		}
	case "on":
	default:
		return false
	}
	if s.skipPolite(sent.first, sent) == p {
		// The manner comes first.
		i := last
		if s.word(i, sent) == "," || s.word(i, sent) == ":" {
			i++
		}
		return s.works(s.skipPolite(i, sent), sent)
	}
	if !s.follows(last, sent) || len(starts) == 0 {
		return false
	}
	prev := s.word(p-1, sent)
	switch prev {
	case "bug", "bugs", "issue", "issues", "problem", "problems", "error", "errors", "crash", "crashes", "failure", "failures", "typo", "typos", "glitch", "leak", "race", "deadlock", "happens", "regression", "hang", "flaw", "integration", "compatibility", "interaction", "section", "page", "docs", "documentation", "wrong", "broken", "conflict", "conflicts", "behaviour", "behavior", "message", "messages", "label", "text", "support", "flag":
		return false
	}
	if by == "on" {
		switch prev {
		case "this", "it", "that", "everything", "rest", "them", "these", "go", "run", "do", "all", "continue", "work", "put":
		default:
			return false
		}
	}
	for _, c := range starts {
		h := s.skipPolite(c, sent)
		w := s.word(h, sent)
		if h >= p || !isWork(w) && !isStart(w) && w != "do" && w != "go" && w != "continue" && w != "proceed" {
			continue
		}
		switch w {
		case "compare", "replace", "integrate", "combine", "help", "deal", "document", "merge", "connect", "align", "rename", "remove", "delete", "enable", "start", "write", "launch", "trigger", "add", "use":
			// Their "with" names another thing: "replace the loop with ralph".
			if by != "using" && by != "via" && !(suffixed && by == "in") {
				return false
			}
		}
		for i := h; i < p; i++ {
			if isSubordinator(s.tokens[i].text) {
				return false
			}
		}
		return h < p-1 || w == "do" || w == "go" || w == "continue" || w == "proceed"
	}
	return false
}

// tails reports a mode that is hung behind an order: "fix the imports, ralph".
// The abbreviation ulw needs no comma.
func (s *scan) tails(m mention, first, last int, sent sentence) bool {
	for i := last; i < sent.last; i++ {
		switch s.tokens[i].text {
		case ".", "!", "\n", "please", ")", "now":
		default:
			return false
		}
	}
	if m.quoted || sent.mentions != 1 || first == sent.first || !s.isOrder(m.sentence) {
		return false
	}
	for i := max(sent.first+1, first-clauseTokens); i < first; i++ {
		if isSubordinator(s.tokens[i].text) {
			return false
		}
	}
	prev := s.word(first-1, sent)
	switch prev {
	case ",", "-", "–", "—", "(":
		return first-sent.first > 2
	}
	if m.trigger.Text != "ulw" || first-sent.first < 3 {
		return false
	}
	switch prev {
	case "the", "a", "an", "to", "of", "for", "in", "on", "with", "from", "by", "and", "or", "as", "like", "called", "named", "about", "into", "at", "using", "via", "is", "old", "legacy", "new", "our", "my", "its", "than":
		return false
	}
	return s.tokens[first-1].kind != mark
}

// isOrder reports a sentence that begins with an order.
func (s *scan) isOrder(n int) bool {
	for ; n < len(s.sentences); n++ {
		sent := s.sentences[n]
		i := s.skipPolite(sent.first, sent)
		if i >= sent.last {
			continue
		}
		if s.tokens[i].kind == wide {
			return true
		}
		w := s.word(i, sent)
		return !sent.question && (isWork(w) || isStart(w) || isLook(w) || w == "do" || w == "make" || w == "get")
	}
	return false
}

// isStart reports a verb that starts something.
func isStart(w string) bool {
	switch w {
	case "use", "run", "start", "enable", "activate", "invoke", "trigger", "launch", "engage", "enter", "begin", "kick", "fire", "turn", "switch", "go", "put", "set", "try", "resume", "initiate", "execute", "apply", "employ", "do", "spin", "restart", "continue", "proceed", "finish":
		return true
	}
	return false
}

// isLook reports an order that changes nothing.
func isLook(w string) bool {
	switch w {
	case "read", "look", "find", "search", "check", "investigate", "analyse", "analyze", "inspect", "examine", "explore", "study", "debug", "diagnose", "research", "audit", "review", "have", "see":
		return true
	}
	return false
}

// isWork reports an order to do some work.
func isWork(w string) bool {
	switch w {
	case "fix", "build", "refactor", "implement", "add", "create", "write", "update", "migrate", "port", "convert", "upgrade", "rewrite", "rename", "remove", "delete", "clean", "cleanup", "test", "solve", "resolve", "handle", "patch", "address",
		"make", "finish", "complete", "develop", "design", "generate", "improve", "optimise", "optimize", "simplify", "split", "merge", "move", "replace", "translate", "document", "deploy", "ship", "release", "set", "setup", "configure", "install",
		"integrate", "extract", "reduce", "speed", "harden", "polish", "organise", "organize", "restructure", "rework", "redesign", "repair", "correct", "extend", "expand", "apply", "format", "lint", "type", "cover", "get", "go", "do", "continue", "keep",
		"work", "process", "plan", "tackle", "bring", "reach", "achieve", "drop", "prepare", "modernise", "modernize", "bump", "publish", "scaffold", "bootstrap", "prototype", "code", "wire", "connect", "sort", "unify", "consolidate", "dedupe", "prune",
		"strip", "increase", "enforce", "ensure", "verify", "validate", "backfill", "compare", "combine", "restore", "revert", "finalise", "finalize", "rebuild", "regenerate", "compile", "craft", "draft", "transform", "localise", "localize", "internationalise", "internationalize", "start", "run", "execute", "iterate", "close", "triage", "benchmark", "profile", "cut", "shrink", "switch", "support", "change", "edit", "put", "turn", "debug", "investigate", "analyse", "analyze", "review", "check", "audit":
		return true
	}
	return false
}

// isNounToo reports an order whose word is as often a thing: a build, a fix.
func isNounToo(w string) bool {
	switch w {
	case "build", "fix", "test", "plan", "run", "release", "update", "design", "review", "change", "check", "work", "start", "patch", "audit", "document", "process", "type", "code", "port", "upgrade", "support", "set", "setup", "cleanup", "format", "debug", "draft", "cut", "drop", "edit", "profile", "benchmark", "prototype", "address", "handle", "complete", "correct", "clean", "rewrite", "merge", "move", "cover", "lint", "polish", "patching", "turn", "put", "switch", "compile", "extract", "rework", "split", "sort":
		return true
	}
	return false
}
