// Command bench measures what a hook costs: it builds bridge and a program that
// does nothing with the same flags, runs both in turn, and prints a table.
//
//	go run ./bench [-rounds N] [-quick] [-json FILE]
//
// The columns: wall is from the start of the process to its end as the client
// sees it; CPU is user and system time of the process; RSS is its largest
// resident memory in one run; opens is how many files it tried to open.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

type options struct {
	rounds   int
	quick    bool
	jsonFile string
}

func run(args []string, stdout, stderr io.Writer) int {
	var o options
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.IntVar(&o.rounds, "rounds", 200, "how often each row runs")
	flags.BoolVar(&o.quick, "quick", false, "30 rounds, and no transcript of 1 GB")
	flags.StringVar(&o.jsonFile, "json", "", "write the figures to `FILE` as well")
	if err := flags.Parse(args); err != nil {
		return 2
	}
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
	dir, err := os.MkdirTemp("", "bridge-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	// Without this an impatient user keeps a transcript of 1 GB.
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt)
	go func() {
		<-interrupted
		os.RemoveAll(dir)
		os.Exit(130)
	}()
	fmt.Fprintln(stderr, "building")
	bins, err := build(dir, "-trimpath")
	if err != nil {
		return err
	}
	fmt.Fprintln(stderr, "writing transcripts")
	w, err := newWorld(dir)
	if err != nil {
		return err
	}
	rows, err := allRows(w, bins, o.quick)
	if err != nil {
		return err
	}
	fmt.Fprintf(stderr, "measuring %d rows, %d rounds\n", len(rows), o.rounds)
	samples, err := measure(rows, o.rounds)
	if err != nil {
		return err
	}
	report, err := newReport(rows, samples, bins)
	if err != nil {
		return err
	}
	report.Rounds = o.rounds
	if o.jsonFile != "" {
		if err := report.writeJSON(o.jsonFile); err != nil {
			return err
		}
	}
	return report.writeMarkdown(stdout)
}
