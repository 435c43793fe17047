package specum

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// unmeant reports whether the sentence of the token, or the one before it, announces the
// token or denies it: "I must not output … yet" and "When all is done I will output:"
// used to end loops. A missed completion costs one more turn; a false one costs the loop.
// before and after are the text around the token.
func unmeant(before, after string) bool {
	list, own := sentences(before)
	if last := len(list) - 1; own == "" && last >= 0 && introduces(list[last]) {
		list, own = list[:last], list[last]
	}
	if announces(own) || denies(lastWords(own)) || deniesBehind(after) {
		return true
	}
	if len(list) == 0 {
		return false
	}
	previous := list[len(list)-1]
	return namesSaying(previous) && (announces(previous) || denies(previous))
}

// sentences splits the end of a text. own is the last, unfinished sentence; it is empty
// if the text ends with a sentence or a line.
func sentences(text string) (list []string, own string) {
	const reach = 400
	text = strings.ToValidUTF8(text[max(0, len(text)-reach):], "")
	add := func(sentence string) {
		if isText(sentence) {
			list = append(list, sentence)
		}
	}
	for line := range strings.Lines(text) {
		own = ""
		rest := strings.TrimSpace(line)
		if strings.HasPrefix(rest, "```") || strings.HasPrefix(rest, "~~~") {
			continue
		}
		for i := 0; i < len(rest); {
			r, size := utf8.DecodeRuneInString(rest[i:])
			i += size
			// The full stop in tasks.md does not end a sentence.
			if strings.ContainsRune("。！？；", r) || strings.ContainsRune(".!?;", r) && (i == len(rest) || strings.ContainsRune(" \"'*_)", rune(rest[i]))) {
				add(rest[:i])
				rest, i = rest[i:], 0
			}
		}
		if strings.HasSuffix(line, "\n") {
			add(rest)
		} else if isText(rest) {
			own = rest
		}
	}
	return list, own
}

func isText(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// introduces reports whether a line leads into the next one: "I will output:".
func introduces(sentence string) bool {
	sentence = strings.TrimRight(sentence, " *_`\"")
	return strings.TrimRight(sentence, ":：,，—–-…") != sentence
}

// The distance from the token, in bytes, within which a negation applies to it.
const (
	reachBefore = 40
	reachAfter  = 24
)

func lastWords(text string) string {
	cut := max(0, len(text)-reachBefore)
	for cut > 0 && (isWordByte(text[cut-1]) || !utf8.RuneStart(text[cut])) {
		cut--
	}
	return text[cut:]
}

// announces reports whether a sentence is about something that is still to come, is
// wanted, or is said by somebody else. "I will now output" does not count as an
// announcement.
func announces(text string) bool {
	words := wordsOf(text)
	now := slices.Contains(words, "now")
	for i, word := range words {
		switch word {
		case "when", "whenever", "if", "once", "until", "till", "unless", "after", "before", "later", "eventually", "soon", "end", "whether",
			"says", "expects", "expected", "waits", "waiting", "looks", "example", "earlier", "mistake", "mistakenly", "accidentally", "supposed":
			return true
		case "will", "would", "shall", "should", "must", "going", "plan", "intend", "need", "needs":
			if !now {
				return true
			}
		case "output", "say", "print", "emit", "write", "reply":
			if i > 0 && words[i-1] == "to" && !now {
				return true
			}
		}
		if hasEnd(word, "'ll", "'d") && !now {
			return true
		}
	}
	return hasPart(text,
		"如果", "假如", "一旦", "等到", "等所有", "等全部", "待所有", "待全部", "当所有", "当全部", "当每", "当任务", "當所有", "當全部", "當任務", "時輸出", "时输出",
		"时，", "時，", "时再", "時再", "时才", "時才", "时会", "時會", "时我", "時我", "时将", "時將", "的时候", "的時候", "完成后", "完成後", "结束后", "結束後", "之后", "之後", "以后", "以後",
		"后再", "後再", "后才", "後才", "后会", "後會", "后我", "後我", "后输出", "後輸出", "才会", "才會", "才能", "将会", "將會", "将输出", "將輸出", "我会", "我會", "我将", "我將", "会输出", "會輸出",
		"直到", "除非", "稍后", "稍後", "最后会", "应该", "應該", "应当", "需要", "必须", "必須", "要求",
		"たら", "れば", "なら", "とき", "時に", "時は", "後に", "後で", "あとで", "まで", "予定", "つもり", "べき", "必要",
		"하면", "되면", "나면", "으면", "할 때", "될 때", "후에", "뒤에", "까지", "예정", "겠습니다", "겠다", "것입니다", "거예요", "게요", "해야")
}

// denies reports whether a sentence contains a negation.
func denies(text string) bool {
	for _, word := range wordsOf(text) {
		switch word {
		case "not", "never", "cannot", "neither", "nor", "yet", "early":
			return true
		}
		if hasEnd(word, "n't") {
			return true
		}
	}
	return hasPart(text, "不", "未", "没", "沒", "別", "别", "勿", "还早", "還早",
		"ない", "ません", "まだ", "ずに", "않", "아직", "못", "지 마", "말고", "안 됩", "안 돼")
}

// deniesBehind checks the rest of the token's own sentence.
func deniesBehind(after string) bool {
	after = strings.TrimLeft(after, " *_`\"'")
	if strings.HasPrefix(after, "?") || strings.HasPrefix(after, "？") {
		return true
	}
	after = after[:min(len(after), reachAfter)]
	if i := strings.IndexAny(after, ".!?;\n。！？；"); i >= 0 {
		after = after[:i]
	}
	for _, word := range wordsOf(after) {
		switch word {
		case "not", "yet", "later", "until", "unless", "when", "once", "only", "will", "would", "if", "after":
			return true
		}
		if hasEnd(word, "n't") {
			return true
		}
	}
	return hasPart(after, "不", "还没", "還沒", "尚未", "ない", "ません", "まだ", "않", "아직")
}

// namesSaying reports whether a sentence is about saying something.
func namesSaying(text string) bool {
	for _, word := range wordsOf(text) {
		switch strings.TrimSuffix(strings.TrimSuffix(word, "s"), "ing") {
		case "output", "outputt", "say", "print", "emit", "emitt", "reply", "respond", "announce", "announc", "write", "writ", "echo", "signal", "token", "promise", "phrase", "it", "this":
			return true
		}
	}
	return hasPart(text, "输出", "輸出", "打印", "列印", "说", "說", "写", "寫", "回复", "回覆", "报告", "報告", "宣布", "标记", "標記",
		"出力", "表示", "言", "書", "報告", "返", "출력", "말", "보고", "표시", "쓰", "적")
}

func hasEnd(word string, ends ...string) bool {
	word = strings.ReplaceAll(word, "’", "'")
	return slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(word, end) })
}

func hasPart(text string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(text, part) })
}

func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(c rune) bool {
		return !(c >= 'a' && c <= 'z' || c == '\'' || c == '’' || c > 0x7f)
	})
}
