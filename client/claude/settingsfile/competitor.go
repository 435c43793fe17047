package settingsfile

import "strings"

// Competitor is another program that handles the same state as bridge.
type Competitor struct {
	// Name is its name for people; State is the state that it handles.
	Name, State string
	// plugin is the name of its plugin, up to the @. scripts are parts of its hook
	// commands.
	plugin  string
	scripts []string
}

// competitors returns the table (docs/reference/sources.md).
func competitors() []Competitor {
	const loop, specs, omc = ".claude/ralph-loop.local.md", ".ralph-state.json", ".omc/state"
	return []Competitor{
		{"ralph-loop", loop, "ralph-loop", []string{"ralph-loop/hooks/stop-hook", "ralph-loop/scripts/"}},
		{"ralph-wiggum", loop, "ralph-wiggum", []string{"ralph-wiggum"}},
		{"ralph-specum", specs, "ralph-specum", []string{"ralph-specum", "stop-watcher.sh", "stop-watcher.ps1"}},
		{"ralph-speckit", specs, "ralph-speckit", []string{"ralph-speckit"}},
		{"oh-my-claudecode", omc, "oh-my-claudecode", []string{"oh-my-claudecode", "persistent-mode.mjs", "keyword-detector.mjs", "stop-continuation.mjs", "pre-tool-enforcer.mjs"}},
		{"ultrapower", omc, "ultrapower", []string{"ultrapower", "persistent-mode.cjs"}},
	}
}

// CompetitorOf returns the competitor to which a line belongs. A line of bridge belongs
// to none.
func CompetitorOf(l HookLine) (competitor Competitor, ok bool) {
	if l.Bridge() {
		return Competitor{}, false
	}
	plugin, _, _ := strings.Cut(l.Source.Plugin, "@")
	text := strings.ReplaceAll(l.Text(), `\`, "/")
	for _, c := range competitors() {
		if plugin == c.plugin {
			return c, true
		}
		for _, script := range c.scripts {
			if plugin == "" && strings.Contains(text, script) {
				return c, true
			}
		}
	}
	return Competitor{}, false
}
