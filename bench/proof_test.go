package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestSpeedTables: the figures of docs/proof.md are those of the baseline.
func TestSpeedTables(t *testing.T) {
	t.Parallel()
	base, err := readReport("baseline.json")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../docs/proof.md")
	if err != nil {
		t.Fatal(err)
	}
	var want strings.Builder
	want.WriteString("| | wall, median | ratio | wall, p95 | user+sys CPU, ratio | peak memory |\n|---|--:|--:|--:|--:|--:|\n")
	for _, id := range []string{
		"noop", "linked", "idle-stop", "active-loop-1mb", "active-loop-100mb", "active-loop-1gb", "spec",
		"pre-tool-use", "post-tool-use", "permission-request", "permission-allow", "bash", "node",
	} {
		at := slices.IndexFunc(base.Rows, func(f figures) bool { return f.ID == id })
		if at < 0 {
			t.Fatalf("the baseline has no %s", id)
		}
		f := base.Rows[at]
		fmt.Fprintf(&want, "| %s | %.2f ms | %.2f | %.2f ms | %.2f | %.1f MB |\n", f.Title, ms(f.WallMedian), f.WallRatio, ms(f.WallP95), f.CPURatio, float64(f.MaxRSS)/1e6)
	}
	if !strings.Contains(string(page), want.String()) {
		t.Errorf("the table of docs/proof.md should be:\n%s", want.String())
	}
	want.Reset()
	want.WriteString("| as in real use | wall, median | ratio |\n|---|--:|--:|\n")
	for _, f := range base.Cold {
		fmt.Fprintf(&want, "| %s | %.2f ms | %.2f |\n", f.Title, ms(f.WallMedian), f.WallRatio)
	}
	if len(base.Cold) == 0 || !strings.Contains(string(page), want.String()) {
		t.Errorf("the first table of docs/proof.md should be:\n%s", want.String())
	}
	machine := fmt.Sprintf("%s, %d rounds", base.Machine.Go, base.Rounds)
	if !strings.Contains(strings.ReplaceAll(string(page), "\n", " "), machine) {
		t.Errorf("docs/proof.md does not say %q", machine)
	}
}
