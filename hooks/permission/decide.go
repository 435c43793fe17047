// Package permission answers permission dialogs: it allows what only reads, denies what the user forbade, and leaves
// everything else to the dialog. If it cannot judge a call, it returns an error, and the router denies the call
// (docs/reference/hook-standard.md#failures; docs/design.md#fail-policy).
package permission

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/internal/policy"
	"github.com/hookbridge/bridge/internal/shell"
	"github.com/hookbridge/bridge/protocol"
)

// Kind is the answer to a dialog.
type Kind string

// The answers. Ask is no opinion: the client shows its dialog.
const (
	Allow Kind = "allow"
	Deny  Kind = "deny"
	Ask   Kind = "ask"
)

// allowRule is the rule id of a call that the user's allow rule covers; for a line of
// several commands it is one of the ids.
const allowRule = "allow-rule"

// Verdict is an answer and why it was given.
type Verdict struct {
	Kind Kind
	// Rule is a stable id, Token the part of the call that decided, Why one
	// plain sentence.
	Rule, Token, Why string
	// By are the rules of the user, of a repository or of the client that decided. If it is empty, no such rule decided.
	By []policy.Rule
	// Echo says that an allow must repeat the tool's input: otherwise the client ignores the allow for tools that talk to
	// the user (docs/reference/claude-code.md#echoed-input).
	Echo bool
	// paths and conditions must still be checked in the file system before an
	// Allow counts; dir is where a leading cd leads.
	paths      []shell.Path
	conditions []shell.Condition
	dir        string
}

// Facts are what Decide knows about a dialog.
type Facts struct {
	Call   policy.Call
	Policy policy.Policy
	// Suggestions says that the client offered rules to remember. It offers none if a rule of the user caused this dialog
	// (docs/reference/claude-code.md#allow-beats-ask).
	Suggestions bool
	// Offered are the contents of the offered rules for commands.
	Offered []string
}

// Decide judges a call without reading the file system. An Allow is only a candidate
// until vet has checked it. The order (docs/permissions.md#what-a-dialog-is-answered):
// deny rules, ask rules, a dialog that an ask rule of the client caused, allow rules,
// read-only. vet searches the client's settings for ask rules.
func Decide(f Facts) Verdict {
	if rule, token, ok := policy.Match(f.Policy.Deny, f.Call); ok {
		return Verdict{Kind: Deny, Rule: "deny-rule", Token: token, By: []policy.Rule{rule},
			Why: fmt.Sprintf("the rule %s in %s forbids it", rule.Text, rule.Source)}
	}
	if rule, token, ok := policy.Match(f.Policy.Ask, f.Call); ok {
		return Verdict{Kind: Ask, Rule: "ask-rule", Token: token, By: []policy.Rule{rule},
			Why: fmt.Sprintf("the rule %s in %s asks", rule.Text, rule.Source)}
	}
	kind := claude.Kind(f.Call.Tool)
	if !f.Suggestions && kind == protocol.ToolDialog {
		return decideDialog(f)
	}
	if !f.Suggestions {
		return Verdict{Kind: Ask, Rule: "no-suggestions", Token: f.Call.Tool,
			Why: "the client offered no rule to remember, so an ask rule caused this dialog"}
	}
	if f.Call.Tool == claude.ToolBash {
		return decideCommand(f)
	}
	if rule, token, ok := policy.Permit(f.Policy.Allow, f.Call); ok {
		return Verdict{Kind: Allow, Rule: allowRule, Token: token, Echo: kind == protocol.ToolDialog, By: []policy.Rule{rule},
			Why: fmt.Sprintf("the rule %s in %s allows it", rule.Text, rule.Source)}
	}
	if kind == protocol.ToolRead || kind == protocol.ToolSearch {
		v := Verdict{Kind: Allow, Rule: "read-only-tool", Token: f.Call.Tool, Why: "the tool only reads, inside the project"}
		for _, p := range f.Call.Paths {
			v.paths = append(v.paths, shell.Path{Name: p, Below: shell.Below{Contents: f.Call.Tool == claude.ToolGrep, Only: f.Call.Only}})
		}
		return v
	}
	return Verdict{Kind: Ask, Rule: "no-rule", Token: f.Call.Tool, Why: "no rule covers this tool"}
}

// decideDialog judges a tool that talks to the user. The client never offers rules for one,
// so nothing shows whether an ask rule caused the dialog
// (docs/reference/claude-code.md#allow-beats-ask): only a rule that the user wrote for
// exactly this tool counts.
func decideDialog(f Facts) Verdict {
	for _, rule := range f.Policy.Allow {
		if rule.Tool == f.Call.Tool && !rule.HasPattern {
			return Verdict{Kind: Allow, Rule: allowRule, Token: f.Call.Tool, Echo: true, By: []policy.Rule{rule},
				Why: fmt.Sprintf("the rule %s in %s allows it", rule.Text, rule.Source)}
		}
	}
	why := "no rule covers this tool"
	if rule, _, ok := policy.Permit(f.Policy.Allow, f.Call); ok {
		why = fmt.Sprintf("the tool talks to you, and the rule %s in %s does not name exactly this tool", rule.Text, rule.Source)
	}
	return Verdict{Kind: Ask, Rule: "no-rule", Token: f.Call.Tool, Why: why}
}

// decideCommand judges a command line: every command in it must only read, or a rule of the user must allow it.
func decideCommand(f Facts) Verdict {
	var by []policy.Rule
	allowed := func(argv []string) bool {
		for _, rule := range f.Policy.Allow {
			if rule.Tool == claude.ToolBash && rule.MatchesCommand(strings.Join(argv, " ")) {
				if !slices.Contains(by, rule) {
					by = append(by, rule)
				}
				return true
			}
		}
		return false
	}
	r := shell.Analyse(f.Call.Text, shell.Options{NetworkReads: f.Policy.Options.NetworkReads, Allowed: allowed})
	switch r.Verdict {
	case shell.Allow:
		if !f.Policy.Options.AskRulesInFiles && len(r.Commands) > 1 {
			if argv := unoffered(r.Commands, f.Offered); argv != nil {
				return Verdict{Kind: Ask, Rule: "not-offered", Token: strings.Join(argv, " "),
					Why: "the client offers no rule for this part, so an ask rule that is in no settings file may apply (if there is none, set permissions.ask_rules_in_files)"}
			}
		}
		if len(by) > 0 {
			r.Why = "Every command of the line only reads, or a rule of yours allows it."
		}
		return Verdict{Kind: Allow, Rule: r.Rule, Token: r.Token, Why: r.Why, By: by, paths: r.Paths, conditions: r.Conditions, dir: r.Dir}
	case shell.NoOpinion:
	}
	return Verdict{Kind: Ask, Rule: r.Rule, Token: r.Token, Why: r.Why}
}
