package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/hookbridge/bridge/internal/display"
)

// loopArgs are the arguments of bridge ralph loop.
type loopArgs struct {
	prompt        string
	promptFile    string
	maxIterations int
	promise       string
	fromStdin     bool
	force, help   bool
	// odd lists words of the prompt that look like misspelt options.
	odd []string
}

var (
	errNoPrompt = errors.New("no prompt provided")
	errNumber   = errors.New("--max-iterations requires a number argument")
	errPromise  = errors.New("--completion-promise requires a text argument")
	errFile     = errors.New("--prompt-file requires a file name")
)

const loopExample = `Example: ` + display.Bridge + ` ralph loop "Fix the failing tests" --max-iterations 5 --completion-promise "ALL TESTS PASS"`

// take stores the value of an option in its field.
func (a *loopArgs) take(option, value string) error {
	switch option {
	case "--max-iterations":
		n, err := strconv.ParseUint(strings.TrimSpace(value), 10, 31)
		if err != nil {
			return hinted(fmt.Errorf("--max-iterations must be a positive integer or 0, got: %s", value),
				"Valid: 10, 50, 0 (unlimited). Invalid: decimals (10.5), negative numbers (-5), text.\n%s", loopExample)
		}
		a.maxIterations = int(n)
	case "--completion-promise":
		promise := strings.Join(strings.Fields(value), " ")
		if promise == "" {
			return hinted(errPromise, "A promise of several words must be quoted.\n%s", loopExample)
		}
		if promise != "null" {
			a.promise = promise
		}
	case "--prompt-file":
		if value == "" {
			return hinted(errFile, "%s", "Example: "+display.Bridge+" ralph loop --prompt-file prompt.md --max-iterations 5")
		}
		a.promptFile = value
	}
	return nil
}

// missing is the error for an option at the end of the line that lacks its value.
func missing(option string) error {
	switch option {
	case "--max-iterations":
		return hinted(errNumber, "Valid: --max-iterations 10, --max-iterations 50, --max-iterations 0 (unlimited). You provided: --max-iterations (with no number)\n%s", loopExample)
	case "--completion-promise":
		return hinted(errPromise, "A promise of several words must be quoted.\n%s", loopExample)
	}
	return hinted(errFile, "%s", loopExample)
}

// flag handles an option without a value; ok is false if word is not such an option.
func (a *loopArgs) flag(word string) (ok bool) {
	switch word {
	case "--stdin":
		a.fromStdin = true
	case "--force":
		a.force = true
	case "--help", "-h":
		a.help = true
	default:
		return false
	}
	return true
}

// valued returns the option with a value that word is or starts; inline is the value in
// the --option=value form.
func valued(word string) (option, inline string, hasInline, ok bool) {
	for _, option := range []string{"--max-iterations", "--completion-promise", "--prompt-file"} {
		if word == option {
			return option, "", false, true
		}
		if value, found := strings.CutPrefix(word, option+"="); found {
			return option, value, true, true
		}
	}
	return "", "", false, false
}

// parseArgs reads words that a shell has already split.
func parseArgs(words []string) (loopArgs, error) {
	var a loopArgs
	var prompt []string
	for i := 0; i < len(words); i++ {
		word := words[i]
		if word == "--" {
			prompt = append(prompt, words[i+1:]...)
			break
		}
		if a.flag(word) {
			continue
		}
		option, value, inline, ok := valued(word)
		if !ok {
			a.note(word)
			prompt = append(prompt, word)
			continue
		}
		if !inline {
			if i+1 == len(words) {
				return a, missing(option)
			}
			i++
			value = words[i]
		}
		if err := a.take(option, value); err != nil {
			return a, err
		}
	}
	a.prompt = strings.Join(prompt, " ")
	return a, nil
}

// parseText reads the arguments of a slash command as the client passes them on stdin:
// nothing has split or unquoted them. Options count only as whole words. Quotes count
// only around the value of an option and around the whole prompt. Everything else is part
// of the prompt, including line breaks and single apostrophes.
func parseText(text string) (loopArgs, error) {
	var a loopArgs
	var prompt strings.Builder
	for at := 0; at < len(text); {
		if unicode.IsSpace(rune(text[at])) {
			prompt.WriteByte(text[at])
			at++
			continue
		}
		if literal := quotedAt(text, at); literal > at {
			prompt.WriteString(text[at:literal])
			at = literal
			continue
		}
		end := wordEnd(text, at)
		word := text[at:end]
		if word == "--" {
			prompt.WriteString(strings.TrimLeft(text[end:], " \t"))
			break
		}
		if a.flag(word) {
			at = end
			continue
		}
		option, _, inline, ok := valued(word)
		if !ok {
			a.note(word)
			prompt.WriteString(word)
			at = end
			continue
		}
		if inline {
			// The value may be quoted and may continue after this word.
			at += len(option) + 1
		} else {
			for at = end; at < len(text) && unicode.IsSpace(rune(text[at])); {
				at++
			}
			if at == len(text) {
				return a, missing(option)
			}
		}
		var value string
		value, at = valueAt(text, at)
		if err := a.take(option, value); err != nil {
			return a, err
		}
	}
	a.prompt = unwrap(strings.TrimSpace(prompt.String()))
	return a, nil
}

// note records a word that looks like an option but is not one.
func (a *loopArgs) note(word string) {
	name := strings.TrimLeft(word, "-")
	if len(word)-len(name) >= 1 && len(name) > 1 && unicode.IsLetter(rune(name[0])) && !strings.ContainsAny(name, " \n") {
		a.odd = append(a.odd, word)
	}
}

func wordEnd(text string, at int) int {
	for at < len(text) && !unicode.IsSpace(rune(text[at])) {
		at++
	}
	return at
}

// quotedAt returns the end of a quoted passage that begins at the offset and is followed
// by white space or the end of the text. If there is none, it returns the offset.
func quotedAt(text string, at int) int {
	quote := text[at]
	if quote != '"' && quote != '\'' {
		return at
	}
	for i := at + 1; i < len(text); i++ {
		if text[i] == quote && (i+1 == len(text) || unicode.IsSpace(rune(text[i+1]))) {
			return i + 1
		}
	}
	return at
}

// valueAt reads the value of an option: a quoted passage or one word.
func valueAt(text string, at int) (value string, next int) {
	if at < len(text) {
		if end := quotedAt(text, at); end > at {
			return text[at+1 : end-1], end
		}
	}
	end := wordEnd(text, at)
	return text[at:end], end
}

// unwrap removes the quotes around a prompt that is quoted as a whole.
func unwrap(prompt string) string {
	if len(prompt) < 2 || prompt[0] != '"' && prompt[0] != '\'' || quotedAt(prompt, 0) != len(prompt) {
		return prompt
	}
	return prompt[1 : len(prompt)-1]
}
