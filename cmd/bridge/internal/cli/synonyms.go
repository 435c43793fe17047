package cli

import (
	"slices"
	"strings"

	"github.com/hookbridge/bridge/internal/display"
)

// synonym is what people type who know other programs.
type synonym struct {
	// in is the group of commands where they type it; "" is the top level.
	in, words string
	// means is the command or the option that does it, and hint says more about it.
	means, hint string
}

// otherCommands are words that are not close to the command that they mean.
func otherCommands() []synonym {
	return []synonym{
		{in: "ralph", words: "stop end kill abort quit exit halt delete remove rm", means: "ralph cancel"},
		{in: "ralph", words: "start run begin go new", means: loopWords},
		{in: "ralph", words: "continue unpause restart", means: "ralph resume"},
		{in: "ralph", words: "list ls show", means: "ralph status"},
		{in: "ralph", words: "settings set", means: "ralph config"},
		{in: "mode", words: "cancel end kill abort quit off", means: "mode stop"},
		{in: "mode", words: "run begin go on", means: "mode start"},
		{in: "mode", words: "status show ls", means: "mode list"},
		{in: "spec", words: "show", means: "spec status"},
		{in: "spec", words: "ls all", means: "spec list"},
		{in: "spec", words: "path find", means: "spec resolve"},
		{words: "update upgrade", means: "install", hint: "Download the newer program and run its install: it replaces the installed one."},
		{words: "setup init", means: "install"},
		{words: "remove delete", means: "uninstall"},
		{words: "list ls show ps", means: "status"},
		{words: "logs history decisions", means: "log"},
		{words: "fix repair diagnose", means: "doctor --fix"},
		{words: "cost costs tokens", means: "usage"},
		{words: "events types", means: "hooks"},
		{words: "why", means: "log"},
		{words: "man docs", means: "help"},
	}
}

// otherOptions are options of other programs.
func otherOptions() []synonym {
	return []synonym{
		{words: "-v -V", means: "--version"},
		{words: "-? -help", means: "--help"},
		{words: "-n --lines --tail --limit --max", means: "--last"},
		{words: "--repair -f", means: "--fix"},
		{words: "-j", means: "--json"},
		{words: "--max -n --limit", means: "--max-iterations"},
		{words: "--preview -n --dryrun", means: "--dry-run"},
	}
}

// otherTopics are subjects that a topic explains under another name.
func otherTopics() []synonym {
	return []synonym{
		{words: "ralph smart spec overnight night limit promise pause resume cancel stop start status", means: "loops"},
		{words: "mode omc ultrawork autopilot ultrapower team", means: "modes"},
		{words: "check rules rule allow deny ask approve guard guards safety security dialog", means: "permissions"},
		{words: "off disable emergency switches env", means: "kill-switches"},
		{words: "settings options json", means: "configuration"},
		{words: "doctor log explain debug error errors problem problems why stuck", means: "troubleshooting"},
	}
}

// loopWords starts a loop; a prompt follows.
const loopWords = "ralph loop"

// longestQuote is how much of what somebody typed an answer repeats.
const longestQuote = 40

// meant is the command that a word stands for, as one types it, and what to add.
func (t typed) meant(word string, rest []string) (command, hint string) {
	group := t.words
	for {
		for _, s := range otherCommands() {
			if s.in == group && slices.Contains(strings.Fields(s.words), strings.ToLower(word)) {
				return display.Bridge + " " + s.means + prompt(s.means, rest), s.hint
			}
		}
		if group != "" {
			break
		}
		// Who leaves out ralph means a loop.
		if command := commandOf(t.root, []string{"ralph", word}); command != "ralph" {
			return display.Bridge + " " + command + prompt(command, rest), ""
		}
		group = "ralph"
	}
	var names []string
	for _, child := range t.node.Children {
		if !child.Hidden {
			names = append(names, child.Name)
		}
	}
	if (t.words == "" || t.words == "ralph") && strings.Contains(word, " ") {
		return display.Bridge + " " + loopWords + " " + quoted(word), ""
	}
	var found []string
	for _, name := range names {
		if display.Closest(word, []string{name}) != "" {
			found = append(found, `"`+name+`"`)
		}
	}
	return alternatives(found), ""
}

// prompt is what follows a command that starts a loop.
func prompt(command string, rest []string) string {
	if command != loopWords {
		return ""
	}
	if at := slices.IndexFunc(rest, func(word string) bool { return strings.HasPrefix(word, "-") }); at >= 0 {
		rest = rest[:at]
	}
	return " " + quoted(strings.Join(rest, " "))
}

// quoted is a text as one argument of a shell, or what stands for it.
func quoted(text string) string {
	switch {
	case text == "", len(text) > longestQuote, strings.ContainsAny(text, "\"'\\$`!\n"):
		return `"…"`
	}
	return `"` + text + `"`
}
