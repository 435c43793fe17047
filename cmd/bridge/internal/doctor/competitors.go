package doctor

import (
	"github.com/hookbridge/bridge/client/claude/settingsfile"
	"github.com/hookbridge/bridge/cmd/bridge/internal/install"
)

// competitors reports other programs that handle the same state.
func (e *examination) competitors() {
	told := map[string]bool{}
	for _, l := range e.lines {
		p, ok := settingsfile.CompetitorOf(l)
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
			fix = e.takeOut(settingsfile.Source{Path: settingsfile.Path(settingsfile.User, e.Root, e.Getenv), Scope: settingsfile.User}, install.Options{Plugins: []string{l.Source.Plugin}})
		case l.Source.Scope == settingsfile.User || l.Source.Scope == settingsfile.Local:
			fix = e.takeOut(l.Source, install.Options{Replace: true})
		}
		e.found(Finding{ID: "peer", Severity: Warning, Where: where, What: p.Name + " handles " + p.State + " too",
			Means: "Both answer the same events: loops count twice, or one creates again what the other ended.", Do: "Switch " + p.Name + " off; bridge works with its state files.", Fix: fix})
	}
}

// takeOut removes competitors from a settings file as bridge install --replace does, so
// that bridge uninstall restores them.
func (e *examination) takeOut(source settingsfile.Source, o install.Options) func() error {
	if source.Path == "" || !e.mayEdit(source) {
		return nil
	}
	return func() error {
		_, err := install.Site{Path: source.Path, StateHome: e.StateHome}.Install(o, false)
		return err
	}
}
