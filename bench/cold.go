package main

import (
	"io"
	"math/rand/v2"
	"slices"
)

// coldRows are the rows that are also measured as in real use: the client starts a hook
// seconds after the last one, and other programs used the processor in between.
func coldRows(rows []row) []row {
	return slices.DeleteFunc(slices.Clone(rows), func(r row) bool {
		return !slices.Contains([]string{"linked", "idle-stop", "active-loop-1mb", "permission-request", "permission-allow", "permission-git"}, r.id)
	})
}

// measureCold measures one row after the other. A round runs the no-op and the row once each, in random order, and calls
// before first. In the table of all rows, the hooks run one after the other and keep their program's pages warm; here
// they do not.
func measureCold(noop row, rows []row, rounds int, before func(row) error) ([]figures, error) {
	order := rand.New(rand.NewPCG(3, 4))
	all := make([]figures, len(rows))
	for i, r := range rows {
		pair := []row{noop, r}
		samples := make([][]sample, len(pair))
		for round := range warmup + rounds {
			for _, at := range order.Perm(len(pair)) {
				if err := before(pair[at]); err != nil {
					return nil, err
				}
				s, err := pair[at].run(1_000_000 + round)
				if err != nil {
					return nil, err
				}
				if round >= warmup {
					samples[at] = append(samples[at], s)
				}
			}
		}
		all[i] = summarise(samples[1], samples[0])
		all[i].ID, all[i].Title = r.id, r.title
	}
	return all, nil
}

// cacheBytes is more than the caches of a processor can hold.
const cacheBytes = 64 << 20

// sweep returns a function that fills the processor's caches with other data.
func sweep() func(row) error {
	data := make([]byte, cacheBytes)
	return func(row) error {
		for i := 0; i < len(data); i += 64 {
			data[i]++
		}
		return nil
	}
}

// fromDisk also removes the row's program from the page cache, as after a restart of the
// machine.
func fromDisk(sweep func(row) error) func(row) error {
	return func(r row) error {
		if err := dropPages(r.argv[0]); err != nil {
			return err
		}
		return sweep(r)
	}
}

// cold measures the rows as in real use, and then again with programs that come from the disk.
func (r *report) measureCold(rows []row, rounds int) (err error) {
	clear := sweep()
	if r.Cold, err = measureCold(rows[0], coldRows(rows), rounds, clear); err != nil || !canDropPages {
		return err
	}
	r.FromDisk, err = measureCold(rows[0], coldRows(rows), rounds, fromDisk(clear))
	return err
}

// writeCold prints both tables.
func (r report) writeCold(w io.Writer) error {
	for _, table := range []struct {
		title string
		rows  []figures
	}{
		{"As in real use: each program once a round, and the processor's caches cold", r.Cold},
		{"The same with programs that come from the disk", r.FromDisk},
	} {
		if err := writeRatios(w, table.title, table.rows); err != nil {
			return err
		}
	}
	return nil
}
