package promise

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/hookbridge/bridge/protocol"
)

// TestTagsAgreeWithTheRule compares with the rule in the description of the dialect: the text from each opening tag to
// the next closing tag, with white space folded.
func TestTagsAgreeWithTheRule(t *testing.T) {
	t.Parallel()
	rule := func(promise, text string) bool {
		for rest := text; ; {
			_, after, found := strings.Cut(rest, "<promise>")
			if !found {
				return false
			}
			said, _, closed := strings.Cut(after, "</promise>")
			if closed && fold(said) == fold(promise) {
				return true
			}
			rest = after
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SampledFrom([]string{"<promise>", "</promise>", "A", "B", "AB", " ", "\n", "\u00a0", "<", "promise>"})
		promise := strings.Join(rapid.SliceOfN(words, 1, 4).Draw(t, "promise"), "")
		text := strings.Join(rapid.SliceOfN(words, 0, 24).Draw(t, "text"), "")
		if fold(promise) == "" {
			return
		}
		if got, want := In(text, false, promise), rule(promise, text); got != want {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}

// TestWhatIsKept: where a promise counts, and how it may be written.
func TestWhatIsKept(t *testing.T) {
	t.Parallel()
	entry := func(kind protocol.EntryKind, text string) protocol.Turn {
		return protocol.Turn{Final: "Bye.", Entries: []protocol.Entry{{Kind: protocol.EntryText, Text: "Hello."}, {Kind: kind, Text: text}, {Kind: protocol.EntryText, Text: "Bye."}}}
	}
	final := func(text string) protocol.Turn {
		return protocol.Turn{Final: text, Entries: []protocol.Entry{{Kind: protocol.EntryText, Text: text}}}
	}
	const tag = "<promise>A & B</promise>"
	for name, test := range map[string]struct {
		turn     protocol.Turn
		promises []string
		want     bool
	}{
		"the last message":           {final("So " + tag + "."), []string{"A & B"}, true},
		"the second tag":             {final("<promise>no</promise> " + tag), []string{"A & B"}, true},
		"the second promise":         {final(tag), []string{"", "C", "A & B"}, true},
		"an end first":               {final("</promise>" + tag), []string{"A & B"}, true},
		"no promise":                 {final("<promise></promise>"), []string{""}, false},
		"other white space":          {final("<promise>\n A\t&\u00a0 B </promise>"), []string{" A  & B"}, true},
		"no white space":             {final("<promise>A &B</promise>"), []string{"A & B"}, false},
		"another end":                {final("<promise>A & C</promise>"), []string{"A & B"}, false},
		"another beginning":          {final("<promise>CA & B</promise>"), []string{"A & B"}, false},
		"no opening":                 {final("A & B</promise>"), []string{"A & B"}, false},
		"as HTML":                    {final("&lt;promise&gt;A &amp; B&lt;/promise&gt;"), []string{"A & B"}, true},
		"as half HTML":               {final("&lt;promise&gt;A & B&lt;/promise&gt;"), []string{"A & B"}, true},
		"as HTML, another":           {final("&lt;promise&gt;C&lt;/promise&gt;"), []string{"A & B"}, false},
		"an earlier text, alone":     {entry(protocol.EntryText, "Done.\n "+tag+" \nNext."), []string{"A & B"}, true},
		"an earlier text, only it":   {entry(protocol.EntryText, tag), []string{"A & B"}, true},
		"text before it":             {entry(protocol.EntryText, "Done: "+tag+"\nNext."), []string{"A & B"}, false},
		"text behind it":             {entry(protocol.EntryText, "Done.\n"+tag+" yes"), []string{"A & B"}, false},
		"text around it, then alone": {entry(protocol.EntryText, "It is "+tag+".\n"+tag), []string{"A & B"}, true},
		"the result of a tool":       {entry(protocol.EntryToolResult, tag), []string{"A & B"}, false},
	} {
		if got := Kept(test.turn, test.promises...); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
