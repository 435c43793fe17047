package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// maxStdinArgs is more than any command line that a person types.
const maxStdinArgs = 64 << 10

// stdinFlag lets a slash command pass its arguments in a quoted heredoc, so that the
// user's text never passes through a shell (anthropics/claude-plugins-official#748,
// anthropics/claude-plugins-official#610). ralph loop has its own option of that name,
// for prompts.
const stdinFlag = "--stdin"

// withStdin replaces --stdin with the arguments on stdin.
func withStdin(app *App, args []string) ([]string, error) {
	at := slices.Index(args, stdinFlag)
	if at < 0 || len(args) > 1 && args[0] == "ralph" && args[1] == "loop" {
		return args, nil
	}
	text, err := io.ReadAll(io.LimitReader(app.Stdin, maxStdinArgs+1))
	if err != nil {
		return nil, fmt.Errorf("read the arguments from stdin: %w", err)
	}
	if len(text) > maxStdinArgs {
		return nil, errors.New("the arguments on stdin are longer than 64 KiB")
	}
	return slices.Concat(args[:at], splitWords(string(text)), args[at+1:]), nil
}

// splitWords splits at white space outside of quotes. An unclosed quote is an ordinary
// character, such as the apostrophe in "don't".
func splitWords(text string) []string {
	var words []string
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		var word strings.Builder
		for text != "" && !isSpace(text[0]) {
			if quote := text[0]; quote == '"' || quote == '\'' {
				if end := strings.IndexByte(text[1:], quote); end >= 0 {
					word.WriteString(text[1 : 1+end])
					text = text[end+2:]
					continue
				}
			}
			word.WriteByte(text[0])
			text = text[1:]
		}
		words = append(words, word.String())
	}
	return words
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// joinNegative writes --max-iterations -5 as --max-iterations=-5. The parser takes a
// negative number for an option, and its advice is of no use; the commands know better.
// What ralph loop gets is its own business.
func joinNegative(args []string) []string {
	if len(args) > 1 && args[0] == "ralph" && args[1] == "loop" {
		return args
	}
	var joined []string
	for _, arg := range args {
		last := len(joined) - 1
		if last >= 0 && len(arg) > 1 && arg[0] == '-' && arg[1] >= '0' && arg[1] <= '9' && slices.Contains(numbered, joined[last]) {
			joined[last] += "=" + arg
			continue
		}
		joined = append(joined, arg)
	}
	return joined
}

// numbered are the options whose value is a number.
var numbered = []string{"--max-iterations", "--limit", "--completion-threshold", "--stall-detection", "--last", "--block-cap"}
