package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/hookbridge/bridge/internal/self"
)

// against measures every hook row of two programs in turn, each in its own projects. It fails if a row of ours needs
// more CPU time than limit allows (0.05 means 5 %). Both programs are copied into dir, because the page cache stores a
// file that the linker wrote differently from a copied file.
func against(o options, bins binaries, dir, memory string, stdout, stderr io.Writer) error {
	old := bins
	old.bridge = filepath.Join(dir, "bridge-other")
	if err := self.Copy(o.against, old.bridge); err != nil {
		return fmt.Errorf("copy the program to compare with: %w", err)
	}
	var rows []row
	for _, side := range []struct {
		name string
		bins binaries
	}{{"old", old}, {"new", bins}} {
		projects, transcripts := filepath.Join(memory, side.name), filepath.Join(dir, side.name)
		if err := os.MkdirAll(transcripts, 0o700); err != nil {
			return err
		}
		w, err := newWorld(projects, transcripts)
		if err != nil {
			return err
		}
		all, err := allRows(w, side.bins, o.quick)
		if err != nil {
			return err
		}
		rows = append(rows, slices.DeleteFunc(all, func(r row) bool { return !r.isBridge })...)
	}
	for _, path := range []string{old.bridge, bins.bridge} {
		if err := renew(path); err != nil {
			return err
		}
	}
	fmt.Fprintf(stderr, "measuring %d rows of both programs, %d rounds\n", len(rows)/2, o.rounds)
	samples, err := measure(rows, o.rounds)
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "| hook | CPU of %s, µs | CPU now, µs | change |\n|---|---:|---:|---:|\n", o.against)
	var grown []string
	for i, r := range rows[len(rows)/2:] {
		before, now := quantile(pick(samples[i], cpu), 0.5), quantile(pick(samples[i+len(rows)/2], cpu), 0.5)
		change := float64(now)/float64(before) - 1
		if change > o.limit {
			grown = append(grown, r.id)
		}
		fmt.Fprintf(stdout, "| %s | %d | %d | %+.1f %% |\n", r.title, before.Microseconds(), now.Microseconds(), 100*change)
	}
	if len(grown) > 0 {
		return fmt.Errorf("%d rows need over %.0f %% more CPU than %s: %v", len(grown), 100*o.limit, o.against, grown)
	}
	return nil
}
