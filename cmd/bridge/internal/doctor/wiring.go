package doctor

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/bridge/client/claude/settingsfile"
	"github.com/hookbridge/bridge/cmd/bridge/internal/install"
	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/protocol"
)

// plugins reports plugins of bridge that the client does not load, and forgets their
// lines.
func (e *examination) plugins() {
	gone := map[string]settingsfile.Source{}
	e.lines = slices.DeleteFunc(e.lines, func(l settingsfile.HookLine) bool {
		if l.Source.Gone != "" && l.Bridge() {
			gone[l.Source.Plugin] = l.Source
		}
		return l.Source.Gone != ""
	})
	var others []settingsfile.HookLine
	for _, l := range e.lines {
		if l.Bridge() {
			others = append(others, l)
		}
	}
	for _, plugin := range slices.Sorted(maps.Keys(gone)) {
		source := gone[plugin]
		f := Finding{ID: "plugin-not-loaded", Severity: Error, Where: "plugin " + plugin, What: "the directory of its marketplace does not exist: " + source.Gone,
			Means: "Claude Code does not load the plugin, so none of its hooks runs: no loop continues, and a permission request is not denied any more.",
			Do:    "Put the directory back, or run " + display.Bridge + " install and then claude plugin uninstall " + plugin + "."}
		if len(others) > 0 {
			f.Severity, f.Means = Note, "Claude Code does not load the plugin. The hooks in "+others[0].Source.Path+" work."
			f.Do = "Run claude plugin uninstall " + plugin + "."
		}
		e.explained = true
		e.found(f)
	}
	installed := map[string]bool{}
	for _, source := range e.sources {
		installed[source.Plugin] = true
	}
	enabled := settingsfile.EnabledPlugins(e.sources)
	for _, plugin := range slices.Sorted(maps.Keys(enabled)) {
		if at, _, _ := strings.Cut(plugin, "@"); !enabled[plugin] || at != "bridge" || installed[plugin] {
			continue
		}
		f := Finding{ID: "plugin-not-installed", Severity: Error, Where: "plugin " + plugin, What: "the settings switch it on, but it is not installed",
			Means: "None of its hooks runs.", Do: "Run claude plugin install " + plugin + "."}
		if len(others) > 0 {
			f.Severity, f.Do = Note, "Run claude plugin uninstall "+plugin+": the hooks in "+others[0].Source.Path+" work without it."
		}
		e.explained = true
		e.found(f)
	}
}

// events reports events for which bridge has no hook.
func (e *examination) events() {
	wired := map[string]settingsfile.HookLine{}
	for _, l := range e.lines {
		if l.Bridge() {
			wired[l.Event] = l
		}
	}
	user := settingsfile.Path(settingsfile.User, e.Root, e.Getenv)
	if len(wired) == 0 {
		if !e.explained {
			e.found(e.notInstalled(user))
		}
		return
	}
	var missing []string
	for _, row := range protocol.WiredRows() {
		for _, event := range row.Events {
			if _, ok := wired[string(event)]; !ok && !slices.Contains(missing, string(event)) {
				missing = append(missing, string(event))
			}
		}
	}
	if len(missing) == 0 || e.explained {
		return
	}
	var any settingsfile.HookLine
	for _, event := range slices.Sorted(maps.Keys(wired)) {
		any = wired[event]
		break
	}
	f := Finding{ID: "events-not-wired", Severity: Note, Where: any.Source.Path,
		Means: "These hooks do nothing; the others work.", Do: sentence(again(any)) + " to add them."}
	// A person may have installed only some hooks.
	if chosen, known := settingsfile.Installed(e.StateHome, any.Source.Path); known && len(chosen) > 0 {
		missing = slices.DeleteFunc(missing, func(event string) bool { return !slices.Contains(chosen, event) })
	}
	switch {
	case len(missing) == 0:
		return
	case slices.Contains(missing, string(protocol.EventStop)):
		f.Severity, f.Means = Error, "No loop and no mode continues: a session ends when the model stops."
	case slices.Contains(missing, string(protocol.EventPermissionRequest)):
		f.Severity, f.Means = Warning, "No permission is decided: every dialog is yours."
	}
	f.What = "bridge has no hook for " + strings.Join(missing, ", ")
	e.found(f)
}

// notInstalled is the finding that nothing calls bridge.
func (e *examination) notInstalled(user string) Finding {
	f := Finding{ID: "not-installed", Severity: Error, Where: user, What: "no hook line calls bridge",
		Means: "Nothing works: no loop continues, and no permission is decided.", Do: "Run " + display.Bridge + " install."}
	root := filepath.Dir(filepath.Dir(e.Binary))
	if _, err := os.Stat(filepath.Join(root, ".claude-plugin", "plugin.json")); err == nil {
		f.Severity, f.What = Warning, "no settings switch the plugin in "+root+" on"
		f.Means = "Its hooks run only in a client that is started with --plugin-dir."
		f.Do = "Add a marketplace that offers the plugin, and install it from there."
		if _, err := os.Stat(filepath.Join(filepath.Dir(root), ".claude-plugin", "marketplace.json")); err == nil {
			f.Do = "Run claude plugin marketplace add " + filepath.Dir(root) + ", and claude plugin install bridge@bridge."
		}
	}
	return f
}

// double is a line whose hook another line calls, too.
type double struct{ first, second settingsfile.HookLine }

// doubles reports events at which bridge is called twice, with one finding for
// each pair of files.
func (e *examination) doubles() {
	seen := map[string]settingsfile.HookLine{}
	pairs := map[[2]string][]double{}
	var order [][2]string
	for _, l := range e.lines {
		value, _ := l.Hook()
		hook, ok := protocol.ParseHook(value)
		if !l.Bridge() || !ok {
			continue
		}
		key := l.Event + "\x00" + hook.Name + "\x00" + l.Matcher
		first, twice := seen[key]
		if !twice {
			seen[key] = l
			continue
		}
		if first.Text() == l.Text() && first.Source.Scope != settingsfile.Plugin && l.Source.Scope != settingsfile.Plugin {
			// The client runs identical lines of settings files once.
			continue
		}
		pair := [2]string{first.Source.Path, l.Source.Path}
		if pairs[pair] == nil {
			order = append(order, pair)
		}
		pairs[pair] = append(pairs[pair], double{first, l})
	}
	for _, pair := range order {
		e.found(e.twice(pairs[pair]))
	}
}

// twice is the finding for the doubles of two files.
func (e *examination) twice(all []double) Finding {
	first, second := all[0].first, all[0].second
	f := Finding{ID: "wired-twice", Severity: Warning, Where: name(second), What: "the same hook is also in " + name(first),
		Means: "Both run for each event. bridge answers an event only once, but every event costs two processes.", Do: "Keep one of the two."}
	if len(all) > 1 {
		f.Where = second.Source.Path
		f.What = fmt.Sprintf("%s are also in %s", display.Count(len(all), "hook"), first.Source.Path)
	}
	var drop []settingsfile.HookLine
	for _, d := range all {
		if l, ok := surplus(d.first, d.second); ok {
			drop = append(drop, l)
		}
	}
	if len(drop) != len(all) || !e.mayEdit(drop[0].Source) {
		return f
	}
	source := drop[0].Source
	f.Do = "Remove the lines from " + source.Path + "."
	f.Fix = func() error { return e.drop(source, drop) }
	return f
}

// surplus is the one of two lines that can be removed without a loss in another project
// or for another person.
func surplus(first, second settingsfile.HookLine) (l settingsfile.HookLine, ok bool) {
	a, b := first.Source.Scope, second.Source.Scope
	switch {
	case first.Source.Path == second.Source.Path, b == settingsfile.Local:
		return second, true
	case a == settingsfile.Local:
		return first, true
	case a == settingsfile.User && b == settingsfile.Plugin:
		return first, true
	}
	return settingsfile.HookLine{}, false
}

// drop removes lines from a settings file. If they are all that bridge has there, it
// uninstalls bridge from it, so that later checks do not report missing lines.
func (e *examination) drop(source settingsfile.Source, lines []settingsfile.HookLine) error {
	goes := func(l settingsfile.HookLine) bool {
		return slices.ContainsFunc(lines, func(d settingsfile.HookLine) bool { return d.Pointer == l.Pointer })
	}
	kept := slices.ContainsFunc(e.lines, func(l settingsfile.HookLine) bool { return l.Source == source && l.Bridge() && !goes(l) })
	whole := !kept && !slices.ContainsFunc(lines, func(l settingsfile.HookLine) bool { return !l.Bridge() })
	if _, installed := settingsfile.Installed(e.StateHome, source.Path); whole && installed {
		_, _, err := install.Site{Path: source.Path, StateHome: e.StateHome}.Uninstall(false)
		return err
	}
	return settingsfile.Change(source.Path, func(text []byte) ([]byte, error) {
		// In reverse order, because a removal moves what follows.
		for _, l := range slices.Backward(e.lines) {
			if l.Source != source || !goes(l) {
				continue
			}
			var err error
			if text, err = settingsfile.RemoveHook(text, l, func(string) bool { return false }); err != nil {
				return nil, err
			}
		}
		return text, nil
	})
}
