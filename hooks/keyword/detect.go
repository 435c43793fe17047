package keyword

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hookbridge/bridge/moderegistry"
)

// Detection is what a prompt asks for.
type Detection struct {
	// Cancel says that modes are to end: Modes, or all of the session where none
	// is named. Nothing starts then (BUG-005: cancel wins).
	Cancel bool
	// Modes are the modes to start, or to end.
	Modes []moderegistry.Mode
	// Trigger is what was found, in lower case, and Rule the form that it took:
	// command, head, start, manner, tail, order, alone or cancel.
	Trigger, Rule string
	// Dropped are modes that the prompt also asked for.
	Dropped []moderegistry.Mode
}

// Found reports whether the prompt asks for anything.
func (d Detection) Found() bool { return d.Cancel || len(d.Modes) > 0 }

// Detect reads a prompt. disabled holds modes or triggers that the user switched
// off; cancel cannot be (design decision: cancel wins).
func Detect(prompt string, disabled []string) Detection {
	if isEnvelope(prompt) {
		return Detection{}
	}
	if d, taken := explicit(prompt); taken {
		if !d.Cancel && len(d.Modes) > 0 && slices.ContainsFunc(disabled, func(s string) bool { return strings.EqualFold(s, string(d.Modes[0])) }) {
			return Detection{}
		}
		return d
	}
	table := Triggers()
	s := newScan(clip(prompt), table)
	return s.detect(disabled)
}

// clip cuts a prompt to what is looked at, between two characters.
func clip(prompt string) string {
	if len(prompt) <= maxPrompt {
		return prompt
	}
	end := maxPrompt
	for end > 0 && !utf8.RuneStart(prompt[end]) {
		end--
	}
	return prompt[:end]
}

// scan is a prompt on its way through the rules.
type scan struct {
	text      []byte
	quoted    []span
	tokens    []token
	sentences []sentence
	mentions  []mention
}

type kind int

const (
	word kind = iota
	// mark is punctuation.
	mark
	// wide is a run of a script other than Latin.
	wide
	// shown stands for something that was hidden.
	shown
)

// token is a piece of the masked prompt.
type token struct {
	span
	kind kind
	text string
}

// sentence ends at a full stop, a question mark or a line break. Its tokens are
// those from first up to, not including, last.
type sentence struct {
	span
	first, last int
	question    bool
	// mentions counts what it mentions.
	mentions int
	// lang is en, zh, ja or ko.
	lang string
}

// mention is a trigger in the prompt. For a Latin one, the tokens from first up
// to, not including, last.
type mention struct {
	span
	trigger     Trigger
	sentence    int
	first, last int
	quoted      bool
}

func newScan(prompt string, table []Trigger) *scan {
	s := &scan{}
	s.text, s.quoted = mask(prompt, table)
	s.tokenise()
	s.split()
	s.find(table)
	for i := range s.sentences {
		s.sentences[i].lang = s.language(i)
	}
	return s
}

// tokenise cuts the text. Words keep what makes them other words: ralph-init,
// ralph's, ralph.md, #ralph and ralph( are no ralph.
func (s *scan) tokenise() {
	text := s.text
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		start := i
		switch {
		case r == hidden:
			for i < len(text) && text[i] == hidden {
				i++
			}
			s.tokens = append(s.tokens, token{span{start, i}, shown, ""})
		case r == '\n':
			i++
			s.tokens = append(s.tokens, token{span{start, i}, mark, "\n"})
		case unicode.IsSpace(r):
			i += size
		case r < utf8.RuneSelf && isWordByte(byte(r)), isPrefix(text, i):
			i = wordEnd(text, i)
			s.tokens = append(s.tokens, token{span{start, i}, word, strings.ReplaceAll(string(text[start:i]), "’", "'")})
		case unicode.IsLetter(r) || r == 'ー' || r == '・':
			for i < len(text) {
				r, size = utf8.DecodeRune(text[i:])
				if !unicode.IsLetter(r) && !unicode.IsMark(r) && r != 'ー' && r != '・' || r < utf8.RuneSelf {
					break
				}
				i += size
			}
			s.tokens = append(s.tokens, token{span{start, i}, wide, ""})
		default:
			i += size
			s.tokens = append(s.tokens, token{span{start, i}, mark, string(text[start:i])})
		}
	}
}

// isPrefix reports a mark that belongs to the word behind it.
func isPrefix(text []byte, i int) bool {
	if i+1 >= len(text) || !isWordByte(text[i+1]) && text[i+1] != '-' {
		return false
	}
	switch text[i] {
	case '#', '@', '$':
		return true
	case '-':
		return text[i+1] == '-' || i > 0 && isWordByte(text[i-1])
	case '.', '\\':
		return isWordByte(text[i+1])
	}
	return false
}

func wordEnd(text []byte, i int) int {
	i++
	for i < len(text) {
		c := text[i]
		next := byte(' ')
		if i+1 < len(text) {
			next = text[i+1]
		}
		switch {
		case isWordByte(c):
			i++
		case (c == '-' || c == '.' || c == '\'' || c == '/' || c == '@' || c == '=') && (isWordByte(next) || c == '-' && next == '-'):
			i++
		case c == ':' && next == ':', c == '-' && isWordByte(text[i-1]) && next == '*':
			i += 2
		case strings.HasPrefix(string(text[i:min(i+3, len(text))]), "’") && i+3 < len(text) && isLetter(text[i+3]):
			i += 3
		case c == '(':
			// A call.
			return i + 1
		default:
			return i
		}
	}
	return i
}

// split cuts the tokens into sentences.
func (s *scan) split() {
	first := 0
	for i, t := range s.tokens {
		last := i == len(s.tokens)-1
		if !last && !s.ends(i) {
			continue
		}
		s.sentences = append(s.sentences, sentence{
			span: span{s.tokens[first].start, t.end}, first: first, last: i + 1,
			question: t.text == "?" || t.text == "？",
		})
		first = i + 1
	}
}

// ends reports whether a sentence ends with the token.
func (s *scan) ends(i int) bool {
	switch s.tokens[i].text {
	case "\n", "。", "！", "？", "；", ";", "…":
		return true
	case ".", "!", "?":
		// "?!" and "..." end one sentence.
		next := i + 1
		return next == len(s.tokens) || s.tokens[next].text != "?" && s.tokens[next].text != "!" && s.tokens[next].text != "."
	}
	return false
}

// find looks for triggers: Latin ones by words, others anywhere. The longest wins.
func (s *scan) find(table []Trigger) {
	for n := range s.sentences {
		sent := &s.sentences[n]
		for i := sent.first; i < sent.last; i++ {
			t := s.tokens[i]
			switch t.kind {
			case word, wide:
				best := mention{sentence: n}
				length := 0
				for _, trigger := range table {
					if trigger.Lang == "en" && t.kind == word {
						if last := s.match(trigger.Text, i, sent.last); last > 0 && len(trigger.Text) > length && !isName(trigger.Mode, s.after(s.tokens[last-1].end, 16)) {
							length = len(trigger.Text)
							best.trigger, best.first, best.last, best.span = trigger, i, last, span{t.start, s.tokens[last-1].end}
						}
					}
				}
				if length > 0 {
					s.add(best)
					i = best.last - 1
				} else if t.kind == wide {
					s.findWide(table, n, i)
				}
			case mark, shown:
			}
		}
	}
}

// findWide looks for triggers inside a run of another script. Some of them go on
// behind it, as 팀 모드 and ウルトラQA do.
func (s *scan) findWide(table []Trigger, n, i int) {
	t := s.tokens[i]
	for at := t.start; at < t.end; {
		length := 0
		var best Trigger
		rest := s.text[at:s.sentences[n].end]
		for _, trigger := range table {
			if trigger.Lang != "en" && len(trigger.Text) > length && len(trigger.Text) <= len(rest) && string(rest[:len(trigger.Text)]) == trigger.Text &&
				!isName(trigger.Mode, s.after(at+len(trigger.Text), 16)) {
				length, best = len(trigger.Text), trigger
			}
		}
		if length > 0 && !(best.Lang == "ja" && s.insideKatakana(at, at+length)) {
			s.add(mention{span: span{at, at + length}, trigger: best, sentence: n, first: i, last: i + 1})
			at += length
			continue
		}
		_, size := utf8.DecodeRune(s.text[at:])
		at += size
	}
}

// insideKatakana reports a trigger that is part of a longer foreign word.
func (s *scan) insideKatakana(start, end int) bool {
	before, _ := utf8.DecodeLastRune(s.text[:start])
	after := string(s.text[end:min(end+9, len(s.text))])
	isPart := func(r rune) bool { return r >= 0x30A1 && r <= 0x30FA || r == 'ー' }
	next, _ := utf8.DecodeRuneInString(after)
	return isPart(before) || isPart(next) && !strings.HasPrefix(after, "モード") && !strings.HasPrefix(after, "ループ")
}

func (s *scan) add(m mention) {
	m.quoted = slices.ContainsFunc(s.quoted, func(q span) bool { return q.start <= m.start && m.end <= q.end })
	s.sentences[m.sentence].mentions++
	s.mentions = append(s.mentions, m)
}

// match compares the words of a trigger with the tokens from i on, and returns
// the token behind them, or 0.
func (s *scan) match(text string, i, limit int) int {
	for text != "" {
		want, rest, _ := strings.Cut(text, " ")
		if i >= limit || s.tokens[i].kind != word {
			return 0
		}
		have := s.tokens[i].text
		if have != want && !(want == "N" && isNumber(have)) {
			return 0
		}
		text = rest
		i++
	}
	return i
}

func isNumber(text string) bool {
	switch text {
	case "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "several", "many":
		return true
	}
	for i := range len(text) {
		if !isDigit(text[i]) {
			return false
		}
	}
	return text != ""
}

// before and after return at most n bytes around an offset, cut between
// characters.
func (s *scan) before(start, n, limit int) string {
	from := max(start-n, limit)
	for from < start && !utf8.RuneStart(s.text[from]) {
		from++
	}
	return string(s.text[from:start])
}

func (s *scan) after(end, n int) string {
	to := min(end+n, len(s.text))
	for to > end && to < len(s.text) && !utf8.RuneStart(s.text[to]) {
		to--
	}
	return string(s.text[end:to])
}

// language is the script of most of a sentence, the mentions left out. A Latin
// word counts for less than a character that is a word by itself.
func (s *scan) language(n int) string {
	sent := s.sentences[n]
	if sent.mentions == 0 {
		return ""
	}
	latin, han, kana, hangul := 0, 0, 0, 0
	for _, t := range s.tokens[sent.first:sent.last] {
		switch t.kind {
		case word:
			latin += t.end - t.start
		case wide:
			for _, r := range string(s.text[t.start:t.end]) {
				switch {
				case isHangul(r):
					hangul++
				case isKana(r):
					kana++
				case isHan(r):
					han++
				}
			}
		case mark, shown:
		}
	}
	switch wide := han + kana + hangul; {
	case wide == 0 || latin > 4*wide:
		return "en"
	case hangul > 0:
		return "ko"
	case kana > 0:
		return "ja"
	}
	return "zh"
}

// detect judges every mention and settles what comes of them.
func (s *scan) detect(disabled []string) Detection {
	off := func(t Trigger) bool {
		return slices.ContainsFunc(disabled, func(name string) bool {
			return strings.EqualFold(name, t.Text) || strings.EqualFold(name, string(t.Mode))
		})
	}
	var d Detection
	var ends, asked []moderegistry.Mode
	all := false
	note := func(m mention, rule string) {
		if d.Rule == "" || rule == "cancel" && !d.Cancel {
			d.Trigger, d.Rule = m.trigger.Text, rule
		}
		d.Cancel = d.Cancel || rule == "cancel"
	}
	for n := range s.sentences {
		if s.cancelsAll(n) {
			all, d.Cancel, d.Rule = true, true, "cancel"
		}
	}
	for _, m := range s.mentions {
		rule, end := s.judge(m)
		switch {
		case rule == "":
		case m.trigger.Mode == cancel:
			all = true
			note(m, "cancel")
		case end:
			ends = append(ends, m.trigger.Mode)
			note(m, "cancel")
		case !off(m.trigger):
			asked = append(asked, m.trigger.Mode)
			note(m, rule)
		}
	}
	switch {
	case all:
		d.Dropped = unique(asked)
	case len(ends) > 0:
		d.Modes, d.Dropped = unique(ends), unique(asked)
	default:
		d.Modes = Resolve(asked)
		for _, mode := range unique(asked) {
			if !slices.Contains(d.Modes, mode) {
				d.Dropped = append(d.Dropped, mode)
			}
		}
	}
	return d
}

// unique returns the modes once each, in the order of priority.
func unique(modes []moderegistry.Mode) []moderegistry.Mode {
	var once []moderegistry.Mode
	for _, mode := range priority() {
		if slices.Contains(modes, mode) {
			once = append(once, mode)
		}
	}
	return once
}

// judge says in which form a mention asks for its mode, or for its end; an empty
// rule means that it asks for nothing.
func (s *scan) judge(m mention) (rule string, end bool) {
	sent := s.sentences[m.sentence]
	if s.introduced(m.sentence) {
		return "", false
	}
	lang := sent.lang
	if rule == "" && lang == "en" {
		return s.english(m)
	}
	w := window{
		// The sentence may be long; what decides stands near the trigger.
		before: s.before(m.start, windowBytes, sent.start), after: s.after(m.end, min(windowBytes, sent.end-m.end)),
		tail:     s.before(sent.end, 60, max(sent.start, m.end)),
		question: sent.question, quoted: m.quoted, cancel: m.trigger.Mode == cancel,
		alone: s.alone(m),
	}
	switch lang {
	case "zh":
		return w.chinese()
	case "ja":
		return w.japanese()
	}
	return w.korean()
}

// windowBytes is how far a rule looks, about 80 characters of any script.
const windowBytes = 240

// introduced reports a sentence that the line before it announces as somebody's
// text: "The docs say:".
func (s *scan) introduced(n int) bool {
	for back := 1; back <= 3 && n-back >= 0; back++ {
		sent := s.sentences[n-back]
		last := sent.last - 1
		for last >= sent.first && s.tokens[last].text == "\n" {
			last--
		}
		if last < sent.first {
			continue
		}
		if text := s.tokens[last].text; text != ":" && text != "：" {
			return false
		}
		for i := max(sent.first, last-40); i < last; i++ {
			switch s.tokens[i].text {
			case "say", "says", "said", "wrote", "writes", "text", "message", "example", "examples", "log", "logs", "output", "error", "errors", "reads", "following", "prints", "printed",
				"translate", "summarise", "summarize", "explain", "quote", "response", "reply", "answer", "ticket", "email", "comment", "docs", "documentation", "snippet", "prompt", "prompts", "sentence", "phrase", "string", "title":
				return true
			}
		}
		return false
	}
	return false
}

// alone reports a mention that is a whole sentence, in a prompt that says nothing
// else, or as its first or last words.
func (s *scan) alone(m mention) bool {
	sent := s.sentences[m.sentence]
	if m.quoted || sent.question {
		return false
	}
	rest := strings.TrimSpace(s.before(m.start, 40, sent.start) + " " + s.after(m.end, min(40, sent.end-m.end)))
	rest = strings.Trim(rest, " \n.!。！、,，~")
	switch rest {
	case "", "mode", "loop", "please", "mode please", "now", "on", "模式", "循环", "循環", "モード", "ループ", "모드", "루프":
	default:
		return false
	}
	if sent.end-sent.start > 120 {
		return false
	}
	empty := func(text []byte) bool { return len(strings.Trim(string(text), " \t\r\n")) == 0 }
	if empty(s.text[:sent.start]) && empty(s.text[sent.end:]) {
		return true
	}
	// Beside an order.
	if empty(s.text[:sent.start]) {
		return s.isOrder(m.sentence + 1)
	}
	return empty(s.text[sent.end:]) && s.isOrder(0)
}
