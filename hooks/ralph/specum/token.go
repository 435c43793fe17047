package specum

import (
	"strings"

	"github.com/hookbridge/bridge/hooks"
)

// Token is what the coordinator says when the spec is done.
const Token = "ALL_TASKS_COMPLETE"

// Signal is how clearly a turn says that all tasks are complete.
type Signal int

const (
	// Unsaid: not at all, or it is denied.
	Unsaid Signal = iota
	// Mentioned: the token stands in a sentence. "It is too early to output …" is
	// one too, so it counts only where the files say the same.
	Mentioned
	// Stated: the token is a line or a sentence of its own.
	Stated
)

// Completed reports how clearly the turn says that all tasks are complete. Only
// the model's own words count, never a prompt or what a tool answered: the peers
// looked at the raw transcript, where the coordinator's instructions and the
// hook's own prompt name the token from the first turn
// (spec/ralph-dialects.md, section 3.4, defect 1).
//
// In the last message it counts anywhere, before that only on a line of its own
// (design decision 15).
func Completed(turn hooks.Turn, lineOnly bool) Signal {
	signal := said(turn.Final, lineOnly)
	for _, e := range turn.Entries {
		if e.Kind == hooks.EntryText && saidAlone(e.Text) {
			return Stated
		}
	}
	return signal
}

// said looks for the token as a word that no negation stands beside.
func said(text string, lineOnly bool) Signal {
	signal := Unsaid
	for at := 0; ; {
		i := strings.Index(text[at:], Token)
		if i < 0 {
			return signal
		}
		start := at + i
		end := start + len(Token)
		at = end
		if start > 0 && isWordByte(text[start-1]) || end < len(text) && isWordByte(text[end]) {
			continue
		}
		before, after := text[:start], text[end:]
		switch {
		case lineOnly:
			if (before == "" || strings.HasSuffix(before, "\n")) && (after == "" || isSpace(after[0])) {
				return Stated
			}
		case denied(before, after):
		case ownSentence(before, after):
			return Stated
		default:
			signal = Mentioned
		}
	}
}

// ownSentence reports whether nothing but Markdown stands between the token and
// the ends of its line or sentence.
func ownSentence(before, after string) bool {
	const decoration = " \t\r*_`#>\"'"
	before, after = strings.TrimRight(before, decoration), strings.TrimLeft(after, decoration)
	return endsSentence(before) && (after == "" || strings.ContainsAny(after[:1], ".!?;\n") || after != strings.TrimLeft(after, "。！？；"))
}

func endsSentence(text string) bool {
	return text == "" || strings.TrimRight(text, ".!?;:-\n。！？；：—–") != text
}

// saidAlone looks for a line that holds the token and at most Markdown around it.
func saidAlone(text string) bool {
	for line := range strings.Lines(text) {
		if strings.Trim(line, " \t\r\n*_`#>-.!") == Token {
			return true
		}
	}
	return false
}

func isWordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

// Reach of a negation around the token, in bytes.
const (
	reachBefore = 40
	reachAfter  = 24
)

// denied reports whether the sentence around the token says that it is not, or not
// yet, so: "I must not output … yet" ended loops (defect 3). To miss a completion
// costs one more turn; to see one that is none costs the loop.
func denied(before, after string) bool {
	if len(before) > reachBefore {
		cut := len(before) - reachBefore
		for cut > 0 && isWordByte(before[cut-1]) {
			cut--
		}
		before = before[cut:]
	}
	if i := strings.LastIndexAny(before, ".!?;\n。！？；"); i >= 0 {
		before = before[i:]
	}
	if len(after) > reachAfter {
		after = after[:reachAfter]
	}
	if i := strings.IndexAny(after, ".!?;\n。！？；"); i >= 0 {
		after = after[:i]
	}
	for _, word := range wordsOf(before) {
		switch word {
		case "not", "never", "cannot", "early", "before", "until", "unless", "will", "would", "if", "when", "once":
			return true
		}
		if strings.HasSuffix(word, "n't") || strings.HasSuffix(word, "n’t") || strings.HasSuffix(word, "'ll") {
			return true
		}
	}
	for _, word := range wordsOf(after) {
		switch word {
		case "not", "yet", "later", "until", "unless", "when", "once", "only":
			return true
		}
		if strings.HasSuffix(word, "n't") || strings.HasSuffix(word, "n’t") {
			return true
		}
	}
	for _, word := range []string{"不", "未", "没", "別", "别", "勿"} {
		if strings.Contains(before, word) {
			return true
		}
	}
	return false
}

func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(c rune) bool {
		return !(c >= 'a' && c <= 'z' || c == '\'' || c == '’' || c > 0x7f)
	})
}

// plainLines is how much of a transcript that is plain text is looked at.
const plainLines = 500

// CompletedPlain looks for the token in the end of a transcript that is no JSON at
// all. Nobody knows who said a line there, so lines of an instruction, which tell
// to output the token, do not count.
func CompletedPlain(text string, lineOnly bool) Signal {
	signal := Unsaid
	lines := strings.Split(text, "\n")
	for _, line := range lines[max(0, len(lines)-plainLines):] {
		lower := strings.ToLower(line)
		if !strings.Contains(lower, "output "+strings.ToLower(Token)) {
			signal = max(signal, said(strings.TrimRight(line, "\r"), lineOnly))
		}
	}
	return signal
}
