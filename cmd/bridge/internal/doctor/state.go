package doctor

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/bridge/internal/git"
	"github.com/hookbridge/bridge/internal/home"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

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
		var states []string
		for _, below := range []string{".claude", ".omc"} {
			at := filepath.Join(place, below)
			dir, err := statefile.OpenDir(at)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				e.found(Finding{ID: "state-unusable", Severity: Warning, Where: at, What: err.Error(),
					Means: "No loop or mode in it blocks a stop.", Do: "Make yourself the owner of the directory, and let nobody else write to it (chown, chmod go-w)."})
				continue
			}
			states = append(states, statesIn(dir, below)...)
			dir.Close()
		}
		if !e.committed(place) {
			e.notIgnored(place, states)
		}
	}
}

// statesIn are the files of bridge in a state directory, or one that stands for them.
func statesIn(dir *statefile.Dir, below string) (states []string) {
	if below == ".omc" {
		return []string{".omc/state-of-a-mode"}
	}
	for _, sub := range []string{".", "ralph-smart"} {
		// What cannot be read is found elsewhere.
		names, _ := dir.Names(sub)
		for _, name := range names {
			if file := path.Join(below, sub, name); isState(file) && name != "ralph-smart" {
				states = append(states, file)
			}
		}
	}
	return states
}

// isState reports whether a path in a project is that of a state.
func isState(file string) bool {
	loop, ok := strings.CutPrefix(file, ".claude/ralph-loop.")
	if ok {
		return strings.Contains("."+loop, ".local.md")
	}
	if smart, ok := strings.CutPrefix(file, ".claude/ralph-smart/"); ok {
		// A team may share its configuration.
		return smart != "config.json"
	}
	return strings.HasPrefix(file, ".omc/state/")
}

// notIgnored reports states that git would add to a commit.
func (e *examination) notIgnored(place string, states []string) {
	var lines []string
	for _, file := range project.NotIgnored(place, e.ignoredByUser(), states...) {
		line := ".omc/"
		switch {
		case strings.HasPrefix(file, ".claude/ralph-loop."):
			line = ".claude/ralph-loop.*"
		case strings.HasPrefix(file, ".claude/ralph-smart/"):
			line = ".claude/ralph-smart/"
		}
		if !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	if len(lines) == 0 {
		return
	}
	slices.Sort(lines)
	do := "Add the line " + lines[0] + " to .gitignore."
	if len(lines) > 1 {
		do = "Add these lines to .gitignore: " + strings.Join(lines, ", ")
	}
	e.found(Finding{ID: "state-in-git", Severity: Note, Where: place, What: "git does not ignore " + strings.Join(lines, ", "),
		Means: "States with your prompts may be committed.", Do: do})
}

// ignoredByUser is the user's own list of files that git ignores, in its usual place.
func (e *examination) ignoredByUser() string {
	config := e.Getenv("XDG_CONFIG_HOME")
	if config == "" {
		if config = home.Dir(e.Getenv); config == "" {
			return ""
		}
		config = filepath.Join(config, ".config")
	}
	text, err := statefile.ReadFile(filepath.Join(config, "git", "ignore"), maxIgnore)
	if err != nil {
		return ""
	}
	return string(text)
}

// maxIgnore is far more than anybody's list of ignored files.
const maxIgnore = 1 << 20

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

// committed reports states in a git index: whoever clones the repository gets them.
func (e *examination) committed(place string) bool {
	var names []string
	count := func(name string) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if dir := git.Dir(place); dir != "" {
		if index, err := statefile.ReadFile(filepath.Join(dir, "index"), maxIndex); err == nil {
			git.Entries(index, func(path string, _ uint32) bool {
				if isState(path) {
					count(path)
				}
				return false
			})
		}
	}
	for _, st := range e.Loops {
		if name, err := filepath.Rel(place, st.Path); err == nil && filepath.IsLocal(name) {
			if listed, _ := git.Listed(st.Path); listed {
				count(filepath.ToSlash(name))
			}
		}
	}
	if len(names) == 0 {
		return false
	}
	e.found(Finding{ID: "state-committed", Severity: Warning, Where: place, What: "git tracks states: " + few(names),
		Means: "They contain your prompts, and bridge does not take a tracked state for yours: it may have come with the repository.",
		Do:    "Run git rm --cached with these files, and add them to .gitignore."})
	return true
}

// maxIndex is enough for the index of a large repository.
const maxIndex = 64 << 20
