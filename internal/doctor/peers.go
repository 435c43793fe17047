package doctor

import (
	"strings"

	"github.com/hookbridge/bridge/internal/wiring"
)

// peer is a program that handles the same state as bridge.
type peer struct {
	name string
	// plugin is the name before the @ of its plugin; scripts are parts of its
	// hook commands.
	plugin  string
	scripts []string
	state   string
}

// peers returns the table (issue threads of spec/ralph-dialects.md, section 7).
func peers() []peer {
	return []peer{
		{"ralph-loop", "ralph-loop", []string{"ralph-loop/hooks/stop-hook", "ralph-loop/scripts/"}, ".claude/ralph-loop.local.md"},
		{"ralph-wiggum", "ralph-wiggum", []string{"ralph-wiggum"}, ".claude/ralph-loop.local.md"},
		{"ralph-specum", "ralph-specum", []string{"ralph-specum", "stop-watcher.sh", "stop-watcher.ps1"}, ".ralph-state.json"},
		{"ralph-speckit", "ralph-speckit", []string{"ralph-speckit"}, ".ralph-state.json"},
		{"oh-my-claudecode", "oh-my-claudecode", []string{"oh-my-claudecode", "persistent-mode.mjs", "keyword-detector.mjs", "stop-continuation.mjs", "pre-tool-enforcer.mjs"}, ".omc/state"},
		{"ultrapower", "ultrapower", []string{"ultrapower", "persistent-mode.cjs"}, ".omc/state"},
	}
}

// Of returns the peer that a line belongs to.
func peerOf(l wiring.Line) (peer, bool) {
	plugin, _, _ := strings.Cut(l.Source.Plugin, "@")
	text := strings.ReplaceAll(l.Text(), `\`, "/")
	for _, p := range peers() {
		if plugin == p.plugin {
			return p, true
		}
		for _, script := range p.scripts {
			if plugin == "" && strings.Contains(text, script) {
				return p, true
			}
		}
	}
	return peer{}, false
}

// peers tells of other programs that handle the same state.
func (e *examination) peers() {
	told := map[string]bool{}
	for _, l := range e.lines {
		p, ok := peerOf(l)
		if !ok || l.Bridge() {
			continue
		}
		where := name(l)
		var fix func() error
		switch {
		case l.Source.Plugin != "":
			if told[l.Source.Plugin] {
				continue
			}
			told[l.Source.Plugin] = true
			where = "plugin " + l.Source.Plugin
			fix = e.disablePlugin(l.Source.Plugin)
		case l.Source.Scope == wiring.User || l.Source.Scope == wiring.Local:
			fix = func() error { return removeLine(l) }
		}
		e.found(Finding{ID: "peer", Severity: Warning, Where: where, What: p.name + " handles " + p.state + " too",
			Means: "Both answer the same events: loops count twice, or one re-creates what the other ended.", Do: "Switch " + p.name + " off; bridge keeps its state files working.", Fix: fix})
	}
}

// disablePlugin switches a plugin off in the user's settings.
func (e *examination) disablePlugin(plugin string) func() error {
	path := wiring.SettingsPath(wiring.User, e.Root, e.Getenv)
	if path == "" {
		return nil
	}
	return func() error {
		op := "add"
		for _, enabled := range e.settings[path].EnabledPlugins {
			if enabled == plugin {
				op = "replace"
			}
		}
		pointer := "/enabledPlugins/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(plugin)
		return wiring.Edit(path, []wiring.Operation{{Op: op, Path: pointer, Value: false}})
	}
}
