package moderegistry

import (
	"strings"
	"testing"

	"github.com/hookbridge/bridge/internal/statefile"
)

// FuzzState: any file can be read as a mode's state, active or not. Its numbers are within their limits, or Problem says
// what is wrong, and a session id in the file never replaces that of the folder.
func FuzzState(f *testing.F) {
	for _, seed := range []string{
		`{"active":true,"session_id":"s1","iteration":1,"max_iterations":10,"started_at":"2026-11-21T00:00:00Z"}`, `{"active":true,"iteration":"three"}`,
		`{"active":"true","phase":"EXPANSION"}`, `{"active":true,"reinforcement_count":-1}`, `{"session_id":"../../x"}`, `[]`, `{"active":true,"max_iterations":1e12}`,
	} {
		f.Add([]byte(seed), "s1")
	}
	f.Fuzz(func(t *testing.T, data []byte, owner string) {
		for _, mode := range AllModes() {
			s := parse(mode, "/p/.omc", "state/x.json", owner, statefile.File{Data: data})
			if s.Problem != "" && s.Active() {
				t.Errorf("%s is active although %s: %q", mode, s.Problem, data)
			}
			if s.Count < 0 || s.Limit < 0 {
				t.Errorf("%s: %d of %d in %q", mode, s.Count, s.Limit, data)
			}
			if owner != "" && s.SessionID != owner && !s.foreign {
				t.Errorf("%s: %q is taken for %q's own: %q", mode, s.SessionID, owner, data)
			}
			if strings.TrimSpace(s.Phase()) != s.Phase() {
				t.Errorf("phase %q", s.Phase())
			}
		}
	})
}
