package cli

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hookbridge/bridge/internal/display"
)

// parseText reads the arguments of a slash command as the client passes them on stdin:
// nothing has split or unquoted them. Options stand before the prompt, up to --, or after
// it. The prompt is never changed, except that quotes around the whole of it are removed.
// A text of which it is not clear what belongs to the prompt is refused: a loop that
// lacks its limit never ends.
func parseText(text string) (loopArgs, error) {
	var a loopArgs
	at, literal, err := a.leading(text)
	if err != nil {
		return a, err
	}
	text = strings.TrimSpace(text[at:])
	if literal || a.help {
		a.prompt, _ = unwrap(text)
		return a, nil
	}
	prompt, err := a.trailing(text)
	whole := false
	if a.prompt, whole = unwrap(prompt); err != nil && !whole {
		return a, err
	}
	if err := a.inspect(a.prompt, whole); err != nil {
		return a, err
	}
	return a, a.missed(a.prompt, whole)
}

// leading reads the options before the prompt and returns where the prompt begins.
// literal says that -- stands in front of it.
func (a *loopArgs) leading(text string) (at int, literal bool, err error) {
	for {
		for at < len(text) && isSpace(text[at]) {
			at++
		}
		end := wordEnd(text, at)
		word := text[at:end]
		switch {
		case word == "--":
			return end, true, nil
		case a.flag(word):
			at = end
			continue
		}
		option, value, next, ok, err := optionAt(text, at)
		if err == nil && ok {
			err = a.take(option, value)
		}
		if err != nil || !ok {
			return at, false, err
		}
		at = next
	}
}

// maxTrailing is how many options after a prompt are read. More would make a long text
// slow to read, and are not clear anyway.
const maxTrailing = 16

// trailing reads the options after the prompt and returns the prompt. They begin with the
// first option after which only options follow. If there is none, the whole text is the
// prompt, and the error says what was wrong with an option in it.
func (a *loopArgs) trailing(text string) (prompt string, err error) {
	type pair struct{ option, value string }
	var starts []int
	for at := 0; at < len(text); at = nextWord(text, at) {
		word := text[at:wordEnd(text, at)]
		if _, _, _, ok := valued(word); ok || word == "--force" {
			starts = append(starts, at)
		}
	}
	var last error
	for _, start := range starts[max(0, len(starts)-maxTrailing):] {
		var pairs []pair
		force, at := false, start
		for at < len(text) {
			if end := wordEnd(text, at); text[at:end] == "--force" {
				force, at = true, nextWord(text, at)
				continue
			}
			option, value, next, ok, err := optionAt(text, at)
			if err != nil {
				last = err
			}
			if err != nil || !ok {
				break
			}
			pairs = append(pairs, pair{option, value})
			for at = next; at < len(text) && isSpace(text[at]); {
				at++
			}
		}
		if at < len(text) {
			continue
		}
		for _, p := range pairs {
			if err := a.take(p.option, p.value); err != nil {
				return "", err
			}
		}
		a.force = a.force || force
		prompt = strings.TrimSpace(text[:start])
		if _, whole := unwrap(prompt); !whole && endsInside(prompt) {
			return "", hinted(errors.New("-- is in the middle of the text, so it is not clear whether the options after it belong to the prompt"), "%s", endsFlags)
		}
		return prompt, nil
	}
	return text, last
}

// endsInside reports whether -- is a word of the prompt.
func endsInside(prompt string) bool {
	for at := 0; at < len(prompt); at = nextWord(prompt, at) {
		if prompt[at:wordEnd(prompt, at)] == "--" {
			return true
		}
	}
	return false
}

// optionAt reads the option with its value at the offset; ok is false if there is none.
// An error means that its value is missing or that its quotes are not clear.
func optionAt(text string, at int) (option, value string, next int, ok bool, err error) {
	end := wordEnd(text, at)
	option, _, inline, ok := valued(text[at:end])
	if !ok {
		return "", "", at, false, nil
	}
	if inline {
		at += len(option) + 1
	} else {
		at = nextWord(text, at)
		if at == len(text) || isOption(text[at:wordEnd(text, at)]) {
			return option, "", at, true, missing(option)
		}
	}
	if at < len(text) && (text[at] == '"' || text[at] == '\'') {
		if end = closing(text, at); end < 0 {
			return option, "", at, true, hinted(fmt.Errorf("it is not clear where the quotes around the value of %s end: %s", option, display.Text(display.Clip(text[at:], 60))), "%s", endsFlags)
		}
		return option, text[at+1 : end], end + 1, true, nil
	}
	end = wordEnd(text, at)
	if value = text[at:end]; strings.ContainsAny(value, "\"`") || strings.HasSuffix(value, "'") {
		return option, "", at, true, hinted(fmt.Errorf("the value of %s contains a quote but does not begin with one: %s", option, display.Text(display.Clip(value, 60))), "%s", endsFlags)
	}
	return option, value, end, true, nil
}

func wordEnd(text string, at int) int {
	for at < len(text) && !isSpace(text[at]) {
		at++
	}
	return at
}

// nextWord is where the word after the one at the offset begins.
func nextWord(text string, at int) int {
	for at = wordEnd(text, at); at < len(text) && isSpace(text[at]); {
		at++
	}
	return at
}

// closing returns the offset of the quote that ends the quoted passage at the offset. It
// is the next one, an apostrophe between two letters aside, and white space or the end of
// the text follows it. If that is not so, it returns -1.
func closing(text string, at int) int {
	quote := text[at]
	for i := at + 1; i < len(text); i++ {
		if text[i] != quote {
			continue
		}
		before, _ := utf8.DecodeLastRuneInString(text[at+1 : i])
		after, _ := utf8.DecodeRuneInString(text[i+1:])
		if quote == '\'' && unicode.IsLetter(before) && unicode.IsLetter(after) {
			continue
		}
		if i+1 == len(text) || isSpace(text[i+1]) {
			return i
		}
		return -1
	}
	return -1
}

// unwrap removes the quotes around a prompt that is quoted as a whole.
func unwrap(prompt string) (unquoted string, whole bool) {
	if len(prompt) < 2 || prompt[0] != '"' && prompt[0] != '\'' || closing(prompt, 0) != len(prompt)-1 {
		return prompt, false
	}
	return prompt[1 : len(prompt)-1], true
}
