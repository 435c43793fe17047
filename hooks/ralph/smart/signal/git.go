package signal

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/hookbridge/bridge/internal/project"
)

// GitPlace says where a repository stands without asking git: the commit of HEAD
// and the size and time of the index. It is empty without a repository (R3-27;
// design section 5: no subprocess on a hook path).
func GitPlace(root string) string {
	dir := project.GitDir(root)
	if dir == "" {
		return ""
	}
	place := smallFile(filepath.Join(dir, "HEAD"))
	if place == "" {
		return ""
	}
	if ref, ok := strings.CutPrefix(place, "ref: "); ok && filepath.IsLocal(ref) {
		place = ref + " " + resolve(dir, ref)
	}
	if info, err := os.Stat(filepath.Join(dir, "index")); err == nil {
		place += " " + strconv.FormatInt(info.Size(), 10) + " " + strconv.FormatInt(info.ModTime().UnixNano(), 10)
	}
	return project.ID(place)
}

// resolve returns the commit of a branch. Packed branches are told by the size and
// time of the file that packs them.
func resolve(dir, ref string) string {
	for _, base := range []string{dir, commonDir(dir)} {
		if commit := smallFile(filepath.Join(base, filepath.FromSlash(ref))); commit != "" {
			return commit
		}
	}
	if info, err := os.Stat(filepath.Join(commonDir(dir), "packed-refs")); err == nil {
		return strconv.FormatInt(info.Size(), 10) + " " + strconv.FormatInt(info.ModTime().UnixNano(), 10)
	}
	return ""
}

// commonDir is where a linked work tree keeps its branches.
func commonDir(dir string) string {
	common := smallFile(filepath.Join(dir, "commondir"))
	if common == "" {
		return dir
	}
	if !filepath.IsAbs(common) {
		common = filepath.Join(dir, common)
	}
	return common
}

// smallFile returns what stands in a file of at most 4 KiB, or "". A FIFO would
// hold the hook, and a device never end.
func smallFile(path string) string {
	const most = 4096
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > most {
		return ""
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}
