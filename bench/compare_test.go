package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/bridge/protocol"
)

func TestCompare(t *testing.T) {
	t.Parallel()
	count := func(n int) *int { return &n }
	base := report{
		Rows: []figures{
			{ID: "idle-stop", CPURatio: 2, WallRatio: 2, Opens: count(20)}, {ID: "node", CPURatio: 10}, {ID: "gone", CPURatio: 1}, {ID: "zero", Opens: count(0)},
		},
		Init: []initSum{{ID: "idle-stop", Allocs: 100}, {ID: "noop"}},
	}
	for _, test := range []struct {
		name string
		now  report
		want []string
		// fails are the lines in want that must fail.
		fails int
	}{
		{"equal", base, nil, 0},
		{"14 % more", report{
			Rows: []figures{{ID: "idle-stop", CPURatio: 2.28, WallRatio: 2.28, Opens: count(22)}}, Init: []initSum{{ID: "idle-stop", Allocs: 114}},
		}, nil, 0},
		{"16 % more", report{
			Rows: []figures{{ID: "idle-stop", CPURatio: 2.32, WallRatio: 2.32, Opens: count(24)}}, Init: []initSum{{ID: "idle-stop", Allocs: 116}},
		}, []string{
			"idle-stop: CPU ratio was 2 and is 2.32, +16 %", "idle-stop: opened files was 20 and is 24, +20 %",
			"idle-stop: wall ratio was 2 and is 2.32, +16 %", "idle-stop: allocations before main was 100 and is 116, +16 %",
		}, 3},
		{"less", report{Rows: []figures{{ID: "idle-stop", CPURatio: 1.5, WallRatio: 2, Opens: count(20)}}},
			[]string{"idle-stop: CPU ratio was 2 and is 1.50, -25 %"}, 0},
		{"another program", report{Rows: []figures{{ID: "node", CPURatio: 20}}}, []string{"node: CPU ratio was 10 and is 20, +100 %"}, 0},
		{"no baseline to divide by", report{Rows: []figures{{ID: "zero", CPURatio: 1, Opens: count(9)}}, Init: []initSum{{ID: "noop", Allocs: 9}}}, nil, 0},
		{"no strace now", report{Rows: []figures{{ID: "idle-stop", CPURatio: 2, WallRatio: 2}}}, nil, 0},
	} {
		changes, _ := compare(base, test.now)
		var got []string
		for _, c := range changes {
			got = append(got, c.String())
		}
		if !slices.Equal(got, test.want) || len(regressed(changes)) != test.fails {
			t.Errorf("%s: %d fail of\n%s\nwant %d of\n%s", test.name, len(regressed(changes)), strings.Join(got, "\n"), test.fails, strings.Join(test.want, "\n"))
		}
	}
	// A machine on which every program opens two more files.
	base.Rows = append(base.Rows, figures{ID: "noop", Opens: count(5)})
	if changes, _ := compare(base, report{Rows: []figures{{ID: "noop", Opens: count(7)}, {ID: "idle-stop", CPURatio: 2, WallRatio: 2, Opens: count(22)}}}); len(regressed(changes)) > 0 {
		t.Errorf("another machine: %v", changes)
	}
	base.Rows = base.Rows[:len(base.Rows)-1]
	_, unmatched := compare(base, report{Rows: []figures{{ID: "idle-stop"}, {ID: "new"}, {ID: "node"}, {ID: "zero"}}})
	if !slices.Equal(unmatched, []string{"new", "gone"}) {
		t.Errorf("unmatched: %q", unmatched)
	}
}

func TestComparisonIsReadable(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	base := report{Machine: machine{CPU: "A", Go: "go1"}}
	writeComparison(&out, base, base, nil, nil)
	if got := out.String(); got != "\nAgainst the baseline (A, go1): nothing moved by more than 15 %.\n" {
		t.Errorf("%q", got)
	}
	out.Reset()
	writeComparison(&out, base, report{}, []change{{"stop", "CPU ratio", 1.5, 1.8, true}, {"stop", "wall ratio", 1, 2, false}}, []string{"new"})
	want := "\nAgainst the baseline (A, go1): another machine or toolchain, so only the ratios say something.\n" +
		"- regression: stop: CPU ratio was 1.50 and is 1.80, +20 %\n- stop: wall ratio was 1 and is 2, +100 %\n- new is not in both and was not compared\n"
	if got := out.String(); got != want {
		t.Errorf("%q", got)
	}
}

// TestBaseline compares the figures that do not depend on other processes with the committed ones: allocations before
// main and opened files, of every type.
func TestBaseline(t *testing.T) {
	t.Parallel()
	base, err := readReport("baseline.json")
	if err != nil {
		t.Fatal(err)
	}
	bins := testBinaries(t)
	w := testWorld(t)
	idle, err := idleRow(w, bins)
	if err != nil {
		t.Fatal(err)
	}
	rows := []row{noopRow(w, bins), idle}
	for _, hook := range protocol.Rows() {
		r, err := typeRow(w, bins, hook.Type)
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, r)
	}
	var now report
	held := 0
	for _, r := range rows {
		if _, err := r.run(0); err != nil { // creates the records
			t.Fatal(err)
		}
		files, ok := r.opened(1)
		if !ok {
			t.Skip("strace is not installed")
		}
		opens := len(files)
		now.Rows = append(now.Rows, figures{ID: r.id, Opens: &opens})
		if slices.ContainsFunc(base.Rows, func(f figures) bool { return f.ID == r.id && f.Opens != nil }) {
			held++
		} else {
			t.Logf("the baseline has no %s; make baseline measures what is new", r.id)
		}
	}
	// The no-op, the idle stop and the fifteen types of the standard.
	if held < 17 {
		t.Errorf("the baseline holds %d of %d rows; run make baseline", held, len(rows))
	}
	inits, err := idle.initTrace(2)
	if err != nil {
		t.Fatal(err)
	}
	now.Init = []initSum{sumInits(idle.id, inits)}
	changes, _ := compare(base, now)
	for _, c := range changes {
		// 0 means that this machine does not measure the figure.
		if c.now > 0 && c.regression() {
			t.Errorf("%v; if that is meant, run make baseline and say why in the commit", c)
		}
	}
}
