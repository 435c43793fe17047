package doctor

import (
	"bytes"

	"github.com/hookbridge/bridge/client/claude/settingsfile"
	"github.com/hookbridge/bridge/cmd/bridge/internal/install"
	"github.com/hookbridge/bridge/internal/statefile"
)

// competitors reports other programs that handle the same state.
func (e *examination) competitors() {
	told := map[string]bool{}
	for _, l := range e.lines {
		p, ok := settingsfile.CompetitorOf(l)
		if !ok {
			e.copied(l)
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
		case told[p.Name+"\x00"+l.Source.Path]:
			continue
		case l.Source.Scope == settingsfile.User || l.Source.Scope == settingsfile.Local:
			fix = e.takeOut(l.Source, install.Options{Replace: true})
		}
		told[p.Name+"\x00"+l.Source.Path] = true
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

// copied reports the Stop script of the plugin ralph-loop that somebody copied to another
// place. A script of that name may also do something else, so its text decides.
func (e *examination) copied(l settingsfile.HookLine) {
	const most = 1 << 20
	for _, path := range l.Files("stop-hook.sh", e.Root, e.Getenv) {
		text, err := statefile.ReadFile(path, most)
		if err != nil || l.Bridge() || l.Source.Plugin != "" || !bytes.Contains(text, []byte("ralph-loop.local.md")) {
			continue
		}
		f := Finding{ID: "peer", Severity: Warning, Where: name(l), What: path + " is a copy of ralph-loop's script, which handles .claude/ralph-loop.local.md too",
			Means: "Both answer the same events: loops count twice, or one creates again what the other ended.", Do: "Remove the line; bridge works with the same state file."}
		if e.mayEdit(l.Source) && l.Source.Scope != settingsfile.Project {
			f.Fix = func() error { return e.drop(l.Source, []settingsfile.HookLine{l}) }
		}
		e.found(f)
		return
	}
}
