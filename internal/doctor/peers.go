package doctor

import (
	"slices"
	"strings"

	"github.com/hookbridge/bridge/internal/wiring"
)

// peers tells of other programs that handle the same state.
func (e *examination) peers() {
	told := map[string]bool{}
	for _, l := range e.lines {
		p, ok := wiring.PeerOf(l)
		if !ok {
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
		e.found(Finding{ID: "peer", Severity: Warning, Where: where, What: p.Name + " handles " + p.State + " too",
			Means: "Both answer the same events: loops count twice, or one re-creates what the other ended.", Do: "Switch " + p.Name + " off; bridge keeps its state files working.", Fix: fix})
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
		if slices.Contains(e.settings[path].EnabledPlugins, plugin) {
			op = "replace"
		}
		pointer := "/enabledPlugins/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(plugin)
		return wiring.Edit(path, []wiring.Operation{{Op: op, Path: pointer, Value: false}})
	}
}
