// Package reach says where a path leads. It walks a name component by component from
// a directory, as the system does: it follows links and takes ".." from the disk. It
// expands patterns, lists directories up to a limit, and knows the names under which
// tools keep credentials. It judges nothing: the caller decides whether a place may be
// read or written.
package reach

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// Limits for checking the disk. A call that exceeds one of them is not judged.
const (
	maxLinks   = 40 // the same as in Linux
	maxParts   = 4096
	maxMatches = 2000
	maxEntries = 250_000
	maxTime    = time.Second
)

// The reasons why bridge cannot tell where a name leads.
var (
	ErrTooMuch = errors.New("reaches more files than bridge checks")
	ErrLinks   = errors.New("passes through too many links")
	ErrUp      = errors.New("has .. after a directory that does not exist")
	ErrMoving  = errors.New("passes through a path that each process sees differently, such as /proc/self")
	ErrStrange = errors.New("is a Windows path, which shells read in different ways")
	ErrDeep    = errors.New("is a recursive pattern, which may follow links")
)

// Place is where a name leads.
type Place struct {
	// Path is absolute and clean. Nothing on the way to it is a link.
	Path string
	// Over are the places of the links that were followed, in their order.
	Over []string
	// Mode is that of the file at the place, if there is one.
	Mode   fs.FileMode
	Exists bool
}

// Dir reports whether a directory is there.
func (p Place) Dir() bool { return p.Exists && p.Mode.IsDir() }

// Disk answers the questions of one call. It asks the system once about each name. The
// limits apply to all questions together. The zero value is ready.
type Disk struct {
	known   map[string]found
	real    []string
	matches int
	entries int
	started time.Time
}

type found struct {
	mode fs.FileMode
	err  error
}

// Trust says that no part of an absolute directory is a link, so that it need not be
// checked again.
func (d *Disk) Trust(dir string) { d.real = append(d.real, dir) }

// lstat is os.Lstat, asked once about a name.
func (d *Disk) lstat(name string) (fs.FileMode, error) {
	f, ok := d.known[name]
	if !ok {
		info, err := os.Lstat(name)
		if f.err = err; err == nil {
			f.mode = info.Mode()
		}
		if d.known == nil {
			d.known = map[string]found{}
		}
		d.known[name] = f
	}
	return f.mode, f.err
}

// Follow returns the place to which a name leads from dir, which must not contain links.
// A name that does not exist is not an error: its place is where it would be.
func (d *Disk) Follow(dir, name string) (Place, error) {
	if Strange(name) {
		return Place{}, ErrStrange
	}
	name = filepath.FromSlash(name)
	w := walk{disk: d, at: dir}
	w.turn(name)
	for len(w.parts) > 0 {
		if err := w.step(); err != nil {
			return Place{}, err
		}
	}
	place := Place{Path: w.at, Over: w.over}
	if w.missing {
		return place, nil
	}
	mode, err := d.lstat(w.at)
	if err != nil && !absent(err) {
		return Place{}, fmt.Errorf("cannot be followed: %w", err)
	}
	place.Mode, place.Exists = mode, err == nil
	return place, nil
}

// Both returns the places to which a name leads for a program that takes ".." from the
// disk, and for one that takes it from the name, as shells do for cd and most editors
// for files. There is one place if they agree.
func (d *Disk) Both(dir, name string) ([]Place, error) {
	place, err := d.Follow(dir, name)
	if err != nil {
		return nil, err
	}
	full := filepath.FromSlash(name)
	if !strings.Contains(full, "..") {
		return []Place{place}, nil
	}
	if !filepath.IsAbs(full) {
		full = filepath.Join(dir, full)
	}
	other, err := d.Follow(dir, filepath.Clean(full))
	if err != nil {
		return nil, err
	}
	if other.Path == place.Path {
		return []Place{place}, nil
	}
	return []Place{place, other}, nil
}

// Strange reports a name that Windows, or a shell on Windows, may interpret differently. bridge does not follow it.
func Strange(name string) bool {
	if filepath.Separator == '\\' && filepath.IsAbs(name) {
		return false
	}
	return strings.ContainsRune(name, '\\') || len(name) > 2 && name[1] == ':' && name[2] == '/'
}

// Within reports whether a place is dir or below it.
func Within(dir, place string) bool {
	if dir == "" {
		return false
	}
	rest, ok := strings.CutPrefix(place, strings.TrimSuffix(dir, string(filepath.Separator)))
	return ok && (rest == "" || os.IsPathSeparator(rest[0]))
}

// walk is the state of following a name.
type walk struct {
	disk  *Disk
	at    string
	parts []string // what is left of the name
	over  []string
	// missing says that at does not exist.
	missing bool
}

// turn puts the parts of a name, such as a link's target, before the remaining parts.
func (w *walk) turn(name string) {
	if filepath.IsAbs(name) {
		w.at, name = w.disk.top(name)
	}
	w.parts = append(strings.FieldsFunc(name, func(r rune) bool { return r < 0x80 && os.IsPathSeparator(byte(r)) }), w.parts...)
}

// top returns the nearest directory above an absolute name that is known to contain no links, and the rest of the name.
func (d *Disk) top(name string) (dir, rest string) {
	volume := filepath.VolumeName(name)
	dir, rest = volume+string(filepath.Separator), name[len(volume):]
	for _, real := range d.real {
		if len(real) > len(dir) && Within(real, name) {
			dir, rest = real, name[len(real):]
		}
	}
	return dir, rest
}

// step follows the next part.
func (w *walk) step() error {
	part := w.parts[0]
	w.parts = w.parts[1:]
	switch part {
	case ".":
		return nil
	case "..":
		if w.missing {
			return fmt.Errorf("%w: %s", ErrUp, w.at)
		}
		w.at = filepath.Dir(w.at)
		return nil
	}
	w.at = filepath.Join(w.at, part)
	if w.missing {
		return nil
	}
	mode, err := w.disk.lstat(w.at)
	switch {
	case absent(err):
		w.missing = true
		return nil
	case err != nil:
		return fmt.Errorf("cannot be followed: %w", err)
	case mode&fs.ModeIrregular != 0:
		return fmt.Errorf("passes through %s, which is neither a file nor a directory", w.at)
	case mode&fs.ModeSymlink == 0:
		return nil
	}
	if Within("/proc", w.at) || Within("/dev/fd", w.at) {
		return fmt.Errorf("%w: %s", ErrMoving, w.at)
	}
	target, err := os.Readlink(w.at)
	if err != nil {
		return fmt.Errorf("cannot be followed: %w", err)
	}
	if w.over = append(w.over, w.at); len(w.over) > maxLinks || len(w.parts) > maxParts {
		return fmt.Errorf("%w: %s", ErrLinks, w.over[0])
	}
	w.at = filepath.Dir(w.at)
	w.turn(target)
	return nil
}

// absent reports that a name does not exist.
func absent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// List visits the entries of a directory until visit returns an error. The path of the
// directory must not contain links. A directory that does not exist or must not be listed
// has no entries.
func (d *Disk) List(dir string, visit func(fs.DirEntry) error) error {
	f, err := os.OpenFile(dir, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if absent(err) || errors.Is(err, fs.ErrPermission) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("cannot be listed: %w", err)
	}
	defer f.Close()
	if d.started.IsZero() {
		d.started = time.Now()
	}
	for {
		entries, err := f.ReadDir(256)
		for _, e := range entries {
			if err := visit(e); err != nil {
				return err
			}
		}
		d.entries += len(entries) + 1
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, syscall.ENOTDIR):
			return nil
		case err != nil:
			return fmt.Errorf("cannot be listed: %w", err)
		case d.entries > maxEntries, time.Since(d.started) > maxTime:
			return ErrTooMuch
		}
	}
}
