package session

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/statefile"
)

// keptRecords is how long the record of a session is kept after its last stop.
const keptRecords = 30 * 24 * time.Hour

// Prune returns old records: those of sessions that ended long ago, claims that no
// session made in time, lock files, and entries of the index. A lock file does not show
// when it was last held, so each is checked again when it is removed.
func (s Store) Prune(now time.Time) []statefile.Removal {
	if s.home == "" {
		return nil
	}
	dir, err := statefile.OpenDir(s.home)
	if err != nil {
		return nil
	}
	defer dir.Close()
	old := func(folder, what string, kept time.Duration, match func(name string) bool) (found []statefile.Removal) {
		names, _ := dir.Names(folder)
		defer dir.Leave(folder)
		slices.Sort(names)
		for _, name := range names {
			if !match(name) {
				continue
			}
			file := folder + "/" + name
			if age, ok := dir.Age(file, now); ok && age > kept {
				found = append(found, dir.Removal(file, fmt.Sprintf("%s, unchanged for %d days", what, int(age.Hours()/24))))
			}
		}
		return found
	}
	all := old("sessions", "bridge's own record of a past session", keptRecords, func(name string) bool {
		return strings.HasSuffix(name, ".json") || strings.HasSuffix(name, ".tools") || strings.HasSuffix(name, ".ended") || strings.HasSuffix(name, ".failed")
	})
	every := func(string) bool { return true }
	all = append(all, old(pendingDir, "a loop that nobody claimed in time", 2*ClaimLifetime, every)...)
	all = append(all, old(project.IndexDir, "a project in which no hook decided anything", keptRecords, func(name string) bool {
		// The folders beside the index contain state.
		return filepath.Ext(name) != ""
	})...)
	for _, lock := range old(project.LocksDir, "a lock file of bridge, created again when needed", keptRecords, every) {
		lock.Do = func() error { return project.RemoveLock(lock.Path) }
		all = append(all, lock)
	}
	return all
}
