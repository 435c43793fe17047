package doctor

import "github.com/hookbridge/bridge/internal/display"

// features reports variables that make the client ignore hooks or what they answer
// (docs/reference/claude-code.md#own-features).
func (e *examination) features() {
	const off = "Claude Code runs no hook of yours: no loop continues, and no permission is decided."
	for _, feature := range []struct {
		variable, means string
		severity        Severity
	}{
		{"CLAUDE_CODE_SAFE_MODE", off, Warning},
		{"CLAUDE_CODE_SIMPLE", off, Warning},
		{"CLAUDE_CODE_RESTRICT_PERSONAL_CONFIG", "Claude Code ignores what bridge allows, so dialogs come that your rules would answer. Loops and denials work.", Note},
	} {
		report := func(where, value string) {
			if value == "" || value == "0" || value == "false" {
				return
			}
			e.found(Finding{ID: "client-restricted", Severity: feature.severity, Where: where, What: feature.variable + "=" + display.Text(value) + " is set",
				Means: feature.means, Do: "Unset it, unless you want that."})
		}
		report("environment", e.Getenv(feature.variable))
		for _, source := range e.sources {
			report(source.Path, e.settings[source.Path].Env[feature.variable])
		}
	}
}
