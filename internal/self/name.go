package self

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Name is the command by which a shell runs this program: the bare name if PATH leads to
// this very file (iproute2 has another program called bridge), otherwise the absolute
// path, quoted if necessary.
func Name(getenv func(string) string) string {
	const bare = "bridge"
	self, err := os.Executable()
	if err != nil {
		return bare
	}
	if info, err := os.Stat(self); err == nil {
		if found := onPath(bare, getenv); found != nil && os.SameFile(info, found) {
			return bare
		}
	}
	return quote(filepath.ToSlash(self))
}

// onPath is the file that a shell finds by the name. A relative directory in PATH leads
// to a different place each time, so the entries after it do not count.
func onPath(name string, getenv func(string) string) os.FileInfo {
	endings := []string{""}
	if runtime.GOOS == "windows" {
		endings = append(endings, filepath.SplitList(getenv("PATHEXT"))...)
		endings = append(endings, ".exe")
	}
	for _, dir := range filepath.SplitList(getenv("PATH")) {
		if !filepath.IsAbs(dir) {
			return nil
		}
		for _, ending := range endings {
			info, err := os.Stat(filepath.Join(dir, name+ending))
			if err == nil && info.Mode().IsRegular() && (runtime.GOOS == "windows" || info.Mode()&0o111 != 0) {
				return info
			}
		}
	}
	return nil
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
