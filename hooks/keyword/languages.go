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

	// before and after are the parts of the sentence around the mention, cut to what a rule reads; tail is the end of the
	// sentence. Languages without spaces only.
	before, after, tail string
	// clause is the text between the last comma and the mention. Chinese only.
	clause string
	// rest is the text of after without "mode" and "loop". object is rest without its particle; marked says that it had
	// one. request says that the sentence asks for something.
	rest, object    string
	marked, request bool
	// begs says that the sentence asks for something and cannot be a title or advice.
	begs bool
}

// rules judge a mention one after the other; the first one with an answer decides. The
// first rule of each language reads the place.
type rules []func(*place) form

var (
	englishRules  = rules{(*place).readEnglish, (*place).endsEnglish, (*place).orderEnglish, (*place).headEnglish, (*place).startEnglish, (*place).mannerEnglish, (*place).tailEnglish, (*place).standsAlone, (*place).abroad}
	chineseRules  = rules{(*place).readChinese, (*place).endsChinese, (*place).appendedEnglish, (*place).mannerChinese, (*place).startChinese, (*place).headChinese, (*place).standsAlone, (*place).tailChinese}
	japaneseRules = rules{(*place).readJapanese, (*place).endsJapanese, (*place).appendedEnglish, (*place).mannerJapanese, (*place).startJapanese, (*place).standsAlone, (*place).headJapanese, (*place).tailJapanese}
	koreanRules   = rules{(*place).readKorean, (*place).endsKorean, (*place).appendedEnglish, (*place).mannerKorean, (*place).startKorean, (*place).standsAlone, (*place).headKorean, (*place).tailKorean}
)

// judge returns the form in which a mention asks for its mode, or for its end.
func (s *scan) judge(m *mention) form {
	if s.introduced(m.sentence) || s.sentences[m.sentence].word(0) == "#" {
		return nothing // somebody else's text, or a heading
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

// cancelWide judges cancelomc in a Korean or Japanese sentence. A sentence about logs, errors or searches only mentions
// it.
func (p *place) cancelWide() form {
	if aboutCancel.in(p.before) || aboutCancel.in(p.after) {
		return nothing
	}
	return ending
}

var aboutCancel = parts{"grep", "검색", "찾아", "로그 ", "로그에", "에러", "오류", "입력", "検索", "探し", "ログ", "エラー", "入力"}

// look reads the text around the mention. The sentence may be long, but only text near
// the trigger matters.
func (p *place) look() {
	p.mention = p.scan.together(p.mention)
	p.before = p.scan.before(p.start, windowBytes, p.sent.start)
	p.after = p.scan.after(p.end, min(windowBytes, p.sent.end-p.end))
	p.tail = p.scan.before(p.sent.end, 60, max(p.sent.start, p.end))
}

// together extends a mention to adjacent mentions, as in 랄프와 울트라워크로: what is said
// about one applies to all.
func (s *scan) together(m *mention) *mention {
	first, last := m.at, m.at
	for first > max(0, m.at-4) && s.joined(&s.mentions[first-1], &s.mentions[first]) {
		first--
	}
	for last < min(len(s.mentions)-1, m.at+4) && s.joined(&s.mentions[last], &s.mentions[last+1]) {
		last++
	}
	if first == last {
		return m
	}
	merged := *m
	merged.start, merged.first = s.mentions[first].start, s.mentions[first].first
	merged.end, merged.last = s.mentions[last].end, s.mentions[last].last
	return &merged
}

// joined reports whether the text between a mention and the next one only joins them.
func (s *scan) joined(m, next *mention) bool {
	if m.use == order || next.use == order || m.sentence != next.sentence || next.start < m.end || next.start-m.end > 24 {
		return false
	}
	between, _ := suffixes.cut(strings.TrimSpace(string(s.text[m.end:next.start])))
	return joints.has(strings.TrimSpace(between))
}

// joints join two mentions in a language without spaces between words.
var joints = words{"", "&", "+", "and", "、", "と", "与", "加", "和", "跟", "과", "랑", "와", "이랑", "하고", "＋"}

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

// mostListed is how many lines above an item the introduction of its list may be.
const mostListed = 20

// introduced reports whether the line before a sentence introduces it as somebody else's
// text, "The docs say:", or one above it introduces a list, "Examples:".
func (s *scan) introduced(n int) bool {
	blank, list := 0, false
	for back := 1; back <= mostListed && n-back >= 0; back++ {
		sent := &s.sentences[n-back]
		last := len(sent.tokens) - 1
		for sent.word(last) == "\n" {
			last--
		}
		switch {
		case last < 0 && blank >= 2:
			return false
		case last < 0:
			blank++
			continue
		}
		if text := sent.tokens[last].text; text == ":" || text == "：" {
			return !list && sent.has(last-40, last, english.announces) || sent.has(last-40, last, english.lists)
		}
		if blank > 0 {
			return false
		}
		list = true
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
	start, end := p.start, p.end
	if p.to > 0 && p.to-p.from <= 3 {
		start, end = sent.tokens[p.from].start, sent.tokens[p.to-1].end
	}
	rest := strings.TrimSpace(s.before(start, 40, sent.start) + " " + s.after(end, min(40, sent.end-end)))
	if !besideAlone.has(strings.Trim(rest, " \n.!。！、,，~;")) {
		return false
	}
	isFirst, isLast := sent.start <= s.inked.start, sent.end >= s.inked.end
	switch {
	case isFirst && isLast:
		return true
	case isFirst:
		// The prompt also contains an order.
		return s.isOrder(p.sentence + 1)
	}
	return isLast && !p.signs() && (s.isOrder(0) || p.use == short)
}

// besideAlone may accompany a mention that stands alone.
var besideAlone = words{"", "full", "go", "let's", "loop", "mode", "mode on", "mode please", "now", "ok", "okay", "on", "please", "time to", "yes", "モード", "ループ", "循环", "循環", "模式", "루프", "모드"}
