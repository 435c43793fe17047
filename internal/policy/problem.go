package policy

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/internal/shell"
	"github.com/hookbridge/bridge/protocol"
)

// Problem is a rule that does not do what it seems to.
type Problem struct {
	Rule Rule
	// List is the list that holds the rule: deny, ask or allow.
	List string
	// Never says that no call can match; otherwise the tool is not known.
	Never bool
	// Why says why it does not match, and Do says what to write instead.
	Why, Do string
}

// Text is the problem as one sentence.
func (p Problem) Text() string {
	verb := "can never match"
	if !p.Never {
		verb = "may never match"
	}
	return fmt.Sprintf("the %s rule %s in %s %s: %s. %s", p.List, p.Rule.Text, p.Rule.Source, verb, p.Why, p.Do)
}

// Problems lists the rules that can never match, and those about unknown tools.
func (p Policy) Problems() (all []Problem) {
	for _, list := range []struct {
		name  string
		rules []Rule
	}{{"deny", p.Deny}, {"ask", p.Ask}, {"allow", p.Allow}} {
		for _, r := range list.rules {
			problem := Problem{Rule: r, List: list.name, Never: true}
			if problem.judge(); problem.Why != "" {
				all = append(all, problem)
			}
		}
	}
	return all
}

// judge finds the reason why the rule cannot match.
func (p *Problem) judge() {
	r := p.Rule
	if p.tool(); p.Why != "" || !r.HasPattern {
		return
	}
	judges := map[string]func(){}
	for _, tool := range claude.Tools() {
		if !r.forTool(tool) {
			continue
		}
		switch claude.Kind(tool) {
		case protocol.ToolShell:
			judges["command"] = p.command
		case protocol.ToolRead, protocol.ToolSearch, protocol.ToolWrite:
			judges["path"] = p.path
		case protocol.ToolFetch:
			judges["domain"] = p.domain
		case protocol.ToolOther, protocol.ToolAgent, protocol.ToolDialog:
		}
	}
	if len(judges) == 0 {
		p.Why, p.Do = "bridge does not read the input of this tool", "Leave the parentheses out."
	}
	if len(judges) == 1 {
		for _, judge := range judges {
			judge()
		}
	}
}

// tool judges the name of the tool.
func (p *Problem) tool() {
	name := p.Rule.Tool
	if strings.HasPrefix(name, "mcp__") {
		return
	}
	known := claude.Tools()
	matching := slices.DeleteFunc(slices.Clone(known), func(tool string) bool { return !p.Rule.forTool(tool) })
	if len(matching) > 0 {
		looked := slices.DeleteFunc(matching, func(tool string) bool { return claude.Kind(tool) == protocol.ToolOther })
		if p.List == "allow" && p.Rule.HasPattern && name != claude.ToolBash && slices.Equal(looked, []string{claude.ToolBash}) {
			p.Why, p.Do = "only rules of the tool Bash allow commands, and they name it without a star", "Write "+claude.ToolBash+"("+p.Rule.Pattern+")."
		}
		return
	}
	if before, _, star := strings.Cut(name, "*"); star && strings.HasPrefix("mcp__", before) {
		return
	}
	for _, tool := range known {
		if strings.EqualFold(tool, name) {
			p.Why, p.Do = "the names of tools are case-sensitive", "Write "+tool+"."
			return
		}
	}
	p.Never = false
	p.Why, p.Do = "bridge knows no tool of that name", "docs/reference/claude-code.md lists the names; that of an MCP server's tool is mcp__server__tool."
}

// command judges the pattern of a rule for shells.
func (p *Problem) command() {
	pattern := p.Rule.Pattern
	trimmed := strings.TrimSuffix(strings.TrimSuffix(pattern, ":*"), " *")
	switch {
	case strings.TrimSpace(pattern) != pattern, strings.TrimSpace(trimmed) != trimmed:
		p.Why, p.Do = "commands are compared without blanks around them", "Remove the blanks."
		return
	case p.List != "allow" || p.Rule.Tool != claude.ToolBash:
		return
	}
	if name, _, ok := strings.Cut(strings.SplitN(trimmed, " ", 2)[0], "="); ok && isVariable(name) {
		p.Why, p.Do = "no command with a variable assignment is allowed", "Remove the assignment."
		return
	}
	line := shell.Walk(strings.ReplaceAll(trimmed, "*", "x"))
	if line.Complete && (shell.Separate(line.Commands) > 1 || len(line.Writes) > 0) {
		p.Why, p.Do = "an allow rule is compared with one command at a time, without redirections", "Write one rule for each command."
	}
}

// isVariable reports whether a text can be the name of a variable.
func isVariable(name string) bool {
	for i := range len(name) {
		if c := name[i]; c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != ""
}

// path judges the pattern of a rule for files.
func (p *Problem) path() {
	pattern := p.Rule.Pattern
	parts := strings.Split(strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(pattern, "./"), "~"), "/"), "/")
	if strings.HasPrefix(pattern, "//") {
		parts = parts[1:]
	}
	_, malformed := path.Match(pattern, "")
	switch {
	case strings.HasPrefix(pattern, "!"):
		p.Why, p.Do = "an exclamation mark does not negate a pattern", "Name the files that the rule applies to; a rule cannot exclude files from another rule."
	case malformed != nil:
		p.Why, p.Do = "its brackets do not match", "Close them, or write a backslash before a literal bracket."
	case len(parts) > 1 && parts[len(parts)-1] == "":
		p.Why, p.Do = "a path must not end with a slash", "For everything in a directory, write "+strings.TrimRight(pattern, "/")+"/**."
	case slices.ContainsFunc(parts, func(part string) bool { return part == "" || part == "." || part == ".." }):
		p.Why, p.Do = "paths are compared without . and .. and doubled slashes", "Write the path without them; a path outside the project begins with / or ~/."
	case strings.HasPrefix(pattern, "~") && !strings.HasPrefix(pattern, "~/"):
		p.Why, p.Do = "only ~/ means a home directory", "Write an absolute path."
	case filepath.VolumeName(pattern) != "" || strings.Contains(pattern, `:\`):
		p.Why, p.Do = "a pattern must have forward slashes and no drive letter", "Write it relative to the project or to ~/."
	}
}

// domain judges the pattern of a rule for WebFetch.
func (p *Problem) domain() {
	host, ok := strings.CutPrefix(strings.ToLower(p.Rule.Pattern), "domain:")
	switch {
	case !ok:
		p.Why, p.Do = "a pattern of WebFetch begins with domain:", "Write WebFetch(domain:example.com)."
	case strings.ContainsAny(host, "*/:? "):
		p.Why, p.Do = "it is compared with the name of a host, and its subdomains match too", "Write the name alone, such as domain:example.com."
	}
}
