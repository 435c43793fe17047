package promise

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestTagsAgreeWithTheRule compares with the rule as the dialect's description
// gives it: from each opening to the next closing, white space folded.
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
