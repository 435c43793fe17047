package self

import (
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Names are the names under which install links this program. Messages take the first one
// that leads to it: another program may have the name bridge, such as that of iproute2.
func Names() []string { return []string{"bridge", "hookbridge"} }

// Named reports whether a file name, with or without .exe, is one of this program's names.
func Named(file string) bool {
	switch strings.TrimSuffix(strings.ToLower(file), ".exe") {
	case "bridge", "hookbridge":
		return true
	}
	return false
}

// Name is the command by which a shell runs this program.
func Name(getenv func(string) string) string {
	self, err := os.Executable()
	if err != nil {
		return Names()[0]
	}
	return NameOf(self, getenv)
}

// NameOf is the command by which a shell runs the program at an absolute path: one of its
// names if PATH leads to this very file, otherwise the path, quoted if necessary.
func NameOf(program string, getenv func(string) string) string {
	if info, err := os.Stat(program); err == nil {
		for _, name := range Names() {
			for _, found := range OnPath(name, getenv) {
				if os.SameFile(info, found) {
					return name
				}
				break
			}
		}
	}
	return quote(filepath.ToSlash(program))
}

// OnPath returns the programs with a name in the directories of PATH, in their order; a shell runs the first. A relative
// directory leads to a different place each time, so the directories after it do not count.
func OnPath(name string, getenv func(string) string) iter.Seq2[string, os.FileInfo] {
	return func(yield func(string, os.FileInfo) bool) {
		endings := []string{""}
		if runtime.GOOS == "windows" {
			endings = append(endings, filepath.SplitList(getenv("PATHEXT"))...)
			endings = append(endings, ".exe")
		}
		for _, dir := range filepath.SplitList(getenv("PATH")) {
			if !filepath.IsAbs(dir) {
				return
			}
			for _, ending := range endings {
				path := filepath.Join(dir, name+ending)
				info, err := os.Stat(path)
				if err != nil || !info.Mode().IsRegular() || runtime.GOOS != "windows" && info.Mode()&0o111 == 0 {
					continue
				}
				if !yield(path, info) {
					return
				}
				break
			}
		}
	}
}

// quote quotes a path as one word of a shell.
func quote(path string) string {
	plain := strings.IndexFunc(path, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_+:,./@-", r))
	}) < 0
	if plain {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
