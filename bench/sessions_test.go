package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestOpensDoNotGrowWithSessions: a Stop opens the same files whether one session
// has state on the disk or a hundred. Their folders are only read to start a mode
// and for bridge status.
func TestOpensDoNotGrowWithSessions(t *testing.T) {
	t.Parallel()
	bins := testBinaries(t)
	w := testWorld(t)
	opened := map[int]int{}
	for _, sessions := range []int{1, 100} {
		for _, active := range []bool{false, true} {
			p, err := w.newProject(fmt.Sprintf("sessions-%d-%t", sessions, active), 1<<10)
			if err != nil {
				t.Fatal(err)
			}
			makeSessions(t, p, sessions, active, 1)
			r := hookRow(p.session, p.session, "stop", p, w, bins, stopInput(p))
			r.right = func(out []byte) bool { return bytes.Contains(out, []byte(`"decision": "block"`)) == active }
			if _, err := r.run(0); err != nil { // creates the records
				t.Fatal(err)
			}
			files, ok := r.opened(1)
			if !ok {
				t.Skip("strace is not installed")
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

// makeSessions creates the folders of this many sessions in a project, each with two
// modes. One session in every is active. own makes p.session the first of them.
func makeSessions(t *testing.T, p project, sessions int, own bool, every int) {
	t.Helper()
	for i := range sessions {
		id := fmt.Sprintf("other-%d", i)
		if i == 0 && own {
			id = p.session
		}
		dir := filepath.Join(p.dir, ".omc", "state", "sessions", id)
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		for _, mode := range []string{"ultrawork", "autopilot"} {
			state := fmt.Sprintf(`{"active":%t,"session_id":%q,"reinforcement_count":0}`, mode == "ultrawork" && i%every == 0, id)
			if err := os.WriteFile(filepath.Join(dir, mode+"-state.json"), []byte(state), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestOpensOfManySessions: when a session ends or is compacted, only its own folder is
// read; a command that lists all sessions opens each folder twice and each state once.
func TestOpensOfManySessions(t *testing.T) {
	t.Parallel()
	const sessions = 300
	bins := testBinaries(t)
	w := testWorld(t)
	for name, test := range map[string]struct {
		argv  []string
		input string
		most  int
	}{
		"session-end": {[]string{"--hook=session-end"}, `"hook_event_name":"SessionEnd","reason":"other"`, 100},
		"pre-compact": {[]string{"--hook=pre-compact"}, `"hook_event_name":"PreCompact","trigger":"auto"`, 100},
		"status":      {[]string{"status", "--json"}, "", 4*sessions + 200},
		"mode list":   {[]string{"mode", "list", "--json"}, "", 4*sessions + 200},
	} {
		p, err := w.newProject("listed-"+name, 1<<10)
		if err != nil {
			t.Fatal(err)
		}
		// Only a few are active, so that the answer fits into the buffer of a pipe: the test reads it at the end.
		makeSessions(t, p, sessions, false, 50)
		r := hookRow(p.session, p.session, "", p, w, bins, func(int) []byte { return fmt.Appendf(nil, "{%s,%s}", common(p), test.input) })
		r.argv = append([]string{bins.bridge}, test.argv...)
		r.right = func(out []byte) bool { return test.input != "" || bytes.Contains(out, []byte("other-250")) }
		files, ok := r.opened(0)
		if !ok {
			t.Skip("strace is not installed")
		}
		if len(files) > test.most {
			t.Errorf("%s: %d files opened, want at most %d", name, len(files), test.most)
		}
	}
}
