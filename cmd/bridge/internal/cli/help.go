package cli

import (
	"embed"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/hookbridge/bridge/internal/display"
)

//go:embed topics/*.txt
var topics embed.FS

// details are the texts below the usage of each command, each after a line that names it.
//
//go:embed details.txt
var details string

// describe adds the details to the commands.
func describe(node *kong.Node) {
	_, words, _ := strings.Cut(node.FullPath(), " ")
	_, text, _ := strings.Cut(details, "== "+words+"\n")
	text, _, _ = strings.Cut(text, "\n\n==")
	node.Detail = withCommand(strings.TrimSpace(text))
	for _, child := range node.Children {
		describe(child)
	}
}

// printHelp prints the help of a command. The texts have the width of the name of this
// program before they are wrapped, or lines would be too wide.
func (app *App) printHelp(options kong.HelpOptions, ctx *kong.Context) error {
	var failed error
	text := app.laidOut(display.Bridge, func(name string) string {
		var help strings.Builder
		out := ctx.Kong.Stdout
		ctx.Kong.Stdout = &help
		defer func() { ctx.Kong.Stdout = out }()
		ctx.Model.Name = name
		rename(ctx.Model.Node, name)
		failed = kong.DefaultHelpPrinter(options, ctx)
		return help.String()
	})
	if failed != nil {
		return failed
	}
	_, err := io.WriteString(ctx.Kong.Stdout, text)
	return err
}

// rename puts a name for this program into the texts of a command.
func rename(node *kong.Node, name string) {
	put := func(text *string) { *text = strings.ReplaceAll(*text, display.Bridge, name) }
	put(&node.Help)
	put(&node.Detail)
	for _, value := range node.Positional {
		put(&value.Help)
	}
	for _, flag := range node.Flags {
		put(&flag.Help)
	}
	for _, child := range node.Children {
		rename(child, name)
	}
}

// withCommand replaces {bridge} with the command.
func withCommand(text string) string { return strings.ReplaceAll(text, "{bridge}", display.Bridge) }

type helpCmd struct {
	Topic string `arg:"" optional:"" help:"A topic. Leave it out to list the topics."`
}

func (c helpCmd) Run(app *App) error {
	names, err := topicNames()
	if err != nil {
		return err
	}
	if c.Topic == "" {
		fmt.Fprintln(app.Stdout, display.Bridge+" help TOPIC explains one of:")
		for _, name := range names {
			fmt.Fprintln(app.Stdout, "  "+name)
		}
		fmt.Fprintln(app.Stdout, display.Bridge+" --help lists the commands.")
		return nil
	}
	name := strings.ReplaceAll(strings.ToLower(strings.TrimSpace(c.Topic)), " ", "-")
	text, err := topics.ReadFile("topics/" + name + ".txt")
	if err != nil {
		return hinted(fmt.Errorf("there is no topic %q%s", display.Clip(c.Topic, longestQuote), likeTopic(name, names)),
			"The topics are %s.\n"+display.Bridge+" --help lists the commands.", strings.Join(names, ", "))
	}
	_, err = io.WriteString(app.Stdout, app.filled(withCommand(string(text))))
	return err
}

// likeTopic is a question about the topic that explains a word, or "".
func likeTopic(word string, names []string) string {
	for _, s := range otherTopics() {
		if slices.Contains(strings.Fields(s.words), word) {
			return ` (did you mean "` + s.means + `"?)`
		}
	}
	return display.Meant(word, names)
}

func topicNames() ([]string, error) {
	entries, err := fs.ReadDir(topics, "topics")
	if err != nil {
		return nil, fmt.Errorf("list the topics: %w", err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, strings.TrimSuffix(entry.Name(), ".txt"))
	}
	return names, nil
}
