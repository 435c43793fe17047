package specum

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/bridge/protocol"
)

// Named returns the specs that a person means by a name, such as checkout, or by a path,
// such as ./specs/checkout or ./checkout. A path counts from the working directory or
// else, as in a current-spec file, from the project, or from the directory of the specs.
func Named(s *protocol.Stop, views []View, name string) (found []View) {
	if !strings.ContainsRune(filepath.ToSlash(name), '/') {
		for _, v := range views {
			if v.Spec.Name == name {
				found = append(found, v)
			}
		}
		return found
	}
	path := filepath.FromSlash(name)
	for _, variant := range chosen(s) {
		for _, dir := range s.Places {
			p := variant.lookup(dir, s.Root)
			if p.disabled {
				break
			}
			if len(p.roots) == 0 {
				continue
			}
			bases := []string{s.Input.CWD, dir}
			for _, r := range p.roots {
				bases = append(bases, r.dir)
			}
			for _, base := range bases {
				full := filepath.Join(base, path)
				if filepath.IsAbs(path) {
					full = path
				}
				spec, ok := p.at(full, name, p.roots[0])
				if !ok {
					continue
				}
				if at := slices.IndexFunc(views, func(v View) bool { return v.Spec.Dir == spec.Dir }); at >= 0 {
					return []View{views[at]}
				}
				if spec.hasFiles() {
					return []View{view(s, spec, false, true)}
				}
			}
		}
	}
	return nil
}

// hasFiles reports whether the directory holds a state or tasks: any directory can be
// named, but not every one is a spec.
func (s Spec) hasFiles() bool {
	for _, name := range []string{s.v.state, tasksName} {
		if _, err := os.Lstat(filepath.Join(s.Dir, name)); err == nil {
			return true
		}
	}
	return false
}

// Missing says which current-spec files name a directory that does not exist or is
// outside of the project.
func Missing(s *protocol.Stop) (missing []string) {
	for _, variant := range chosen(s) {
		for _, dir := range s.Places {
			p := variant.lookup(dir, s.Root)
			p.current()
			missing = append(missing, p.missing...)
		}
	}
	return missing
}
