package doctor

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/hookbridge/bridge/client/claude/settingsfile"
	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/self"
)

// program is the binary that lines call.
type program struct {
	path string
	err  error
	// lines call it; the first is named in findings.
	lines []settingsfile.HookLine
}

// programs checks whether the programs that the lines call exist, can be run, and are
// this one.
func (e *examination) programs() {
	var all []*program
	for _, l := range e.lines {
		if !l.Bridge() {
			continue
		}
		path, err := l.Program(e.Root, e.Getenv, exec.LookPath)
		i := slices.IndexFunc(all, func(p *program) bool { return p.path == path && p.lines[0].Source.Path == l.Source.Path })
		if i < 0 {
			i = len(all)
			all = append(all, &program{path: path, err: err})
		}
		all[i].lines = append(all[i].lines, l)
	}
	for _, p := range all {
		e.checkProgram(p)
	}
}

func (e *examination) checkProgram(p *program) {
	first := p.lines[0]
	where := first.Source.Path + ": " + first.Command
	lines := display.Count(len(p.lines), "hook line")
	switch {
	case p.err != nil && (p.path == "" || !filepath.IsAbs(p.path)):
		e.found(Finding{ID: "binary-not-on-path", Severity: Error, Where: where, What: fmt.Sprintf("%s: %v", lines, p.err),
			Means: "The hooks never run.", Do: "Put bridge on the PATH that Claude Code is started with, or write its full path."})
		return
	case errors.Is(p.err, fs.ErrNotExist):
		what := "the program does not exist: " + p.path
		if to, err := os.Readlink(p.path); err == nil {
			what = "the program " + p.path + " is a link to " + to + ", which does not exist"
		}
		e.found(Finding{ID: "binary-missing", Severity: Error, Where: where, What: lines + ": " + what,
			Means: "The hooks never run. With onFailure block, every tool that would need a dialog is denied.", Do: sentence(again(first)) + ", or correct the path."})
		return
	case p.err != nil:
		e.found(Finding{ID: "binary-unreadable", Severity: Error, Where: where, What: p.err.Error(), Means: "The hooks never run.", Do: "Correct the permissions of that path."})
		return
	}
	info, err := os.Stat(p.path)
	if err != nil {
		return
	}
	if info.Mode().IsRegular() && info.Mode().Perm()&0o111 == 0 && os.PathSeparator == '/' {
		var fix func() error
		if first.Source.Scope.Trusted() {
			fix = func() error { return os.Chmod(p.path, info.Mode().Perm()|0o755) }
		}
		e.found(Finding{ID: "run-bit-missing", Severity: Error, Where: p.path, What: lines + ": the program is not executable (mode " + info.Mode().Perm().String() + ")",
			Means: "The hooks never run. Some archives and checkouts lose the executable bit.", Do: "chmod +x " + p.path, Fix: fix})
		return
	}
	e.writable("program-writable", p.path, first.Source.Scope.Trusted(), "Whoever changes the program decides what your hooks do.")
	e.stranger(p, where, lines)
}

// stranger reports a program that is not this one.
func (e *examination) stranger(p *program, where, lines string) {
	first := p.lines[0]
	is, text := e.identify(p.path)
	f := Finding{Where: where, What: lines + ": the program " + p.path + " is " + text}
	const notRun = " (It was not run to find out.)"
	switch is {
	case same:
		return
	case otherSystem:
		f.ID, f.Severity, f.Means = "wrong-system", Error, "It cannot run here, so the hooks never run. With onFailure block, every tool that would need a dialog is denied."
		f.Do = "Get bridge for this system, and " + again(first) + "."
	case foreign:
		f.ID, f.Severity, f.Means = "foreign-program", Error, "It does not know the hooks, so no loop continues and no permission is decided."+notRun
		f.Do = "Write the full path of bridge in the lines, or " + again(first) + "."
	case unreadable:
		f.ID, f.Severity, f.What, f.Means = "another-binary", Warning, lines+": the program cannot be read: "+text, "Nobody knows which version the hooks are."
		f.Do = "Correct its permissions, or " + again(first) + "."
	case otherBuild, otherVersion, script:
		f.ID, f.Severity, f.Means = "another-binary", Warning, "Hooks and commands may be of different versions; this one is "+e.this()+"."+notRun
		f.Do = sentence(again(first)) + " with the newer one."
	}
	e.strangers = append(e.strangers, p.path)
	e.found(f)
}

// again is how the lines are written anew: by the plugin or by install.
func again(l settingsfile.HookLine) string {
	switch l.Source.Scope {
	case settingsfile.Plugin:
		return "run claude plugin update " + l.Source.Plugin
	case settingsfile.Project, settingsfile.Local:
		return "run " + display.Bridge + " install --scope " + string(l.Source.Scope)
	case settingsfile.User, settingsfile.Managed:
	}
	return "run " + display.Bridge + " install"
}

func sentence(text string) string { return display.Title(text) }

// writable reports a file that everybody may write.
func (e *examination) writable(id, path string, fixable bool, means string) {
	info, err := os.Stat(path)
	if err != nil || os.PathSeparator != '/' || info.Mode().Perm()&0o002 == 0 {
		return
	}
	var fix func() error
	if fixable {
		fix = func() error { return os.Chmod(path, info.Mode().Perm()&^0o022) }
	}
	e.found(Finding{ID: id, Severity: Warning, Where: path, What: "every user can write it (mode " + info.Mode().Perm().String() + ")", Means: means, Do: "chmod go-w " + path, Fix: fix})
}

// path reports the program that a person gets who types bridge, if it is not this
// one.
func (e *examination) path() {
	for _, name := range self.Names() {
		for found, info := range self.OnPath(name, e.Getenv) {
			// The name leads to this program, or to the program of the hook lines, which
			// already has a finding.
			if is, _ := e.identify(found); is == same || e.strange(info) {
				return
			}
			break
		}
	}
	const name = "bridge"
	for found := range self.OnPath(name, e.Getenv) {
		is, text := e.identify(found)
		f := Finding{ID: "path-another", Severity: Warning, Where: found, What: "the command bridge runs " + text,
			Means: "Commands and hooks may be of different versions; this one is " + e.this() + ".",
			Do:    "Install the newer one, and remove the other from the PATH."}
		switch is {
		case foreign, script:
			f.ID, f.Severity = "path-foreign", Note
			f.Means = "The commands of the documents do not reach this program. The hooks work: they have its full path."
			f.Do = "Type `" + display.Bridge + "`. For a short name: `" + display.Bridge + " install --link-dir DIR` (DIR on your PATH)."
		case otherSystem:
			f.Means = "It cannot run here."
		case same, otherBuild, otherVersion, unreadable:
		}
		e.found(f)
		return
	}
}

// strange reports whether hook lines call this program although it is not the
// running one.
func (e *examination) strange(info os.FileInfo) bool {
	return slices.ContainsFunc(e.strangers, func(path string) bool {
		other, err := os.Stat(path)
		return err == nil && os.SameFile(info, other)
	})
}
