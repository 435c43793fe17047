package permission

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/bridge/internal/git"
	"github.com/hookbridge/bridge/internal/home"
	"github.com/hookbridge/bridge/internal/reach"
	"github.com/hookbridge/bridge/internal/shell"
	"github.com/hookbridge/bridge/internal/statefile"
)

// search looks at everything that a command reads in a directory.
type search struct {
	*look
	shell.Below
	from string
	dirs []string // still to be looked at
	// seen are the directories that were entered, where links make circles.
	seen map[string]bool
	// hidden are secrets that the command leaves out, unless an ignore file brings them
	// back; back is what the ignore files bring back.
	hidden, back []string
}

// reason ends a search, and says why.
type reason string

func (r reason) Error() string { return string(r) }

// below says why what a command reads in a directory may be secret or lie elsewhere,
// or nothing.
func (l *look) below(dir string, p shell.Path) string {
	s := search{look: l, Below: p.Below, from: dir, dirs: []string{dir}}
	if s.Links {
		s.seen = map[string]bool{}
	}
	if s.Visible && l.getenv != nil && l.getenv("RIPGREP_CONFIG_PATH") != "" {
		s.Visible = false // it may say --hidden
	}
	err := s.run()
	if err == nil && len(s.hidden) > 0 {
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

// visit looks at an entry of a directory; rel is the directory from the root.
func (s *search) visit(dir, rel string, e fs.DirEntry) error {
	name := e.Name()
	switch {
	case s.Visible && shell.HasWord(ignoreFiles, name):
		return s.ignores(filepath.Join(dir, name))
	case notPlain(e.Type()):
		if s.Links {
			return s.link(dir, name)
		}
	case e.IsDir() && (slices.Contains(s.Skip, name) || !s.Links && shell.HasWord(gitParts, name) && gitDir(dir, rel)):
	case s.Contents && s.secrets().Named(rel, name) && (e.IsDir() || matches(s.Only, name)):
		return s.found(filepath.Join(dir, name), "which may hold secrets")
	case e.IsDir():
		s.dirs = append(s.dirs, filepath.Join(dir, name))
	case s.Contents && matches(s.Only, name) && s.unsure(rel, name) && tokenIn(filepath.Join(dir, name)):
		return s.found(filepath.Join(dir, name), "which may hold a token")
	}
	return nil
}

// gitParts are the directories of git in which the names are those of objects,
// branches and the like.
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
	if s.Visible && len(s.hidden) < maxHidden && strings.Contains("/"+reach.Rel(s.from, name), "/.") {
		s.hidden = append(s.hidden, name)
		return nil
	}
	return reason("reaches " + name + ", " + what)
}

// maxHidden is how many hidden secrets of a project are compared with what its ignore
// files say.
const maxHidden = 100

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
		}
	}
	if at.Dir() {
		s.dirs = append(s.dirs, at.Path)
	}
	return nil
}

// ignoreFiles can bring back what rg leaves out because it is hidden
// (BurntSushi/ripgrep#90).
const ignoreFiles = ".gitignore .ignore .rgignore"

// ignores notes what an ignore file brings back.
func (s *search) ignores(file string) error {
	text, err := statefile.ReadFile(file, statefile.MaxSize)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return reason("reaches " + file + ", which cannot be read")
	}
	for line := range strings.Lines(string(text)) {
		pattern, back := strings.CutPrefix(strings.TrimSpace(strings.TrimPrefix(line, "\ufeff")), "!")
		if !back {
			continue
		}
		for part := range strings.FieldsFuncSeq(pattern, func(r rune) bool { return r == '/' }) {
			s.back = append(s.back, part)
		}
	}
	return nil
}

// broughtBack says which hidden secret an ignore file brings back: one of the
// directory, of those above it, of the repository or of the user.
func (s *search) broughtBack() error {
	for dir := filepath.Dir(s.from); ; dir = filepath.Dir(dir) {
		for name := range strings.FieldsSeq(ignoreFiles) {
			if err := s.ignores(filepath.Join(dir, name)); err != nil {
				return err
			}
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	if dir := git.Dir(s.root); dir != "" {
		if err := s.ignores(filepath.Join(git.Common(dir), "info", "exclude")); err != nil {
			return err
		}
	}
	if err := s.usersIgnores(); err != nil {
		return err
	}
	for _, name := range s.hidden {
		for part := range strings.SplitSeq(reach.Rel(s.from, name), "/") {
			if part[0] == '.' && slices.ContainsFunc(s.back, func(pattern string) bool { return reach.Match(pattern, part) }) {
				return reason("reaches " + name + ", which an ignore file brings back and which may hold secrets")
			}
		}
	}
	return nil
}

// usersIgnores notes what the user's ignore file for all repositories brings back.
func (s *search) usersIgnores() error {
	home := home.Dir(s.getenv)
	if home == "" {
		return reason("reaches " + s.hidden[0] + ", which the user's ignore file may bring back")
	}
	config := s.getenv("XDG_CONFIG_HOME")
	if config == "" {
		config = filepath.Join(home, ".config")
	}
	for _, file := range []string{filepath.Join(home, ".gitconfig"), filepath.Join(config, "git", "config")} {
		text, err := statefile.ReadFile(file, statefile.MaxSize)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return reason("reaches " + s.hidden[0] + ", which an ignore file that " + file + " names may bring back")
		}
		for line := range strings.Lines(string(text)) {
			key, value, _ := strings.Cut(line, "=")
			if !strings.Contains(strings.ToLower(key), "excludesfile") {
				continue
			}
			value = strings.Trim(value, " \t\r\n\"")
			if rest, ok := strings.CutPrefix(value, "~/"); ok {
				value = filepath.Join(home, rest)
			}
			if err := s.ignores(value); err != nil || !filepath.IsAbs(value) {
				return reason("reaches " + s.hidden[0] + ", which the ignore file " + value + " may bring back")
			}
		}
	}
	return s.ignores(filepath.Join(config, "git", "ignore"))
}
