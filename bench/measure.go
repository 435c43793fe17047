package main

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"time"
)

// warmup is how many rounds run before those that count.
const warmup = 3

// sample is one run of a row.
type sample struct{ wall, cpu time.Duration }

// measure runs all rows in turn, each round in a different order, so that other processes
// affect all rows alike.
func measure(rows []row, rounds int) ([][]sample, error) {
	samples := make([][]sample, len(rows))
	// If a row always ran after the same other row, it would always find the caches as that row left them.
	order := rand.New(rand.NewPCG(1, 2))
	for round := range warmup + rounds {
		for _, at := range order.Perm(len(rows)) {
			s, err := rows[at].run(round)
			if err != nil {
				return nil, err
			}
			if round >= warmup {
				samples[at] = append(samples[at], s)
			}
		}
	}
	return samples, nil
}

// run runs the row once. Input and output go through pipes, as those of the client do. Both fit into the buffer of a
// pipe, so no goroutine is needed that would compete with the process for a processor.
func (r row) run(n int) (sample, error) {
	cmd, stdout, err := r.command(n)
	if err != nil {
		return sample{}, err
	}
	defer stdout.Close()
	start := time.Now()
	err = cmd.Start()
	if err == nil {
		err = cmd.Wait()
	}
	s := sample{wall: time.Since(start)}
	cmd.Stdin.(*os.File).Close()
	cmd.Stdout.(*os.File).Close()
	if err != nil {
		return sample{}, fmt.Errorf("%s: %w", r.title, err)
	}
	s.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	out, err := io.ReadAll(stdout)
	if err != nil {
		return sample{}, err
	}
	return s, r.check(out)
}

// check makes sure that the intended code path was measured.
func (r row) check(stdout []byte) error {
	if r.right != nil && !r.right(stdout) || r.right == nil && len(bytes.TrimSpace(stdout)) > 0 {
		return fmt.Errorf("%s: measured the wrong answer: %q", r.title, stdout)
	}
	return nil
}

// command prepares the nth run; stdout is the reading end of its output.
func (r row) command(n int) (cmd *exec.Cmd, stdout *os.File, err error) {
	stdin, feed, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	if _, err := feed.Write(r.stdin(n)); err != nil {
		return nil, nil, err
	}
	if err := feed.Close(); err != nil {
		return nil, nil, err
	}
	stdout, out, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	cmd = exec.Command(r.argv[0], r.argv[1:]...)
	cmd.Dir, cmd.Env = r.dir, r.env
	cmd.Stdin, cmd.Stdout = stdin, out
	return cmd, stdout, nil
}

// quantile returns the value below which the fraction q of all values lies.
func quantile(values []time.Duration, q float64) time.Duration {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[min(int(q*float64(len(sorted))), len(sorted)-1)]
}

func pick(samples []sample, f func(sample) time.Duration) []time.Duration {
	values := make([]time.Duration, len(samples))
	for i, s := range samples {
		values[i] = f(s)
	}
	return values
}

func wall(s sample) time.Duration { return s.wall }
func cpu(s sample) time.Duration  { return s.cpu }
