package specum

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/git"
	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/internal/statefile"
)

// root is a directory that contains specs.
type root struct {
	// dir is its absolute path with links resolved. shown is the path for people,
	// relative to the place as it is configured.
	dir, shown string
	isDefault  bool
	// outside says that the user allowed this directory although it is outside of the
	// project.
	outside bool
}

// place is a directory in which bridge looks for the files of one variant: the working directory or one above it.
type place struct {
	v        variant
	dir      string
	root     string // the project's
	disabled bool
	roots    []root
	// warnings are about configured directories that are ignored.
	warnings []string
	// missing says which current-spec files name no spec that can be used.
	missing []string
	// refused names the directories, of the variant or of the current spec, that are links out of the project.
	refused []string
}

// Spec is a spec on disk.
type Spec struct {
	Name string
	// Dir is its absolute path; Shown is the path for people.
	Dir, Shown string
	v          variant
	place      string
	root       root
}

// statePath is the path of the state file.
func (s Spec) statePath() string { return filepath.Join(s.Dir, s.v.state) }

// lookup reads what is configured in dir. If there is neither a settings file nor the
// default directory, it costs two system calls and opens no file.
func (v variant) lookup(dir, projectRoot string) place {
	p := place{v: v, dir: dir, root: projectRoot}
	settings := Settings{Enabled: true}
	tracked := false
	if v.settings != "" {
		path := filepath.Join(dir, filepath.FromSlash(v.settings))
		if data, ok := readBelow(filepath.Dir(path), filepath.Base(path)); ok && !p.leadsOut(filepath.Dir(path)) {
			settings = ParseSettings(data)
			tracked = anyAbsolute(settings.Dirs) && (git.Tracked(path) || unpacked(path))
		}
	}
	p.disabled = !settings.Enabled
	if p.disabled {
		return p
	}
	for _, entry := range settings.Dirs {
		r, err := p.configured(entry, tracked)
		if err != nil {
			p.warnings = append(p.warnings, err.Error())
			continue
		}
		if !slices.ContainsFunc(p.roots, func(other root) bool { return other.dir == r.dir }) {
			p.roots = append(p.roots, r)
		}
	}
	if len(p.roots) == 0 {
		r, err := p.configured(v.roots, false)
		switch {
		case err == nil:
			p.roots = []root{r}
		case errors.Is(err, errOutside):
			// Many projects use a link of that name for another purpose.
			if _, ok := currentName(filepath.Join(dir, cmp.Or(v.currentDir, v.roots)), v.current); ok {
				p.refuse(filepath.Join(dir, filepath.FromSlash(v.roots)))
			}
		}
	}
	if len(p.roots) > 0 {
		p.roots[0].isDefault = true
	}
	return p
}

// unpacked reports whether the file may have come from an archive. A git index would not show that.
func unpacked(path string) bool {
	return statefile.In(filepath.Dir(path), func(dir stateDir) error {
		file, err := dir.Read(filepath.Base(path))
		if err == nil && !session.TimesAgree(file.ModTime, file.ChangeTime) {
			err = errOutside
		}
		return err
	}) != nil
}

func anyAbsolute(dirs []string) bool { return slices.ContainsFunc(dirs, filepath.IsAbs) }

var errOutside = errors.New("it is outside of the project")

// configured turns an entry of specs_dirs into a root. A directory outside of the project
// has to be the user's choice: a settings file that came with the repository may not name
// one (docs/design.md#repositories-tighten).
func (p place) configured(entry string, tracked bool) (root, error) {
	shown := strings.TrimRight(entry, `/\`)
	path := shown
	if !filepath.IsAbs(path) {
		path = filepath.Join(p.dir, filepath.FromSlash(path))
	}
	dir, err := directory(p.dir, path)
	r := root{dir: dir, shown: shown}
	if err == nil && !p.holds(dir) {
		r.outside = true
		if !filepath.IsAbs(shown) || tracked {
			err = errOutside
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = errors.New("it does not exist")
	}
	if err != nil {
		return root{}, fmt.Errorf("%s %s is ignored: %w", p.v.noun+"s directory", display.Text(entry), err)
	}
	return r, nil
}

// holds reports whether dir is inside the project.
func (p place) holds(dir string) bool { return within(p.dir, dir) || within(p.root, dir) }

// directory returns the path of a directory with links resolved. base contains no links. Below base each component is
// checked, and the whole path is resolved only if one of them is a link.
func directory(base, path string) (string, error) {
	path = filepath.Clean(path)
	rest, ok := strings.CutPrefix(path, base+string(filepath.Separator))
	if ok {
		at := base
		for part := range strings.SplitSeq(rest, string(filepath.Separator)) {
			at = filepath.Join(at, part)
			info, err := os.Lstat(at)
			if err != nil {
				return "", err
			}
			if !info.IsDir() {
				ok = false
				break
			}
		}
	}
	if ok {
		return path, nil
	}
	dir, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		err = errors.New("it is not a directory")
	}
	return dir, err
}

func within(parent, dir string) bool {
	rel, err := filepath.Rel(parent, dir)
	return err == nil && filepath.IsLocal(rel)
}

// current returns the specs that the current-spec files name, that of the default root
// first.
func (p *place) current() (specs []Spec) {
	if p.disabled {
		return nil
	}
	if p.v.currentDir != "" {
		if name, ok := currentName(filepath.Join(p.dir, p.v.currentDir), p.v.current); ok && !p.leadsOut(filepath.Join(p.dir, p.v.currentDir)) && len(p.roots) > 0 {
			specs = p.named(specs, p.roots[0], p.v.currentDir, name)
		}
		return specs
	}
	for _, r := range p.roots {
		if name, ok := currentName(r.dir, p.v.current); ok {
			specs = p.named(specs, r, r.shown, name)
		}
	}
	return specs
}

// currentName reads the name of the current spec. Only white space at its ends is
// removed, because a name may contain spaces.
func currentName(dir, file string) (string, bool) {
	data, ok := readBelow(dir, file)
	if !ok {
		return "", false
	}
	for line := range strings.Lines(strings.TrimPrefix(string(data), "\ufeff")) {
		if line = strings.TrimRight(strings.TrimSpace(line), "/"); line != "" {
			return line, true
		}
	}
	return "", false
}

// named appends the spec that name stands for, if it is found in r. A bare name is looked
// up below r and then below the other roots; ./path and /path are used as they are. from
// is the directory of the file that names it.
func (p *place) named(specs []Spec, r root, from, name string) []Spec {
	var found Spec
	ok := false
	switch {
	case filepath.IsAbs(name):
		found, ok = p.at(name, name, r)
	case strings.HasPrefix(name, "./") || strings.HasPrefix(name, "../"):
		found, ok = p.at(filepath.Join(p.dir, filepath.FromSlash(name)), name, r)
	default:
		for _, try := range append([]root{r}, p.roots...) {
			if found, ok = p.at(filepath.Join(try.dir, filepath.FromSlash(name)), try.shown+"/"+name, try); ok {
				break
			}
		}
	}
	if !ok {
		p.missing = append(p.missing, fmt.Sprintf("%s/%s names %s, but there is no such directory in the project", from, p.v.current, display.Name(display.Clip(name, 200))))
	}
	if ok && !slices.ContainsFunc(specs, func(s Spec) bool { return s.Dir == found.Dir }) {
		specs = append(specs, found)
	}
	return specs
}

// at returns the spec in the directory path. The directory must be inside the project or
// below a root that the user allowed outside of it; the root itself is not a spec.
func (p *place) at(path, shown string, r root) (Spec, bool) {
	dir, err := directory(r.dir, path)
	if err == nil && p.holds(filepath.Clean(path)) && !p.holds(dir) && !p.allowedOutside(dir) {
		p.refuse(path)
	}
	if err != nil || dir == p.dir || dir == r.dir || !p.holds(dir) && !p.allowedOutside(dir) {
		return Spec{}, false
	}
	return Spec{Name: filepath.Base(filepath.Clean(path)), Dir: dir, Shown: shown, v: p.v, place: p.dir, root: r}, true
}

func (p place) allowedOutside(dir string) bool {
	return slices.ContainsFunc(p.roots, func(r root) bool { return r.outside && within(r.dir, dir) })
}

// all returns every spec of the place, by root and name. Hidden directories and names
// that begin with an underscore, such as _epics, are not specs.
func (p *place) all() (specs []Spec) {
	for _, r := range p.roots {
		entries, err := os.ReadDir(r.dir)
		if err != nil {
			continue
		}
		for _, e := range entries {
			if name := e.Name(); e.IsDir() && name[0] != '.' && name[0] != '_' {
				if s, ok := p.at(filepath.Join(r.dir, name), r.shown+"/"+name, r); ok {
					specs = append(specs, s)
				}
			}
		}
	}
	return specs
}

// leadsOut reports whether a directory of the variant is a link out of the project.
func (p *place) leadsOut(path string) bool {
	_, err := statefile.StatWithin(path, p.dir, p.root)
	if errors.Is(err, statefile.ErrOutside) {
		p.refuse(path)
		return true
	}
	return false
}

func (p *place) refuse(path string) {
	if !slices.Contains(p.refused, path) {
		p.refused = append(p.refused, path)
	}
}

// readBelow reads a file in a directory. ok is false if it is absent or must not be used.
// An absent file is not opened.
func readBelow(path, name string) (data []byte, ok bool) {
	if _, err := os.Lstat(filepath.Join(path, name)); err != nil {
		return nil, false
	}
	file, err := statefile.ReadIn(path, name)
	return file.Data, err == nil
}
