package cli

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/hookbridge/bridge/internal/display"
)

// inspect refuses a prompt, or a word of one, that contains an option or a misspelt one. A
// prompt that somebody quoted may contain an option that is also given outside of the
// quotes. Words that look like options of another program are recorded.
func (a *loopArgs) inspect(prompt string, quoted bool) error {
	for word := range strings.FieldsSeq(prompt) {
		option, misspelt := meant(word)
		if option == "" {
			if !quoted {
				a.note(word)
			}
			continue
		}
		if _, given := a.given[option]; quoted && given {
			continue
		}
		if misspelt {
			return hinted(fmt.Errorf("%s is not an option; did you mean %s?", display.Data(word, 60), option), "%s", endsFlags)
		}
		return unclear(option)
	}
	return nil
}

// unclear is the error for an option that is not before or after the prompt.
func unclear(option string) error {
	return hinted(fmt.Errorf("%s is inside the prompt, so it is not clear whether it is an option", display.Text(display.Clip(option, 60))), "%s", endsFlags)
}

// note records a word that looks like an option but is not one.
func (a *loopArgs) note(word string) {
	name := strings.TrimLeft(word, "-")
	if len(word)-len(name) >= 1 && len(name) > 1 && unicode.IsLetter(rune(name[0])) {
		a.odd = append(a.odd, word)
	}
}

// dashes are the signs that an editor or a keyboard may put in the place of two hyphens.
const dashes = "-‐‑‒–—―−－"

// nicknamed returns the option that people call by the name, or "".
func nicknamed(name string) string {
	switch name {
	case "max", "iterations", "maxiter", "maxiters":
		return "--max-iterations"
	case "promise":
		return "--completion-promise"
	}
	return ""
}

// meant returns the option that the word contains or resembles, if any.
func meant(word string) (option string, misspelt bool) {
	word = strings.ToLower(word)
	for _, option := range withValue {
		if strings.Contains(word, option) {
			return option, hasLonger(word, option)
		}
	}
	word = strings.TrimLeftFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !strings.ContainsRune(dashes, r) })
	name := strings.TrimLeft(word, dashes)
	if name == word {
		return "", false
	}
	hyphens := strings.HasPrefix(word, "--")
	name, _, _ = strings.Cut(name, "=")
	name = strings.TrimRightFunc(name, func(r rune) bool { return !unicode.IsLetter(r) })
	name = strings.Map(func(r rune) rune {
		if r == '_' || strings.ContainsRune(dashes, r) {
			return -1
		}
		return r
	}, name)
	if option = nicknamed(name); option != "" && hyphens {
		return option, true
	}
	const enough = 6
	for _, option := range withValue {
		full := strings.ReplaceAll(option, "-", "")
		if len(name) >= enough && hyphens && strings.HasPrefix(full, name) || len(name) <= 2*len(full) && display.Distance(name, full) <= 2 {
			return option, true
		}
	}
	return "", false
}

// hasLonger reports whether the word continues after the option, as --max-iterations2
// does.
func hasLonger(word, option string) bool {
	_, after, _ := strings.Cut(word, option)
	return after != "" && (after[0] >= 'a' && after[0] <= 'z' || after[0] == '-' || after[0] == '_')
}
