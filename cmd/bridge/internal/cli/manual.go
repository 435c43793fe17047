package cli

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/alecthomas/kong"

	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/self"
)

// manualCmd prints the manual page of a command, or with --list the names of all pages.
// Releases call it; the pages say what --help says.
type manualCmd struct {
	Page    string `arg:"" optional:""`
	List    bool
	Command string `default:"bridge"`
}

func (c manualCmd) Run(app *App, root *kong.Kong) error {
	if !slices.Contains(self.Names(), c.Command) {
		return fmt.Errorf("there is no command %q", c.Command)
	}
	for _, node := range described(root.Model.Node) {
		name := strings.ReplaceAll(strings.TrimSpace(strings.TrimPrefix(node.FullPath(), display.Bridge)), " ", "-")
		switch {
		case c.List:
			fmt.Fprintln(app.Stdout, strings.TrimSuffix(c.Command+"-"+name, "-"))
		case strings.TrimSuffix(c.Command+"-"+name, "-") == c.Page:
			_, err := app.Stdout.Write([]byte(strings.ReplaceAll(manual(node, c.Page), display.Bridge, c.Command)))
			return err
		}
	}
	if c.List {
		return nil
	}
	return fmt.Errorf("there is no page %q", c.Page)
}

// described are the commands that have a page: all that people type.
func described(node *kong.Node) []*kong.Node {
	all := []*kong.Node{node}
	for _, child := range node.Children {
		if !child.Hidden && child.Type == kong.CommandNode {
			all = append(all, described(child)...)
		}
	}
	return all
}

// manual is the page of a command in the macros of man(7).
func manual(node *kong.Node, page string) string {
	var out bytes.Buffer
	line := func(format string, args ...any) { fmt.Fprintf(&out, format+"\n", args...) }
	line(`.TH %s 1 "" %q "bridge"`, strings.ToUpper(strings.ReplaceAll(page, "-", `\-`)), "bridge "+self.Version)
	purpose := "handle every hook of Claude Code"
	if node.Help != "" && node.Parent != nil {
		purpose = strings.ToLower(node.Help[:1]) + summary(node.Help)[1:]
	}
	line(".SH NAME\n%s \\- %s", roff(page), roff(purpose))
	synopsis, text := strings.TrimPrefix(node.Summary(), node.Name+" "), node.Help+"\n\n"+node.Detail
	if isLoop(node) {
		// This command reads its words itself, so kong does not know them.
		synopsis, text, _ = strings.Cut(loopHelp, "\n\n")
		_, synopsis, _ = strings.Cut(synopsis, " ralph loop ")
	}
	line(".SH SYNOPSIS\n.B %s\n%s", roff(node.FullPath()), roff(strings.TrimSpace(strings.TrimPrefix(synopsis, display.Bridge))))
	line(".SH DESCRIPTION\n%s", prose(text))
	if all := manualFlags(node); len(all) > 0 {
		line(".SH OPTIONS\n%s", strings.Join(all, "\n"))
	}
	var commands []string
	for _, child := range described(node)[1:] {
		if child.Parent == node {
			name := strings.ReplaceAll(strings.TrimPrefix(child.FullPath(), display.Bridge+" "), " ", "-")
			commands = append(commands, fmt.Sprintf(".TP\n.BR %s\\-%s (1)\n%s", display.Bridge, roff(name), roff(child.Help)))
		}
	}
	if len(commands) > 0 {
		line(".SH COMMANDS\n%s", strings.Join(commands, "\n"))
	}
	if node.Parent != nil {
		line(".SH SEE ALSO\n.BR %s (1)", display.Bridge)
	}
	return out.String()
}

func manualFlags(node *kong.Node) (all []string) {
	for _, group := range node.AllFlags(true) {
		for _, flag := range group {
			all = append(all, fmt.Sprintf(".TP\n.B %s\n%s", roff(flag.String()), roff(flag.Help)))
		}
	}
	return all
}

// prose lets the reader break the lines of a paragraph, but not those that are indented.
func prose(text string) string {
	var lines []string
	filled := true
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		switch {
		case line == "":
			lines = append(lines, ".PP")
			continue
		case filled && line[0] == ' ':
			lines = append(lines, ".nf")
			filled = false
		case !filled && line[0] != ' ':
			lines = append(lines, ".fi")
			filled = true
		}
		lines = append(lines, roff(line))
	}
	if !filled {
		lines = append(lines, ".fi")
	}
	return strings.Join(lines, "\n")
}

// roff escapes a text: a backslash, a hyphen that is part of a command, and a dot or an
// apostrophe at the beginning of a line mean something in a page, and not every reader
// takes more than ASCII.
func roff(text string) string {
	var escaped strings.Builder
	for _, r := range strings.ReplaceAll(text, display.Bridge, "{bridge}") {
		switch {
		case r == '\\':
			escaped.WriteString(`\e`)
		case r == '-':
			escaped.WriteString(`\-`)
		case r > unicode.MaxASCII:
			fmt.Fprintf(&escaped, `\[u%04X]`, r)
		default:
			escaped.WriteRune(r)
		}
	}
	lines := strings.Split(withCommand(escaped.String()), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
