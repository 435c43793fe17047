package cli

import (
	"slices"
	"strings"
	"testing"
)

func TestSplitWords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"":                            nil,
		" \n\t":                       nil,
		"tasks.md --max-iterations 5": {"tasks.md", "--max-iterations", "5"},
		`"my tasks.md" --force`:       {"my tasks.md", "--force"},
		`'a b'c"d e"`:                 {"a bcd e"},
		"don't stop":                  {"don't", "stop"},
		"$(id) `id` ; rm -rf / \\n":   {"$(id)", "`id`", ";", "rm", "-rf", "/", "\\n"},
		`""`:                          {""},
		"a\r\nb":                      {"a", "b"},
	} {
		if got := splitWords(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// TestWithStdin: only where it is asked for, and never for ralph loop, whose
// prompt has rules of its own.
func TestWithStdin(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ args, stdin, want string }{
		{"ralph smart --stdin", "tasks.md --force", "ralph|smart|tasks.md|--force"},
		{"ralph smart tasks.md", "--force", "ralph|smart|tasks.md"},
		{"ralph loop --stdin", "x", "ralph|loop|--stdin"},
		{"ralph clean --stdin --dry-run", "", "ralph|clean|--dry-run"},
	} {
		got, err := withStdin(&App{Stdin: strings.NewReader(test.stdin)}, strings.Fields(test.args))
		if err != nil || strings.Join(got, "|") != test.want {
			t.Errorf("%s: %q, %v", test.args, got, err)
		}
	}
	if _, err := withStdin(&App{Stdin: strings.NewReader(strings.Repeat("x", maxStdinArgs+1))}, []string{"status", "--stdin"}); err == nil {
		t.Error("endless arguments were accepted")
	}
}

// TestJoinNegative: a negative number belongs to the option in front of it, and a loop's
// text is left alone.
func TestJoinNegative(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"ralph resume --max-iterations -5":      "ralph resume --max-iterations=-5",
		"ralph resume --max-iterations -5 -5":   "ralph resume --max-iterations=-5 -5",
		"ralph resume --max-iterations --force": "ralph resume --max-iterations --force",
		"ralph resume --max-iterations -f":      "ralph resume --max-iterations -f",
		"ralph resume --max-iterations":         "ralph resume --max-iterations",
		"ralph loop --max-iterations -5":        "ralph loop --max-iterations -5",
		"check -5":                              "check -5",
	} {
		if got := strings.Join(joinNegative(strings.Fields(args)), " "); got != want {
			t.Errorf("%s: %s", args, got)
		}
	}
}
