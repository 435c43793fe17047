package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"slices"

	"github.com/go-json-experiment/json"
)

// most is the growth above which a figure counts as a regression.
const most = 0.15

// cpuRatio is the only figure with a limit that other processes can change.
const cpuRatio = "CPU ratio"

// change is one figure of one row that grew or shrank by more than most.
type change struct {
	row, figure string
	before, now float64
	// gated says that growth is a failure. Wall time is only reported, because it depends on other processes.
	gated bool
}

func (c change) regression() bool { return c.gated && c.now > c.before }

func (c change) String() string {
	return fmt.Sprintf("%s: %s was %s and is %s, %+.0f %%", c.row, c.figure, short(c.before), short(c.now), 100*(c.now/c.before-1))
}

// short formats counts as whole numbers and ratios with two decimals.
func short(f float64) string {
	if f == math.Trunc(f) {
		return fmt.Sprintf("%.0f", f)
	}
	return fmt.Sprintf("%.2f", f)
}

// compare returns what changed since the baseline, row by row, and the rows that are in only one of the two. A figure
// that one of them lacks is not compared.
func compare(base, now report) (changes []change, unmatched []string) {
	note := func(row, figure string, before, now float64, gated bool) {
		if before > 0 && math.Abs(now/before-1) > most {
			changes = append(changes, change{row, figure, before, now, gated})
		}
	}
	// The files that the runtime itself opens depend on the machine.
	own := 0
	if b, n := base.opens("noop"), now.opens("noop"); b != nil && n != nil {
		own = *b - *n
	}
	for _, f := range now.Rows {
		at := slices.IndexFunc(base.Rows, func(b figures) bool { return b.ID == f.ID })
		if at < 0 {
			unmatched = append(unmatched, f.ID)
			continue
		}
		b := base.Rows[at]
		// Other programs are measured only for comparison, so they have no limit.
		ours := f.ID != "bash" && f.ID != "node"
		note(f.ID, cpuRatio, b.CPURatio, f.CPURatio, ours)
		if b.Opens != nil && f.Opens != nil {
			note(f.ID, "opened files", float64(*b.Opens), float64(*f.Opens+own), ours)
		}
		note(f.ID, "wall ratio", b.WallRatio, f.WallRatio, false)
	}
	for _, b := range base.Rows {
		if !slices.ContainsFunc(now.Rows, func(f figures) bool { return f.ID == b.ID }) {
			unmatched = append(unmatched, b.ID)
		}
	}
	for _, s := range now.Init {
		if at := slices.IndexFunc(base.Init, func(b initSum) bool { return b.ID == s.ID }); at >= 0 {
			note(s.ID, "allocations before main", float64(base.Init[at].Allocs), float64(s.Allocs), true)
		}
	}
	return changes, unmatched
}

// opens is how many files a row opened, or nil.
func (r report) opens(id string) *int {
	for _, f := range r.Rows {
		if f.ID == id {
			return f.Opens
		}
	}
	return nil
}

// regressed returns the changes that fail.
func regressed(changes []change) []change {
	return slices.DeleteFunc(slices.Clone(changes), func(c change) bool { return !c.regression() })
}

// writeComparison prints what changed.
func writeComparison(w io.Writer, base, now report, changes []change, unmatched []string) {
	fmt.Fprintf(w, "\nAgainst the baseline (%s, %s):", base.Machine.CPU, base.Machine.Go)
	if base.Machine != now.Machine {
		fmt.Fprint(w, " another machine or toolchain, so only the ratios say something.")
	}
	if len(changes) == 0 {
		fmt.Fprintf(w, " nothing moved by more than %.0f %%.", 100*most)
	}
	fmt.Fprintln(w)
	for _, c := range changes {
		mark := "-"
		if c.regression() {
			mark = "- regression:"
		}
		fmt.Fprintln(w, mark, c)
	}
	for _, id := range unmatched {
		fmt.Fprintf(w, "- %s is not in both and was not compared\n", id)
	}
}

func readReport(path string) (r report, err error) {
	data, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(data, &r)
	}
	if err != nil {
		return report{}, fmt.Errorf("read the baseline %s: %w", path, err)
	}
	return r, nil
}
