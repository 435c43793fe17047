package guard

import (
	"path"
	"strings"

	"github.com/hookbridge/bridge/client/claude"
)

// change is a path that a call writes or removes, and the part of the call that
// says so.
type change struct {
	path, token string
	effect
	// entry says that the change is to the link at the path, not to its target.
	entry bool
	// raw is as in place.
	raw string
	// lock says that only an abandoned lock of git is removed, which repairs a
	// repository after a crash.
	lock bool
	// pattern and each are as in place, below and sparesGit as in output.
	pattern, each, sparesGit bool
	below                    string
}

// matches reports whether an element of a path is a name, or a pattern that a shell
// expands to it.
func matches(element, name string) bool {
	if strings.HasPrefix(name, ".") && !strings.HasPrefix(element, ".") {
		return false
	}
	ok, err := path.Match(element, name)
	return element == name || ok && err == nil
}

// leads reports whether the path of a change is the path p itself or one of its parents, or whether p is one of the
// change's parents.
func (c change) leads(p string) (above, below, same bool) {
	a, b := strings.Split(c.path, "/"), strings.Split(strings.TrimSuffix(p, "/"), "/")
	for i := range min(len(a), len(b)) {
		if !matches(a[i], b[i]) {
			return false, false, false
		}
	}
	return len(a) <= len(b), len(a) >= len(b), len(a) == len(b)
}

// covers reports whether a path is that of the change or below it.
func (c change) covers(p string) bool {
	if !c.pattern {
		return within(p, c.path)
	}
	above, _, _ := c.leads(p)
	return p != "" && above
}

// isIn reports whether the path of the change is a directory or below it.
func (c change) isIn(dir string) bool {
	if !c.pattern {
		return within(c.path, dir)
	}
	_, below, _ := c.leads(dir)
	return below
}

// several reports whether the change affects files that it does not name. Files that a search of a whole project happens
// to find do not count.
func (c change) several() bool {
	return c.pattern || c.each || c.below != "" && (c.below != "*" || strings.Contains(c.path+"/", "/"+claude.Dir+"/"))
}

// reaches reports whether a file is one of several files that the change affects.
func (c change) reaches(file string) bool {
	if c.each && path.Dir(file) == c.path {
		return true
	}
	if c.below != "" && c.covers(path.Dir(file)) {
		// Patterns that the shell does not expand match hidden names as well.
		ok, err := path.Match(c.below, path.Base(file))
		return ok && err == nil
	}
	_, _, same := c.leads(file)
	return c.pattern && same
}
