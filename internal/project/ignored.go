package project

import (
	"path"
	"strings"

	"github.com/hookbridge/bridge/internal/statefile"
)

// StateInGit reports whether a directory is the root of a git repository that does not
// ignore the states of the modes in .omc.
func StateInGit(root string) bool { return len(NotIgnored(root, "", ".omc/state-of-a-mode")) > 0 }

// NotIgnored returns those of the paths that git would add to a commit, if root is the root
// of a git repository. The paths are relative to root, with slashes. global is the text of
// the user's own list of ignored files.
func NotIgnored(root, global string, paths ...string) (left []string) {
	dir, err := statefile.OpenDir(root)
	if err != nil {
		return nil
	}
	defer dir.Close()
	if _, err := dir.Stat(".git"); err != nil {
		return nil
	}
	read := func(name string) string {
		file, err := dir.Read(name)
		if err != nil {
			return ""
		}
		return string(file.Data)
	}
	// The last line that matches counts, and the lists are in the order of their weight.
	base := global + "\n" + read(".git/info/exclude") + "\n" + read(".gitignore")
	for _, name := range paths {
		top, rest, below := strings.Cut(name, "/")
		if ignores(base, name) || below && ignores(read(top+"/.gitignore"), rest) {
			continue
		}
		left = append(left, name)
	}
	return left
}

// ignores reports whether a list of ignored files has a path or a directory above it.
func ignores(list, name string) bool {
	parts := strings.Split(name, "/")
	for n := 1; n <= len(parts); n++ {
		ignored := false
		for line := range strings.Lines(list) {
			line = strings.TrimSpace(line)
			pattern, again := strings.CutPrefix(line, "!")
			if pattern == "" || pattern[0] == '#' {
				continue
			}
			if (n < len(parts) || !strings.HasSuffix(pattern, "/")) && lists(pattern, parts[:n]) {
				ignored = !again
			}
		}
		if ignored {
			return true
		}
	}
	return false
}

// lists reports whether a pattern of a list of ignored files matches a path.
func lists(pattern string, parts []string) bool {
	pattern = strings.TrimSuffix(pattern, "/")
	if !strings.Contains(pattern, "/") {
		pattern = "**/" + pattern
	}
	return match(strings.Split(strings.TrimPrefix(pattern, "/"), "/"), parts)
}

func match(pattern, parts []string) bool {
	switch {
	case len(pattern) == 0:
		return len(parts) == 0
	case pattern[0] == "**" && len(pattern) == 1:
		return len(parts) > 0
	case pattern[0] == "**":
		return match(pattern[1:], parts) || len(parts) > 0 && match(pattern, parts[1:])
	case len(parts) == 0:
		return false
	}
	ok, err := path.Match(pattern[0], parts[0])
	return err == nil && ok && match(pattern[1:], parts[1:])
}
