package permission

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/hookbridge/bridge/internal/git"
	"github.com/hookbridge/bridge/internal/shell"
	"github.com/hookbridge/bridge/internal/statefile"
)

// maxIndex is the size in bytes above which an index is not read. Other files of git
// are read up to statefile.MaxSize.
const maxIndex = 64 << 20

// readPlain reads a file of git that is not a link.
func readPlain(path string, most int64) ([]byte, error) {
	if info, err := os.Lstat(path); err == nil && notPlain(info.Mode()) {
		return nil, fmt.Errorf("%s: %w", path, statefile.ErrNotRegular)
	}
	return statefile.ReadFile(path, most)
}

// maxRepositories is how many git directories are checked for one command: that of
// the work tree and those of its submodules.
const maxRepositories = 64

// gitDoubt returns the reason why git may do more than read if it starts in a directory without links, or "". The
// repository must have a form that git itself makes, and nothing between the work tree and the directory may look like
// another repository; otherwise git might use a different repository from the one that bridge checked. A file that
// cannot be read is a reason, too. The user's own configuration is the user's choice and is not checked. remote says
// that the command talks to another repository.
func gitDoubt(dir string, remote bool) string {
	place, err := git.Find(dir)
	if err != nil {
		return err.Error()
	}
	r := repositories{remote: remote, left: maxRepositories}
	return r.doubt(place)
}

// repositories checks a repository and its submodules, in which git status and git diff run git again.
type repositories struct {
	remote bool
	left   int
	look   look
}

func (r *repositories) doubt(p git.Place) string {
	if r.left--; r.left < 0 {
		return "the repository has more submodules than bridge checks"
	}
	for _, name := range []string{"objects/info/alternates", "hooks/post-index-change"} {
		if _, err := os.Lstat(filepath.Join(p.Common, filepath.FromSlash(name))); !errors.Is(err, fs.ErrNotExist) {
			return p.Common + " has " + name + ", which leads to another repository or runs a program"
		}
	}
	if why := r.configuration(p); why != "" {
		return why
	}
	// If git cannot read one of these files, its message quotes the content.
	if why := r.look.below(p.Common, shell.Path{Below: shell.Below{Links: true, Skip: []string{"objects", "refs", "logs", "hooks", "lfs"}}}); why != "" {
		return "git " + why
	}
	if r.remote {
		return ""
	}
	return r.submodules(p)
}

// configuration names the first line of a repository's configuration that is not known to be harmless, or returns "".
func (r *repositories) configuration(p git.Place) string {
	named, origin := !p.Module, false
	for _, file := range []string{filepath.Join(p.Common, "config"), filepath.Join(p.Git, "config.worktree")} {
		text, err := readPlain(file, statefile.MaxSize)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return "the repository's git configuration cannot be read: " + err.Error()
		}
		for line := range git.Config(string(text)) {
			key := line.Section + "." + line.Key
			switch {
			case line.Odd != "":
				key = line.Odd
			case line.Key == "":
				continue
			case p.Module && key == "core.worktree" && line.Sub == "" && namesTree(p, line.Value):
				named = true
				continue
			case r.remote && (key == "remote.url" && !hostURL(line.Value) || key == "branch.remote" && line.Value != "origin"):
				return file + " has " + key + " " + line.Value + ", which is not the address of a host"
			case line.Sub != "":
				origin = origin || key == "remote.url" && line.Sub == `"origin"`
				key = line.Section + ".*." + line.Key
			}
			if line.Odd != "" || !r.harmless(key, line.Value, p.Tree) {
				return file + " has " + key + ", which is not known to be harmless"
			}
		}
	}
	if !named {
		return p.Git + " does not name " + p.Tree + " as its work tree"
	}
	if r.remote && !origin {
		return "the repository has no remote origin"
	}
	return ""
}

// hostURL reports the address of another host, in one of the forms for which git runs
// only ssh or its own programs.
func hostURL(address string) bool {
	host, path, ok := strings.Cut(address, ":")
	if ok && shell.HasWord("https http ssh git", host) {
		return strings.HasPrefix(path, "//")
	}
	user, host, at := strings.Cut(host, "@")
	return ok && at && bare(user, ".") && bare(host, ".") && !strings.HasPrefix(path, ":")
}

// namesTree reports whether a git directory's core.worktree is the work tree.
func namesTree(p git.Place, value string) bool {
	tree, _ := git.Leads(p.Git, value)
	return plainValue(value) && tree == p.Tree
}

// submodules checks the repositories that the index lists.
func (r *repositories) submodules(p git.Place) string {
	var linked []string
	if why := index(p.Git, func(path string, link bool) {
		if link && len(linked) <= maxRepositories {
			linked = append(linked, path)
		}
	}); why != "" {
		return why
	}
	for _, path := range linked {
		tree := filepath.Join(p.Tree, filepath.FromSlash(path))
		resolved, err := filepath.EvalSymlinks(tree)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil || resolved != tree || !filepath.IsLocal(filepath.FromSlash(path)):
			return "the submodule " + tree + " is reached through a link or cannot be read"
		}
		sub, err := git.At(tree)
		if errors.Is(err, fs.ErrNotExist) {
			continue // it is not checked out
		}
		if err != nil {
			return err.Error()
		}
		if why := r.doubt(sub); why != "" {
			return why
		}
	}
	return ""
}

// index visits the entries of a repository's index; link says that the entry is another
// repository. If the index cannot be read, it returns the reason.
func index(gitDir string, visit func(path string, link bool)) string {
	text, err := readPlain(filepath.Join(gitDir, "index"), maxIndex)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return ""
	case err != nil:
		return "the repository's index cannot be read: " + err.Error()
	}
	sparse := ""
	whole := git.Entries(text, func(path string, mode uint32) bool {
		if mode&0o170000 == 0o040000 {
			sparse = path
			return true
		}
		visit(path, mode&0o170000 == 0o160000)
		return false
	})
	switch {
	case sparse != "":
		// git reads the entries of such a directory from its objects; some may be
		// submodules.
		return "the repository's index is sparse: it holds the directory " + sparse + " as one entry"
	case !whole:
		return "the repository's index has a form that bridge cannot read"
	}
	return ""
}

// tracksSecrets returns the reason why a search of tracked files may show secrets, or "".
func tracksSecrets(dir string, l *look) string {
	place, err := git.Find(dir)
	if err != nil {
		return err.Error()
	}
	found, dirs, secrets := "", map[string]bool{}, l.secrets()
	if why := index(place.Git, func(name string, _ bool) {
		if found == "" && secrets.Has(name) {
			found = name + ", which may hold secrets"
		} else if rule := l.ruled(filepath.Join(place.Tree, filepath.FromSlash(name))); found == "" && rule != "" {
			found = name + ", and " + rule
		}
		for dir := path.Dir(name); dir != "." && !dirs[dir]; dir = path.Dir(dir) {
			dirs[dir] = true
		}
	}); why != "" {
		return why
	}
	if found != "" {
		return "the repository tracks " + found
	}
	return movedAway(place.Tree, dirs)
}

// maxTracked is how many directories of tracked files are checked.
const maxTracked = 10_000

// movedAway says that a directory of tracked files is a link now: git reads through it.
func movedAway(tree string, dirs map[string]bool) string {
	if len(dirs) > maxTracked {
		return fmt.Sprintf("the repository has more than %d directories", maxTracked)
	}
	for dir := range dirs {
		info, err := os.Lstat(filepath.Join(tree, filepath.FromSlash(dir)))
		if err == nil && !info.IsDir() {
			return "the tracked directory " + dir + " is no longer a directory"
		}
	}
	return ""
}
