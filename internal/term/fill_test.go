package term_test

import (
	"testing"

	"github.com/hookbridge/bridge/internal/term"
)

// TestFill: paragraphs and second columns are wrapped, other indented lines are left alone.
func TestFill(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"TITLE\n\none two three four five six seven eight nine\nten\n":                     "TITLE\n\none two three four five six seven eight\nnine ten\n",
		"a\n  run x   it runs\n  longer call  it calls what is long\n":                     "a\n  run x         it runs\n  longer call   it calls what is long\n",
		"  command   one two three four five six\n             seven eight\n":              "  command   one two three four five six\n            seven eight\n",
		"  a long command that leaves no room   one\n  b   two\n":                          "  a long command that leaves no room\n      one\n  b\n      two\n",
		"  {\n    \"a\":  1,\n    \"bb\": \"a line that is wider than the others\"\n  }\n": "  {\n    \"a\":  1,\n    \"bb\": \"a line that is wider than the others\"\n  }\n",
		"x  y\n":                       "x y\n",
		"  only one column of words\n": "  only one column of words\n",
	} {
		if got := term.Fill(text, 40); got != want {
			t.Errorf("%q:\n%q, want\n%q", text, got, want)
		}
	}
}
