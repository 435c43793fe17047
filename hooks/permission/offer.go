package permission

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/internal/shell"
	"github.com/hookbridge/bridge/internal/statefile"
)

// offer is a rule for one command that the client offers to remember: for this command,
// or, if prefix is set, for every command that begins with it.
type offer struct {
	argv   []string
	prefix bool
}

// offers reads the client's suggestions: whether there are any, and the contents of the
// rules for commands. A value that is not a suggestion is skipped. Like the tool's input,
// it is read without json.Unmarshal, which takes longer.
func offers(suggestions []jsontext.Value) (any bool, rules []string) {
	for _, text := range suggestions {
		if s, err := statefile.ParseObject(text); err == nil {
			more, ok := rulesOf(s)
			any, rules = any || ok, append(rules, more...)
		}
	}
	return any, rules
}

// rulesOf returns the rules for commands in a suggestion; ok is false if the value is not a suggestion.
func rulesOf(s statefile.Object) (contents []string, ok bool) {
	if s.Text("type") == "" {
		return nil, false
	}
	if list, there := s.Raw("rules"); there && list.Kind() != '[' && list.Kind() != 'n' {
		return nil, false
	}
	for _, text := range s.List("rules") {
		rule, err := statefile.ParseObject(text)
		if err != nil && text.Kind() != 'n' {
			return nil, false
		}
		for _, name := range []string{"toolName", "ruleContent"} {
			if value, there := rule.Raw(name); there && value.Kind() != '"' && value.Kind() != 'n' {
				return nil, false
			}
		}
		if rule.Text("toolName") == claude.ToolBash {
			contents = append(contents, rule.Text("ruleContent"))
		}
	}
	if s.Text("type") != "addRules" {
		contents = nil
	}
	return contents, true
}

// runners are programs that run a command of a project, or run a command inside a tool's environment.
const runners = "npx bunx pnpx npm pnpm yarn poetry pipenv pdm hatch rye uv bundle asdf mise rtx direnv conda mamba micromamba cpulimit fakeroot xvfb-run valgrind hyperfine watchexec perf entr cross-env chronic dbus-launch eatmydata"

// offerOf is the command that the content of a rule names, if it names exactly one.
func offerOf(content string) (o offer, ok bool) {
	content, o.prefix = strings.CutSuffix(content, ":*")
	if !o.prefix {
		content, o.prefix = strings.CutSuffix(content, " *")
	}
	line := shell.Walk(content)
	if !line.Complete {
		return offer{}, false
	}
	// The command that a runner such as npx or uv runs is part of the runner's command. For a shell or sudo, the client's
	// rules may be about the command inside.
	for _, c := range line.Commands[min(1, len(line.Commands)):] {
		if len(c.Via) == 0 || !shell.HasWord(runners, c.Via[0]) {
			return offer{}, false
		}
	}
	if len(line.Commands) == 0 {
		return offer{}, false
	}
	for _, arg := range line.Commands[0].Args {
		o.argv = append(o.argv, arg.Text)
	}
	return o, true
}

// unoffered returns the first command of a line for which the client offers no rule, or nil. In a line of several
// commands, the client offers rules for the commands that need an answer, but none for a command to which an ask rule of
// the user applies (observed with 2.1.197 and 2.1.329). A prefix that was offered for one command says nothing about the
// next, so each offer counts once.
func unoffered(commands [][]string, rules []string) []string {
	var offered []offer
	for _, content := range rules {
		if o, ok := offerOf(content); ok {
			offered = append(offered, o)
		}
	}
	used := make([]bool, len(offered))
	for _, argv := range commands {
		at := slices.IndexFunc(offered, func(o offer) bool { return !o.prefix && slices.Equal(o.argv, argv) })
		if at < 0 {
			for i, o := range offered {
				if !used[i] && o.prefix && len(o.argv) <= len(argv) && slices.Equal(o.argv, argv[:len(o.argv)]) {
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
	type rule struct {
		ToolName    string `json:"toolName"`
		RuleContent string `json:"ruleContent"`
	}
	s := struct {
		Type  string `json:"type"`
		Rules []rule `json:"rules"`
	}{Type: "addRules"}
	for _, c := range shell.Walk(command).Commands {
		s.Rules = append(s.Rules, rule{claude.ToolBash, c.Token})
	}
	// Strings can be marshalled.
	text, _ := json.Marshal(s, jsontext.AllowInvalidUTF8(true))
	return []jsontext.Value{text}
}
