package permission

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hookbridge/bridge/internal/git"
	"github.com/hookbridge/bridge/internal/home"
	"github.com/hookbridge/bridge/internal/reach"
	"github.com/hookbridge/bridge/internal/statefile"
)

// ignoreFiles can include again what rg leaves out (BurntSushi/ripgrep#90).
const ignoreFiles = ".gitignore .ignore .rgignore"

// maxLeft is how many secrets that rg leaves out are compared with the ignore files.
const maxLeft = 100

// leftOut is a secret that rg does not read because of some parts of its path. rg reads
// it only if ignore files include all of these parts again.
type leftOut struct {
	name  string
	parts []string
}

// readRules reads which files rg leaves out in a project. If rg's own configuration may change that, bridge assumes that
// rg leaves out nothing. It uses the .gitignore only if the root is that of a repository.
func (s *search) readRules() {
	if s.getenv == nil || s.getenv("RIPGREP_CONFIG_PATH") != "" {
		s.Visible, s.Ignores = false, false
		return
	}
	if info, err := os.Lstat(filepath.Join(s.root, ".git")); git.Dir(s.root) == "" || err != nil || !info.IsDir() && !info.Mode().IsRegular() {
		s.Ignores = false
	}
	if !s.Ignores {
		return
	}
	text, err := readPlain(filepath.Join(s.root, ".gitignore"), maxIgnoreFile)
	if err != nil || !ordinary(text) {
		return
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\r\n")
		name := strings.TrimSuffix(line, "/")
		if name != "" && !strings.ContainsAny(name, "/*?[]\\!# \t\ufeff") {
			s.ignored = append(s.ignored, line)
		}
	}
}

const (
	// maxIgnoreFile and maxIgnoreLine limit the size of an ignore file and the length of a line, in bytes. Up to these
	// limits, rg is known to use the whole file. If the patterns together are too large, rg ignores the file.
	maxIgnoreFile = 32 << 10
	maxIgnoreLine = 200
)

// ordinary reports whether rg uses every line of an ignore file. rg stops at text that is
// not UTF-8, and ignores the whole file if it cannot compile one of the patterns.
func ordinary(text []byte) bool {
	if !utf8.Valid(text) {
		return false
	}
	for line := range strings.Lines(string(text)) {
		if len(line) > maxIgnoreLine || !strings.HasPrefix(line, "#") && strings.ContainsAny(line, "{}\\\x00") {
			return false
		}
	}
	return true
}

// out returns the parts of a path, relative to the searched directory, because of which
// rg leaves the file out. A part counts as ignored only if a plain name in the root's
// .gitignore matches it and no other repository is in between.
func (s *search) out(name string) (parts []string) {
	all := strings.Split(name, "/")
	dir := s.from
	for i, part := range all {
		if s.Visible && part[0] == '.' {
			parts = append(parts, part)
		}
		if i > 0 {
			dir = filepath.Join(dir, all[i-1])
		}
		if slices.Contains(s.ignored, part) || i < len(all)-1 && slices.Contains(s.ignored, part+"/") {
			if s.ofRoot(dir) {
				// A directory above the part may be included again with everything in it.
				return append(parts, part)
			}
		}
	}
	return parts
}

// ofRoot reports that a directory does not belong to another repository inside the project.
func (s *search) ofRoot(dir string) bool {
	for ; dir != s.root; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir) {
			return false
		}
	}
	return true
}

// ignores records what an ignore file includes again.
func (s *search) ignores(file string) error {
	text, err := statefile.ReadFile(file, statefile.MaxSize)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return reason("the ignore file " + file + " cannot be read")
	}
	for line := range strings.Lines(string(text)) {
		pattern, back := strings.CutPrefix(strings.TrimSpace(strings.TrimPrefix(line, "\ufeff")), "!")
		if !back {
			continue
		}
		if strings.ContainsAny(pattern, "{}\\[]") {
			return reason("the ignore file " + file + " brings back more than names")
		}
		for part := range strings.FieldsFuncSeq(pattern, func(r rune) bool { return r == '/' }) {
			s.back = append(s.back, part)
		}
	}
	return nil
}

// broughtBack finds the left-out files that some ignore file includes again: one in the
// directory or above it, or that of the repository or the user.
func (s *search) broughtBack() error {
	unknown := s.otherIgnores()
	s.passing, s.ignored = false, nil
	for _, dir := range s.passed {
		if unknown != nil || s.isBack(dir) {
			s.dirs = append(s.dirs, dir.name)
		}
	}
	if err := s.run(); err != nil {
		return err
	}
	for _, left := range s.left {
		if unknown != nil {
			return reason("reaches " + left.name + ", which may hold secrets; " + unknown.Error())
		}
		if s.isBack(left) {
			return reason("reaches " + left.name + ", which an ignore file brings back and which may hold secrets")
		}
	}
	return nil
}

// isBack reports whether ignore files include again all the parts because of which a file is left out. If one part stays
// ignored, the file stays left out.
func (s *search) isBack(left leftOut) bool {
	return !slices.ContainsFunc(left.parts, func(part string) bool {
		return !slices.ContainsFunc(s.back, func(pattern string) bool { return reach.Match(pattern, part) })
	})
}

// otherIgnores records what the ignore files outside of the directory include again. The error says why that is unknown.
func (s *search) otherIgnores() error {
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
	return s.usersIgnores()
}

// usersIgnores records what the user's ignore file for all repositories includes again.
func (s *search) usersIgnores() error {
	home := home.Dir(s.getenv)
	if home == "" {
		return reason("the user's ignore file is not known")
	}
	config := s.getenv("XDG_CONFIG_HOME")
	if config == "" {
		config = filepath.Join(home, ".config")
	}
	for _, file := range []string{filepath.Join(home, ".gitconfig"), filepath.Join(config, "git", "config")} {
		text, err := statefile.ReadFile(file, statefile.MaxSize)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return reason(file + " cannot be read, which may name an ignore file")
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
				return reason("the ignore file " + value + " cannot be read")
			}
		}
	}
	return s.ignores(filepath.Join(config, "git", "ignore"))
}
