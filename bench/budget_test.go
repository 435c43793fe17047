package main

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/hookbridge/bridge/protocol"
)

// The budgets of docs/design.md#speed whose figures do not change on a busy machine. Raise one only with a reason in the
// commit.
const (
	// maxInitAllocs and maxInitBytes are what all packages of the hook binary
	// may allocate before main. A validator of JSON schemas, or a table of
	// regexps at package level, would exceed them many times over. 104 of the
	// allocations are two regexps of mvdan.cc/sh/v3/fileutil, which the package
	// for shell syntax imports.
	maxInitAllocs = 345
	maxInitBytes  = 47_000

	// maxOpens is how many files a hook may try to open, beyond those that every Go
	// program opens. maxOpensActive is the same for a Stop with a loop: it reads the
	// state twice (without and with the lock), the transcript and the session's
	// record, and writes the state and the record.
	maxOpens       = 12
	maxOpensActive = 24

	// maxIdleCPU and maxActiveCPU are ratios of user and system time to the
	// no-op.
	maxIdleCPU   = 2.2
	maxActiveCPU = 3.0
)

// built holds the binaries that the tests of this file share.
type built struct {
	once sync.Once
	dir  string
	bins binaries
	err  error
}

var shared built

func TestMain(m *testing.M) {
	code := m.Run()
	if shared.dir != "" {
		os.RemoveAll(shared.dir)
	}
	os.Exit(code)
}

// testBinaries builds once for all tests. Without -trimpath, the packages come from the
// cache that the tests have filled.
func testBinaries(t *testing.T) binaries {
	t.Helper()
	if testing.Short() {
		t.Skip("left out with -short: builds programs")
	}
	shared.once.Do(func() {
		if shared.dir, shared.err = os.MkdirTemp("", "bridge-bench-"); shared.err == nil {
			shared.bins, shared.err = build(shared.dir)
		}
	})
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	return shared.bins
}

func testWorld(t *testing.T) *world {
	t.Helper()
	dir := t.TempDir()
	w, err := newWorld(dir, dir)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// memoryWorld is a world in a memory file system, if there is one.
func memoryWorld(t *testing.T) *world {
	t.Helper()
	dir := memoryDir()
	if dir == "" {
		return testWorld(t)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	w, err := newWorld(dir, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestInitBudget(t *testing.T) {
	t.Parallel()
	bins := testBinaries(t)
	idle, err := idleRow(testWorld(t), bins)
	if err != nil {
		t.Fatal(err)
	}
	inits, err := idle.initTrace(0)
	if err != nil {
		t.Fatal(err)
	}
	sum := sumInits(idle.id, inits)
	if sum.Allocs == 0 {
		t.Fatal("nothing was allocated before main: the trace was not read")
	}
	if sum.Allocs > maxInitAllocs || sum.Bytes > maxInitBytes {
		t.Errorf("%d allocations and %d bytes before main; the budget is %d and %d. The most:", sum.Allocs, sum.Bytes, maxInitAllocs, maxInitBytes)
		for _, p := range sum.Top {
			t.Errorf("  %s: %d allocations, %d bytes", p.Package, p.Allocs, p.Bytes)
		}
	}
}

func TestOpenBudget(t *testing.T) {
	t.Parallel()
	bins := testBinaries(t)
	w := testWorld(t)
	base, ok := noopRow(w, bins).opened(0)
	if !ok {
		t.Skip("strace is not installed")
	}
	within := func(t *testing.T, r row, limit int) {
		t.Helper()
		// The first decision of a day creates the day's records.
		if _, err := r.run(0); err != nil {
			t.Fatal(err)
		}
		files, ok := r.opened(1)
		if !ok {
			t.Fatal("the hook failed")
		}
		if n := len(files) - len(base); n > limit {
			t.Errorf("%d files opened beyond a no-op, the budget is %d:\n%s", n, limit, strings.Join(files, "\n"))
		}
	}
	for _, hook := range protocol.Rows() {
		t.Run(string(hook.Type), func(t *testing.T) {
			t.Parallel()
			r, err := typeRow(w, bins, hook.Type)
			if err != nil {
				t.Fatal(err)
			}
			within(t, r, maxOpens)
		})
	}
	t.Run("active loop", func(t *testing.T) {
		t.Parallel()
		r, err := activeRow(w, bins, "1 MB", 1e6)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.run(0); err != nil { // creates the records
			t.Fatal(err)
		}
		within(t, r, maxOpensActive)
	})
}

// TestCPUBudget compares processor time, which other processes disturb less than wall
// time, and only with a no-op that ran in the same rounds. It is still a timed test and
// runs only where CI asks for it.
func TestCPUBudget(t *testing.T) {
	if os.Getenv("BRIDGE_BUDGET") != "1" {
		t.Skip("timed; set BRIDGE_BUDGET=1 on a quiet machine")
	}
	bins := testBinaries(t)
	w := memoryWorld(t)
	idle, err := idleRow(w, bins)
	if err != nil {
		t.Fatal(err)
	}
	active, err := activeRow(w, bins, "1 MB", 1e6)
	if err != nil {
		t.Fatal(err)
	}
	holdCPU(t, []row{noopRow(w, bins), idle, active}, []float64{1, maxIdleCPU, maxActiveCPU})
}

// TestLifecycleCPUBudget limits the hooks around a session's work, in a project with a loop of the session.
func TestLifecycleCPUBudget(t *testing.T) {
	if os.Getenv("BRIDGE_BUDGET") != "1" {
		t.Skip("timed; set BRIDGE_BUDGET=1 on a quiet machine")
	}
	bins := testBinaries(t)
	w := memoryWorld(t)
	rows, limits := []row{noopRow(w, bins)}, []float64{1}
	for _, hook := range []protocol.Type{
		protocol.SessionStart, protocol.SessionEnd, protocol.SubagentStart, protocol.SubagentStop, protocol.PreCompact, protocol.SetupInit, protocol.SetupMaintenance,
	} {
		r, err := typeRow(w, bins, hook)
		if err != nil {
			t.Fatal(err)
		}
		if err := (project{dir: r.dir, session: "bench-type-" + string(hook)}).startLoop(); err != nil {
			t.Fatal(err)
		}
		rows, limits = append(rows, r), append(limits, maxActiveCPU)
	}
	holdCPU(t, rows, limits)
}

// holdCPU measures the rows in turn, the no-op first, and compares their ratios to it
// with the limits.
func holdCPU(t *testing.T, rows []row, limits []float64) {
	t.Helper()
	// Other processes can change even a ratio, but not three times in a row.
	const attempts = 3
	for attempt := 1; ; attempt++ {
		samples, err := measure(rows, 200)
		if err != nil {
			t.Fatal(err)
		}
		var over []string
		base := quantile(pick(samples[0], cpu), 0.5)
		for i, r := range rows {
			got := quantile(pick(samples[i], cpu), 0.5)
			ratio := float64(got) / float64(base)
			line := fmt.Sprintf("%s: %v of user and system time, %.2f x the no-op, the budget is %.1f", r.title, got, ratio, limits[i])
			t.Log(line)
			if ratio > limits[i] {
				over = append(over, line)
			}
		}
		if len(over) == 0 {
			return
		}
		if attempt == attempts {
			t.Fatalf("over the budget in %d attempts:\n%s", attempts, strings.Join(over, "\n"))
		}
	}
}
