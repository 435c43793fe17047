package permission

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/hookbridge/bridge/internal/reach"
	"github.com/hookbridge/bridge/internal/shell"
)

// search checks everything that a command reads in a directory.
type search struct {
	*look
	shell.Below
	from string
	dirs []string // still to be checked
	// seen are the directories that were entered, because links can form cycles.
	seen map[string]bool
	// left are secrets that the command leaves out unless an ignore file includes them again. back are the patterns of
	// files that ignore files include again; ignored are the patterns of files that the ignore file of the root leaves
	// out.
	left          []leftOut
	back, ignored []string
	// passing says that left-out directories are skipped at first; passed lists them.
	passing bool
	passed  []leftOut
}

// reason ends a search, and says why.
type reason string

func (r reason) Error() string { return string(r) }

// below returns the reason why a command that reads a directory may reach a secret or leave the project, or "".
func (l *look) below(dir string, p shell.Path) string {
	s := search{look: l, Below: p.Below, from: dir, dirs: []string{dir}}
	if s.Links {
		s.seen = map[string]bool{}
	}
	if s.Visible || s.Ignores {
		s.readRules()
		s.passing = s.Visible || s.Ignores
	}
	err := s.run()
	if err == nil && len(s.left)+len(s.passed) > 0 {
		err = s.broughtBack()
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

func (s *search) run() error {
	for len(s.dirs) > 0 {
		dir := s.dirs[len(s.dirs)-1]
		s.dirs = s.dirs[:len(s.dirs)-1]
		if s.seen[dir] {
			continue
		}
		if s.Links {
			s.seen[dir] = true
		}
		rel := reach.Rel(s.root, dir)
		if err := s.List(dir, func(e fs.DirEntry) error { return s.visit(dir, rel, e) }); err != nil {
			return err
		}
	}
	return nil
}

// visit checks an entry of a directory; rel is the directory from the root.
func (s *search) visit(dir, rel string, e fs.DirEntry) error {
	name := e.Name()
	switch {
	case (s.Visible || s.Ignores) && shell.HasWord(ignoreFiles, name):
		return s.ignores(filepath.Join(dir, name))
	case notPlain(e.Type()):
		if s.Links {
			return s.link(dir, name)
		}
	case e.IsDir() && (slices.Contains(s.Skip, name) || !s.Links && shell.HasWord(gitParts, name) && gitDir(dir, rel)):
	case s.Contents && s.secrets().Named(rel, name) && (e.IsDir() || matches(s.Only, name)):
		return s.found(filepath.Join(dir, name), "which may hold secrets")
	case e.IsDir():
		full := filepath.Join(dir, name)
		if s.passing {
			if parts := s.out(reach.Rel(s.from, full) + "/x"); len(parts) > 0 {
				s.passed = append(s.passed, leftOut{full, parts})
				return nil
			}
		}
		s.dirs = append(s.dirs, full)
	case s.Contents && matches(s.Only, name):
		return s.file(dir, rel, name)
	}
	return nil
}

// file checks a file whose name is not that of a secret; rel is its directory from the
// root.
func (s *search) file(dir, rel, name string) error {
	if s.unread != nil {
		full := filepath.Join(dir, name)
		if rule := s.ruled(full); rule != "" {
			return s.found(full, "and "+rule)
		}
	}
	if s.unsure(rel, name) && tokenIn(filepath.Join(dir, name)) {
		return s.found(filepath.Join(dir, name), "which may hold a token")
	}
	return nil
}

// gitParts are the directories of git whose file names are those of objects, branches and the like.
const gitParts = "objects refs logs lfs"

// gitDir reports a git directory: .git, or that of a submodule in it.
func gitDir(dir, rel string) bool {
	if filepath.Base(dir) == ".git" {
		return true
	}
	_, err := os.Lstat(filepath.Join(dir, "HEAD"))
	return err == nil && reach.InGit(rel)
}

// found ends the search at a file, unless the command leaves it out.
func (s *search) found(name, what string) error {
	if len(s.left) < maxLeft {
		if parts := s.out(reach.Rel(s.from, name)); len(parts) > 0 {
			s.left = append(s.left, leftOut{name, parts})
			return nil
		}
	}
	return reason("reaches " + name + ", " + what)
}

// link follows a link below the directory.
func (s *search) link(dir, name string) error {
	from := filepath.Join(dir, name)
	at, err := s.Follow(dir, name)
	switch {
	case err != nil:
		return reason("reaches " + from + ", which " + err.Error())
	case !at.Dir() && !matches(s.Only, name):
		return nil
	case !reach.Within(s.root, at.Path):
		return reason("reaches the link " + from + " to " + at.Path + ", outside the project")
	case s.Contents:
		for _, place := range append(at.Over, at.Path) {
			if why := s.secret(place); why != "" {
				return s.found(from, "which leads to "+place+" and "+why)
			}
			if rule := s.ruled(place); rule != "" {
				return s.found(from, "which leads to "+place+", and "+rule)
			}
		}
	}
	if at.Dir() {
		s.dirs = append(s.dirs, at.Path)
	}
	return nil
}
