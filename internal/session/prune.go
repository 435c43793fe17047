package session

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hookbridge/bridge/internal/statefile"
)

// keptRecords is how long the record of a session is kept after its last stop.
const keptRecords = 30 * 24 * time.Hour

// Prune returns the records of sessions that are long over, and the claims that
// nobody made in time.
func (s Store) Prune(now time.Time) []statefile.Removal {
	if s.home == "" {
		return nil
	}
	var all []statefile.Removal
	old := func(folder, what string, kept time.Duration, match func(name string) bool) {
		dir, err := statefile.OpenDir(filepath.Join(s.home, folder))
		if err != nil {
			return
		}
		defer dir.Close()
		names, _ := dir.Names(".")
		slices.Sort(names)
		for _, name := range names {
			if age, ok := dir.Age(name, now); ok && age > kept && match(name) {
				all = append(all, dir.Removal(name, fmt.Sprintf("%s, unchanged for %d days", what, int(age.Hours()/24))))
			}
		}
	}
	old("sessions", "bridge's own record of a past session", keptRecords, func(name string) bool {
		return strings.HasSuffix(name, ".json") || strings.HasSuffix(name, ".tools") || strings.HasSuffix(name, ".ended")
	})
	old(pendingDir, "a loop that nobody claimed in time", 2*ClaimLifetime, func(string) bool { return true })
	return all
}
