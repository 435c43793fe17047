package doctor

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/client/claude/settingsfile"
	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/policy"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/settings"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// switches reports settings that switch hooks off.
func (e *examination) switches() {
	for _, source := range e.sources {
		s := e.settings[source.Path]
		if s.DisableAllHooks {
			var fix func() error
			if e.mayEdit(source) && source.Scope != settingsfile.Project {
				fix = func() error {
					return settingsfile.Edit(source.Path, []settingsfile.Operation{{Op: "replace", Path: "/disableAllHooks", Value: false}})
				}
			}
			e.found(Finding{ID: "all-hooks-disabled", Severity: Error, Where: source.Path, What: "disableAllHooks is true",
				Means: "Claude Code runs no hook at all.", Do: "Set it to false.", Fix: fix})
		}
		for _, variable := range []string{"DISABLE_OMC", "OMC_SKIP_HOOKS"} {
			if value := s.Env[variable]; switchedOff(variable, value) {
				var fix func() error
				if e.mayEdit(source) && source.Scope != settingsfile.Project {
					fix = func() error {
						return settingsfile.Edit(source.Path, []settingsfile.Operation{{Op: "remove", Path: "/env/" + variable}})
					}
				}
				e.found(Finding{ID: "kill-switch", Severity: Warning, Where: source.Path, What: fmt.Sprintf("env sets %s=%s", variable, value),
					Means: "Hooks are switched off for every session that reads this file" + butGuards(source.Scope) + ".", Do: "Remove it when you are done testing.", Fix: fix})
			}
		}
	}
	for _, variable := range []string{"DISABLE_OMC", "OMC_SKIP_HOOKS"} {
		if value := e.Getenv(variable); switchedOff(variable, value) {
			e.found(Finding{ID: "kill-switch", Severity: Warning, Where: "environment", What: variable + "=" + value + " is set",
				Means: "Hooks of sessions that are started from here are switched off.", Do: "unset " + variable})
		}
	}
}

// butGuards says what stays on despite a kill switch in a file that may come from a
// repository.
func butGuards(scope settingsfile.Scope) string {
	if scope.Trusted() {
		return ""
	}
	return ", except for deny rules, ask rules and guards"
}

func switchedOff(variable, value string) bool {
	if variable == "DISABLE_OMC" {
		off := protocol.ParseKillSwitches(value, "")
		return off.Type(protocol.Ralph)
	}
	return value != ""
}

// environment checks the environment variables that bridge needs.
func (e *examination) environment() {
	e.features()
	if e.StateHome == "" {
		e.found(Finding{ID: "no-home", Severity: Error, Where: "environment", What: "HOME is not an absolute path",
			Means: "bridge cannot keep records: the idle guard and the log do not work.", Do: "Set HOME, or XDG_STATE_HOME, to an absolute path."})
	}
	value := e.Getenv(claude.EnvBlockCap)
	for _, source := range e.sources {
		if set := e.settings[source.Path].Env[claude.EnvBlockCap]; set != "" {
			value = set
		}
	}
	if value != "" {
		if n, err := strconv.Atoi(value); err != nil || n < 0 {
			e.found(Finding{ID: "block-cap", Severity: Warning, Where: claude.EnvBlockCap, What: fmt.Sprintf("it is %q, which is not a number", value),
				Means: "Claude Code uses its default of 8 blocks in a row.", Do: "Set it to a number; 0 lifts the cap."})
		}
	}
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

// configuration checks the user's configuration and the project's.
func (e *examination) configuration() {
	var err error
	e.Config, err = settings.Load(e.Env)
	file := filepath.Join(e.ConfigHome, settings.FileName)
	if err != nil {
		e.found(Finding{ID: "configuration-broken", Severity: Error, Where: file, What: err.Error(),
			Means: "permission-request denies every tool until it is fixed; the other hooks use the defaults.", Do: "Fix the file; " + display.Bridge + " schema config shows what it may contain."})
		return
	}
	rules, err := policy.Load(e.Env, e.Search)
	if err != nil {
		e.found(Finding{ID: "rules-broken", Severity: Error, Where: file, What: err.Error(),
			Means: "permission-request denies every tool in this project until it is fixed.", Do: "Fix the rule."})
	}
	for _, p := range rules.Problems() {
		f := Finding{ID: "rule-never-matches", Severity: Warning, Where: p.Rule.Source, What: fmt.Sprintf("the %s rule %s can never match: %s", p.List, p.Rule.Text, p.Why),
			Means: "It neither protects nor allows anything.", Do: p.Do}
		if !p.Never {
			f.ID, f.Severity, f.What = "rule-of-unknown-tool", Note, fmt.Sprintf("the %s rule %s may never match: %s", p.List, p.Rule.Text, p.Why)
			f.Means = "If no tool has that name, the rule does nothing."
		}
		e.found(f)
	}
}

// records checks bridge's own records.
func (e *examination) records() {
	if e.StateHome == "" {
		return
	}
	dir, err := statefile.OpenDir(e.StateHome)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		e.found(Finding{ID: "records-unusable", Severity: Error, Where: e.StateHome, What: err.Error(),
			Means: "bridge keeps no records: an event may be answered twice, and nothing is logged.", Do: "Make yourself the owner of the directory, and let nobody else write to it."})
		return
	}
	dir.Close()
	probe, err := os.CreateTemp(e.StateHome, ".doctor-*.tmp")
	if err != nil {
		e.found(Finding{ID: "records-unusable", Severity: Error, Where: e.StateHome, What: err.Error(),
			Means: "bridge keeps no records: an event may be answered twice, and nothing is logged.", Do: "Free some space on the disk, or correct the permissions."})
		return
	}
	probe.Close()
	os.Remove(probe.Name())
	if info, err := os.Stat(e.StateHome); err == nil && info.Mode().Perm()&0o077 != 0 && os.PathSeparator == '/' {
		e.found(Finding{ID: "records-readable", Severity: Note, Where: e.StateHome, What: "other users can read it (mode " + info.Mode().Perm().String() + ")",
			Means: "The log says which hooks ran and when; it contains no prompts.", Do: "chmod 700 " + e.StateHome, Fix: func() error { return os.Chmod(e.StateHome, 0o700) }})
	}
}

// project checks the state directories of the project.
func (e *examination) project() {
	for _, place := range e.Search {
		for _, below := range []string{".claude", ".omc"} {
			path := filepath.Join(place, below)
			dir, err := statefile.OpenDir(path)
			switch {
			case errors.Is(err, fs.ErrNotExist):
			case err != nil:
				e.found(Finding{ID: "state-unusable", Severity: Warning, Where: path, What: err.Error(),
					Means: "No loop or mode in it blocks a stop.", Do: "Make yourself the owner of the directory, and let nobody else write to it (chown, chmod go-w)."})
			case below == ".omc" && project.StateInGit(place):
				e.found(Finding{ID: "state-in-git", Severity: Note, Where: path, What: "git does not ignore .omc/",
					Means: "States with your prompts may be committed.", Do: "Add the line .omc/ to .gitignore."})
				fallthrough
			default:
				dir.Close()
			}
		}
	}
}

// loops reports states that cannot be read or belong to nobody.
func (e *examination) loops() {
	for _, st := range e.Loops {
		switch st.State {
		case protocol.LoopBroken:
			e.found(Finding{ID: "state-broken", Severity: Warning, Where: st.Path, What: st.Label + ": " + st.Problem,
				Means: "The loop does not block stops.", Do: "Fix the file, or end it: " + st.Stop})
		case protocol.LoopStale:
			e.found(Finding{ID: "state-stale", Severity: Note, Where: st.Path, What: st.Label + ": " + st.Problem,
				Means: "It does not block the stops of any session.", Do: "Adopt it with the command above, or end it: " + st.Stop})
		case protocol.LoopActive, protocol.LoopPaused:
			e.delivery(st)
		case protocol.LoopEnded:
		}
	}
}
