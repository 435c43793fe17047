package doctor

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/client/claude/settingsfile"
	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/policy"
	"github.com/hookbridge/bridge/internal/settings"
	"github.com/hookbridge/bridge/protocol"
)

// environment checks the environment variables that bridge needs.
func (e *examination) environment() {
	e.features()
	if e.StateHome == "" {
		e.found(Finding{ID: "no-home", Severity: Error, Where: "environment", What: "HOME is not an absolute path",
			Means: "bridge cannot keep records: the idle guard and the log do not work.", Do: "Set HOME, or XDG_STATE_HOME, to an absolute path."})
	}
	e.blockCap()
}

// usualCap is the client's own cap (docs/reference/claude-code.md#block-cap).
const usualCap = 8

// blockCap reports a cap on blocks that ends loops early.
func (e *examination) blockCap() {
	value, where := e.Getenv(claude.EnvBlockCap), "environment"
	var fix func() error
	for _, source := range e.sources {
		set := e.settings[source.Path].Env[claude.EnvBlockCap]
		if set == "" {
			continue
		}
		value, where, fix = set, source.Path, nil
		if e.mayEdit(source) && source.Scope != settingsfile.Project {
			fix = func() error {
				return settingsfile.Edit(source.Path, []settingsfile.Operation{{Op: "remove", Path: "/env/" + claude.EnvBlockCap}})
			}
		}
	}
	n, err := strconv.Atoi(value)
	f := Finding{ID: "block-cap", Severity: Warning, Where: where, What: fmt.Sprintf("%s is %q", claude.EnvBlockCap, value),
		Do: "Remove it, or set it to 0 to lift the cap.", Fix: fix}
	switch {
	case value == "":
		return
	case err != nil || n < 0:
		f.Means = "It is not a number, so Claude Code uses its default of 8 blocks in a row."
	case n > 0 && n < usualCap:
		f.Means = fmt.Sprintf("Claude Code ends a loop's turn after %s in a row without a tool call; its default is %d.", display.Count(n, "block"), usualCap)
	default:
		return
	}
	e.found(f)
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
	rules := e.rules(file)
	for _, p := range rules.Problems() {
		f := Finding{ID: "rule-never-matches", Severity: Warning, Where: p.Rule.Source, What: fmt.Sprintf("the %s rule %s can never match: %s", p.List, p.Rule.Text, p.Why),
			Means: "It neither protects nor allows anything.", Do: p.Do}
		if !p.Never {
			f.ID, f.Severity, f.What = "rule-of-unknown-tool", Note, fmt.Sprintf("the %s rule %s may never match: %s", p.List, p.Rule.Text, p.Why)
			f.Means = "If no tool has that name, the rule does nothing."
		}
		e.found(f)
	}
	e.shadowed(rules)
}

// rules loads the rules of each file by itself, and reports those that are broken.
func (e *examination) rules(file string) (all policy.Policy) {
	load := func(where string, env protocol.Env, places []string) {
		p, err := policy.Load(env, places)
		if err != nil {
			e.found(Finding{ID: "rules-broken", Severity: Error, Where: where, What: err.Error(),
				Means: "permission-request denies every tool in this project until it is fixed.", Do: "Fix the file; " + display.Bridge + " help permissions shows what it may contain."})
		}
		all.Deny, all.Ask, all.Allow = append(all.Deny, p.Deny...), append(all.Ask, p.Ask...), append(all.Allow, p.Allow...)
	}
	load(file, e.Env, nil)
	none := e.Env
	none.Config = protocol.Config{}
	for _, place := range e.Search {
		load(filepath.Join(place, ".claude", policy.ProjectFile), none, []string{place})
	}
	return all
}

// shadowed reports rules that never count, because a stricter list has the same rule or
// one for the whole tool.
func (e *examination) shadowed(p policy.Policy) {
	stricter := slices.Clone(p.Deny)
	for _, list := range [][]policy.Rule{p.Ask, p.Allow} {
		for _, r := range list {
			i := slices.IndexFunc(stricter, func(s policy.Rule) bool {
				return s.Tool == r.Tool && (!s.HasPattern || r.HasPattern && s.Pattern == r.Pattern)
			})
			if i < 0 {
				continue
			}
			s := stricter[i]
			e.found(Finding{ID: "rule-shadowed", Severity: Warning, Where: r.Source, What: fmt.Sprintf("the %s rule %s contradicts the %s rule %s in %s", r.List, r.Text, s.List, s.Text, s.Source),
				Means: "The stricter rule wins, so this one never counts.", Do: "Remove one of the two."})
		}
		stricter = append(stricter, list...)
	}
}
