package permission

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/hookbridge/bridge/internal/git"
	"github.com/hookbridge/bridge/internal/reach"
	"github.com/hookbridge/bridge/internal/shell"
	"github.com/hookbridge/bridge/internal/statefile"
)

// maxIndex is the size in bytes above which an index is not read. Other files of git
// are read up to statefile.MaxSize.
const maxIndex = 64 << 20

// readPlain reads a file of git that is no link.
func readPlain(path string, most int64) ([]byte, error) {
	if info, err := os.Lstat(path); err == nil && notPlain(info.Mode()) {
		return nil, fmt.Errorf("%s: %w", path, statefile.ErrNotRegular)
	}
	return statefile.ReadFile(path, most)
}

// gitDoubt says why git, started in a directory without links, may do more than
// read, or nothing. It accepts one form of repository, the plain .git directory of a
// work tree, and no sign of another between it and the directory, so that bridge and
// git can not disagree about which repository it is. What cannot be read is a doubt.
// The user's own configuration is the user's choice and is not looked at.
func gitDoubt(dir string) string {
	gitDir, why := plainGit(dir)
	if why != "" {
		return why
	}
	for _, name := range []string{"config", "config.worktree"} {
		text, err := readPlain(filepath.Join(gitDir, name), statefile.MaxSize)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return "the repository's git configuration cannot be read: " + err.Error()
		}
		if line := strangeLine(string(text)); line != "" {
			return "the repository's git configuration has " + line + ", which is not known to be harmless"
		}
	}
	// What git cannot read it shows in its message.
	var l look
	if why := l.below(gitDir, shell.Path{Below: shell.Below{Links: true, Skip: []string{"objects", "refs", "logs", "hooks", "lfs"}}}); why != "" {
		return "git " + why
	}
	return tracked(gitDir, "the repository holds other repositories, whose configuration counts as well", func(_ string, link bool) bool { return link })
}

// plainGit finds the git directory that git uses from dir, or says why there is none,
// why it may be another one, or that it holds more than a repository.
func plainGit(dir string) (gitDir, why string) {
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, "HEAD")); !errors.Is(err, fs.ErrNotExist) {
			return "", dir + " looks like a git repository of its own"
		}
		gitDir = filepath.Join(dir, ".git")
		if info, err := os.Lstat(gitDir); err == nil && info.IsDir() {
			break
		} else if !errors.Is(err, fs.ErrNotExist) {
			return "", gitDir + " is not the git directory of the work tree itself"
		}
		if dir == filepath.Dir(dir) {
			// Without one, git diff compares any two directories.
			return "", "there is no git repository"
		}
	}
	// git passes a directory over that is no repository, and goes on above it.
	head, err := readPlain(filepath.Join(gitDir, "HEAD"), statefile.MaxSize)
	if ref, commit := git.Head(head); err != nil || commit == "" && !strings.HasPrefix(ref, "refs/") {
		return "", gitDir + " is not an ordinary git directory"
	}
	for _, name := range []string{"objects", "refs"} {
		if info, err := os.Lstat(filepath.Join(gitDir, name)); err != nil || !info.IsDir() {
			return "", gitDir + " is not an ordinary git directory"
		}
	}
	for _, name := range []string{"commondir", "modules", "objects/info/alternates", "hooks/post-index-change"} {
		if _, err := os.Lstat(filepath.Join(gitDir, filepath.FromSlash(name))); !errors.Is(err, fs.ErrNotExist) {
			return "", "the repository has " + name + " in its git directory, which leads to another repository or runs a program"
		}
	}
	return gitDir, ""
}

// tracked returns why if the index lists an entry that bad reports, link says that
// the entry is another repository.
func tracked(gitDir, why string, bad func(path string, link bool) bool) string {
	index, err := readPlain(filepath.Join(gitDir, "index"), maxIndex)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return ""
	case err != nil:
		return "the repository's index cannot be read: " + err.Error()
	}
	found := false
	if whole := git.Entries(index, func(path string, mode uint32) bool {
		found = found || bad(path, mode&0o170000 == 0o160000)
		return found
	}); found {
		return why
	} else if !whole {
		return "the repository's index has a form that bridge does not read"
	}
	return ""
}

// tracksSecrets says why a search of tracked files may show secrets, or nothing.
func tracksSecrets(dir string, secrets *reach.Secrets) string {
	gitDir, why := plainGit(dir)
	if why != "" {
		return why
	}
	return tracked(gitDir, "the repository tracks files that may hold secrets", func(path string, _ bool) bool { return secrets.Has(path) })
}

// strangeLine returns the first line of a git configuration, or the first key, that
// is not known to be harmless, or "". It understands less than git on purpose.
func strangeLine(text string) string {
	for line := range git.Config(text) {
		section := line.Section
		if line.Sub != "" {
			section += ".*"
		}
		switch {
		case line.Odd != "":
			return line.Odd
		case line.Key != "" && !harmless(section, line.Key):
			return section + "." + line.Key
		}
	}
	return ""
}

// harmlessKeys are the keys, by their sections, that make no reading command of git
// run a program, reach a network or read outside of the repository; a star is all
// keys, and a section with a sub-section ends with one. Left out for that reason are,
// among others, core.fsmonitor, core.worktree, diff.external, filters, include, alias,
// log.showSignature, format.pretty and the sort keys.
var harmlessKeys = []struct{ sections, keys string }{
	{"advice color color.*", "*"},
	{"core", "repositoryformatversion filemode bare logallrefupdates ignorecase precomposeunicode symlinks autocrlf eol safecrlf quotepath abbrev compression loosecompression bigfilethreshold preloadindex untrackedcache longpaths protectntfs protecthfs commentchar whitespace trustctime checkstat hidedotfiles fscache sharedrepository sparsecheckout sparsecheckoutcone"},
	{"user author committer", "name email signingkey useconfigonly"},
	{"init", "defaultbranch"},
	{"remote.*", "url fetch pushurl push tagopt prune prunetags mirror skipdefaultupdate skipfetchall gh-resolved"},
	{"remote", "pushdefault"},
	{"branch.*", "remote merge rebase pushremote description vscode-merge-base gh-merge-base github-pr-owner-number github-pr-base-branch"},
	{"branch", "autosetupmerge autosetuprebase"},
	{"pull", "rebase ff"},
	{"push", "default autosetupremote followtags"},
	{"fetch", "prune prunetags parallel writecommitgraph"},
	{"rebase", "autosquash autostash updaterefs stat missingcommitscheck"},
	{"merge", "ff conflictstyle log stat renames renamelimit autostash"},
	{"diff", "algorithm renames renamelimit colormoved colormovedws mnemonicprefix noprefix context interhunkcontext indentheuristic"},
	{"log", "date decorate abbrevcommit follow showroot"},
	{"status", "short branch showstash relativepaths showuntrackedfiles renames aheadbehind"},
	{"commit tag", "gpgsign verbose"},
	{"gc", "auto autodetach"},
	{"pack", "threads windowmemory"},
	{"index", "version threads"},
	{"feature", "manyfiles experimental"},
	{"maintenance", "auto strategy"},
	{"rerere", "enabled autoupdate"},
	{"extensions", "objectformat worktreeconfig"},
	{"http", "postbuffer"},
	{"column", "ui"},
	{"gui", "wmstate geometry encoding"},
	{"lfs", "repositoryformatversion"},
	{"lfs.*", "access locksverify"},
}

func harmless(section, key string) bool {
	for _, known := range harmlessKeys {
		if shell.HasWord(known.sections, section) {
			return known.keys == "*" || shell.HasWord(known.keys, key)
		}
	}
	return false
}
