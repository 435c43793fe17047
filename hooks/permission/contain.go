package permission

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/hookbridge/bridge/internal/shell"
)

// Bounds of a look at the disk. What lies beyond them goes to the dialog.
const (
	maxEntries = 10_000
	maxTime    = time.Second
)

// look examines what the paths of one call lead to. It is spent by what it lists.
type look struct {
	cwd, root string
	entries   int
	started   time.Time
	// known is what was asked about single names: a line may name the files of one
	// directory by the thousand.
	known map[string]found
}

type found struct {
	mode fs.FileMode
	err  error
}

// lstat is os.Lstat, asked once about a name.
func (l *look) lstat(name string) (fs.FileMode, error) {
	f, ok := l.known[name]
	if !ok {
		info, err := os.Lstat(name)
		if f.err = err; err == nil {
			f.mode = info.Mode()
		}
		if l.known == nil {
			l.known = map[string]found{}
		}
		l.known[name] = f
	}
	return f.mode, f.err
}

// path says why a path that a command reads may lie outside the project or hold
// secrets, or nothing. A link on the way is enough: it may lead anywhere, and ".."
// behind it is not where it seems to be.
func (l *look) path(p shell.Path) string {
	if p.Name == os.DevNull {
		return ""
	}
	if !shell.Contained(p, filepath.ToSlash(l.cwd), []string{filepath.ToSlash(l.root)}) {
		return "lies outside the project or may hold secrets"
	}
	dir, name := filepath.FromSlash(p.Dir), filepath.FromSlash(p.Name)
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(l.cwd, dir)
	}
	if filepath.IsAbs(name) {
		// The root has no links; what was made absolute otherwise is walked from the top.
		dir = l.root
		rest, ok := strings.CutPrefix(name, l.root)
		if !ok || rest != "" && !os.IsPathSeparator(rest[0]) {
			volume := filepath.VolumeName(name)
			dir, rest = volume+string(filepath.Separator), name[len(volume):]
		}
		name = rest
	}
	return l.walk(dir, strings.Split(name, string(filepath.Separator)), p)
}

// walk goes the parts of a path from a directory that was reached without links.
func (l *look) walk(dir string, parts []string, p shell.Path) string {
	for i, part := range parts {
		switch {
		case part == "" || part == ".":
			continue
		case part == "..":
			dir = filepath.Dir(dir)
			continue
		case p.Glob && strings.ContainsAny(part, "*?[^#~"):
			return l.glob(dir, part, parts[i+1:], p)
		}
		dir = filepath.Join(dir, part)
		mode, err := l.lstat(dir)
		switch {
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
			if slices.Contains(parts[i+1:], "..") {
				return "goes up from " + dir + ", which is no directory"
			}
			return ""
		case err != nil:
			return "cannot be followed: " + err.Error()
		case notPlain(mode):
			return "leads over the link " + dir
		}
	}
	if p.Contents || p.Links {
		if mode, err := l.lstat(dir); err == nil && mode.IsDir() {
			return l.below(dir, p)
		}
	}
	return ""
}

// notPlain reports a link, or what Windows has in its place.
func notPlain(mode fs.FileMode) bool { return mode&(fs.ModeSymlink|fs.ModeIrregular) != 0 }

// glob goes on with whatever a pattern may match in a directory.
func (l *look) glob(dir, pattern string, rest []string, p shell.Path) string {
	var dirs []string
	why := l.list(dir, func(e fs.DirEntry) string {
		path := filepath.Join(dir, e.Name())
		switch {
		case !shell.MayMatch(pattern, e.Name()):
		case notPlain(e.Type()):
			return "may match the link " + path
		case shell.Secret(e.Name()):
			return "may match " + path + ", which may hold secrets"
		case e.IsDir() && e.Name() != ".git":
			dirs = append(dirs, path)
		}
		return ""
	})
	for _, sub := range dirs {
		if why == "" {
			why = l.walk(sub, rest, p)
		}
	}
	return why
}

// below looks at everything that a command reads in a directory.
func (l *look) below(dir string, p shell.Path) (why string) {
	for dirs := []string{dir}; len(dirs) > 0 && why == ""; {
		dir, dirs = dirs[len(dirs)-1], dirs[:len(dirs)-1]
		if filepath.Base(dir) == ".git" && p.Contents && holdsToken(filepath.Join(dir, "config")) {
			return "reaches " + filepath.Join(dir, "config") + ", which may hold a token"
		}
		if filepath.Base(dir) == ".git" && !p.Links {
			continue // what git writes has no names of secrets
		}
		why = l.list(dir, func(e fs.DirEntry) string {
			path := filepath.Join(dir, e.Name())
			switch {
			case notPlain(e.Type()):
				if p.Links {
					return "reaches the link " + path
				}
			case e.IsDir() && slices.Contains(p.Skip, e.Name()):
			case p.Contents && shell.Secret(e.Name()) && (e.IsDir() || named(p.Only, e.Name())):
				return "reaches " + path + ", which may hold secrets"
			case e.IsDir():
				dirs = append(dirs, path)
			}
			return ""
		})
	}
	return why
}

// named reports whether a file is one of those that a command reads.
func named(only []string, name string) bool {
	return len(only) == 0 || slices.ContainsFunc(only, func(pattern string) bool {
		return strings.ContainsRune(pattern, '/') || shell.MayMatch(pattern, name)
	})
}

// list visits the entries of a directory until one gives a reason.
func (l *look) list(dir string, visit func(fs.DirEntry) string) string {
	f, err := os.OpenFile(dir, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	if err != nil {
		return "cannot be looked at: " + err.Error()
	}
	defer f.Close()
	if l.started.IsZero() {
		l.started = time.Now()
	}
	for {
		entries, err := f.ReadDir(256)
		for _, e := range entries {
			if why := visit(e); why != "" {
				return why
			}
		}
		l.entries += len(entries) + 1
		switch {
		case errors.Is(err, io.EOF):
			return ""
		case err != nil:
			return "cannot be looked at: " + err.Error()
		case l.entries > maxEntries, l.entries > maxEntries/10 && time.Since(l.started) > maxTime:
			return "reaches more files than bridge looks at before it allows a command"
		}
	}
}
