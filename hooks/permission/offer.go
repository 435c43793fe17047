package permission

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/internal/shell"
)

// Offer is a rule for one command that the client offers to remember: the command
// itself, or with Prefix whatever begins with it.
type Offer struct {
	Argv   []string
	Prefix bool
}

// suggestion is an entry of permission_suggestions.
type suggestion struct {
	Type  string           `json:"type"`
	Rules []suggestionRule `json:"rules"`
}

type suggestionRule struct {
	ToolName    string `json:"toolName"`
	RuleContent string `json:"ruleContent"`
}

// offers reads what the client offers to remember: whether there is anything, and the
// rules for commands. What is no suggestion offers nothing.
func offers(suggestions []jsontext.Value) (any bool, all []Offer) {
	for _, text := range suggestions {
		var s suggestion
		if json.Unmarshal(text, &s, jsontext.AllowInvalidUTF8(true)) != nil || s.Type == "" {
			continue
		}
		any = true
		if s.Type != "addRules" {
			continue
		}
		for _, rule := range s.Rules {
			if rule.ToolName != claude.ToolBash {
				continue
			}
			content, prefix := strings.CutSuffix(rule.RuleContent, ":*")
			if !prefix {
				content, prefix = strings.CutSuffix(rule.RuleContent, " *")
			}
			line := shell.Walk(content)
			if !line.Complete || len(line.Commands) != 1 {
				continue
			}
			o := Offer{Prefix: prefix}
			for _, arg := range line.Commands[0].Args {
				o.Argv = append(o.Argv, arg.Text)
			}
			all = append(all, o)
		}
	}
	return any, all
}

// unoffered returns the first command of a line for which the client offers no rule,
// or nil. In a line of several commands it offers rules for those that need an
// answer, also when a rule of the user asks about one of the others: that one has
// none (observed with 2.1.197 and 2.1.329). A prefix offered for one command says
// nothing about the next, so each offer counts once.
func unoffered(commands [][]string, offered []Offer) []string {
	used := make([]bool, len(offered))
	for _, argv := range commands {
		at := slices.IndexFunc(offered, func(o Offer) bool { return !o.Prefix && slices.Equal(o.Argv, argv) })
		if at < 0 {
			for i, o := range offered {
				if !used[i] && o.Prefix && len(o.Argv) <= len(argv) && slices.Equal(o.Argv, argv[:len(o.Argv)]) {
					at = i
					break
				}
			}
		}
		if at < 0 {
			return argv
		}
		used[at] = true
	}
	return nil
}

// OfferAll returns the suggestions of a dialog in which no rule asks: one for every
// command of the line.
func OfferAll(command string) []jsontext.Value {
	s := suggestion{Type: "addRules"}
	for _, c := range shell.Walk(command).Commands {
		s.Rules = append(s.Rules, suggestionRule{claude.ToolBash, c.Token})
	}
	// Strings can be marshalled.
	text, _ := json.Marshal(s, jsontext.AllowInvalidUTF8(true))
	return []jsontext.Value{text}
}
