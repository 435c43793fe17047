package project

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

const (
	// IndexDir is the directory of the index, below our own state directory. It has one
	// small file for each project, named by the id of the project's root.
	IndexDir = "projects"
	// maxLoops is how many of a project's newest loops are kept.
	maxLoops = 32
)

// Known is what the index knows about a project.
type Known struct {
	// Path is the project's root.
	Path string `json:"path"`
	// Seen is the last day, in UTC, on which a hook decided something there.
	Seen string `json:"seen"`
	// Loops are the kinds of loops and modes that were seen there, ended ones
	// included, each with a directory from which it is found.
	Loops []KnownLoop `json:"loops,omitempty"`
}

// KnownLoop is a kind of loop or mode and a working directory of its session.
type KnownLoop struct {
	Kind string `json:"kind"`
	Dir  string `json:"dir"`
}

// Note adds the project to the index, with loops of the given kinds, which are separated
// by commas. It writes at the first note of a day and for a loop that is not listed yet;
// otherwise it only checks one small file. If two processes write at once, one entry may
// be lost; the next decision writes it again.
func Note(stateHome string, places protocol.Places, kinds string, now time.Time) error {
	if stateHome == "" || places.Root == "" {
		return nil
	}
	dir := places.Root
	if len(places.Search) > 0 {
		dir = places.Search[0]
	}
	name, day := ID(places.Root)+".json", now.UTC().Format(time.DateOnly)
	file := filepath.Join(stateHome, IndexDir, name)
	if kinds == "" {
		if info, err := os.Lstat(file); err == nil && info.ModTime().UTC().Format(time.DateOnly) == day {
			return nil
		}
	}
	// An unreadable file is written again.
	data, _ := statefile.ReadFile(file, statefile.MaxSize)
	current := bytes.Contains(data, []byte(`"seen":"`+day+`"`))
	var known Known
	for kind := range strings.FieldsFuncSeq(kinds, func(r rune) bool { return r == ',' }) {
		loop := KnownLoop{kind, dir}
		current = current && bytes.Contains(data, loop.line())
		known.Loops = append(known.Loops, loop)
	}
	if current {
		return nil
	}
	if old, ok := parseKnown(data); ok {
		for _, loop := range known.Loops {
			if !slices.Contains(old.Loops, loop) {
				old.Loops = append(old.Loops, loop)
			}
		}
		known.Loops = old.Loops[max(0, len(old.Loops)-maxLoops):]
	}
	known.Path, known.Seen = places.Root, day
	text, err := json.Marshal(known)
	if err == nil {
		err = statefile.OwnIn(stateHome, IndexDir).Write(func(dir *statefile.Dir) error {
			return dir.Create(name, append(text, '\n'), statefile.Volatile)
		})
	}
	if err != nil {
		return fmt.Errorf("note the project in the index: %w", err)
	}
	return nil
}

// line is the loop as written in the file. It is made without reflection, which would take longer than reading the file.
func (l KnownLoop) line() []byte {
	w := protocol.WriteObject(nil, "")
	w.Text("kind", l.Kind)
	w.Text("dir", l.Dir)
	line, _ := w.End()
	return line
}

func parseKnown(data []byte) (k Known, ok bool) {
	err := json.Unmarshal(data, &k)
	return k, err == nil && filepath.IsAbs(k.Path)
}

// Index lists the projects in the index, the newest first. Unreadable and foreign files
// are skipped.
func Index(stateHome string) ([]Known, error) {
	entries, err := os.ReadDir(filepath.Join(stateHome, IndexDir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the index of projects: %w", err)
	}
	var all []Known
	for _, e := range entries {
		data, err := statefile.ReadFile(filepath.Join(stateHome, IndexDir, e.Name()), statefile.MaxSize)
		if err != nil {
			continue
		}
		if k, ok := parseKnown(data); ok && e.Name() == ID(k.Path)+".json" {
			all = append(all, k)
		}
	}
	slices.SortStableFunc(all, func(a, b Known) int { return strings.Compare(b.Seen, a.Seen) })
	return all, nil
}
