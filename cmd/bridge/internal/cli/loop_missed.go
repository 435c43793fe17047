package cli

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/hookbridge/bridge/internal/display"
)

// missed refuses a prompt that begins or ends with an attempt at an option that was not
// given: max-iterations 5, -n 5, --limit 5, completion-promise "DONE". In the middle of a
// prompt, the same words are prose, and so are those that a verb or a preposition
// introduces ("set max_iterations=5").
func (a *loopArgs) missed(prompt string, quoted bool) error {
	if _, given := a.given["--max-iterations"]; !given {
		if wrote, n := attempt(prompt, quoted); wrote != "" {
			return hinted(fmt.Errorf("%s looks like an option; did you mean --max-iterations %s?", display.Data(wrote, 60), n), "%s", endsFlags)
		}
		if promise, given := a.given["--completion-promise"]; given && a.promise == "" {
			return hinted(fmt.Errorf("--completion-promise %s means that there is no promise, so the loop would never end", display.Text(promise)),
				"Give a text that the model says when it is done, or --max-iterations N, or leave the option out.\n%s", loopExample)
		}
	}
	if _, given := a.given["--completion-promise"]; !given {
		if wrote := attemptAtPromise(prompt); wrote != "" {
			return hinted(fmt.Errorf("%s looks like an option; did you mean --completion-promise?", display.Data(wrote, 60)), "%s", endsFlags)
		}
	}
	return nil
}

// attempt returns the text at the beginning or end of a prompt that seems to be meant as a limit, and the number in it.
func attempt(prompt string, quoted bool) (wrote, n string) {
	// Chinese has no spaces around its punctuation.
	words := strings.Fields(strings.NewReplacer("，", " ", "；", " ", "。", " ", "：", ":").Replace(prompt))
	last := len(words)
	for _, at := range []struct{ from, to int }{{last - 3, last}, {last - 2, last}, {last - 1, last}, {0, 3}, {0, 2}, {0, 1}} {
		if at.from < 0 || at.to > last {
			continue
		}
		if n := limitIn(words[at.from:at.to], words[:at.from], quoted); n != "" {
			return strings.Join(words[at.from:at.to], " "), n
		}
	}
	return "", ""
}

// limitIn returns the number of words such as --limit 5, -n=5, or max iterations: 5.
// before are the words in front of them.
func limitIn(words, before []string, quoted bool) string {
	name, value := "", strings.TrimRight(words[len(words)-1], ".,;!。，；！")
	if at := strings.LastIndexAny(value, "=:"); at >= 0 {
		name, value = value[:at], value[at+1:]
	} else if len(words) == 1 {
		return ""
	}
	if value == "" || len(value) > 9 || strings.ContainsFunc(value, func(r rune) bool { return r < '0' || r > '9' }) {
		return ""
	}
	name = strings.TrimRight(strings.Join(append(slices.Clone(words[:len(words)-1]), name), " "), " =:")
	bare, dashed := plainName(name)
	last := ""
	if len(before) > 0 {
		last = before[len(before)-1]
	}
	// After another option, it is one of the same command.
	own := dashed && !slices.ContainsFunc(before, func(word string) bool { return len(word) > 1 && word[0] == '-' })
	switch bare {
	case "maxiterations", "maxiteration", "maxiters", "maxiter":
		if dashed || !introduces(last) {
			return value
		}
	case "iterations":
		// "5 iterations" is prose, and so is "iterations 5".
		if dashed || strings.ContainsAny(strings.Join(words, ""), "=:") && !introduces(last) {
			return value
		}
	case "iteration", "iters", "iter", "max", "limit", "times", "loops", "rounds", "runs", "turns", "maxloops", "maxruns", "maxturns", "maxrounds":
		if own {
			return value
		}
	case "n", "m", "i":
		if own && !quoted && !slices.Contains(numberedTools, strings.ToLower(last)) {
			return value
		}
	}
	return ""
}

// plainName makes one name of --max-iterations, max_iterations and Max iterations. dashed
// says that it begins with a dash.
func plainName(name string) (plain string, dashed bool) {
	bare := strings.TrimLeft(name, dashes)
	return strings.ToLower(strings.Map(func(r rune) rune {
		if r == '_' || r == ' ' || strings.ContainsRune(dashes, r) {
			return -1
		}
		return r
	}, bare)), bare != name
}

// numberedTools are words before -n 5 that make it a part of a command.
var numberedTools = []string{"head", "tail", "log", "sort", "xargs", "nice", "shuf", "split", "ping", "seq", "journalctl", "ps", "top", "watch", "lines"}

// introduces reports whether the word before a name makes the name a thing that the
// prompt is about.
func introduces(word string) bool {
	switch strings.ToLower(strings.TrimRight(word, ":,")) {
	case "set", "sets", "setting", "to", "from", "of", "for", "is", "if", "when", "and", "or", "than", "as", "the", "a", "an", "into", "rename", "change", "update", "add", "support", "option", "flag", "value", "default", "says", "has", "use", "uses", "using", "means", "handle", "reject", "accept", "parse", "on", "in", "by":
		return true
	}
	return false
}

// attemptAtPromise returns what a prompt ends with, if it is meant as a promise: the name of
// the option without dashes and a value that is quoted or in capitals.
func attemptAtPromise(prompt string) string {
	lower := strings.ToLower(prompt)
	for _, name := range []string{"completion-promise", "completion_promise", "completion promise"} {
		at := strings.LastIndex(lower, name)
		if at < 0 || len(lower) != len(prompt) || at > 0 && !isSpace(prompt[at-1]) {
			continue
		}
		value := strings.TrimSpace(strings.TrimLeft(prompt[at+len(name):], " \t=:"))
		words := strings.Fields(prompt[:at])
		if value == "" || len(words) > 0 && introduces(words[len(words)-1]) {
			continue
		}
		capitals := strings.ContainsFunc(value, unicode.IsUpper) && value == strings.ToUpper(value)
		if (value[0] == '"' || value[0] == '\'') && closing(value, 0) == len(value)-1 || capitals {
			return prompt[at:]
		}
	}
	return ""
}
