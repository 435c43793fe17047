package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/moderegistry"
	"github.com/hookbridge/bridge/protocol"
)

type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

func (c completionCmd) Run(app *App) error {
	fmt.Fprint(app.Stdout, completionScript(c.Shell))
	return nil
}

// completionScript asks bridge for the candidates each time, so that it never becomes
// outdated.
func completionScript(shell string) string {
	switch shell {
	case "bash":
		return `_bridge() {
	local IFS=$'\n'
	COMPREPLY=($(` + display.Bridge + ` complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _bridge bridge
`
	case "zsh":
		return `_bridge() {
	local -a candidates
	candidates=("${(@f)$(` + display.Bridge + ` complete -- "${words[@]:1:$((CURRENT-1))}" 2>/dev/null)}")
	if [[ -n "$candidates" ]]; then compadd -a candidates; else _files; fi
}
compdef _bridge bridge
`
	default:
		return `complete -c bridge -f -a '(` + display.Bridge + ` complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
`
	}
}

// completeCmd prints the candidates for the last word.
type completeCmd struct {
	Words []string `arg:"" optional:"" passthrough:""`
}

func (c completeCmd) Run(app *App, root *kong.Kong) error {
	words := c.Words
	if len(words) > 0 && words[0] == "--" {
		words = words[1:]
	}
	for _, candidate := range complete(root.Model.Node, words) {
		fmt.Fprintln(app.Stdout, candidate)
	}
	return nil
}

// complete returns the possible completions of the last word: a command, an option of the
// named command, or a value of an argument.
func complete(node *kong.Node, words []string) []string {
	if len(words) == 0 {
		words = []string{""}
	}
	last := words[len(words)-1]
	args := 0
	for _, word := range words[:len(words)-1] {
		if strings.HasPrefix(word, "-") {
			continue
		}
		child := slices.IndexFunc(node.Children, func(n *kong.Node) bool { return n.Name == word })
		if child < 0 {
			args++
			continue
		}
		node = node.Children[child]
	}
	var all []string
	if strings.HasPrefix(last, "-") {
		for _, group := range node.AllFlags(true) {
			for _, flag := range group {
				if !flag.Hidden {
					all = append(all, "--"+flag.Name)
				}
			}
		}
		if node.FullPath() == display.Bridge+" ralph loop" {
			// This command reads its words itself.
			all = append(all, "--max-iterations", "--completion-promise", "--prompt-file", "--force", "--stdin")
		}
		return starting(all, last)
	}
	for _, child := range node.Children {
		if !child.Hidden && child.Type == kong.CommandNode {
			all = append(all, child.Name)
		}
	}
	if args < len(node.Positional) {
		all = append(all, values(node, node.Positional[args])...)
	}
	return starting(all, last)
}

// values are the possible values of an argument, if there is a list of them.
func values(node *kong.Node, arg *kong.Positional) []string {
	if arg.Enum != "" {
		return arg.EnumSlice()
	}
	var all []string
	switch node.FullPath() + " " + arg.Name {
	case display.Bridge + " mode list mode", display.Bridge + " mode start mode", display.Bridge + " mode stop mode":
		for _, mode := range moderegistry.AllModes() {
			all = append(all, string(mode))
		}
	case display.Bridge + " schema type":
		for _, row := range protocol.AllRows() {
			all = append(all, string(row.Type))
		}
		all = append(all, "config")
	case display.Bridge + " help topic":
		if names, err := topicNames(); err == nil {
			all = names
		}
	}
	return all
}

func starting(all []string, prefix string) []string {
	all = slices.DeleteFunc(all, func(s string) bool { return !strings.HasPrefix(s, prefix) })
	slices.Sort(all)
	return slices.Compact(all)
}
