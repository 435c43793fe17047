package omc

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// TestWhatAnIterationWrites: the state gets what changed, and a verification only what a
// reviewer said. A team ends only the loop that it worked for.
func TestWhatAnIterationWrites(t *testing.T) {
	t.Parallel()
	const rejected = "Architect: not approved. Rejected: a test is missing."
	now := time.Now()
	stamp := func(ago time.Duration) string { return now.Add(-ago).UTC().Format(time.RFC3339Nano) }
	team := func(ago time.Duration) map[string]string {
		return map[string]string{"team-state.json": fmt.Sprintf(`{"active":false,"session_id":"s1","current_phase":"complete","completed_at":%q}`, stamp(ago))}
	}
	pending := map[string]string{"ralph-verification-state.json": `{"pending":true,"session_id":"s1"}`}
	for name, test := range map[string]struct {
		iteration, limit int
		files            map[string]string
		turn             protocol.Turn
		rule             string
		extended         bool
		attempts         int // -1 without a verification
	}{
		"below the limit":      {1, 10, nil, protocol.Turn{}, "continue", false, -1},
		"at the limit":         {10, 10, nil, protocol.Turn{}, "extended", true, -1},
		"before a review":      {1, 10, pending, protocol.Turn{}, "verification-pending", false, 0},
		"after a review":       {1, 10, pending, review("architect", "Review the work.", rejected), "verification-rejected", false, 1},
		"with its team":        {1, 10, team(30 * time.Second), protocol.Turn{}, "team-complete", false, -1},
		"with an earlier team": {1, 10, team(2 * time.Minute), protocol.Turn{}, "continue", false, -1},
		"with a timeless team": {1, 10, map[string]string{"team-state.json": `{"session_id":"s1","current_phase":"complete"}`}, protocol.Turn{}, "continue", false, -1},
	} {
		root, err := filepath.EvalSymlinks(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		dir := filepath.Join(root, ".omc", "state", "sessions", "s1")
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		files := map[string]string{"ralph-state.json": fmt.Sprintf(`{"active":true,"session_id":"s1","started_at":%q,"iteration":%d,"max_iterations":%d}`, stamp(time.Minute), test.iteration, test.limit)}
		for file, text := range test.files {
			files[file] = text
		}
		for file, text := range files {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		getenv := func(name string) string {
			if name == "HOME" || name == "USERPROFILE" || name == "LOCALAPPDATA" {
				return filepath.Join(root, "home")
			}
			return ""
		}
		found, err := Find(&protocol.Stop{Input: protocol.Input{Base: protocol.Base{SessionID: "s1", CWD: root}}, Places: []string{root}, Root: root, Env: project.Env(getenv, now)})
		if err != nil || found.Active == nil {
			t.Fatalf("%s: %+v, %v", name, found, err)
		}
		d := found.Active.Decide(test.turn, now)
		if d.Rule != test.rule {
			t.Errorf("%s: %s", name, d.Rule)
			continue
		}
		if d.Kind != protocol.Continue {
			continue
		}
		for _, write := range d.Writes {
			if err := write.Do(); err != nil {
				t.Errorf("%s: %s: %v", name, write.What, err)
			}
		}
		read := func(file string) statefile.Object {
			data, err := os.ReadFile(filepath.Join(dir, file))
			if err != nil {
				t.Fatal(err)
			}
			object, err := statefile.ParseObject(data)
			if err != nil {
				t.Fatal(err)
			}
			return object
		}
		state := read("ralph-state.json")
		_, extended := state.Raw("extensions")
		if n, err := state.Count("iteration", 0); err != nil || n != test.iteration+1 || extended != test.extended {
			t.Errorf("%s: %s", name, state.Bytes())
		}
		if test.attempts < 0 {
			continue
		}
		verification := read("ralph-verification-state.json")
		if n, err := verification.Count("verification_attempts", 0); err != nil || n != test.attempts || (verification.Text("architect_feedback") != "") != (n > 0) {
			t.Errorf("%s: %s", name, verification.Bytes())
		}
		if want := 1 + min(test.attempts, 1); len(d.Writes) != want {
			t.Errorf("%s: %d writes", name, len(d.Writes))
		}
	}
}
