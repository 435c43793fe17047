package smart

import (
	"errors"
	"os"
	"time"

	"github.com/hookbridge/bridge/internal/subprocess"
)

var (
	errNoGit  = errors.New("git was not found in its usual places")
	errFailed = errors.New("git failed")
)

// gitStatusOf lists the changes of a repository, each ended by a zero byte. It calls git
// by its usual path, because a repository may set PATH for a hook, and it disables the
// file system monitor, because the repository's configuration may name a program for it.
func gitStatusOf(root string, wait time.Duration, most int) (string, error) {
	git := ""
	for _, path := range gitPaths() {
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			git = path
			break
		}
	}
	if git == "" {
		return "", errNoGit
	}
	code, out, err := subprocess.Run(root, []string{git, "--no-optional-locks", "-c", "core.fsmonitor=false", "-C", root, "status", "--porcelain", "-z"}, wait, most, false)
	if err == nil && code != 0 {
		err = errFailed
	}
	return out, err
}
