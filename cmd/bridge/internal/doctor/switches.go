package doctor

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/client/claude/settingsfile"
	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/protocol"
)

// switches reports settings and variables that switch hooks off.
func (e *examination) switches() {
	for i, source := range e.sources {
		s := e.settings[source.Path]
		own := e.mayEdit(source) && source.Scope != settingsfile.Project
		if s.DisableAllHooks {
			e.found(e.allOff(i, own))
		}
		if s.OnlyOthers != "" && !e.spared(s.OnlyOthers) {
			e.found(Finding{ID: "managed-hooks-only", Severity: Error, Where: source.Path, What: s.OnlyOthers + " is set",
				Means: "Claude Code runs no hook from your own settings: no loop continues, and no permission is decided.",
				Do:    "Ask your administrator to remove the switch, or to add the hook lines of bridge to the managed settings."})
		}
		e.killSwitches(source.Path, "env sets ", func(name string) string { return s.Env[name] }, butGuards(source.Scope), func(names []string) func() error {
			if !own {
				return nil
			}
			return func() error {
				var ops []settingsfile.Operation
				for _, name := range names {
					ops = append(ops, settingsfile.Operation{Op: "remove", Path: "/env/" + name})
				}
				return settingsfile.Edit(source.Path, ops)
			}
		})
	}
	e.killSwitches("environment", "", e.Getenv, "", func([]string) func() error { return nil })
}

// allOff is the finding about disableAllHooks in a source.
func (e *examination) allOff(i int, own bool) Finding {
	source := e.sources[i]
	f := Finding{ID: "all-hooks-disabled", Severity: Error, Where: source.Path, What: "disableAllHooks is true",
		Means: "Claude Code runs no hook at all.", Do: "Set it to false."}
	for _, later := range e.sources[i+1:] {
		if source.Scope != settingsfile.Managed && later.Scope != settingsfile.Plugin && e.settings[later.Path].EnableHooks {
			f.Severity, f.What, f.Means = Note, "disableAllHooks is true, but false in "+later.Path, "Hooks run in this project, and in no other."
		}
	}
	if own {
		f.Fix = func() error {
			return settingsfile.Edit(source.Path, []settingsfile.Operation{{Op: "replace", Path: "/disableAllHooks", Value: false}})
		}
	}
	return f
}

// spared reports whether bridge's lines run although managed settings switch
// hooks off.
func (e *examination) spared(onlyOthers string) bool {
	return slices.ContainsFunc(e.lines, func(l settingsfile.HookLine) bool {
		plugin := onlyOthers == "strictPluginOnlyCustomization" && l.Source.Scope == settingsfile.Plugin
		return l.Bridge() && (l.Source.Scope == settingsfile.Managed || plugin)
	})
}

// killSwitches reports the kill switches of one place, in one finding, and the names in
// them that switch nothing off.
func (e *examination) killSwitches(where, prefix string, get func(name string) string, but string, fix func(names []string) func() error) {
	set := func(name string) string { return name + "=" + display.Clip(display.Text(get(name)), 100) }
	var off, names []string
	disabled := protocol.ParseKillSwitches(get("DISABLE_OMC"), "").Type(protocol.Ralph)
	if disabled {
		off, names = append(off, set("DISABLE_OMC")), append(names, "DISABLE_OMC")
	}
	known, unknown := skipped(get("OMC_SKIP_HOOKS"))
	if len(known) > 0 {
		off, names = append(off, set("OMC_SKIP_HOOKS")), append(names, "OMC_SKIP_HOOKS")
	}
	unset := "Remove it when you are done testing."
	if where == "environment" {
		unset = "unset " + strings.Join(names, " ")
	}
	if len(off) > 0 {
		what := prefix + strings.Join(off, " and ")
		switch {
		case prefix == "" && len(off) > 1:
			what += " are set"
		case prefix == "":
			what += " is set"
		}
		e.found(Finding{ID: "kill-switch", Severity: Warning, Where: where, What: what,
			Means: "Hooks are switched off for every session that sees it" + but + ".", Do: unset, Fix: fix(names)})
	}
	for _, name := range unknown {
		f := Finding{ID: "skip-unknown", Severity: Warning, Where: where, What: fmt.Sprintf("OMC_SKIP_HOOKS names %q, which is no hook of bridge%s", name, display.Meant(name, skippable())),
			Means: "The name switches nothing off.", Do: "Use a name that " + display.Bridge + " hooks lists, or remove it."}
		if len(known) == 0 && len(unknown) == 1 {
			f.Fix = fix([]string{"OMC_SKIP_HOOKS"})
		}
		e.found(f)
	}
	if worker := get("OMC_TEAM_WORKER"); worker != "" {
		do := "Remove it, unless it is meant for a worker."
		if where == "environment" {
			do = "unset OMC_TEAM_WORKER, unless this is a worker's terminal."
		}
		e.found(Finding{ID: "team-worker", Severity: Warning, Where: where, What: "OMC_TEAM_WORKER is " + display.Data(worker, 100),
			Means: "Sessions that see it are workers of a team: no stop of theirs is blocked, and no keyword is read.", Do: do, Fix: fix([]string{"OMC_TEAM_WORKER"})})
	}
}

// skipped splits the value of OMC_SKIP_HOOKS into names that switch something off and
// others.
func skipped(value string) (known, unknown []string) {
	names := skippable()
	for token := range strings.SplitSeq(value, ",") {
		token = strings.TrimSpace(token)
		_, hook := protocol.ParseHook(token)
		switch {
		case token == "":
		case hook, slices.Contains(names, token):
			known = append(known, token)
		default:
			unknown = append(unknown, token)
		}
	}
	return known, unknown
}

// skippable are the names of hooks and of the steps at a stop.
func skippable() []string {
	names := protocol.HookNames()
	for _, row := range protocol.AllRows() {
		for _, step := range row.Steps {
			names = append(names, string(step))
		}
	}
	return names
}

// butGuards says what stays on despite a kill switch in a file that may come from a
// repository.
func butGuards(scope settingsfile.Scope) string {
	if scope.Trusted() {
		return ""
	}
	return ", except for deny rules, ask rules and guards"
}

// variables reports environment variables that the project's settings set.
func (e *examination) variables() {
	for _, source := range e.sources {
		if source.Scope.Trusted() || project.IsHome(filepath.Dir(filepath.Dir(source.Path)), e.Getenv) {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(e.settings[source.Path].Env)) {
			switch claude.Variable(name) {
			case claude.Harmless, claude.KillSwitch:
				// The kill switches have findings of their own.
			case claude.Ignored:
				e.found(Finding{ID: "project-env", Severity: Warning, Where: source.Path, What: "env sets " + name,
					Means: "It decides where bridge writes, so bridge ignores it in this project.", Do: "Set it in your own environment or settings instead."})
			case claude.Doubtful:
				e.found(Finding{ID: "project-env", Severity: Note, Where: source.Path, What: "env sets " + name,
					Means: "It may change which program a command runs or what it reads, so bridge approves no command, Grep or Glob in this project.", Do: "Remove it, or set it in your own environment or settings."})
			}
		}
	}
}
