package specum

import (
	"strings"

	"github.com/hookbridge/bridge/hooks"
)

// Token is what the coordinator says when the spec is done.
const Token = "ALL_TASKS_COMPLETE"

// Completed reports whether the turn says that all tasks are complete. Only the
// model's own words count, never a prompt or what a tool answered: the peers
// looked at the raw transcript, where the coordinator's instructions and the
// hook's own prompt name the token from the first turn
// (spec/ralph-dialects.md, section 3.4, defect 1).
//
// In the last message it counts anywhere, before that only on a line of its own
// (design decision 15).
func Completed(turn hooks.Turn, lineOnly bool) bool {
	if said(turn.Final, lineOnly) {
		return true
	}
	for _, e := range turn.Entries {
		if e.Kind == hooks.EntryText && saidAlone(e.Text) {
			return true
		}
	}
	return false
}

// said looks for the token as a word that no negation stands beside.
func said(text string, lineOnly bool) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], Token)
		if i < 0 {
			return false
		}
		start := at + i
		end := start + len(Token)
		at = end
		if start > 0 && isWordByte(text[start-1]) || end < len(text) && isWordByte(text[end]) {
			continue
		}
		if lineOnly {
			if (start == 0 || text[start-1] == '\n') && (end == len(text) || isSpace(text[end])) {
				return true
			}
			continue
		}
		if !denied(text[:start], text[end:]) {
			return true
		}
	}
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
		case "not", "never", "cannot", "before", "until", "unless", "will", "would", "if", "when", "once":
			return true
		}
		if strings.HasSuffix(word, "n't") || strings.HasSuffix(word, "n’t") || strings.HasSuffix(word, "'ll") {
			return true
		}
	}
	for _, word := range wordsOf(after) {
		switch word {
		case "not", "yet", "until", "unless", "when", "once", "only":
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
func CompletedPlain(text string, lineOnly bool) bool {
	lines := strings.Split(text, "\n")
	for _, line := range lines[max(0, len(lines)-plainLines):] {
		lower := strings.ToLower(line)
		if !strings.Contains(lower, "output "+strings.ToLower(Token)) && said(strings.TrimRight(line, "\r"), lineOnly) {
			return true
		}
	}
	return false
}
