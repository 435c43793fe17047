package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/moderegistry"
	"github.com/hookbridge/bridge/protocol"
)

// typed is a command line that the parser refused.
type typed struct {
	root *kong.Node
	// node is the command as far as the parser understood it, and words its name.
	node  *kong.Node
	words string
	args  []string
}

// mistake says what is wrong with a command line, and what was probably meant. The
// parser's own texts are for those who know its types.
func mistake(root *kong.Node, args []string, err error) error {
	at := typed{root: root, node: root, args: args}
	if parse := (*kong.ParseError)(nil); errors.As(err, &parse) && parse.Context != nil {
		if node := parse.Context.Selected(); node != nil {
			at.node = node
		}
	}
	_, at.words, _ = strings.Cut(at.node.FullPath(), " ")
	text := err.Error()
	name, about, _ := strings.Cut(text, ": ")
	switch {
	case strings.HasPrefix(text, "unexpected argument "):
		word, _, _ := strings.Cut(strings.TrimPrefix(text, "unexpected argument "), ", did you mean ")
		return at.unexpected(word)
	case strings.HasPrefix(text, "unknown flag "):
		word, _, _ := strings.Cut(strings.TrimPrefix(text, "unknown flag "), ", did you mean ")
		return at.noOption(word)
	case strings.HasPrefix(text, `expected "<`):
		return at.missing(strings.Trim(strings.TrimPrefix(text, "expected "), `"<>`))
	case strings.HasPrefix(text, "missing flags: "):
		return hinted(fmt.Errorf("%s needs %s", at.words, strings.TrimPrefix(text, "missing flags: ")), "%s", at.example())
	case strings.Contains(text, " must be one of "):
		return at.noValue(text)
	case strings.HasPrefix(about, "expected ") && (strings.Contains(about, `but got "EOL"`) || strings.Contains(about, " flag)")):
		return hinted(fmt.Errorf("%s needs a value%s", name, at.valueOf(name)), "%s", at.help())
	case strings.HasPrefix(about, "expected ") && strings.Contains(about, "int but got "):
		_, got, _ := strings.Cut(about, " but got ")
		return hinted(fmt.Errorf("%s must be a whole number, got: %s", name, got), "%s", at.help())
	}
	return hinted(err, "%s", at.help())
}

// help says where the commands or the options are listed.
func (t typed) help() string {
	if t.words == "" {
		return "Run " + display.Bridge + " --help for the commands."
	}
	return "Run " + display.Bridge + " " + t.words + " --help, or " + display.Bridge + " --help for all commands."
}

// example is the first example of the command, for somebody who left something out.
func (t typed) example() string {
	for line := range strings.Lines(t.node.Detail) {
		if strings.HasPrefix(line, "  ") {
			return "Example: " + strings.TrimSpace(line) + "\n" + t.help()
		}
	}
	return t.help()
}

// unexpected is the answer to a word that is no command, or that a command does not take.
func (t typed) unexpected(word string) error {
	var rest []string
	if i := slices.Index(t.args, word); i >= 0 {
		rest = t.args[i+1:]
	}
	if len(t.node.Children) > 0 {
		err := fmt.Errorf("there is no command %q", strings.TrimSpace(t.words+" "+display.Clip(word, longestQuote)))
		meant, hint := t.meant(word, rest)
		if meant != "" {
			err = fmt.Errorf("%w (did you mean %s?)", err, meant)
		}
		if hint == "" {
			hint = t.help()
		}
		return hinted(err, "%s", hint)
	}
	if t.words == "check" {
		all := strings.Join(append(t.before(word), append([]string{word}, rest...)...), " ")
		return hinted(errors.New("the command to check must be one argument: quote it"), "Example: %s check %s", display.Bridge, quoted(all))
	}
	if _, is := protocol.ParseHook(word); is && t.flag("--hook") != nil {
		return hinted(fmt.Errorf("%s takes no argument %q (did you mean --hook=%s?)", t.words, word, word), "%s", t.help())
	}
	if meant := t.asOption(word, rest); meant != "" {
		return hinted(fmt.Errorf("%s takes no argument %q (did you mean %s?)", t.words, word, meant), "%s", t.help())
	}
	return hinted(fmt.Errorf("%s takes no argument %q", t.words, word), "%s", t.help())
}

// before are the words between the command and the given one.
func (t typed) before(word string) []string {
	first, last := len(strings.Fields(t.words)), slices.Index(t.args, word)
	if last <= first {
		return nil
	}
	return slices.Clone(t.args[first:last])
}

// asOption is the command with an option instead of the word that should be one, as in
// ralph config max_iterations 5 or ralph config set max_iterations=5.
func (t typed) asOption(word string, rest []string) string {
	if (word == "set" || word == "get") && len(rest) > 0 {
		word, rest = rest[0], rest[1:]
	}
	word, value, given := strings.Cut(word, "=")
	if !given && len(rest) > 0 && !strings.HasPrefix(rest[0], "-") {
		value = rest[0]
	}
	flag := t.flag(closest("--"+strings.ReplaceAll(strings.ToLower(word), "_", "-"), t.options()))
	if flag == nil || flag.Hidden {
		return ""
	}
	meant := display.Bridge + " " + t.words + " --" + flag.Name
	switch {
	case flag.IsBool():
	case value == "":
		meant += " " + flag.FormatPlaceHolder()
	default:
		meant += " " + display.Clip(value, longestQuote)
	}
	return meant
}

// noOption is the answer to an option that does not exist.
func (t typed) noOption(word string) error {
	about := ""
	if meant := t.likeOption(word); meant != "" {
		about = " (did you mean " + meant + "?)"
	}
	of := "bridge"
	if t.words != "" {
		of = t.words
	}
	return hinted(fmt.Errorf("%s has no option %s%s", of, word, about), "%s", t.help())
}

// likeOption is the option that somebody meant. A single letter is never misspelt: it
// belongs to another program.
func (t typed) likeOption(word string) string {
	for _, s := range otherOptions() {
		if slices.Contains(strings.Fields(s.words), word) && t.flag(s.means) != nil {
			return s.means
		}
	}
	if !strings.HasPrefix(word, "--") {
		return ""
	}
	return closest(word, t.options())
}

// noValue is the answer to a value that is none of a list.
func (t typed) noValue(text string) error {
	name, list, _ := strings.Cut(text, " must be one of ")
	list, got, _ := strings.Cut(list, " but got ")
	values := strings.Split(strings.ReplaceAll(list, `"`, ""), ",")
	name = strings.Trim(name, "<>")
	if !strings.HasPrefix(name, "-") {
		name = "the " + name
	}
	got = strings.Trim(got, `"`)
	return hinted(fmt.Errorf("%s must be %s, got: %q%s", name, alternatives(values), got, display.Meant(got, values)), "%s", t.help())
}

// missing is the answer if an argument is missing.
func (t typed) missing(argument string) error {
	var values []string
	for _, p := range t.node.Positional {
		if p.Name == argument && p.Enum != "" {
			values = strings.Split(p.Enum, ",")
		}
	}
	if argument == "mode" {
		for _, mode := range moderegistry.AllModes() {
			values = append(values, string(mode))
		}
	}
	text := t.words + " needs a " + argument
	if len(values) > 0 {
		text += ": " + alternatives(values)
	}
	return hinted(errors.New(text), "%s", t.example())
}

// valueOf says what the value of an option looks like.
func (t typed) valueOf(name string) string {
	flag := t.flag(name)
	switch {
	case flag == nil:
		return ""
	case flag.Enum != "":
		return ": " + alternatives(strings.Split(flag.Enum, ","))
	case flag.HasDefault && flag.Default != "":
		return ", such as " + flag.Default
	}
	return ": --" + flag.Name + " " + flag.FormatPlaceHolder()
}

// flag returns the option that a word names, or nil.
func (t typed) flag(word string) *kong.Flag {
	for _, group := range t.node.AllFlags(false) {
		for _, flag := range group {
			if word == "--"+flag.Name || flag.Short != 0 && word == "-"+string(flag.Short) {
				return flag
			}
		}
	}
	return nil
}

// options are the long names of the options.
func (t typed) options() (names []string) {
	for _, group := range t.node.AllFlags(true) {
		for _, flag := range group {
			names = append(names, "--"+flag.Name)
		}
	}
	return names
}

// closest is display.Closest for options: the hyphens in front do not count.
func closest(word string, names []string) string {
	bare := make([]string, len(names))
	for i, name := range names {
		bare[i] = strings.TrimLeft(name, "-")
	}
	if name := display.Closest(strings.TrimLeft(word, "-"), bare); name != "" {
		return "--" + name
	}
	return ""
}

// alternatives is a list such as "user, project or local".
func alternatives(values []string) string {
	if len(values) < 2 {
		return strings.Join(values, "")
	}
	last := len(values) - 1
	return strings.Join(values[:last], ", ") + " or " + values[last]
}
