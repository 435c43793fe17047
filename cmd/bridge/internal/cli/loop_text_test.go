package cli

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestParseText: what people type behind /ralph-loop. want is "limit|promise|prompt", or
// the beginning of the error.
func TestParseText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Fix it":                      "0||Fix it",
		"Fix it --max-iterations 5\n": "5||Fix it",
		"--max-iterations 5 Fix it":   "5||Fix it",
		"--max-iterations=5 Fix it --completion-promise=DONE":          "5|DONE|Fix it",
		"Fix it\n\nin two lines\n--max-iterations 5":                   "5||Fix it\n\nin two lines",
		`Print "hello". --max-iterations 5 --completion-promise "A B"`: `5|A B|Print "hello".`,
		`"Print hello" --completion-promise 'it's done'`:               "0|it's done|Print hello",
		`'Don't stop' --max-iterations 5`:                              "5||Don't stop",
		`"Say "hi". Then "bye"" --max-iterations 5`:                    `5||"Say "hi". Then "bye""`,
		`"foo". And then "bar" --max-iterations 5`:                     `5||"foo". And then "bar"`,
		`"Explain --max-iterations 9" --max-iterations 5`:              "5||Explain --max-iterations 9",
		`--max-iterations 5 "Explain --max-iterations 9"`:              "5||Explain --max-iterations 9",
		`"Fix a -- b" --max-iterations 5`:                              "5||Fix a -- b",
		"Fix a -- b":                                                   "0||Fix a -- b",
		"-- Explain --max-iterations 9":                                "0||Explain --max-iterations 9",
		"--max-iterations 5 --\nExplain --completion-promise":          "5||Explain --completion-promise",
		"Run git push --force first":                                   "0||Run git push --force first",
		"Fix it --max-iterations 5 --force":                            "5||Fix it",
		"Describe the --help":                                          "0||Describe the --help",
		"Fix it --max-iterations 5 --max-iterations 5":                 "5||Fix it",
		"Run --max-old-space-size=4096 --promises --limit 5":           "0||Run --max-old-space-size=4096 --promises --limit 5",
		"voil\u00e0 --max-iterations 5":                                "5||voil\u00e0",

		"Fix --max-iterations 5 it":                          "--max-iterations is inside",
		"Explain `--max-iterations`":                         "--max-iterations is inside",
		"Explain --max-iterations":                           "--max-iterations requires a number",
		"Explain what --max-iterations does":                 "--max-iterations must be a positive integer or 0, got: does",
		`"Fix it --max-iterations 5"`:                        "--max-iterations is inside",
		`"Fix it --completion-promise DONE"`:                 "--completion-promise is inside",
		`Say "x --completion-promise DONE"`:                  "the value of --completion-promise contains a quote",
		"Fix it --completion-promise ALL DONE":               "--completion-promise is inside",
		`Fix it --completion-promise "ALL DONE`:              "it is not clear where the quotes",
		`Fix it --completion-promise "ALL" "DONE"`:           "--completion-promise is inside",
		"Fix it --completion-promise --max-iterations 5":     "--completion-promise is inside",
		"Fix it --completion-promise \u201cDONE\u201d":       "the value of --completion-promise begins with a curly quote",
		"Fix it --max-iteration 5":                           `"--max-iteration" is not an option`,
		"Fix it --max_iterations=5":                          `"--max_iterations=5" is not an option`,
		"Fix it --maxIterations 5":                           `"--maxIterations" is not an option`,
		"Fix it -max-iterations 5":                           `"-max-iterations" is not an option`,
		"Fix it \u2014max-iterations 5":                      `"—max-iterations" is not an option`,
		"Fix it --max 5":                                     `"--max" is not an option`,
		"Fix it (--completion-promis DONE)":                  `"(--completion-promis" is not an option`,
		"Fix it --promise DONE":                              `"--promise" is not an option`,
		"Do it max-iterations 5":                             `"max-iterations 5" looks like an option; did you mean --max-iterations 5?`,
		"max-iterations 5 Do it":                             `"max-iterations 5" looks like an option`,
		"Do it, max iterations: 5.":                          `"max iterations: 5." looks like an option`,
		"Do it max_iterations=5":                             `"max_iterations=5" looks like an option`,
		"修复测试，max-iterations：5":                              `"max-iterations:5" looks like an option`,
		"修复测试 最多 5 次":                                        "0||修复测试 最多 5 次",
		"Please fix, iterations: 5":                          `"iterations: 5" looks like an option`,
		"Do it iterations=5":                                 `"iterations=5" looks like an option`,
		"Do it -n 5":                                         `"-n 5" looks like an option`,
		"-n 5 Do it":                                         `"-n 5" looks like an option`,
		"Do it -max 5":                                       `"-max 5" looks like an option`,
		"Do it --limit 5":                                    `"--limit 5" looks like an option`,
		"Do it --limit=5":                                    `"--limit=5" looks like an option`,
		`"Do it --limit 5"`:                                  `"--limit 5" looks like an option`,
		`"Do it" --limit 5`:                                  `"--limit 5" looks like an option`,
		"Do it --limit 5 --completion-promise DONE":          `"--limit 5" looks like an option`,
		"Do it --completion-promise null":                    "--completion-promise null means that there is no promise",
		`Do it completion-promise "ALL DONE"`:                `"completion-promise 'ALL DONE'" looks like an option`,
		"Do it completion-promise: DONE":                     `"completion-promise: DONE" looks like an option`,
		"Do it --limit 5 --max-iterations 9":                 "9||Do it --limit 5",
		"Do it --completion-promise null --max-iterations 9": "9||Do it",
		"-- Do it max-iterations 5":                          "0||Do it max-iterations 5",
		"Set max_iterations=5":                               "0||Set max_iterations=5",
		"Change the default from 3 to max-iterations 5":      "0||Change the default from 3 to max-iterations 5",
		"max-iterations 5 is wrong":                          `"max-iterations 5" looks like an option`,
		"Say why max-iterations 5 is wrong":                  "0||Say why max-iterations 5 is wrong",
		"Show the output of head -n 5":                       "0||Show the output of head -n 5",
		`"Show what go test -n 5 says at -n 5"`:              "0||Show what go test -n 5 says at -n 5",
		"Run `go test -n 5`":                                 "0||Run `go test -n 5`",
		"Run it 5 times":                                     "0||Run it 5 times",
		"Fix bugs 1, 2 and 5":                                "0||Fix bugs 1, 2 and 5",
		"Fix issue: 5":                                       "0||Fix issue: 5",
		"Document the completion-promise option":             "0||Document the completion-promise option",
		"Add the flag completion-promise DONE":               "0||Add the flag completion-promise DONE",
		"5":                                                  "0||5",
		"Fix it --max-iterations 5\u00a0":                    "5||Fix it",
		"Fix it --max-iterations\u00a05":                     "--max-iterations is inside",
		"Fix it --MAX-ITERATIONS 5":                          "--max-iterations is inside",
		"--max-iterations 5 Fix it --max-iterations 6":       "--max-iterations is given twice",
		"Fix it -- now --max-iterations 5":                   "-- is in the middle",
		"Fix it --max-iterations 5 -- now":                   "--max-iterations is inside",
		"Fix it --max-iterations 99999999999":                "--max-iterations must be a positive integer",
		"Fix it --max-iterations 5.":                         "--max-iterations must be a positive integer",
		"Fix it --max-iterations -5":                         "--max-iterations must be a positive integer",
		"Fix it --completion-promise DONE --max-iteration 5": "--completion-promise is inside",
	} {
		a, err := parseText(text)
		got := fmt.Sprintf("%d|%s|%s", a.maxIterations, a.promise, a.prompt)
		if err != nil {
			got = err.Error()
		}
		if got != want && (err == nil || !strings.HasPrefix(got, want)) {
			t.Errorf("%q:\n got %q\nwant %q", text, got, want)
		}
	}
}

// checkText holds what is true of every text.
func checkText(t *testing.T, text string) {
	t.Helper()
	a, err := parseText(text)
	if err != nil || a.help {
		return
	}
	if !strings.Contains(text, a.prompt) {
		t.Errorf("%q: the prompt is another one: %q", text, a.prompt)
	}
	before, _, ends := strings.Cut(text, a.prompt)
	if ends = ends && strings.Contains(before, "--"); ends {
		ends = false
		for _, word := range strings.Fields(before) {
			ends = ends || word == "--"
		}
	}
	for _, option := range withValue {
		if _, given := a.given[option]; !ends && !given && strings.Contains(a.prompt, option) {
			t.Errorf("%q: %s is in the prompt, and is not given: %q", text, option, a.prompt)
		}
	}
	if left := strings.Replace(text, a.prompt, "", 1); len(a.prompt) > 3 {
		for word := range strings.FieldsSeq(left) {
			if word = strings.Trim(word, "\"'"); word != "" && !isOption(word) && len(a.given) == 0 {
				t.Errorf("%q: %q is lost", text, word)
			}
		}
	}
	// The result is the same if -- marks the beginning of the prompt.
	if b, err := parseText("-- " + a.prompt); err != nil || b.prompt != strings.TrimSpace(a.prompt) && !strings.ContainsAny(a.prompt, "\"'") {
		t.Errorf("%q: again: %q, %v", text, b.prompt, err)
	}
}

// pieces are what texts are made of at random.
var pieces = []string{
	"Fix", "it.", "don't", `"hello".`, `"`, "'", `"A B"`, "'x y'", "--max-iterations", "--max-iterations=7", "5", "0", "-5", "--completion-promise", "DONE",
	`--completion-promise="A B"`, "--prompt-file", "p.md", "--force", "--stdin", "--", "-", "\u2014max-iterations", "--max-iteration", "\n", "\r\n", "\u00a0", "\xff", "`--force`", "“x”",
}

// TestRandomTexts puts pieces together at random.
func TestRandomTexts(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(8, 2026))
	for range 20_000 {
		var text strings.Builder
		for range r.IntN(9) {
			text.WriteString(pieces[r.IntN(len(pieces))])
			if r.IntN(6) > 0 {
				text.WriteByte(' ')
			}
		}
		checkText(t, text.String())
	}
	// Options around a text without quotes and dashes are always found.
	for range 2_000 {
		var words []string
		for range 1 + r.IntN(5) {
			words = append(words, []string{"Fix", "the", "parser,", "5", "DONE", "it's", "\n", "so", "a-b"}[r.IntN(9)])
		}
		prompt := strings.TrimSpace(strings.Join(words, " "))
		if prompt == "" {
			continue
		}
		before, after := "--max-iterations 7 ", ` --completion-promise "A B"`
		if r.IntN(2) == 0 {
			before, after = "", after+" --max-iterations=7"
		}
		if a, err := parseText(before + prompt + after); err != nil || a.prompt != prompt || a.maxIterations != 7 || a.promise != "A B" {
			t.Errorf("%q: %+v, %v", before+prompt+after, a, err)
		}
	}
}

func FuzzParseText(f *testing.F) {
	for _, piece := range pieces {
		f.Add("Fix it " + piece + ` "x" ` + piece + " 5")
	}
	f.Fuzz(checkText)
}
