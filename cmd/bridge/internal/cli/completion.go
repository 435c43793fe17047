package cli

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/self"
	"github.com/hookbridge/bridge/moderegistry"
	"github.com/hookbridge/bridge/protocol"
)

// scripts holds a script for each shell. It asks bridge for the candidates each time, so
// that it never becomes outdated.
//
//go:embed completion
var scripts embed.FS

type completionCmd struct {
	Shell   string `arg:"" enum:"bash,zsh,fish,powershell" help:"bash, zsh, fish or powershell."`
	Command string `help:"The command that the script calls. The default is the one that runs this program." placeholder:"NAME"`
}

func (c completionCmd) Run(app *App) error {
	text, err := scripts.ReadFile("completion/" + c.Shell)
	if err != nil {
		return fmt.Errorf("read the script: %w", err)
	}
	command := app.name()
	if c.Command != "" {
		if !self.Named(c.Command) {
			return hinted(fmt.Errorf("there is no command %q", c.Command), "The names of this program are %s.", strings.Join(self.Names(), " and "))
		}
		command = c.Command
	}
	names := self.Names()
	if command == names[1] {
		// Another program has the first name, or may have it.
		names = names[1:]
	}
	_, err = strings.NewReplacer("{bridge}", command, "{names}", strings.Join(names, " "), "{list}", strings.Join(names, ",")).WriteString(app.Stdout, string(text))
	return err
}

// maxWords is more than any command line on which somebody asks for completion.
const maxWords = 64 << 10

// completeCmd prints the candidates for the last word. A script passes the words on stdin,
// one a line.
type completeCmd struct {
	Words []string `arg:"" optional:"" passthrough:""`
}

func (c completeCmd) Run(app *App, root *kong.Kong) error {
	words, shell := c.Words, ""
	if len(words) == 1 {
		shell = words[0]
		text, err := io.ReadAll(io.LimitReader(app.Stdin, maxWords+1))
		if err != nil {
			return fmt.Errorf("read the words from stdin: %w", err)
		}
		if len(text) > maxWords {
			return errors.New("the words on stdin are longer than 64 KiB")
		}
		words = strings.Split(strings.ReplaceAll(strings.TrimSuffix(string(text), "\n"), "\r", ""), "\n")
	} else if len(words) > 0 && words[0] == "--" {
		words = words[1:]
	}
	cut := ""
	if shell == "bash" {
		words, cut = joinAssignments(words)
	}
	for _, candidate := range complete(root.Model.Node, words) {
		text := strings.TrimPrefix(candidate.text, cut)
		if candidate.help != "" && (shell == "fish" || shell == "powershell") {
			text += "\t" + candidate.help
		}
		fmt.Fprintln(app.Stdout, text)
	}
	return nil
}

// joinAssignments undoes what bash does to --scope=user: it makes three words of it and
// completes only the last one. cut is what comes before that one.
func joinAssignments(words []string) (joined []string, cut string) {
	for i := 0; i < len(words); i++ {
		if words[i] != "=" || len(joined) == 0 || !strings.HasPrefix(joined[len(joined)-1], "--") {
			joined, cut = append(joined, words[i]), ""
			continue
		}
		cut = joined[len(joined)-1] + "="
		joined[len(joined)-1] = cut
		if i+1 < len(words) {
			i++
			joined[len(joined)-1] += words[i]
		}
	}
	return joined, cut
}

// candidate is a possible completion.
type candidate struct{ text, help string }

// complete returns the possible completions of the last word: a command, an option of the
// named command, or a value of an option or argument.
func complete(node *kong.Node, words []string) []candidate {
	if len(words) == 0 {
		words = []string{""}
	}
	last := words[len(words)-1]
	args, given, takes, literal := 0, []string{}, "", false
	for _, word := range words[:len(words)-1] {
		switch {
		case takes != "":
			takes = ""
		case !literal && word == "--":
			literal = true
		case !literal && strings.HasPrefix(word, "-"):
			name, _, complete := strings.Cut(strings.TrimLeft(word, "-"), "=")
			given = append(given, name)
			if flag := flagOf(node, name); !complete && takesValue(node, name, flag) {
				takes = name
			}
		default:
			child := slices.IndexFunc(node.Children, func(n *kong.Node) bool { return n.Name == word })
			if child < 0 {
				args++
				continue
			}
			node = node.Children[child]
		}
	}
	switch name, value, assigned := strings.Cut(last, "="); {
	case takes != "":
		return starting(flagValues(node, takes, last), last)
	case !literal && assigned && strings.HasPrefix(last, "--"):
		return prefixed(name+"=", starting(flagValues(node, name[2:], value), value))
	case !literal && strings.HasPrefix(last, "-"):
		return starting(flags(node, given), last)
	}
	var all []candidate
	for _, child := range node.Children {
		if !child.Hidden && child.Type == kong.CommandNode {
			all = append(all, candidate{child.Name, summary(child.Help)})
		}
	}
	if args < len(node.Positional) {
		all = append(all, values(node, node.Positional[args])...)
	}
	return starting(all, last)
}

// isLoop reports the command that reads its words itself.
func isLoop(node *kong.Node) bool { return node.FullPath() == display.Bridge+" ralph loop" }

// loopFlags are the options of ralph loop.
func loopFlags() []candidate {
	return []candidate{
		{"--max-iterations", "Stop after N iterations"}, {"--completion-promise", "The text that ends the loop"}, {"--prompt-file", "Read the prompt from a file"},
		{"--force", "Replace a loop of this session"}, {"--stdin", "Read the prompt from stdin"},
	}
}

// flags are the options of a command that are not on the line yet.
func flags(node *kong.Node, given []string) (all []candidate) {
	for _, group := range node.AllFlags(true) {
		for _, flag := range group {
			all = append(all, candidate{"--" + flag.Name, summary(flag.Help)})
		}
	}
	if isLoop(node) {
		all = append(all, loopFlags()...)
	}
	return slices.DeleteFunc(all, func(c candidate) bool { return slices.Contains(given, c.text[2:]) })
}

func flagOf(node *kong.Node, name string) *kong.Flag {
	for _, group := range node.AllFlags(false) {
		for _, flag := range group {
			if flag.Name == name || slices.Contains(flag.Aliases, name) || flag.Short != 0 && string(flag.Short) == name {
				return flag
			}
		}
	}
	return nil
}

// takesValue reports whether the word after an option is its value.
func takesValue(node *kong.Node, name string, flag *kong.Flag) bool {
	if flag != nil {
		return !flag.IsBool() && !flag.IsCounter()
	}
	return isLoop(node) && slices.Contains([]string{"max-iterations", "completion-promise", "prompt-file"}, name)
}

// flagValues are the possible values of an option, if there is a list of them.
func flagValues(node *kong.Node, name, value string) []candidate {
	flag := flagOf(node, name)
	switch {
	case name == "hook":
		return hookTypes()
	case flag == nil:
		return nil
	case flag.Enum != "":
		return texts(flag.EnumSlice())
	case strings.Contains(flag.PlaceHolder, "|"):
		return texts(strings.Split(flag.PlaceHolder, "|"))
	case flag.IsBool():
		return texts([]string{"false", "true"})
	}
	switch flag.Name {
	case "dialect":
		return texts(dialects)
	case "hooks":
		// Only the part after the last comma is completed.
		return prefixed(value[:strings.LastIndexByte(value, ',')+1], hookTypes())
	case "command":
		return texts(self.Names())
	}
	return nil
}

// values are the possible values of an argument, if there is a list of them.
func values(node *kong.Node, arg *kong.Positional) []candidate {
	if arg.Enum != "" {
		return texts(arg.EnumSlice())
	}
	switch node.FullPath() + " " + arg.Name {
	case display.Bridge + " mode list mode", display.Bridge + " mode start mode", display.Bridge + " mode stop mode":
		var all []candidate
		for _, mode := range moderegistry.AllModes() {
			all = append(all, candidate{text: string(mode)})
		}
		return all
	case display.Bridge + " schema type":
		return append(hookTypes(), candidate{"config", "The configuration"})
	case display.Bridge + " help topic":
		if names, err := topicNames(); err == nil {
			return texts(names)
		}
	}
	return nil
}

// hookTypes are the values of --hook: the types, and the names of the events.
func hookTypes() (all []candidate) {
	for _, row := range protocol.AllRows() {
		all = append(all, candidate{text: string(row.Type)})
		for _, event := range row.Events {
			if hook, ok := protocol.ParseHook(string(event)); ok {
				all = append(all, candidate{text: hook.Name})
			}
		}
	}
	return all
}

func texts(list []string) (all []candidate) {
	for _, text := range list {
		all = append(all, candidate{text: text})
	}
	return all
}

func prefixed(prefix string, all []candidate) []candidate {
	for i := range all {
		all[i].text = prefix + all[i].text
	}
	return all
}

// summary is the first sentence of a help text, without the example after it.
func summary(help string) string {
	help, _, _ = strings.Cut(help, ": "+display.Bridge)
	help, _, _ = strings.Cut(help, ". ")
	return strings.TrimSuffix(help, ".")
}

func starting(all []candidate, prefix string) []candidate {
	all = slices.DeleteFunc(all, func(c candidate) bool { return !strings.HasPrefix(c.text, prefix) })
	slices.SortFunc(all, func(a, b candidate) int { return strings.Compare(a.text, b.text) })
	return slices.CompactFunc(all, func(a, b candidate) bool { return a.text == b.text })
}
