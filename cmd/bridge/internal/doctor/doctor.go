// Package doctor finds problems that keep bridge from doing its work, or make it do
// its work twice: in the client's settings and plugins, in the environment, in the
// user's configuration and in the state of a project.
//
// It runs only hook lines that resolve to this very binary and were written by
// the user, the machine's administrator or our plugin. Everything else is read:
// what a repository brings is never run by a doctor.
package doctor

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/hookbridge/bridge/client/claude/settingsfile"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// Severity says how bad a finding is.
type Severity string

// The severities. An Error keeps hooks from working, a Warning makes them work
// differently from what the user expects, a Note is worth knowing.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Note    Severity = "note"
)

// Finding is one thing that was found.
type Finding struct {
	// ID is stable, such as "timeout-in-milliseconds".
	ID       string   `json:"id"`
	Severity Severity `json:"severity"`
	// Where is a file, a hook line or a variable.
	Where string `json:"where"`
	// What was found, what it Means, and what to Do about it.
	What  string `json:"what"`
	Means string `json:"means"`
	Do    string `json:"do"`
	// Fixable says that Fix can fix it.
	Fixable bool         `json:"fixable"`
	Fix     func() error `json:"-"`
}

// Options are the input of a check.
type Options struct {
	// Dir is the working directory; Places are those of its project.
	Dir string
	protocol.Places
	protocol.Env
	// Binary is the path of this binary; Version is its version.
	Binary, Version string
	// Loops are the loops and modes of the project; Removals are the records that
	// maintenance would remove.
	Loops    []protocol.Status
	Removals []statefile.Removal
	// Follow lets fixes write settings files that are links out of their scope.
	Follow bool
	// NoProbe skips running hook lines.
	NoProbe bool
	// since measures how long a line took; nil is time.Since.
	since func(time.Time) time.Duration
}

// Report is the result of a check-up.
type Report struct {
	Findings []Finding `json:"findings"`
	// Probed are the hook lines that were run.
	Probed []Probe `json:"probed"`
	// Removals is how many records maintenance would remove.
	Removals []Removal `json:"removals"`
}

// Removal is a record that maintenance would remove.
type Removal struct {
	Path string `json:"path"`
	Why  string `json:"why"`
}

// Fix fixes what it can, one finding after the other, and checks again after each,
// because a fix moves the following parts of a file. It returns what was fixed, and the
// findings that remain.
func Fix(o Options) (fixed []Finding, after Report, err error) {
	quick := o
	quick.NoProbe = true
	// Each fix keeps a copy of the file as it was before that fix; the copy that counts
	// is the one from before all of them.
	before := map[string][]byte{}
	for _, source := range settingsfile.Sources(o.Root, o.Getenv) {
		if text, err := settingsfile.ReadFile(source.Path); err == nil {
			before[source.Path] = text
		}
	}
	defer func() {
		for path, text := range before {
			if now, readErr := settingsfile.ReadFile(path); readErr == nil && !bytes.Equal(now, text) {
				err = errors.Join(err, settingsfile.Keep(path+settingsfile.BackupSuffix, text))
			}
		}
	}()
	tried := map[string]bool{}
	for {
		report := Run(quick)
		i := slices.IndexFunc(report.Findings, func(f Finding) bool { return f.Fixable && !tried[f.ID+"\x00"+f.Where+"\x00"+f.What] })
		if i < 0 {
			return fixed, Run(o), err
		}
		f := report.Findings[i]
		tried[f.ID+"\x00"+f.Where+"\x00"+f.What] = true
		if fault := f.Fix(); fault != nil {
			// The others may still be fixed.
			err = errors.Join(err, fmt.Errorf("fix %s: %w", f.ID, fault))
			continue
		}
		fixed = append(fixed, f)
	}
}

// examination is a check in progress.
type examination struct {
	Options
	sources  []settingsfile.Source
	settings map[string]settingsfile.Settings
	lines    []settingsfile.HookLine
	findings []Finding
	probes   []Probe
	// aboutLines are findings that are not merged yet.
	aboutLines []lineFinding
	// explained says that a finding tells why hook lines are missing.
	explained bool
	// strangers are programs of hook lines that are not this one.
	strangers  []string
	identities map[string]identified
}

// Run checks everything.
func Run(o Options) Report {
	if o.since == nil {
		o.since = time.Since
	}
	e := &examination{Options: o, settings: map[string]settingsfile.Settings{}, identities: map[string]identified{}}
	e.read()
	for _, check := range []func(){
		e.configuration, e.plugins, e.switches, e.events, e.programs, e.path, e.checkLines, e.doubles, e.competitors, e.environment, e.variables, e.records, e.project, e.loops, e.probe,
	} {
		check()
	}
	rank := map[Severity]int{Error: 0, Warning: 1, Note: 2}
	slices.SortStableFunc(e.findings, func(a, b Finding) int { return cmp.Compare(rank[a.Severity], rank[b.Severity]) })
	report := Report{Findings: e.findings, Probed: e.probes}
	for _, r := range o.Removals {
		report.Removals = append(report.Removals, Removal{r.Path, r.Why})
	}
	return report
}

// mayEdit reports whether a fix may write a source. It may not if the source belongs to a
// plugin or to the administrator, or is a link out of its scope.
func (e *examination) mayEdit(source settingsfile.Source) bool {
	return source.Scope != settingsfile.Plugin && source.Scope != settingsfile.Managed && e.inside(source) == nil
}

func (e *examination) inside(source settingsfile.Source) error {
	if e.Follow {
		return nil
	}
	return settingsfile.Inside(source.Path, settingsfile.ScopeDirs(source.Scope, e.Root, e.Getenv)...)
}

// found adds a finding.
func (e *examination) found(f Finding) {
	f.Fixable = f.Fix != nil
	e.findings = append(e.findings, f)
}
