package doctor

import (
	"slices"
	"strings"
	"testing"
)

// TestVariablesThatRestrictTheClient: each is named, in the environment and in settings.
func TestVariablesThatRestrictTheClient(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"CLAUDE_CODE_SAFE_MODE", "CLAUDE_CODE_SIMPLE", "CLAUDE_CODE_RESTRICT_PERSONAL_CONFIG"} {
		for value, found := range map[string]bool{"1": true, "0": false} {
			inEnvironment, inSettings := newWorld(t), newWorld(t)
			inEnvironment.env[name] = value
			settings := inSettings.healthy()
			settings["env"] = object{name: value}
			inSettings.settings(settings)
			for _, w := range []*world{inEnvironment, inSettings} {
				o := w.options()
				o.NoProbe = true
				findings := Run(o).Findings
				if got := slices.ContainsFunc(findings, func(f Finding) bool { return f.ID == "client-restricted" && strings.Contains(f.What, name) }); got != found {
					t.Errorf("%s=%s: %v", name, value, ids(findings))
				}
			}
		}
	}
}
