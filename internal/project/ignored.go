package project

import (
	"strings"

	"github.com/hookbridge/bridge/internal/statefile"
)

// StateInGit reports whether a directory is the root of a git repository that does not
// ignore the states of the modes in .omc.
func StateInGit(root string) bool {
	dir, err := statefile.OpenDir(root)
	if err != nil {
		return false
	}
	defer dir.Close()
	if _, err := dir.Stat(".git"); err != nil {
		return false
	}
	for _, name := range []string{".gitignore", ".git/info/exclude"} {
		file, err := dir.Read(name)
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(file.Data)) {
			switch strings.Trim(strings.TrimSpace(line), "/") {
			case ".omc", ".omc/*", ".omc/**":
				return false
			}
		}
	}
	return true
}
