package signal

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/hookbridge/bridge/internal/git"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/statefile"
)

// GitPlace describes the state of a repository without calling git: the commit of HEAD,
// and the size and time of the index. It is empty without a repository.
func GitPlace(root string) string {
	dir := git.Dir(root)
	if dir == "" {
		return ""
	}
	place := smallFile(filepath.Join(dir, "HEAD"))
	if place == "" {
		return ""
	}
	if ref, _ := git.Head([]byte(place)); filepath.IsLocal(ref) {
		place = ref + " " + resolve(dir, ref)
	}
	return project.ID(place + " " + stamp(filepath.Join(dir, "index")))
}

// resolve returns the commit of a branch. For a packed branch it returns the size and
// time of the packed-refs file.
func resolve(dir, ref string) string {
	common := git.Common(dir)
	for _, base := range []string{dir, common} {
		if commit := smallFile(filepath.Join(base, filepath.FromSlash(ref))); commit != "" {
			return commit
		}
	}
	return stamp(filepath.Join(common, "packed-refs"))
}

// stamp returns the size and time of a file, or "".
func stamp(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	return strconv.FormatInt(info.Size(), 10) + " " + strconv.FormatInt(info.ModTime().UnixNano(), 10)
}

// smallFile returns the content of a file of at most 4 KiB, or "".
func smallFile(path string) string {
	text, _ := statefile.ReadFile(path, 4<<10)
	return strings.TrimSpace(string(text))
}
