package permission_test

import (
	"path/filepath"
	"testing"

	"github.com/hookbridge/bridge/hooks/permission"
)

// TestDialogToolsWithoutSuggestions: the client never offers rules for the tools that talk
// to the user. The user's own rule for exactly such a tool counts, unless an ask rule may
// match; any other rule leaves the dialog to the user.
func TestDialogToolsWithoutSuggestions(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		rules, settings string
		kind            permission.Kind
		rule            string
	}{
		"allowed":                   {`"allow": ["ExitPlanMode"]`, "", permission.Allow, "allow-rule"},
		"no rule":                   {`"allow": ["AskUserQuestion"]`, "", permission.Ask, "no-rule"},
		"a pattern for all tools":   {`"allow": ["*"]`, "", permission.Ask, "no-rule"},
		"a pattern that matches":    {`"allow": ["Exit*"]`, "", permission.Ask, "no-rule"},
		"denied as well":            {`"allow": ["ExitPlanMode"], "deny": ["ExitPlanMode"]`, "", permission.Deny, "deny-rule"},
		"asked as well":             {`"allow": ["ExitPlanMode"], "ask": ["Exit*"]`, "", permission.Ask, "ask-rule"},
		"an ask rule of the client": {`"allow": ["ExitPlanMode"]`, `{"permissions": {"ask": ["ExitPlanMode"]}}`, permission.Ask, "client-ask-rule"},
	} {
		w := newWorld(t)
		w.configure(`{"permissions": {` + test.rules + `}}`)
		if test.settings != "" {
			w.write(filepath.Join(w.home, ".claude", "settings.json"), test.settings)
		}
		in := w.input("ExitPlanMode", map[string]string{"plan": "a"})
		in.Permission.Suggestions = nil
		t.Log(name)
		w.want(in, test.kind, test.rule)
	}
	// For all other tools, a dialog without suggestions means that an ask rule caused it.
	w := newWorld(t)
	w.configure(`{"permissions": {"allow": ["mcp__db__read"]}}`)
	in := w.input("mcp__db__read", map[string]string{})
	in.Permission.Suggestions = nil
	w.want(in, permission.Ask, "no-suggestions")
}

// TestOffersOfWrappers: a rule that is offered for a runner such as npx is about its whole
// command; one for a wrapper of the system may be about the command in it, so that a line
// with one stays with the dialog.
func TestOffersOfWrappers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.configure(`{"permissions": {"allow": ["Bash(npx jest*)", "Bash(uv run *)", "Bash(timeout *)", "Bash(env *)"]}}`)
	for _, line := range []string{"npx jest && ls", "uv run pytest && ls"} {
		w.want(w.bash(line), permission.Allow, "")
	}
	for _, line := range []string{"timeout 5 make x && ls", "env A=1 make && ls", "command -v jq && ls"} {
		w.want(w.bash(line), permission.Ask, "")
	}
}
