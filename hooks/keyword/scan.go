package keyword

import (
	"bytes"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// scan is a prompt while the rules are applied to it.
type scan struct {
	// prompt is the text as the user wrote it, with the same offsets.
	prompt    string
	text      []byte
	quoted    []span
	tokens    []token
	sentences []sentence
	mentions  []mention
	// inked is the part of the text without white space at its ends.
	inked span
}

type kind int

const (
	word kind = iota
	// mark is punctuation.
	mark
	// wide is a run of characters that are not Latin.
	wide
	// shown stands for hidden text.
	shown
)

// token is a piece of the masked prompt.
type token struct {
	span
	kind kind
	text string
}

// sentence ends at a full stop, a question mark or a line break.
type sentence struct {
	span
	tokens   []token
	question bool
	// head is the first token after fillers; order is the first token after fillers and polite words.
	head, order int
	// mentions counts what it mentions.
	mentions int
	// rules are those of its language.
	rules rules
}

// mention is a trigger in the prompt: the tokens of its sentence from first up to, but
// not including, last.
type mention struct {
	span
	*trigger
	// at is its index among all mentions.
	at, sentence, first, last int
	quoted                    bool
}

func newScan(prompt string, table []row) *scan {
	all := triggersOf(table)
	s := &scan{prompt: prompt}
	s.text, s.quoted = mask(prompt, table, all)
	s.inked = inked(s.text)
	s.tokenise()
	s.split()
	s.find(all)
	s.mentions = outer(s.mentions)
	for i := range s.sentences {
		sent := &s.sentences[i]
		sent.head, sent.order = sent.skipFillers(0), sent.skipPolite(0)
		if sent.mentions > 0 {
			sent.rules = s.language(i)
		}
	}
	return s
}

// inked returns the part of the text without white space at its ends. Hidden bytes are
// not white space, because something was shown there.
func inked(text []byte) span {
	isInk := func(r rune) bool { return r > ' ' || r == hidden }
	start := bytes.IndexFunc(text, isInk)
	if start < 0 {
		return span{len(text), len(text)}
	}
	return span{start, bytes.LastIndexFunc(text, isInk) + 1}
}

// mostMentions limits how many mentions are judged: nobody who writes an order names a
// mode that often.
const mostMentions = 1000

// outer keeps the mentions at both ends of a text that has too many, because an order
// comes first or last.
func outer(all []mention) []mention {
	if len(all) > mostMentions {
		all = slices.Delete(all, mostMentions/2, len(all)-mostMentions/2)
	}
	for i := range all {
		all[i].at = i
	}
	return all
}

// tokenise splits the text into tokens. Characters that make another word belong to the token: ralph-init, ralph's,
// ralph.md, #ralph and ralph( are not ralph.
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
		case r < utf8.RuneSelf && isWordByte(byte(r)), accented(text[i:]) > 0, isPrefix(text, i):
			i = wordEnd(text, i)
			s.tokens = append(s.tokens, token{span{start, i}, word, strings.ReplaceAll(string(text[start:i]), "’", "'")})
		case unicode.IsLetter(r) || r == 'ー' || r == '・':
			for i < len(text) {
				r, size = utf8.DecodeRune(text[i:])
				if !unicode.IsLetter(r) && !unicode.IsMark(r) && r != 'ー' && r != '・' || r < utf8.RuneSelf || unicode.Is(unicode.Latin, r) {
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

// isPrefix reports whether a mark belongs to the word after it.
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

// accented is the length of the Latin letter beyond ASCII with which text begins, or 0.
func accented(text []byte) int {
	if text[0] < utf8.RuneSelf {
		return 0
	}
	if r, size := utf8.DecodeRune(text); unicode.Is(unicode.Latin, r) {
		return size
	}
	return 0
}

func wordEnd(text []byte, i int) int {
	i += max(1, accented(text[i:]))
	for i < len(text) {
		c := text[i]
		next := byte(' ')
		if i+1 < len(text) {
			next = text[i+1]
		}
		switch {
		case isWordByte(c):
			i++
		case accented(text[i:]) > 0:
			i += accented(text[i:])
		case (c == '-' || c == '.' || c == '\'' || c == '/' || c == '@' || c == '=') && (isWordByte(next) || c == '-' && next == '-'):
			i++
		case c == ':' && next == ':', c == '-' && isWordByte(text[i-1]) && next == '*':
			i += 2
		case strings.HasPrefix(string(text[i:min(i+3, len(text))]), "’") && i+3 < len(text) && isLetter(text[i+3]):
			i += 3
		case c == '(':
			// This is a function call.
			return i + 1
		default:
			return i
		}
	}
	return i
}

// split groups the tokens into sentences.
func (s *scan) split() {
	first := 0
	for i, t := range s.tokens {
		if i < len(s.tokens)-1 && !s.ends(i) {
			continue
		}
		s.sentences = append(s.sentences, sentence{
			span: span{s.tokens[first].start, t.end}, tokens: s.tokens[first : i+1], question: t.text == "?" || t.text == "？",
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

// find looks for triggers: in Latin script by words, in other scripts anywhere. The
// longest match wins.
func (s *scan) find(all []trigger) {
	for n := range s.sentences {
		sent := &s.sentences[n]
		for i := 0; i < len(sent.tokens); i++ {
			switch sent.tokens[i].kind {
			case word:
				if m := s.latin(all, sent, i); m.trigger != nil {
					m.sentence = n
					s.add(m)
					i = m.last - 1
				}
			case wide:
				s.wide(all, n, i)
			case mark, shown:
			}
		}
	}
}

// latin returns the Latin trigger that begins with a token.
func (s *scan) latin(all []trigger, sent *sentence, i int) (best mention) {
	length := 0
	t := &sent.tokens[i]
	for k := range all {
		tr := &all[k]
		if !tr.latin() || tr.text[0] != t.text[0] || len(tr.text) <= length {
			continue
		}
		if last := sent.match(tr.text, i); last > 0 && !tr.isPerson(s.after(sent.tokens[last-1].end, 16)) {
			length, best = len(tr.text), mention{span: span{t.start, sent.tokens[last-1].end}, trigger: tr, first: i, last: last}
		}
	}
	return best
}

// wide looks for triggers inside a run of another script. Some of them continue after it,
// such as 팀 모드 and ウルトラQA.
func (s *scan) wide(all []trigger, n, i int) {
	sent := &s.sentences[n]
	t := &sent.tokens[i]
	for at := t.start; at < t.end; {
		var best *trigger
		end := at
		rest := s.text[at:sent.end]
		for k := range all {
			tr := &all[k]
			if tr.text[0] == rest[0] && !tr.latin() && len(tr.text) > end-at && len(tr.text) <= len(rest) && string(rest[:len(tr.text)]) == tr.text &&
				!tr.isPerson(s.after(at+len(tr.text), 16)) {
				best, end = tr, at+len(tr.text)
			}
		}
		if best != nil && !(best.use == ja && s.insideKatakana(at, end)) {
			s.add(mention{span: span{at, end}, trigger: best, sentence: n, first: i, last: i + 1})
			at = end
			continue
		}
		_, size := utf8.DecodeRune(s.text[at:])
		at += size
	}
}

// insideKatakana reports whether a trigger is part of a longer foreign word.
func (s *scan) insideKatakana(start, end int) bool {
	before, _ := utf8.DecodeLastRune(s.text[:start])
	after := string(s.text[end:min(end+9, len(s.text))])
	isPart := func(r rune) bool { return r >= 0x30A1 && r <= 0x30FA || r == 'ー' }
	next, _ := utf8.DecodeRuneInString(after)
	return isPart(before) || isPart(next) && !strings.HasPrefix(after, "モード") && !strings.HasPrefix(after, "ループ")
}

func (s *scan) add(m mention) {
	// The quotes are sorted and do not overlap.
	behind := sort.Search(len(s.quoted), func(i int) bool { return s.quoted[i].start > m.start })
	m.quoted = behind > 0 && m.end <= s.quoted[behind-1].end
	s.sentences[m.sentence].mentions++
	s.mentions = append(s.mentions, m)
}

// word returns the text of a token, or nothing for a token of another sentence.
func (sent *sentence) word(i int) string {
	if i < 0 || i >= len(sent.tokens) {
		return ""
	}
	return sent.tokens[i].text
}

func (sent *sentence) is(i int, list words) bool { return list.has(sent.word(i)) }

// skip skips the words of a list.
func (sent *sentence) skip(i int, list words) int {
	for sent.is(i, list) {
		i++
	}
	return i
}

// has reports whether the tokens contain a word of the list.
func (sent *sentence) has(from, to int, list words) bool {
	for i := max(0, from); i < min(to, len(sent.tokens)); i++ {
		if sent.is(i, list) {
			return true
		}
	}
	return false
}

// match compares the words of a phrase with the tokens from i on. It returns the index of
// the token after them, or 0.
func (sent *sentence) match(phrase string, i int) int {
	for phrase != "" {
		if i >= len(sent.tokens) || sent.tokens[i].kind != word {
			return 0
		}
		have := sent.tokens[i].text
		rest, ok := strings.CutPrefix(phrase, have)
		if !ok || rest != "" && rest[0] != ' ' {
			if rest, ok = strings.CutPrefix(phrase, "N "); !ok || !isNumber(have) {
				return 0
			}
			rest = " " + rest
		}
		phrase = strings.TrimPrefix(rest, " ")
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

// language returns the rules for the script in which most of a sentence is written. A Latin word counts less than a
// character that is a word in itself, and the name of a mode does not count.
func (s *scan) language(n int) rules {
	sent := &s.sentences[n]
	latin, han, kana, hangul := 0, 0, 0, 0
	for _, t := range sent.tokens {
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
	for i := s.firstMention(n); i < len(s.mentions) && s.mentions[i].sentence == n; i++ {
		if m := &s.mentions[i]; m.latin() {
			latin -= m.end - m.start
		}
	}
	switch wide := han + kana + hangul; {
	case wide == 0 || latin > 4*wide || s.startsMode(n):
		return englishRules
	case hangul > 0:
		return koreanRules
	case kana > 0:
		return japaneseRules
	}
	return chineseRules
}

// startsMode reports whether a sentence begins with an English order to start a mode,
// whatever the language of the task: "run ralph on 새 작업".
func (s *scan) startsMode(n int) bool {
	sent := &s.sentences[n]
	if !sent.is(sent.order, english.starters) {
		return false
	}
	m := &s.mentions[s.firstMention(n)]
	return m.latin() && sent.skip(sent.order+1, english.small) == m.first
}

// firstMention is the index of the first mention in a sentence or after it.
func (s *scan) firstMention(n int) int {
	return sort.Search(len(s.mentions), func(i int) bool { return s.mentions[i].sentence >= n })
}
