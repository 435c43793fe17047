package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

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
	// given holds the options that were given, with their values.
	given map[string]string
	// odd lists words of the prompt that look like options of another program.
	odd []string
}

var (
	errNoPrompt = errors.New("no prompt provided")
	errNumber   = errors.New("--max-iterations requires a number argument")
	errPromise  = errors.New("--completion-promise requires a text argument")
	errFile     = errors.New("--prompt-file requires a file name")
)

const loopExample = `Example: ` + display.Bridge + ` ralph loop "Fix the failing tests" --max-iterations 5 --completion-promise "ALL TESTS PASS"`

// endsFlags is the hint for a prompt that contains the name of an option.
const endsFlags = "Options stand before or after the prompt; a value of several words is quoted. If the word belongs to the prompt, put -- in front of the prompt:\n" +
	display.Bridge + " ralph loop --max-iterations 5 -- PROMPT"

// curly are the quotes that an editor or a keyboard may put in the place of straight ones.
const curly = "“”„‘’‚«»"

// The tags around a promise in the model's answer.
const openPromise, closePromise = "<promise>", "</promise>"

// take stores the value of an option in its field.
func (a *loopArgs) take(option, value string) error {
	if old, ok := a.given[option]; ok && old != value {
		return hinted(fmt.Errorf("%s is given twice: %s and %s", option, display.Data(old, 60), display.Data(value, 60)), "%s", endsFlags)
	}
	if first, _ := utf8.DecodeRuneInString(value); strings.ContainsRune(curly, first) && value != "" {
		return hinted(fmt.Errorf("the value of %s begins with a curly quote: %s", option, display.Text(display.Clip(value, 60))), "Use straight quotes: \" or '.\n%s", loopExample)
	}
	if a.given == nil {
		a.given = map[string]string{}
	}
	a.given[option] = value
	switch option {
	case "--max-iterations":
		n, err := strconv.ParseUint(strings.TrimSpace(value), 10, 31)
		if err != nil {
			return hinted(fmt.Errorf("--max-iterations must be a positive integer or 0, got: %s", value),
				"Valid: 10, 50, 0 (unlimited). Invalid: decimals (10.5), negative numbers (-5), text.\n%s", endsFlags)
		}
		a.maxIterations = int(n)
	case "--completion-promise":
		promise := strings.Join(strings.Fields(value), " ")
		// The tags are what the model adds; with them inside, no answer keeps the promise.
		if bare, ok := strings.CutPrefix(promise, openPromise); ok && strings.HasSuffix(bare, closePromise) {
			promise = strings.TrimSpace(strings.TrimSuffix(bare, closePromise))
		}
		if strings.Contains(promise, openPromise) || strings.Contains(promise, closePromise) {
			return hinted(fmt.Errorf("the value of %s contains a tag: %s", option, display.Data(promise, 60)), "Give the text alone; the model puts it between <promise> and </promise>.\n%s", loopExample)
		}
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

// missing is the error for an option that lacks its value.
func missing(option string) error {
	switch option {
	case "--max-iterations":
		return hinted(errNumber, "Valid: --max-iterations 10, --max-iterations 50, --max-iterations 0 (unlimited). You provided: --max-iterations (with no number)\n%s", endsFlags)
	case "--completion-promise":
		return hinted(errPromise, "A promise of several words must be quoted.\n%s", endsFlags)
	}
	return hinted(errFile, "%s", endsFlags)
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

// withValue are the options that have a value.
var withValue = []string{"--max-iterations", "--completion-promise", "--prompt-file"}

// valued returns the option with a value that word is or starts; inline is the value in
// the --option=value form.
func valued(word string) (option, inline string, hasInline, ok bool) {
	for _, option := range withValue {
		if word == option {
			return option, "", false, true
		}
		if value, found := strings.CutPrefix(word, option+"="); found {
			return option, value, true, true
		}
	}
	return "", "", false, false
}

// parseArgs reads words that a shell has already split. The words of the prompt stand
// together: an option between them could as well be a part of it.
func parseArgs(words []string) (loopArgs, error) {
	var a loopArgs
	var prompt, literal []string
	between := ""
	for i := 0; i < len(words); i++ {
		word := words[i]
		if word == "--" {
			literal = words[i+1:]
			break
		}
		option, value, inline, ok := valued(word)
		if !ok && a.flag(word) && a.help {
			return a, nil
		}
		if !ok && !isOption(word) {
			if between != "" {
				return a, unclear(between)
			}
			prompt = append(prompt, word)
			continue
		}
		if len(prompt) > 0 {
			between = word
		}
		if !ok {
			continue
		}
		if !inline {
			if i+1 == len(words) || isOption(words[i+1]) {
				return a, missing(option)
			}
			i++
			value = words[i]
		}
		if err := a.take(option, value); err != nil {
			return a, err
		}
	}
	a.prompt = strings.Join(append(prompt, literal...), " ")
	quoted := len(prompt) == 1 && strings.ContainsFunc(prompt[0], unicode.IsSpace)
	for _, word := range prompt {
		if err := a.inspect(word, strings.ContainsFunc(word, unicode.IsSpace)); err != nil {
			return a, err
		}
	}
	if literal != nil {
		return a, nil
	}
	return a, a.missed(a.prompt, quoted)
}

// isOption reports whether a word is an option, or ends the options.
func isOption(word string) bool {
	var a loopArgs
	_, _, _, ok := valued(word)
	return ok || word == "--" || a.flag(word)
}
