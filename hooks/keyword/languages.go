package keyword

import (
	"strings"
	"unicode/utf8"
)

// form is the form in which a mention asks for its mode.
type form string

const (
	// undecided leaves the decision to the next rule.
	undecided form = ""
	// nothing ends the search: the mention does not ask for anything.
	nothing form = "nothing"
	// ending asks for the end of the mode, or of all modes.
	ending form = "cancel"
)

func when(ok bool, f form) form {
	if ok {
		return f
	}
	return undecided
}

// place is a mention in its sentence, with the parts that the rules of a language need.
type place struct {
	*mention
	scan *scan
	sent *sentence

	// from and to are the tokens of the mention and of adjacent mentions. starts are the
	// positions before it at which an order may begin. English only.
	from, to int
	starts   []int

	// before and after are the parts of the sentence around the mention, as far as a rule
	// reads; tail is the end of the sentence. Languages without spaces only.
	before, after, tail string
	// clause is the text between the last comma and the mention. Chinese only.
	clause string
	// rest is after without "mode" and "loop". object is rest without a particle; marked
	// says that there was one. request says that the sentence asks for something.
	rest, object    string
	marked, request bool
}

// rules judge a mention one after the other; the first one with an answer decides. The
// first rule of each language reads the place.
type rules []func(*place) form

var (
	englishRules  = rules{(*place).readEnglish, (*place).endsEnglish, (*place).orderEnglish, (*place).headEnglish, (*place).startEnglish, (*place).mannerEnglish, (*place).tailEnglish, (*place).standsAlone}
	chineseRules  = rules{(*place).readChinese, (*place).endsChinese, (*place).appendedEnglish, (*place).mannerChinese, (*place).startChinese, (*place).headChinese, (*place).standsAlone}
	japaneseRules = rules{(*place).readJapanese, (*place).endsJapanese, (*place).appendedEnglish, (*place).mannerJapanese, (*place).startJapanese, (*place).standsAlone, (*place).headJapanese}
	koreanRules   = rules{(*place).readKorean, (*place).endsKorean, (*place).appendedEnglish, (*place).mannerKorean, (*place).startKorean, (*place).standsAlone, (*place).headKorean}
)

// judge returns the form in which a mention asks for its mode, or for its end.
func (s *scan) judge(m *mention) form {
	if s.introduced(m.sentence) {
		return nothing
	}
	p := &place{mention: m, scan: s, sent: &s.sentences[m.sentence]}
	for _, rule := range p.sent.rules {
		if f := rule(p); f != undecided {
			return f
		}
	}
	return nothing
}

// windowBytes is how far a rule reads, about 80 characters of any script.
const windowBytes = 240

// look reads the text around the mention. The sentence may be long, but only text near
// the trigger matters.
func (p *place) look() {
	p.before = p.scan.before(p.start, windowBytes, p.sent.start)
	p.after = p.scan.after(p.end, min(windowBytes, p.sent.end-p.end))
	p.tail = p.scan.before(p.sent.end, 60, max(p.sent.start, p.end))
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

// introduced reports whether the line before a sentence introduces it as somebody else's
// text: "The docs say:".
func (s *scan) introduced(n int) bool {
	for back := 1; back <= 3 && n-back >= 0; back++ {
		sent := &s.sentences[n-back]
		last := len(sent.tokens) - 1
		for sent.word(last) == "\n" {
			last--
		}
		if last < 0 {
			continue
		}
		if text := sent.tokens[last].text; text != ":" && text != "：" {
			return false
		}
		for i := max(0, last-40); i < last; i++ {
			if sent.is(i, english.announces) {
				return true
			}
		}
		return false
	}
	return false
}

// standsAlone reports whether a mention is a whole sentence of a prompt that says nothing
// else, or its first or last words.
func (p *place) standsAlone() form { return when(p.alone(), "alone") }

func (p *place) alone() bool {
	s, sent := p.scan, p.sent
	if p.quoted || sent.question || sent.end-sent.start > 120 {
		return false
	}
	rest := strings.TrimSpace(s.before(p.start, 40, sent.start) + " " + s.after(p.end, min(40, sent.end-p.end)))
	if !besideAlone.has(strings.Trim(rest, " \n.!。！、,，~")) {
		return false
	}
	isFirst, isLast := sent.start <= s.inked.start, sent.end >= s.inked.end
	switch {
	case isFirst && isLast:
		return true
	case isFirst:
		// There is an order as well.
		return s.isOrder(p.sentence + 1)
	}
	return isLast && s.isOrder(0)
}

// besideAlone may accompany a mention that stands alone.
var besideAlone = words{"", "loop", "mode", "mode please", "now", "on", "please", "モード", "ループ", "循环", "循環", "模式", "루프", "모드"}
