package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestOpensDoNotGrowWithSessions: a Stop opens the same files whether one session
// has state on the disk or a thousand. Their folders are only read to start a mode
// and for bridge status.
func TestOpensDoNotGrowWithSessions(t *testing.T) {
	t.Parallel()
	bins := testBinaries(t)
	w := testWorld(t)
	opened := map[int]int{}
	for _, sessions := range []int{1, 1000} {
		for _, active := range []bool{false, true} {
			p, err := w.newProject(fmt.Sprintf("sessions-%d-%t", sessions, active), 1<<10)
			if err != nil {
				t.Fatal(err)
			}
			for i := range sessions {
				id := fmt.Sprintf("other-%d", i)
				if i == 0 && active {
					id = p.session
				}
				dir := filepath.Join(p.dir, ".omc", "state", "sessions", id)
				if err := os.MkdirAll(dir, 0o700); err != nil {
					t.Fatal(err)
				}
				for _, mode := range []string{"ultrawork", "autopilot"} {
					state := fmt.Sprintf(`{"active":%t,"session_id":%q,"reinforcement_count":0}`, mode == "ultrawork", id)
					if err := os.WriteFile(filepath.Join(dir, mode+"-state.json"), []byte(state), 0o600); err != nil {
						t.Fatal(err)
					}
				}
			}
			r := hookRow(p.session, p.session, "stop", p, w, bins, stopInput(p))
			r.right = func(out []byte) bool { return bytes.Contains(out, []byte(`"decision": "block"`)) == active }
			if _, err := r.run(0); err != nil { // makes the records
				t.Fatal(err)
			}
			files, ok := r.opened(1)
			if !ok {
				t.Skip("strace is not to be had")
			}
			key := 0
			if active {
				key = 1
			}
			if before, seen := opened[key]; seen && before != len(files) {
				t.Errorf("active %t: %d files opened with one session on disk, %d with %d", active, before, len(files), sessions)
			}
			opened[key] = len(files)
		}
	}
	t.Logf("files opened: idle %d, active %d", opened[0], opened[1])
}
