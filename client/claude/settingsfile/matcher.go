package settingsfile

import (
	"regexp"
	"slices"
	"strings"

	"github.com/hookbridge/bridge/client/claude"
)

// Coverage says for which values of its event a matcher lets a hook run
// (docs/reference/claude-code.md#matchers).
type Coverage int

// The coverages. All is also that of a matcher that the client ignores.
const (
	All Coverage = iota
	// Some leaves values out.
	Some
	// None matches no value, as far as bridge knows the values.
	None
	// Invalid is a regular expression that cannot be compiled.
	Invalid
	// Ignored is a matcher at an event without matchers.
	Ignored
)

// Covers judges the matcher of a line, and lists the known values that it leaves out.
func (l HookLine) Covers() (coverage Coverage, left []string) {
	if !l.HasMatcher || l.Matcher == "" || l.Matcher == "*" {
		return All, nil
	}
	values, open := matched(l.Event)
	if values == nil && !open {
		return Ignored, nil
	}
	matches, ok := compile(l.Matcher)
	if !ok {
		return Invalid, nil
	}
	for _, value := range values {
		if !matches(value) {
			left = append(left, value)
		}
	}
	switch {
	case len(left) == 0 && !open, len(left) == 0 && matches("any") && matches("other"):
		return All, nil
	case len(left) < len(values), open && !l.tool(), strings.Contains(l.Matcher, "mcp__") && !l.server():
		return Some, left
	}
	return None, left
}

// server reports whether the matcher is the bare name of an MCP server, which is compared
// exactly with the names of tools.
func (l HookLine) server() bool {
	return plainMatcher(l.Matcher) && strings.Count(l.Matcher, "__") == 1
}

// tool reports whether the event concerns a tool.
func (l HookLine) tool() bool {
	switch l.Event {
	case "PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest", "PermissionDenied":
		return true
	}
	return false
}

// matched returns the values that matchers of an event are compared with; open says that
// there are others, such as the tools of MCP servers. Without either, the client ignores
// matchers.
func matched(event string) (values []string, open bool) {
	switch event {
	case "PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest", "PermissionDenied":
		return claude.Tools(), true
	case "SessionStart":
		return []string{"startup", "resume", "clear", "compact", "fork"}, false
	case "SessionEnd":
		return []string{"clear", "resume", "logout", "prompt_input_exit", "other"}, false
	case "PreCompact", "PostCompact":
		return []string{"manual", "auto"}, false
	case "Setup":
		return []string{"init", "maintenance"}, false
	case "SubagentStart", "SubagentStop", "StopFailure", "ConfigChange":
		return nil, true
	}
	return nil, false
}

// compile returns what a matcher matches: exact names, or an unanchored regular
// expression.
func compile(matcher string) (matches func(value string) bool, ok bool) {
	if plainMatcher(matcher) {
		names := strings.FieldsFunc(matcher, func(r rune) bool { return r == '|' || r == ',' })
		for i := range names {
			names[i] = strings.TrimSpace(names[i])
		}
		return func(value string) bool { return slices.Contains(names, value) }, true
	}
	pattern, err := regexp.Compile(matcher)
	if err != nil {
		return nil, false
	}
	return pattern.MatchString, true
}

func plainMatcher(matcher string) bool {
	return strings.IndexFunc(matcher, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_- ,|", r))
	}) < 0
}

// Idle reports whether the line does nothing at its event: the client never runs it, or
// does not wait for its answer (docs/reference/claude-code.md#handlers).
func (l HookLine) Idle() bool {
	coverage, _ := l.Covers()
	return l.NeverRuns() || l.Async || coverage == None || coverage == Invalid
}
