//go:build unix

package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"github.com/hookbridge/bridge/internal/project"
)

// TestManyStopsAtOnce: 200 processes on one project leave no torn file, and the counter
// advances once for each printed block.
func TestManyStopsAtOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("left out with -short: starts hundreds of processes")
	}
	t.Parallel()
	const processes = 200
	s := newScene(t)
	s.startLoop(1)
	answers := make([]answer, processes)
	var wait sync.WaitGroup
	for i := range processes {
		wait.Add(1)
		go func() {
			defer wait.Done()
			stdin := s.file(s.stopInput(i))
			defer stdin.Close()
			a, err := execute(s.command("stop", stdin))
			if err != nil {
				t.Error(err)
			}
			answers[i] = a
		}()
	}
	wait.Wait()
	blocks, notices := 0, 0
	for _, a := range answers {
		switch {
		case a.code != 0:
			t.Errorf("exit code %d: %s", a.code, a.stderr)
		case a.blocks():
			blocks++
		case strings.Contains(a.stdout, "held by another process"):
			notices++
		default:
			t.Errorf("neither a block nor a notice: %q %q", a.stdout, a.stderr)
		}
	}
	if got := s.iteration(); got != 1+blocks {
		t.Errorf("the counter is at %d after %d blocks", got, blocks)
	}
	if names := s.litter(); names != nil {
		t.Errorf("left behind: %v", names)
	}
	t.Logf("%d blocks, %d allowed because of the lock", blocks, notices)
}

// TestOneEventManySources: sixteen hook lines that get one event, of plugins and
// with other arguments, advance the loop once, and one block is printed.
func TestOneEventManySources(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.startLoop(1)
	blocks := 0
	var mu sync.Mutex
	var wait sync.WaitGroup
	for i := range 16 {
		wait.Add(1)
		go func() {
			defer wait.Done()
			cmd := s.command("stop", strings.NewReader(s.stopInput(7)))
			if i%2 == 0 {
				cmd.Env = append(cmd.Env, fmt.Sprintf("CLAUDE_PLUGIN_ROOT=/plugin/%d", i))
			} else {
				cmd.Args = append(cmd.Args, fmt.Sprint("line", i))
			}
			a, err := execute(cmd)
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			if a.blocks() {
				blocks++
			}
		}()
	}
	wait.Wait()
	if got := s.iteration(); blocks != 1 || got != 2 {
		t.Errorf("%d blocks, iteration %d; want one block and iteration 2", blocks, got)
	}
}

// TestOneSourceManyEvents: the same line with the same input is a new event each time:
// with constant text, stops of one session look alike
// (docs/reference/claude-code.md#fast-stops).
func TestOneSourceManyEvents(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.startLoop(1)
	for i := range 16 {
		if a := s.hook("stop", s.stopInput(7)); !a.blocks() {
			t.Fatalf("stop %d: %q", i, a.stdout)
		}
	}
	if got := s.iteration(); got != 17 {
		t.Errorf("iteration %d, want 17", got)
	}
}

// TestOneSourceManyEventsAtOnce: even if they come at the same time, each is a separate
// event: it counts, or it is allowed because of the lock.
func TestOneSourceManyEventsAtOnce(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.startLoop(1)
	answers := make([]answer, 16)
	var wait sync.WaitGroup
	for i := range answers {
		wait.Add(1)
		go func() {
			defer wait.Done()
			var err error
			if answers[i], err = execute(s.command("stop", strings.NewReader(s.stopInput(7)))); err != nil {
				t.Error(err)
			}
		}()
	}
	wait.Wait()
	blocks := 0
	for _, a := range answers {
		if a.blocks() {
			blocks++
		} else if !strings.Contains(a.stdout, "held by another process") {
			t.Errorf("answer %q", a.stdout)
		}
	}
	if got := s.iteration(); got != 1+blocks {
		t.Errorf("iteration %d after %d blocks", got, blocks)
	}
}

// TestManyStopsWithoutAHome: without a place for records and locks, the counter still
// advances once for each block.
func TestManyStopsWithoutAHome(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.startLoop(1)
	s.env = s.env[1:]
	answers := make([]answer, 40)
	var wait sync.WaitGroup
	for i := range answers {
		wait.Add(1)
		go func() {
			defer wait.Done()
			var err error
			if answers[i], err = execute(s.command("stop", strings.NewReader(s.stopInput(i)))); err != nil {
				t.Error(err)
			}
		}()
	}
	wait.Wait()
	blocks := 0
	for _, a := range answers {
		if a.blocks() {
			blocks++
		} else if !strings.Contains(a.stdout, "held by another process") && !strings.Contains(a.stdout, "bridge cannot write its records") {
			t.Errorf("answer %q", a.stdout)
		}
	}
	if got := s.iteration(); blocks == 0 || got != 1+blocks || s.litter() != nil {
		t.Errorf("iteration %d after %d blocks, left behind: %v", got, blocks, s.litter())
	}
}

// TestLockHeld: a process that cannot get the lock allows the stop and says so.
func TestLockHeld(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.startLoop(4)
	dir := filepath.Join(s.home, ".local", "state", "bridge", "locks")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	lock := flock.New(filepath.Join(dir, project.ID(s.project)))
	if err := lock.Lock(); err != nil {
		t.Fatal(err)
	}
	defer lock.Unlock()
	a := s.hook("stop", s.stopInput(1))
	if a.blocks() || !strings.Contains(a.stdout, "this stop is allowed, because the project's lock is held by another process") {
		t.Errorf("answer %q", a.stdout)
	}
	if got := s.iteration(); got != 4 {
		t.Errorf("iteration %d, want 4", got)
	}
}

// killed starts processes and kills each at a random moment before most, until n of them
// were killed; after is called each time. A process may end before it is hit.
func (s *scene) killed(n int, most time.Duration, random *rand.Rand, start func(i int) *exec.Cmd, after func(i int)) {
	s.t.Helper()
	for i, died := 0, 0; died < n; i++ {
		if i == 20*n+1000 {
			s.t.Fatalf("only %d of %d processes were killed in time", died, i)
		}
		cmd := start(i)
		if err := cmd.Start(); err != nil {
			s.t.Fatal(err)
		}
		time.Sleep(time.Duration(random.Int64N(int64(most))))
		_ = cmd.Process.Kill()
		if cmd.Wait() != nil {
			died++
		}
		after(i)
	}
}

// TestKill: if a process is killed at any moment, the state is the old or the new one,
// and the next hook removes temporary files.
func TestKill(t *testing.T) {
	if testing.Short() {
		t.Skip("left out with -short: starts and kills hundreds of processes")
	}
	t.Parallel()
	const kills = 220
	s := newScene(t)
	s.startLoop(1)
	last := 1
	s.killed(kills, 2500*time.Microsecond, rand.New(rand.NewPCG(1, 2)), func(i int) *exec.Cmd {
		return s.command("stop", strings.NewReader(s.stopInput(i)))
	}, func(i int) {
		now := s.iteration()
		if now != last && now != last+1 {
			t.Fatalf("kill %d: the counter went from %d to %d", i, last, now)
		}
		last = now
	})
	if a := s.hook("stop", s.stopInput(100_000)); !a.blocks() {
		t.Errorf("after the kills: %q", a.stdout)
	}
	if names := s.litter(); names != nil {
		t.Errorf("left behind: %v", names)
	}
	t.Logf("%d killed, counter at %d", kills, last)
}
