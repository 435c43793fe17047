package permission

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/bridge/internal/reach"
	"github.com/hookbridge/bridge/internal/shell"
)

// look examines what the paths of one call lead to. cwd and root are without links.
type look struct {
	reach.Disk
	cwd, root string
	// given are further names of cwd, from which a shell may take a parent.
	given []string
	// more are the names of secrets that the user added.
	more []string
	// unread is the function of the same name in place.
	unread func(string) string
	getenv func(string) string
	// names is created when the first file is judged by its name.
	names *reach.Secrets
}

// newLook is a look from a place.
func newLook(at place) *look {
	l := &look{cwd: at.cwd, root: at.root, given: []string{at.given}, more: at.secrets, unread: at.unread, getenv: at.getenv}
	l.Trust(at.root)
	return l
}

func (l *look) secrets() *reach.Secrets {
	if l.names == nil {
		l.names = reach.NewSecrets(l.more)
	}
	return l.names
}

// path returns the reason why a path that a command reads leads outside the project or to secrets, or "".
func (l *look) path(p shell.Path) string {
	if p.Name == os.DevNull {
		return ""
	}
	dir, why := l.dir(p.Dir)
	if why != "" {
		return "comes after a cd that " + why
	}
	if p.Glob && reach.Pattern(p.Name) {
		return l.pattern(dir, p)
	}
	at, err := l.Follow(dir, p.Name)
	if err != nil {
		return err.Error()
	}
	return l.place(at, p)
}

// pattern judges every path that a pattern may match.
func (l *look) pattern(dir string, p shell.Path) string {
	base, all, err := l.Expand(dir, p.Name)
	if err != nil {
		return err.Error()
	}
	if !reach.Within(l.root, base.Path) {
		return "is outside the project"
	}
	for _, at := range all {
		if why := l.place(at, p); why != "" {
			return "may match " + found(at) + ", which " + why
		}
	}
	return ""
}

// found returns the path to show for a place: the first link on the way to it, if there
// is one.
func found(at reach.Place) string {
	if len(at.Over) > 0 {
		return at.Over[0]
	}
	return at.Path
}

// named returns the path of a name in dir without following links.
func named(dir, name string) string {
	if name = filepath.FromSlash(name); filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(dir, name)
}

// dir is the directory to which a cd leads, or "". A shell resolves ".." by the name, and
// on the disk only if that path does not exist. If the two results differ, or if they
// depend on how the working directory is named, the directory is unknown.
func (l *look) dir(name string) (at, why string) {
	if name == "" {
		return l.cwd, ""
	}
	place, err := l.Follow(l.cwd, name)
	if err != nil {
		return "", err.Error()
	}
	for _, from := range append(l.given, l.cwd) {
		other, err := l.Follow(l.cwd, named(from, name))
		if err != nil {
			return "", err.Error()
		}
		if other.Path != place.Path {
			return "", "leads to " + place.Path + " or to " + other.Path + ", depending on the shell"
		}
	}
	if !reach.Within(l.root, place.Path) {
		return "", "leads to " + place.Path + ", outside the project"
	}
	return place.Path, ""
}

// place judges one place.
func (l *look) place(at reach.Place, p shell.Path) string {
	switch {
	case reach.Within(l.root, at.Path):
	case len(at.Over) > 0:
		return "leads through the link " + at.Over[len(at.Over)-1] + " to " + at.Path + ", outside the project"
	default:
		return "is outside the project"
	}
	if !p.Names {
		// A link may have the name of a secret, and so may its target.
		for _, name := range append(slices.Clone(at.Over), at.Path) {
			if why := l.secret(name); why != "" {
				return "leads to " + name + ", which " + why
			}
			if rule := l.ruled(name); rule != "" {
				return "leads to " + name + ", and " + rule
			}
		}
	}
	if (p.Contents || p.Links) && at.Dir() {
		return l.below(at.Path, p)
	}
	return ""
}

// secret returns the reason why a file or directory of the project may hold a secret, or "".
func (l *look) secret(name string) string {
	if !reach.Within(l.root, name) {
		return ""
	}
	rel := reach.Rel(l.root, name)
	if l.secrets().Has(rel) {
		return "may hold secrets"
	}
	if dir, file := path.Split(rel); l.unsure(dir, file) && tokenIn(name) {
		return "may hold a token"
	}
	return ""
}

// ruled names the rule against reading a file, or returns "".
func (l *look) ruled(name string) string {
	if l.unread != nil {
		if rule := l.unread(name); rule != "" {
			return "the rule " + rule + " is about it"
		}
	}
	return ""
}

// notPlain reports a link, or the equivalent on Windows.
func notPlain(mode fs.FileMode) bool { return mode&(fs.ModeSymlink|fs.ModeIrregular) != 0 }

// matches reports whether a file is one of those that a command reads.
func matches(only []string, name string) bool {
	return len(only) == 0 || slices.ContainsFunc(only, func(pattern string) bool {
		return strings.ContainsRune(pattern, '/') || reach.Match(pattern, name)
	})
}
