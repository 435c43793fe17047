package specum

import (
	"strings"

	"github.com/hookbridge/bridge/protocol"
)

// Token is what the coordinator says when the spec is done.
const Token = "ALL_TASKS_COMPLETE"

// Signal is how clearly a turn says that all tasks are complete.
type Signal int

const (
	// Unsaid: the token is absent, or it is announced or denied.
	Unsaid Signal = iota
	// Mentioned: the token is inside a sentence or a quotation, so it counts only if the
	// files agree.
	Mentioned
	// Stated: the token is a line or a sentence of its own.
	Stated
)

// Completed reports how clearly the turn says that all tasks are complete. Only the
// model's own words count, never a prompt or a tool result: the plugins searched the raw
// transcript, where the coordinator's instructions and the hook's own prompt contain the
// token from the first turn on (docs/reference/ralph-specum.md#defect-1).
//
// The token counts anywhere in the last message, and in earlier ones only on a line of
// its own (docs/design.md#promise).
func Completed(turn protocol.Turn, lineOnly bool) Signal {
	signal := said(turn.Final, lineOnly)
	for _, e := range turn.Entries {
		if e.Kind == protocol.EntryText && find(e.Text, alone) == Stated {
			return Stated
		}
	}
	return signal
}

// said looks for the token as a word that is neither announced nor denied.
func said(text string, lineOnly bool) Signal {
	if lineOnly {
		return find(text, beginsLine)
	}
	return find(text, inProse)
}

// find returns the clearest signal of a text. judge rates one occurrence of the token by
// the text before and after it, unless that text announces or denies the token.
func find(text string, judge func(before, after string) Signal) Signal {
	signal := Unsaid
	for at := 0; signal != Stated; {
		i := strings.Index(text[at:], Token)
		if i < 0 {
			break
		}
		start := at + i
		at = start + len(Token)
		if start > 0 && isWordByte(text[start-1]) || at < len(text) && isWordByte(text[at]) {
			continue
		}
		before, after := text[:start], text[at:]
		if found := judge(before, after); found > signal && !unmeant(before, after) {
			signal = found
		}
	}
	return signal
}

func beginsLine(before, after string) Signal {
	if (before == "" || strings.HasSuffix(before, "\n")) && (after == "" || isSpace(after[0])) {
		return Stated
	}
	return Unsaid
}

// alone accepts a line that contains only the token and Markdown around it.
func alone(before, after string) Signal {
	before = before[strings.LastIndexByte(before, '\n')+1:]
	after, _, _ = strings.Cut(after, "\n")
	if strings.Trim(before+after, " \t\r*_`#-.!") == "" {
		return Stated
	}
	return Unsaid
}

// inProse counts a token between the ends of a line or sentence as a statement, and one
// inside a sentence or a quotation as a mention.
func inProse(before, after string) Signal {
	const decoration = " \t\r*_`#"
	before, after = strings.TrimRight(before, decoration), strings.TrimLeft(after, decoration)
	if endsSentence(before) && (after == "" || strings.ContainsAny(after[:1], ".!?;\n") || after != strings.TrimLeft(after, "。！？；")) {
		return Stated
	}
	return Mentioned
}

func endsSentence(text string) bool {
	return text == "" || strings.TrimRight(text, ".!?;:-\n。！？；：—–") != text
}

func isWordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

// plainLines is how many lines of a plain-text transcript are checked.
const plainLines = 500

// CompletedPlain looks for the token at the end of a transcript that is not JSON. Such a
// transcript does not show who wrote a line, so lines that instruct somebody to output
// the token do not count.
func CompletedPlain(text string, lineOnly bool) Signal {
	lines := strings.Split(text, "\n")
	lines = lines[max(0, len(lines)-plainLines):]
	for i, line := range lines {
		if strings.Contains(strings.ToLower(line), "output "+strings.ToLower(Token)) {
			// What this line says about the next one still counts.
			lines[i] = strings.ReplaceAll(line, Token, "")
		}
	}
	return said(strings.Join(lines, "\n"), lineOnly)
}
