package permission

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/hookbridge/bridge/internal/shell"
)

// gitRunsPrograms returns the key in the repository's own configuration that
// would make a reading git command run a program, or "". A configuration that
// cannot be read counts as one that does. The user's own configuration is the
// user's choice and is not looked at.
func gitRunsPrograms(dir, root string) string {
	git := gitDir(dir, root)
	if git == "" {
		return ""
	}
	common := git
	if text, err := os.ReadFile(filepath.Join(git, "commondir")); err == nil {
		common = filepath.Join(git, strings.TrimSpace(string(text)))
		if filepath.IsAbs(strings.TrimSpace(string(text))) {
			common = strings.TrimSpace(string(text))
		}
	}
	for _, file := range []string{filepath.Join(common, "config"), filepath.Join(git, "config.worktree")} {
		text, err := os.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return file
		}
		if key := dangerousKey(text); key != "" {
			return key
		}
	}
	if _, err := os.Lstat(filepath.Join(common, "hooks", "post-index-change")); err == nil {
		return "the hook post-index-change"
	}
	if modules, err := os.ReadDir(filepath.Join(common, "modules")); err == nil && len(modules) > 0 {
		return "a submodule's configuration"
	}
	return ""
}

// gitDir finds the git directory that git would use from dir, or "". A directory
// that is itself a bare repository could carry any configuration: it is
// returned, so that its config is looked at.
func gitDir(dir, root string) string {
	for ; ; dir = filepath.Dir(dir) {
		if isBare(dir) {
			return dir
		}
		git := filepath.Join(dir, ".git")
		if info, err := os.Stat(git); err == nil {
			if info.IsDir() {
				return git
			}
			text, err := os.ReadFile(git)
			target, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir:")
			if err != nil || !ok {
				return git
			}
			target = strings.TrimSpace(target)
			if !filepath.IsAbs(target) {
				target = filepath.Join(dir, target)
			}
			return target
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}

// isBare recognises a bare repository as git does: HEAD, objects and refs.
func isBare(dir string) bool {
	for _, name := range []string{"HEAD", "objects", "refs"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			return false
		}
	}
	return true
}

// dangerousKey reads a git configuration and returns the first key of
// shell.GitConfigKeys that it sets.
func dangerousKey(text []byte) string {
	keys := shell.GitConfigKeys()
	section := ""
	for line := range bytes.SplitSeq(text, []byte("\n")) {
		s := strings.TrimSpace(strings.TrimPrefix(string(line), "\ufeff"))
		if strings.HasPrefix(s, "[") {
			head, rest, ok := strings.Cut(s[1:], "]")
			if !ok {
				return "a section that does not end"
			}
			name, sub, has := strings.Cut(head, " ")
			section = strings.ToLower(strings.TrimSpace(name))
			if has {
				section += "." + strings.ToLower(strings.Trim(strings.TrimSpace(sub), `"`))
			}
			// A key may follow on the same line.
			s = strings.TrimSpace(rest)
		}
		if s == "" || s[0] == '#' || s[0] == ';' {
			continue
		}
		name, _, _ := strings.Cut(s, "=")
		name, _, _ = strings.Cut(strings.TrimSpace(name), " ")
		key := section + "." + strings.ToLower(name)
		for _, pattern := range keys {
			if matchKey(pattern, key) {
				return key
			}
		}
	}
	return ""
}

// matchKey matches a key; * stands for a sub-section, which may hold dots, or for
// the last part.
func matchKey(pattern, key string) bool {
	first, last, star := strings.Cut(pattern, "*")
	if !star {
		return pattern == key
	}
	return len(key) >= len(first)+len(last) && strings.HasPrefix(key, first) && strings.HasSuffix(key, last)
}
