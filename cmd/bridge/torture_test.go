//go:build unix

package main

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hookbridge/bridge/client/claude/settingsfile"
	"github.com/hookbridge/bridge/cmd/bridge/internal/router"
)

// dialect is a loop of one kind, as the torture test drives it.
type dialect struct {
	name string
	// start is what a person types, if anything; files are written then.
	start []string
	files map[string]string
	// state is the file that holds the counter, as pattern finds it. A dialect that
	// counts elsewhere has no pattern.
	state   string
	pattern string
	// perBlock is how many blocks move the counter by one.
	perBlock int
}

func dialects() []dialect {
	const own = ".omc/state/sessions/" + sessionID + "/"
	limit := []string{"--limit", "1000000"}
	return []dialect{
		{name: "loop", files: map[string]string{".claude/ralph-loop.local.md": "---\nactive: true\niteration: 0\nsession_id: " + sessionID + "\nmax_iterations: 0\n---\n\nWork on it.\n"},
			state: ".claude/ralph-loop.local.md", pattern: `(?m)^iteration: (\d+)$`, perBlock: 1},
		// Without an assessment it asks twice before it counts a turn.
		{name: "smart", start: []string{"ralph", "smart", "--no-ai", "--max-iterations", "10000", "--stall-detection", "0", "--auto-approve", "--prompt", "1. Fix the login 2. Write the README"},
			state: ".claude/ralph-smart/state.md", pattern: `(?m)^iteration: (\d+)$`, perBlock: 3},
		{name: "specum", files: map[string]string{"specs/.current-spec": "big\n", "specs/big/tasks.md": strings.Repeat("- [ ] 1.1 Build one more part\n", 50),
			"specs/big/.ralph-state.json": `{"phase":"execution","taskIndex":0,"totalTasks":50,"globalIteration":1,"maxGlobalIterations":0}`},
			state: "specs/big/.ralph-state.json"},
		{name: "omc ralph", start: append([]string{"mode", "start", "ralph", "Work on it."}, limit...), state: own + "ralph-state.json", pattern: `"iteration": ?(\d+)`, perBlock: 1},
		{name: "autopilot", start: append([]string{"mode", "start", "autopilot", "Work on it."}, limit...), state: own + "autopilot-state.json", pattern: `"iteration": ?(\d+)`, perBlock: 1},
		{name: "ultrawork", start: append([]string{"mode", "start", "ultrawork", "Work on it."}, limit...), state: own + "ultrawork-state.json", pattern: `"reinforcement_count": ?(\d+)`, perBlock: 1},
	}
}

// run runs a command of a person in the session, and returns what it prints.
func (s *scene) run(args ...string) string {
	s.t.Helper()
	cmd := exec.Command(binary, args...)
	cmd.Dir, cmd.Env = s.project, append([]string{"CLAUDE_CODE_SESSION_ID=" + sessionID, "LANG=C"}, s.env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		s.t.Fatalf("bridge %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// begin starts the dialect's loop.
func (d dialect) begin(s *scene) {
	s.t.Helper()
	for name, text := range d.files {
		path := filepath.Join(s.project, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			s.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			s.t.Fatal(err)
		}
		// A state that was written a moment ago may be waited for.
		before := time.Now().Add(-3 * time.Second)
		if err := os.Chtimes(path, before, before); err != nil {
			s.t.Fatal(err)
		}
	}
	if d.start != nil {
		s.run(d.start...)
	}
}

// count reads the counter, and fails on a state that is not whole.
func (d dialect) count(s *scene) int {
	s.t.Helper()
	text, err := os.ReadFile(filepath.Join(s.project, filepath.FromSlash(d.state)))
	if err != nil {
		s.t.Fatal(err)
	}
	if d.pattern == "" {
		if text := string(text); text != d.files[d.state] {
			s.t.Fatalf("the state changed: %q", text)
		}
		return 0
	}
	match := regexp.MustCompile(d.pattern).FindSubmatch(text)
	if match == nil {
		s.t.Fatalf("the state is torn: %q", text)
	}
	n, err := strconv.Atoi(string(match[1]))
	if err != nil {
		s.t.Fatal(err)
	}
	return n
}

// stop is a Stop that begins a turn, with a message that the idle guard takes for
// progress, because it ignores digits.
func (s *scene) stop(n int) string {
	spelt := strings.Map(func(r rune) rune { return r - '0' + 'a' }, fmt.Sprint(n))
	return strings.NewReplacer(fmt.Sprintf(`"turn %d"`, n), `"part `+spelt+`"`, `"stop_hook_active":true`, `"stop_hook_active":false`).Replace(s.stopInput(n))
}

// stops runs as many stops in batches of processes at once, and counts the answers
// that did not block.
func (s *scene) stops(n, batch int) (blocks int, others map[string]int) {
	s.t.Helper()
	others = map[string]int{}
	var mu sync.Mutex
	for first := 0; first < n; first += batch {
		var wait sync.WaitGroup
		for i := first; i < min(first+batch, n); i++ {
			wait.Go(func() {
				a, err := execute(s.command("stop", strings.NewReader(s.stop(i))))
				mu.Lock()
				defer mu.Unlock()
				switch {
				case err != nil || a.code != 0:
					s.t.Errorf("stop %d: %v, exit code %d: %s", i, err, a.code, a.stderr)
				case a.blocks():
					blocks++
				default:
					others[a.stdout]++
				}
			})
		}
		wait.Wait()
	}
	return blocks, others
}

// TestTorture is make torture: it loads each loop more in some minutes than a user does
// in a year. With BRIDGE_TORTURE=short it does a twentieth of that.
func TestTorture(t *testing.T) {
	scale := 1
	switch os.Getenv("BRIDGE_TORTURE") {
	case "full":
	case "short":
		scale = 20
	default:
		t.Skip("set BRIDGE_TORTURE to full or short; make torture does")
	}
	var table strings.Builder
	tried := func(what string, n int, result string, args ...any) {
		fmt.Fprintf(&table, "| %s | %d | %s |\n", what, n, fmt.Sprintf(result, args...))
	}
	began := time.Now()
	t.Cleanup(func() {
		fmt.Printf("\n| what | how many | result |\n|---|--:|---|\n%s\nIt took %v; failed: %t.\n\n", table.String(), time.Since(began).Round(time.Second), t.Failed())
	})
	for _, d := range dialects() {
		t.Run("stops/"+d.name, func(t *testing.T) { tortureStops(t, d, 2000/scale, tried) })
	}
	for _, d := range dialects() {
		t.Run("kills/"+d.name, func(t *testing.T) { tortureKills(t, d, 4200/len(dialects())/scale, tried) })
	}
	t.Run("kills/install", func(t *testing.T) { tortureInstalls(t, 800/scale, tried) })
	for _, d := range dialects() {
		t.Run("full disk/"+d.name, func(t *testing.T) { tortureFullDisk(t, d, tried) })
	}
	for _, d := range dialects() {
		t.Run("no home/"+d.name, func(t *testing.T) { tortureNoHome(t, d, tried) })
	}
	t.Run("folders", func(t *testing.T) { tortureFolders(t, tried) })
	t.Run("clock", func(t *testing.T) { tortureClock(t, tried) })
}

// report adds a row to the table.
type report func(what string, n int, result string, args ...any)

func tortureStops(t *testing.T, d dialect, n int, tried report) {
	s := newScene(t)
	d.begin(s)
	before := d.count(s)
	blocks, others := s.stops(n, 100)
	released := n - blocks
	tried("stops of "+d.name+", 100 at once", n, "%d released (%.1f %%), %d counted", released, 100*float64(released)/float64(n), d.count(s)-before)
	if released*100 > n {
		t.Errorf("%d of %d stops were released, more than one in a hundred: %v", released, n, others)
	}
	// Specum counts nothing itself.
	if got := (d.count(s) - before) * d.perBlock; d.perBlock > 0 && (got > blocks || got <= blocks-d.perBlock) {
		t.Errorf("the counter moved by %d for %d blocks", d.count(s)-before, blocks)
	}
	if left := s.leftovers(); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

func tortureKills(t *testing.T, d dialect, n int, tried report) {
	s := newScene(t)
	d.begin(s)
	last := d.count(s)
	first := last
	s.killed(n, 4*time.Millisecond, rand.New(rand.NewPCG(5, 6)), func(i int) *exec.Cmd {
		return s.command("stop", strings.NewReader(s.stop(i)))
	}, func(i int) {
		now := d.count(s)
		if now != last && now != last+1 {
			t.Fatalf("kill %d: the counter went from %d to %d", i, last, now)
		}
		last = now
	})
	// The first stop after a kill may be the one that tidies up.
	for i := range 3 {
		if a := s.hook("stop", s.stop(1_000_000+i)); !a.blocks() {
			t.Errorf("after the kills: %q %q", a.stdout, a.stderr)
		}
	}
	if left := s.leftovers(); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
	tried("kill -9 of a stop of "+d.name, n, "none torn, none miscounted (%d went through), %d files left", last-first, len(s.leftovers()))
}

func tortureInstalls(t *testing.T, n int, tried report) {
	s := newScene(t)
	path := filepath.Join(s.home, ".claude", "settings.json")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(settingsText), 0o600); err != nil {
		t.Fatal(err)
	}
	installed := 0 // how many hook lines there are after an install
	whole := func(i int) string {
		t.Helper()
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		lines, err := settingsfile.HookLines(text)
		if installed == 0 {
			installed = len(lines)
		}
		if err != nil || len(lines) != 1 && len(lines) != installed || !bytes.Contains(text, []byte("// mine")) || !bytes.Contains(text, []byte("say done")) {
			t.Fatalf("kill %d: %v, %d lines: %q", i, err, len(lines), text)
		}
		return string(text)
	}
	s.run("install")
	if whole(0); installed < 10 {
		t.Fatalf("an install wrote %d hook lines", installed-1)
	}
	random := rand.New(rand.NewPCG(7, 8))
	orders := [][]string{{"install"}, {"install", "--block-cap", "0"}, {"uninstall"}}
	s.killed(n, 30*time.Millisecond, random, func(int) *exec.Cmd {
		cmd := exec.Command(binary, orders[random.IntN(len(orders))]...)
		cmd.Dir, cmd.Env = s.project, s.env
		return cmd
	}, func(i int) { whole(i) })
	s.run("install")
	left := s.leftovers()
	if len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
	s.run("uninstall")
	if text := whole(n); strings.Contains(text, "--hook=") || strings.Contains(text, "BLOCK_CAP") {
		t.Errorf("after uninstall: %s", text)
	}
	tried("kill -9 of install and uninstall", n, "settings always whole, %d files left after the next install", len(left))
}

func tortureFullDisk(t *testing.T, d dialect, tried report) {
	s := newScene(t)
	const stops = 20
	how := "a limit of file sizes"
	full := func(input string) *exec.Cmd { return s.command("stop", strings.NewReader(input)) }
	relieve := func() {}
	// Smart ralph does not start where less than 50 MiB are free.
	if d.name != "smart" && syscallMount(s.project) == nil {
		how = "a full file system"
		t.Cleanup(func() { syscallUnmount(s.project) })
		if err := os.Mkdir(filepath.Join(s.project, ".git"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	d.begin(s)
	if how == "a full file system" {
		filler, err := os.Create(filepath.Join(s.project, "filler"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.CopyN(filler, zero{}, 1<<30); err == nil {
			t.Fatal("the file system never filled up")
		}
		filler.Close()
		relieve = func() { os.Remove(filler.Name()) }
	} else {
		full = func(input string) *exec.Cmd {
			cmd := exec.Command("sh", "-c", `ulimit -f 0; exec "$0" --hook=stop`, binary)
			cmd.Dir, cmd.Env, cmd.Stdin = s.project, s.env, strings.NewReader(input)
			return cmd
		}
	}
	before, blocks := d.count(s), 0
	for i := range stops {
		a, err := execute(full(s.stop(i)))
		if err != nil || a.code != 0 {
			t.Errorf("%v, exit code %d: %s", err, a.code, a.stderr)
		}
		if a.blocks() {
			blocks++
		}
	}
	if counted := d.count(s) - before; d.perBlock == 1 && counted != blocks {
		t.Errorf("%d blocks, %d counted", blocks, counted)
	}
	relieve()
	if a := s.hook("stop", s.stop(stops)); !a.blocks() {
		t.Errorf("with room again: %q %q", a.stdout, a.stderr)
	}
	if left := s.leftovers(); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
	tried("stops of "+d.name+" on "+how, stops, "%d blocked, the state whole, it goes on with room", blocks)
}

func tortureNoHome(t *testing.T, d dialect, tried report) {
	s := newScene(t)
	d.begin(s)
	s.env = s.env[1:]
	const stops = 40
	before := d.count(s)
	blocks, others := s.stops(stops, 10)
	if counted := d.count(s) - before; d.perBlock == 1 && counted != blocks {
		t.Errorf("%d blocks, %d counted: %v", blocks, counted, others)
	}
	if left := s.leftovers(); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
	for text := range others {
		if !strings.Contains(text, "bridge cannot write its records") {
			t.Errorf("let go for another reason: %s", text)
		}
	}
	tried("stops of "+d.name+" without a home, 10 at once", stops, "%d blocked, the others let go with a reason", blocks)
}

func tortureFolders(t *testing.T, tried report) {
	const folders = 1000
	s := newScene(t)
	for i := range folders {
		dir := filepath.Join(s.omc(), "state", "sessions", fmt.Sprint("s", i))
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		for _, mode := range []string{"ultrawork", "ralph"} {
			if err := os.WriteFile(filepath.Join(dir, mode+"-state.json"), []byte(fmt.Sprintf(`{"active":true,"session_id":"s%d","iteration":1}`, i)), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	// Processor time, because the machine may be busy.
	took := func(cmd *exec.Cmd, want string) time.Duration {
		t.Helper()
		a, err := execute(cmd)
		if err != nil || a.code != 0 || !strings.Contains(a.stdout, want) {
			t.Errorf("%q: %v, exit code %d, %.200s %s", cmd.Args, err, a.code, a.stdout, a.stderr)
		}
		return (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Round(time.Millisecond)
	}
	command := func(args ...string) *exec.Cmd {
		cmd := exec.Command(binary, args...)
		cmd.Dir, cmd.Env = s.project, s.env
		return cmd
	}
	status, list := took(command("status", "--json"), "s999"), took(command("mode", "list", "--json"), "s999")
	end := took(s.command("session-end", strings.NewReader(s.event("SessionEnd", "s500", `,"reason":"other"`))), "")
	marks, err := filepath.Glob(filepath.Join(s.home, ".local", "state", "bridge", "sessions", "*.ended"))
	if err != nil || len(marks) != 1 {
		t.Errorf("the session is not marked as ended: %v, %v", marks, err)
	}
	tried("folders of sessions with two active modes each", folders, "marked as ended; processor time of status %v, mode list %v, session-end %v", status, list, end)
}

func tortureClock(t *testing.T, tried report) {
	s := newScene(t)
	now := time.Now()
	getenv := func(name string) string {
		for _, entry := range s.env {
			if value, ok := strings.CutPrefix(entry, name+"="); ok {
				return value
			}
		}
		return ""
	}
	s.startLoop(0)
	n := 0
	stop := func(at time.Time) {
		t.Helper()
		var out, errs bytes.Buffer
		router.Run(router.Process{
			Args: []string{"bridge"}, Stdin: strings.NewReader(s.stop(n)), Stdout: &out, Stderr: &errs,
			Getenv: getenv, Now: func() time.Time { return at }, Version: "test",
		}, "stop", nil)
		if n++; !(answer{stdout: out.String()}).blocks() {
			t.Errorf("%v: %q %q", at, out.String(), errs.String())
		}
	}
	for day := range 30 {
		stop(now.AddDate(0, 0, day-29))
	}
	for _, at := range []time.Time{time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC), now, time.Unix(0, 0), now.Add(-10 * time.Second), now} {
		stop(at)
	}
	days, err := filepath.Glob(filepath.Join(s.home, ".local", "state", "bridge", "ledger", "*.jsonl"))
	if err != nil || len(days) < 29 || s.iteration() != n {
		t.Errorf("%d days of the ledger, %v, iteration %d of %d", len(days), err, s.iteration(), n)
	}
	tried("stops with a clock in 2100, in 1970 and set back", n, "all blocked, %d days of the ledger kept", len(days))
}
