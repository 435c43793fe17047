package main

import (
	"os"
	"strings"
	"testing"
)

// maxOpensSpec is how many files a Stop with a spec may try to open beyond those
// that any Go program does: the current spec's name, its state and our record of it
// twice (with and without the lock), the tasks, the configuration, the transcript
// and the session's record; it writes the two records and looks for old notes.
const maxOpensSpec = 28

// newSpec creates a spec of 500 tasks with a transcript of the given size.
func newSpec(t *testing.T, w *world, bins binaries, transcript int64) row {
	t.Helper()
	p, err := w.newProject("spec", transcript)
	if err != nil {
		t.Fatal(err)
	}
	r, err := p.specRow(w, bins)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestSpecOpenBudget(t *testing.T) {
	t.Parallel()
	bins := testBinaries(t)
	w := testWorld(t)
	base, ok := noopRow(w, bins).opened(0)
	if !ok {
		t.Skip("strace is not installed")
	}
	r := newSpec(t, w, bins, 1e6)
	if _, err := r.run(0); err != nil { // creates the records
		t.Fatal(err)
	}
	files, ok := r.opened(1)
	if !ok {
		t.Fatal("the hook failed")
	}
	if n := len(files) - len(base); n > maxOpensSpec {
		t.Errorf("%d files opened beyond a no-op, the budget is %d:\n%s", n, maxOpensSpec, strings.Join(files, "\n"))
	}
}

// TestSpecCPUBudget applies the budget of any active loop to a stop of a spec with 500
// tasks and a transcript of 100 MB (docs/design.md#speed).
func TestSpecCPUBudget(t *testing.T) {
	if os.Getenv("BRIDGE_BUDGET") != "1" {
		t.Skip("timed; set BRIDGE_BUDGET=1 on a quiet machine")
	}
	bins := testBinaries(t)
	w := memoryWorld(t)
	holdCPU(t, []row{noopRow(w, bins), newSpec(t, w, bins, 100e6)}, []float64{1, maxActiveCPU})
}
