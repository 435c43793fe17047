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
	// Unsaid: not at all, or it is announced or denied.
	Unsaid Signal = iota
	// Mentioned: the token stands in a sentence or in a quotation, so it counts only
	// where the files say the same.
	Mentioned
	// Stated: the token is a line or a sentence of its own.
	Stated
)

// Completed reports how clearly the turn says that all tasks are complete. Only the
// model's own words count, never a prompt or what a tool answered: the peers looked at
// the raw transcript, where the coordinator's instructions and the hook's own prompt
// name the token from the first turn (docs/reference/ralph-specum.md#defect-1).
//
// In the last message it counts anywhere, before that only on a line of its own
// (docs/design.md#promise).
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

// find returns the clearest signal of a text; judge weighs one token by what stands
// before and behind it, unless that announces or denies it.
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

// alone accepts a line that holds the token and at most Markdown around it.
func alone(before, after string) Signal {
	before = before[strings.LastIndexByte(before, '\n')+1:]
	after, _, _ = strings.Cut(after, "\n")
	if strings.Trim(before+after, " \t\r*_`#-.!") == "" {
		return Stated
	}
	return Unsaid
}

// inProse takes a token between the ends of a line or sentence for a statement, and
// one inside of a sentence or of a quotation for a mention.
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

// plainLines is how much of a transcript that is plain text is looked at.
const plainLines = 500

// CompletedPlain looks for the token in the end of a transcript that is no JSON at
// all. Nobody knows who said a line there, so lines of an instruction, which tell
// to output the token, do not count.
func CompletedPlain(text string, lineOnly bool) Signal {
	lines := strings.Split(text, "\n")
	lines = lines[max(0, len(lines)-plainLines):]
	for i, line := range lines {
		if strings.Contains(strings.ToLower(line), "output "+strings.ToLower(Token)) {
			// What it says about the next line still counts.
			lines[i] = strings.ReplaceAll(line, Token, "")
		}
	}
	return said(strings.Join(lines, "\n"), lineOnly)
}
