package doctor

import (
	"errors"
	"io/fs"
	"os"

	"github.com/hookbridge/bridge/client/claude/settingsfile"
	"github.com/hookbridge/bridge/internal/display"
)

// read reads the sources. A source that cannot be read is a finding; the client ignores
// it, and so do the other checks.
func (e *examination) read() {
	e.sources = settingsfile.Sources(e.Root, e.Getenv)
	for _, source := range e.sources {
		s, err := settingsfile.Read(source)
		if err != nil {
			e.found(e.unread(source, err))
			e.explained = e.explained || source.Scope == settingsfile.User
			continue
		}
		own := source.Scope != settingsfile.Plugin && source.Scope != settingsfile.Managed
		if err := e.inside(source); own && errors.Is(err, settingsfile.ErrOutside) {
			e.found(Finding{
				ID: "settings-outside", Severity: Warning, Where: source.Path, What: err.Error(),
				Means: "install and doctor --fix do not change the file, because the link may come from a repository.",
				Do:    "Replace the link with a file, or add --follow.",
			})
		}
		e.writable("settings-writable", source.Path, own && e.mayEdit(source), "A hook line may name any program, so whoever writes the file decides what runs as you.")
		e.settings[source.Path] = s
		e.lines = append(e.lines, s.Lines...)
	}
}

// unread is the finding about a source that cannot be read.
func (e *examination) unread(source settingsfile.Source, err error) Finding {
	f := Finding{ID: "settings-unreadable", Severity: Error, Where: source.Path, What: err.Error(),
		Means: "Claude Code ignores the file, so no hook in it runs, and bridge approves nothing, because the file may contain an ask rule.", Do: "Fix the JSON."}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		to, _ := os.Readlink(source.Path)
		f.ID, f.What = "settings-dangling", "it is a link to "+to+", which does not exist"
		f.Means = "Claude Code finds no settings there, so no hook in them runs."
		f.Do = "Restore that file, or remove the link and run " + display.Bridge + " install."
	case errors.Is(err, fs.ErrPermission):
		f.Do = "Give yourself the right to read it: chmod u+rw " + source.Path
		if info, err := os.Stat(source.Path); err == nil && e.mayEdit(source) {
			f.Fix = func() error { return os.Chmod(source.Path, info.Mode().Perm()|0o600) }
		}
	default:
		kept := source.Path + settingsfile.BackupSuffix
		if text, err := settingsfile.ReadFile(kept); err == nil {
			if _, err := settingsfile.Parse(text); err == nil {
				f.Do = "Fix the JSON. " + kept + " is a copy from before the last change of bridge."
			}
		}
	}
	return f
}
