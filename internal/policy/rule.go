// Package policy holds the user's own deny, ask and allow rules for tool calls and
// matches them. A rule has the form of the client's own rules, Tool or Tool(pattern), so
// users need not learn a second syntax.
package policy

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hookbridge/bridge/internal/home"
)

// Rule is one line of a configuration.
type Rule struct {
	// Text is the rule as written, Source the file that it came from, and List the name of
	// the list in it: deny, ask or allow.
	Text, Source, List string
	// Tool is the name of a tool; it may hold * for any text.
	Tool string
	// Pattern is the text between the parentheses. A rule without one matches every call
	// of the tool.
	Pattern    string
	HasPattern bool
	// real is an absolute pattern with the links above the project resolved.
	real string
}

// ErrRule means that a line is not a rule.
var ErrRule = errors.New(`a rule is Tool or Tool(pattern), such as Bash(git push *), Write(/etc/**) or mcp__github__*`)

// ParseRule reads one rule.
func ParseRule(text, source string) (Rule, error) {
	r := Rule{Text: text, Source: source, Tool: text}
	if tool, rest, ok := strings.Cut(text, "("); ok {
		pattern, closed := strings.CutSuffix(rest, ")")
		if !closed || pattern == "" {
			return Rule{}, fmt.Errorf("rule %q in %s: %w", text, source, ErrRule)
		}
		r.Tool, r.Pattern, r.HasPattern = tool, pattern, true
	}
	if r.Tool == "" || strings.ContainsAny(r.Tool, " \t\n)") {
		return Rule{}, fmt.Errorf("rule %q in %s: %w", text, source, ErrRule)
	}
	return r, nil
}

func parseRules(texts []string, source, list string, getenv func(string) string) ([]Rule, error) {
	rules := make([]Rule, 0, len(texts))
	for _, text := range texts {
		rule, err := ParseRule(text, source)
		if err != nil {
			place := home.Short(source, getenv)
			if line := (Rule{Text: text, Source: source, List: list}).Line(); line > 0 {
				place += fmt.Sprintf(", line %d", line)
			}
			return nil, fmt.Errorf("the %s rule %q in %s: %w", list, text, place, ErrRule)
		}
		rule.List = list
		rules = append(rules, rule)
	}
	return rules, nil
}
