package permission

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/hookbridge/bridge/internal/shell"
)

// contained reports whether a path that a command reads lies inside the project
// root, as written and after following links, and names nothing that usually
// holds secrets.
func contained(p shell.Path, cwd, root string) bool {
	if p.Name == os.DevNull {
		return true
	}
	roots := []string{filepath.ToSlash(root)}
	if !shell.Contained(p, filepath.ToSlash(cwd), roots) {
		return false
	}
	name := p.Name
	if p.Glob {
		name = beforeGlob(name)
	}
	abs := filepath.FromSlash(name)
	for _, base := range []string{p.Dir, cwd} {
		if !filepath.IsAbs(abs) {
			abs = filepath.Join(filepath.FromSlash(base), abs)
		}
	}
	real, err := resolve(abs)
	return err == nil && shell.Contained(shell.Path{Name: filepath.ToSlash(real)}, cwd, roots)
}

// beforeGlob returns the directories of a pattern before its first wildcard.
func beforeGlob(pattern string) string {
	at := strings.IndexAny(pattern, "*?[{")
	if at < 0 {
		return pattern
	}
	dir := pattern[:strings.LastIndexByte(pattern[:at], '/')+1]
	if dir == "" {
		return "."
	}
	return dir
}

// resolve follows the links of the longest part of p that exists.
func resolve(p string) (string, error) {
	rest := ""
	for dir := p; ; dir = filepath.Dir(dir) {
		real, err := filepath.EvalSymlinks(dir)
		if err == nil {
			return filepath.Join(real, rest), nil
		}
		// A link to nowhere is not the same as nothing there.
		if _, statErr := os.Lstat(dir); statErr == nil || dir == filepath.Dir(dir) {
			return "", err
		}
		rest = filepath.Join(filepath.Base(dir), rest)
	}
}
