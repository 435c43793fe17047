// Command bench measures what a hook costs. It builds bridge and a program that does
// nothing with the same flags, runs both in turn, and prints a table.
//
//	go run ./bench [-rounds N] [-quick] [-json FILE] [-compare FILE]
//	go run ./bench -against PROGRAM [-rounds N] [-quick] [-limit 5]
//
// With -against, it runs every hook of another bridge and of this one in turn, and fails
// if a row needs more CPU time than the limit allows.
//
// The headline rows are measured as in real use: each program once a round, with cold
// caches, and once more with programs that come from the disk. With -compare, it fails if
// a figure that other processes do not disturb has grown by more than 15 % since the file
// was written with -json.
//
// The columns: wall is the time from the start of the process to its end, as the client
// sees it; CPU is user and system time of the process; RSS is its largest resident memory
// in one run; opens is how many files it tried to open.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

type options struct {
	rounds   int
	quick    bool
	jsonFile string
	baseline string
	against  string
	limit    float64
}

func run(args []string, stdout, stderr io.Writer) int {
	var o options
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.IntVar(&o.rounds, "rounds", 200, "how often each row runs")
	flags.BoolVar(&o.quick, "quick", false, "30 rounds, and no transcript of 1 GB")
	flags.StringVar(&o.jsonFile, "json", "", "write the figures to `FILE` as well")
	flags.StringVar(&o.baseline, "compare", "", "compare with the figures in `FILE`; a regression fails")
	flags.StringVar(&o.against, "against", "", "compare with the bridge `PROGRAM`, run by run; -limit decides")
	flags.Float64Var(&o.limit, "limit", 5, "by how many `PERCENT` a row may grow with -against")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	o.limit /= 100
	if o.quick {
		o.rounds = min(o.rounds, 30)
	}
	if o.rounds < 1 {
		fmt.Fprintln(stderr, "bench: -rounds must be at least 1, as in -rounds 200")
		return 2
	}
	if err := bench(o, stdout, stderr); err != nil {
		fmt.Fprintln(stderr, "bench:", err)
		return 1
	}
	return 0
}

func bench(o options, stdout, stderr io.Writer) error {
	var base report
	if o.baseline != "" {
		var err error
		if base, err = readReport(o.baseline); err != nil {
			return err
		}
	}
	dir, err := os.MkdirTemp("", "bridge-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	memory := memoryDir()
	defer os.RemoveAll(memory)
	// This removes a transcript of 1 GB if the user interrupts the run.
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt)
	go func() {
		<-interrupted
		os.RemoveAll(dir)
		os.RemoveAll(memory)
		os.Exit(130)
	}()
	fmt.Fprintln(stderr, "building")
	bins, err := build(dir, "-trimpath")
	if err != nil {
		return err
	}
	fmt.Fprintln(stderr, "writing transcripts")
	if o.against != "" {
		return against(o, bins, dir, cmp.Or(memory, dir), stdout, stderr)
	}
	w, err := newWorld(cmp.Or(memory, dir), dir)
	if err != nil {
		return err
	}
	rows, err := allRows(w, bins, o.quick)
	if err != nil {
		return err
	}
	if err := bins.renew(); err != nil {
		return err
	}
	fmt.Fprintf(stderr, "measuring %d rows, %d rounds\n", len(rows), o.rounds)
	samples, err := measure(rows, o.rounds)
	if err != nil {
		return err
	}
	now, err := newReport(rows, samples, bins)
	if err != nil {
		return err
	}
	now.Rounds = o.rounds
	if err := now.measureCold(rows, o.rounds); err != nil {
		return err
	}
	if o.jsonFile != "" {
		if err := now.writeJSON(o.jsonFile); err != nil {
			return err
		}
	}
	if err := now.writeMarkdown(stdout); err != nil || o.baseline == "" {
		return err
	}
	return hold(o, base, now, rows, stdout, stderr)
}

// hold compares the figures with the baseline and fails if one is too high. Other processes can change even a ratio, but
// not three times in a row, so rows that need more CPU time than before are measured again before they fail.
func hold(o options, base, now report, rows []row, stdout, stderr io.Writer) error {
	changes, unmatched := compare(base, now)
	for range 2 {
		again := []row{rows[0]}
		for _, c := range regressed(changes) {
			if at := slices.IndexFunc(rows, func(r row) bool { return r.id == c.row }); at > 0 && c.figure == cpuRatio {
				again = append(again, rows[at])
			}
		}
		if len(again) == 1 {
			break
		}
		fmt.Fprintf(stderr, "measuring %d rows again\n", len(again)-1)
		samples, err := measure(again, o.rounds)
		if err != nil {
			return err
		}
		for i, r := range again[1:] {
			at := slices.IndexFunc(now.Rows, func(f figures) bool { return f.ID == r.id })
			f := summarise(samples[i+1], samples[0])
			now.Rows[at].CPURatio, now.Rows[at].WallRatio = min(now.Rows[at].CPURatio, f.CPURatio), min(now.Rows[at].WallRatio, f.WallRatio)
		}
		changes, unmatched = compare(base, now)
	}
	writeComparison(stdout, base, now, changes, unmatched)
	if n := len(regressed(changes)); n > 0 {
		return fmt.Errorf("%d regressions of more than %.0f %%; if they are meant, write a new baseline with make baseline and say why in the commit", n, 100*most)
	}
	return nil
}
