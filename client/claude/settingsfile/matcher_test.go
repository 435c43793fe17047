package settingsfile

import (
	"slices"
	"testing"
)

func TestCovers(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		event, matcher string
		want           Coverage
		left           string
	}{
		{"PreToolUse", "", All, ""},
		{"PreToolUse", "*", All, ""},
		{"PreToolUse", ".*", All, ""},
		{"PreToolUse", "Bash", Some, "Write"},
		{"PreToolUse", "Edit|Write, MultiEdit", Some, "Bash"},
		{"PreToolUse", "^(Bash|Edit)$", Some, "Write"},
		{"PreToolUse", "[A-Z]", Some, ""},
		{"PreToolUse", "mcp__memory__.*", Some, "Bash"},
		{"PreToolUse", "mcp__memory__search", Some, "Bash"},
		{"PreToolUse", "mcp__memory", None, ""},
		{"PreToolUse", "bash", None, ""},
		{"PermissionRequest", "Nope", None, ""},
		{"PermissionRequest", "Bash(", Invalid, ""},
		{"SessionStart", "startup|resume", Some, "fork"},
		{"SessionStart", "startup|resume|clear|compact|fork", All, ""},
		{"PreCompact", "auto,manual", All, ""},
		{"PreCompact", "sometimes", None, ""},
		{"SubagentStop", "Explore", Some, ""},
		{"Stop", "Bash", Ignored, ""},
	} {
		l := HookLine{Event: test.event, Matcher: test.matcher, HasMatcher: true}
		got, left := l.Covers()
		if got != test.want || test.left != "" && !slices.Contains(left, test.left) {
			t.Errorf("%s %q: %v, left out %v", test.event, test.matcher, got, left)
		}
		if idle := l.Idle(); idle != (got == None || got == Invalid) {
			t.Errorf("%s %q: idle %v", test.event, test.matcher, idle)
		}
	}
	if coverage, _ := (HookLine{Event: "PreToolUse"}).Covers(); coverage != All {
		t.Error("no matcher leaves tools out")
	}
}
