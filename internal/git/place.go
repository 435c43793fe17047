package git

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/hookbridge/bridge/internal/statefile"
)

// Place is the git directory of a work tree, in one of the forms that git makes.
type Place struct {
	// Tree is the work tree. Git is its git directory. Common is the git directory that it shares with other work trees;
	// in most work trees it is the same as Git.
	Tree, Git, Common string
	// Module says that the work tree is a submodule: its .git file names a git directory whose configuration must name
	// the work tree (core.worktree).
	Module bool
}

// Errors of Find.
var (
	ErrNoPlace  = errors.New("there is no git repository")
	errBare     = errors.New("looks like a git repository of its own")
	errNotPlain = errors.New("is not the git directory of the work tree itself, or of one that git worktree or git submodule made")
	errNoGitDir = errors.New("is not an ordinary git directory")
)

// Find returns the place that git finds from dir, which is absolute and without links. If
// a directory on the way looks like another repository, or if the place has none of the
// usual forms, git may find another one, and Find returns an error.
func Find(dir string) (Place, error) {
	for {
		if _, err := os.Lstat(filepath.Join(dir, "HEAD")); !errors.Is(err, fs.ErrNotExist) {
			return Place{}, &fs.PathError{Op: "find", Path: dir, Err: errBare}
		}
		p, err := At(dir)
		if !errors.Is(err, fs.ErrNotExist) {
			return p, err
		}
		if dir == filepath.Dir(dir) {
			return Place{}, ErrNoPlace
		}
		dir = filepath.Dir(dir)
	}
}

// At returns the place of the work tree at tree, which is absolute and without
// links. The error is fs.ErrNotExist if there is no .git in it.
func At(tree string) (Place, error) {
	git := filepath.Join(tree, ".git")
	info, err := os.Lstat(git)
	if err != nil {
		return Place{}, err
	}
	p := Place{Tree: tree, Git: git, Common: git}
	switch {
	case info.IsDir():
		if _, err := os.Lstat(filepath.Join(git, "commondir")); !errors.Is(err, fs.ErrNotExist) {
			return Place{}, refuse(git, errNoGitDir)
		}
	case info.Mode().IsRegular():
		if p, err = named(tree, git); err != nil {
			return Place{}, err
		}
	default:
		return Place{}, refuse(git, errNotPlain)
	}
	// git skips a directory that is not a repository, and continues above it.
	head, err := plain(p.Git, "HEAD")
	if ref, commit := Head(head); err != nil || commit == "" && !strings.HasPrefix(ref, "refs/") {
		return Place{}, refuse(p.Git, errNoGitDir)
	}
	for _, name := range []string{"objects", "refs"} {
		if info, err := os.Lstat(filepath.Join(p.Common, name)); err != nil || !info.IsDir() {
			return Place{}, refuse(p.Git, errNoGitDir)
		}
	}
	return p, nil
}

// named reads the place that the .git file in tree names. The work tree must be a submodule, or a linked work tree to
// which the place points back.
func named(tree, git string) (Place, error) {
	written, ok := path(git, "gitdir: ")
	target, plainly := Leads(tree, written)
	if !ok || !plainly {
		return Place{}, refuse(git, errNotPlain)
	}
	p := Place{Tree: tree, Git: target, Common: target}
	common, err := plain(target, "commondir")
	if errors.Is(err, fs.ErrNotExist) {
		p.Module = true
		return p, nil
	}
	back, ok := path(filepath.Join(target, "gitdir"), "")
	returns, plainly := Leads(target, back)
	worktrees := filepath.Dir(target)
	if err != nil || strings.TrimSuffix(string(common), "\n") != "../.." || filepath.Base(worktrees) != "worktrees" || !ok || !plainly || returns != git {
		return Place{}, refuse(git, errNotPlain)
	}
	p.Common = filepath.Dir(worktrees)
	return p, nil
}

// path reads a file that consists of a prefix and a path.
func path(file, prefix string) (string, bool) {
	text, err := plain(filepath.Split(file))
	target, ok := strings.CutPrefix(strings.TrimSuffix(string(text), "\n"), prefix)
	odd := strings.ContainsFunc(target, func(r rune) bool { return r < ' ' || r == 0x7f })
	return target, err == nil && ok && !odd && target != "" && target == strings.TrimSpace(target)
}

// plain reads a small file of git that is not a link.
func plain(dir, name string) ([]byte, error) {
	path := filepath.Join(dir, name)
	if info, err := os.Lstat(path); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, refuse(path, statefile.ErrNotRegular)
	}
	return statefile.ReadFile(path, statefile.MaxSize)
}

// Leads returns the place to which a path in a file in dir leads. plain says that no link is on the way; dir itself
// contains none.
func Leads(dir, path string) (target string, plain bool) {
	if !filepath.IsAbs(path) {
		// Not cleaned: git leaves ".." to the system.
		path = dir + string(filepath.Separator) + path
	}
	target, err := filepath.EvalSymlinks(path)
	return target, err == nil && target == filepath.Clean(path)
}

func refuse(path string, err error) error { return &fs.PathError{Op: "read", Path: path, Err: err} }
