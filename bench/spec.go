package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// specTasks is how many tasks the measured spec has.
const specTasks = 500

// startSpec puts a spec in the middle of its execution into the project.
func (p project) startSpec() error {
	var tasks strings.Builder
	for i := range specTasks {
		box := " "
		if i < specTasks/2 {
			box = "x"
		}
		fmt.Fprintf(&tasks, "- [%s] %d.1 Build one more part\n  - **Do**: change the parser so that nested lists are read\n  - **Verify**: go test ./parser\n", box, i+1)
	}
	dir := filepath.Join(p.dir, "specs", "big")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for name, text := range map[string]string{
		"../.current-spec":  "big\n",
		"tasks.md":          tasks.String(),
		".ralph-state.json": fmt.Sprintf(`{"phase":"execution","taskIndex":%d,"totalTasks":%d,"globalIteration":7,"maxGlobalIterations":0}`+"\n", specTasks/2, specTasks),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	// bridge waits for a state that was written a moment ago, and ignores one whose times
	// differ by more than five seconds.
	before := time.Now().Add(-3 * time.Second)
	return os.Chtimes(filepath.Join(dir, ".ralph-state.json"), before, before)
}

// specRow is a Stop that is blocked because of a spec with 500 tasks. Each run is the
// first stop of a turn, because later ones are blocked only after progress.
func specRow(w *world, bins binaries, transcriptSize int64) (row, error) {
	p, err := w.newProject("spec", transcriptSize)
	if err != nil {
		return row{}, err
	}
	return p.specRow(w, bins)
}

func (p project) specRow(w *world, bins binaries) (row, error) {
	input := stopInput(p)
	r := hookRow("spec", "spec of 500 tasks, transcript of 100 MB", "stop", p, w, bins, func(n int) []byte {
		return bytes.Replace(input(n), []byte(`"stop_hook_active":true`), []byte(`"stop_hook_active":false`), 1)
	})
	r.right = func(out []byte) bool { return bytes.Contains(out, []byte("Continue spec: big (Task 251/500")) }
	return r, p.startSpec()
}
