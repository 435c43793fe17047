package e2e

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofrs/flock"
)

// The soak: two sessions at once in one project go through the four dialects, one after the other, while hooks and
// clients are killed at random. Afterwards, the counters, the ledger and the clients' transcripts must agree.
// BRIDGE_SOAK=full takes over 300 turns and some minutes, any other value a short version; BRIDGE_SOAK_SEED repeats a
// run.
const (
	soakVariable     = "BRIDGE_SOAK"
	soakSeedVariable = "BRIDGE_SOAK_SEED"
	// fullTurns and shortTurns are the stops of one session in one dialect.
	fullTurns, shortTurns = 42, 6
	killedHooks           = 15 // percent
	killedClients         = 4  // percent of the turns
)

// dialect is one way to keep a session going.
type dialect struct {
	name string
	// start makes what the dialect needs for so many stops; counter is the state file
	// whose iteration we count, or "".
	start func(s *soaker, turns int) (counter, prompt string)
	// turn is the nth answer, counted from 1 over all clients of the session. Tool
	// calls have odd numbers where the dialect has any.
	turn func(s *soaker, n, turns int) Turn
	// ended reports whether the loop is over.
	ended func(s *soaker) bool
	// exact says that each block counts one iteration; elsewhere some count none.
	exact bool
}

// soaker is one of the two sessions.
type soaker struct {
	*stage
	id, dir  string
	settings Settings
	killer   killer
	dice     *rand.Rand

	mu sync.Mutex
	// dialect, asked and turns describe the work of its model; kill ends its client.
	dialect dialect
	asked   int
	turns   int
	kill    func()
}

func (s *soaker) path(parts ...string) string {
	return filepath.Join(append([]string{s.Project}, parts...)...)
}

func (s *soaker) gone(name string) bool {
	_, err := os.Lstat(name)
	return errors.Is(err, fs.ErrNotExist)
}

func dialects() []dialect {
	loopName := func(s *soaker) string { return ".claude/ralph-loop." + s.id + ".local.md" }
	omcName := func(s *soaker) string { return ".omc/state/sessions/" + s.id + "/ralph-state.json" }
	spec := func(s *soaker) string { return filepath.Base(s.dir) + "/specs/shop" }
	return []dialect{
		{
			name: "loop", exact: true,
			start: func(s *soaker, turns int) (string, string) {
				s.put(loopName(s), loop{Session: s.id, Max: turns, Promise: "DONE", Prompt: task}.String())
				return s.path(loopName(s)), task
			},
			turn:  func(_ *soaker, n, _ int) Turn { return say(n) },
			ended: func(s *soaker) bool { return s.gone(s.path(loopName(s))) },
		},
		{
			name: "smart",
			start: func(s *soaker, turns int) (string, string) {
				s.put("tasks-"+s.id+".txt", "1. one\n2. two\n")
				return s.path(smartState), s.command(s.id, "ralph", "smart", "tasks-"+s.id+".txt", "--max-iterations", strconv.Itoa(turns), "--stall-detection", "1000", "--new")
			},
			turn: func(_ *soaker, n, _ int) Turn {
				if n == 1 {
					return Say("<task-analysis>\n## Task 1: one\n## Task 2: two\n</task-analysis>")
				}
				return assessment("in_progress", 10+n%50, 80, "part "+words[n%len(words)])
			},
			ended: func(s *soaker) bool {
				text, err := s.Read(smartState)
				return err != nil || !strings.Contains(text, "\nactive: true\n")
			},
		},
		{
			name: "specum",
			start: func(s *soaker, turns int) (string, string) {
				s.put(filepath.Base(s.dir)+"/specs/.current-spec", "shop\n")
				for i := range turns + 1 {
					s.put(fmt.Sprintf("%s/steps/%d.md", filepath.Base(s.dir), i), soakTasks(i, turns))
					s.put(fmt.Sprintf("%s/steps/%d.json", filepath.Base(s.dir), i), fmt.Sprintf(
						`{"source":"spec","name":"shop","phase":"execution","taskIndex":%d,"totalTasks":%d,"taskIteration":1,"maxTaskIterations":5,"globalIteration":%d,"maxGlobalIterations":1000}`+"\n", i, turns, i+1))
				}
				s.put(spec(s)+"/tasks.md", soakTasks(0, turns))
				s.put(spec(s)+"/.ralph-state.json", `{"source":"spec","name":"shop","phase":"execution","taskIndex":0,"totalTasks":`+strconv.Itoa(turns)+`,"taskIteration":1,"globalIteration":1,"maxGlobalIterations":1000}`+"\n")
				return "", task
			},
			turn: func(_ *soaker, n, turns int) Turn {
				done := (n + 1) / 2
				switch {
				case n%2 == 1 && done >= turns:
					return CallBash(fmt.Sprintf("cp steps/%d.md specs/shop/tasks.md && rm -f specs/shop/.ralph-state.json", turns))
				case n%2 == 1:
					return CallBash(fmt.Sprintf("cp steps/%d.md specs/shop/tasks.md && cp steps/%d.json specs/shop/.ralph-state.json", done, done))
				case done >= turns:
					return Say("Everything works.\n\nALL_TASKS_COMPLETE")
				}
				t := say(n)
				t.Delay = think // the stop reads the transcript, which is written late
				return t
			},
			ended: func(s *soaker) bool { return s.gone(s.path(spec(s), ".ralph-state.json")) },
		},
		{
			name: "omc", exact: true,
			start: func(s *soaker, turns int) (string, string) {
				return s.path(s.mode("ralph", s.id, fmt.Sprintf(`"iteration": 1, "max_iterations": %d, "extensions": 5, "prompt": "Build it."`, turns))), task
			},
			turn:  func(_ *soaker, n, _ int) Turn { return say(n) },
			ended: func(s *soaker) bool { return s.gone(s.path(omcName(s))) },
		},
	}
}

func say(n int) Turn { return Say("Working on part " + words[n%len(words)] + " of it.") }

func soakTasks(done, all int) string {
	var b strings.Builder
	for i := range all {
		box := " "
		if i < done {
			box = "x"
		}
		fmt.Fprintf(&b, "- [%s] 1.%d Build part %d\n  - **Done when**: it works\n", box, i+1, i+1)
	}
	return b.String()
}

func (s *soaker) put(name, text string) {
	if err := s.Write(name, text); err != nil {
		s.t.Error(err)
	}
}

// answer is the session's model. Sometimes its client is killed before the answer.
func (s *soaker) answer(Request) Turn {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.asked > 0 && s.dice.IntN(100) < killedClients {
		// The client writes its transcript a moment late. What it has not written when it is killed cannot be counted.
		time.AfterFunc(2*think, s.kill)
		return Turn{Blocks: []Block{{Text: "never seen"}}, Delay: time.Minute}
	}
	s.asked++
	return s.dialect.turn(s, s.asked, s.turns)
}

// goThrough drives clients until the dialect's loop is over, and returns how many it took.
func (s *soaker) goThrough(d dialect, turns int) (clients int) {
	counter, prompt := d.start(s, turns)
	if err := s.killer.watch(s.id, counter); err != nil {
		s.t.Error(err)
		return 0
	}
	s.mu.Lock()
	s.dialect, s.asked, s.turns = d, 0, turns
	s.mu.Unlock()
	for !d.ended(s) {
		if clients++; clients > turns+10 || s.t.Failed() {
			s.t.Errorf("%s, %s: not over after %d clients", s.id, d.name, clients)
			return clients
		}
		c := Client{Path: s.client, Workspace: s.Workspace, Model: s.model, Settings: s.settings, Prompt: prompt, Dir: s.dir, Timeout: time.Minute}
		if _, err := s.TranscriptPath(s.id); err == nil {
			c.Resume = s.id
		} else {
			c.SessionID = s.id
		}
		ctx, kill := context.WithCancel(s.t.Context())
		s.mu.Lock()
		s.kill = kill
		s.mu.Unlock()
		r, err := c.Run(ctx)
		died := ctx.Err() != nil
		kill()
		if err != nil && !died || r != nil && !died && r.ExitCode != 0 {
			s.t.Errorf("%s, %s: %v\n%s", s.id, d.name, err, tail(r.Stdout))
			return clients
		}
		prompt = "go on"
	}
	return clients
}

func TestSoak(t *testing.T) {
	turns := shortTurns
	if os.Getenv(soakVariable) == "full" {
		turns = fullTurns
	}
	seed := uint64(time.Now().UnixNano())
	if text := os.Getenv(soakSeedVariable); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatalf("%s: %v", soakSeedVariable, err)
		}
	}
	t.Logf("%s=%d repeats the dice of this run", soakSeedVariable, seed)
	k := killer{dir: t.TempDir(), seed: seed, percent: killedHooks}
	path := bridge(t)
	hook, err := k.hook(path)
	if err != nil {
		t.Fatal(err)
	}
	settings := uncapped(wired(t)).On("Stop", hook)
	settings.Permissions = &Permissions{Allow: []string{"Bash(cp *)", "Bash(rm *)"}}

	var sessions []*soaker
	base := newStage(t, func(r Request) Turn {
		for _, s := range sessions {
			if s.id == r.Session {
				return s.answer(r)
			}
		}
		return Say("no such session")
	})
	for i, name := range []string{"a", "b"} {
		s := &soaker{stage: base, id: sessionID(), dir: filepath.Join(base.Project, name), settings: settings, killer: k, dice: rand.New(rand.NewPCG(seed, uint64(i)))}
		if err := os.Mkdir(s.dir, 0o755); err != nil {
			t.Fatal(err)
		}
		sessions = append(sessions, s)
	}

	all := dialects()
	for phase := range all {
		var both sync.WaitGroup
		for i, s := range sessions {
			both.Go(func() { s.goThrough(all[(phase+i)%len(all)], turns) })
		}
		both.Wait()
		if t.Failed() {
			t.FailNow()
		}
	}

	entries := readLedger(t, base.StateDir())
	stops := 0
	killed := map[int]bool{}
	for _, s := range sessions {
		seen, err := k.sightings(s.id)
		if err != nil {
			t.Fatal(err)
		}
		transcript, err := s.TranscriptPath(s.id)
		if err != nil {
			t.Fatal(err)
		}
		read, err := ReadTranscript(transcript)
		if err != nil {
			t.Fatal(err)
		}
		stops += len(seen)
		for _, s := range seen {
			if s.Killed {
				killed[s.PID] = true
			}
		}
		agree(t, seen, entries[s.id], read)
	}
	nothingLeft(t, base, path, killed)
	if want := 2 * len(all) * (turns - 1); stops < want {
		t.Errorf("only %d stops, want %d", stops, want)
	}
	for _, f := range base.model.Faults() {
		t.Error("model server:", f)
	}
	t.Logf("%d stops, %d of them killed", stops, len(killed))
}

// agree checks one session: its counters step by step, its ledger hook by hook, its
// transcript block by block.
func agree(t *testing.T, seen []sighting, entries map[int][]ledgerLine, transcript Transcript) {
	t.Helper()
	delivered := 0
	for i, s := range seen {
		what := fmt.Sprintf("session %s, stop %d (%s)", s.Session, s.Turn, filepath.Base(s.State))
		if s.Torn != "" {
			t.Errorf("%s: the state is torn: %s", what, s.Torn)
		}
		if i > 0 && seen[i-1].State == s.State && seen[i-1].After != s.Before {
			t.Errorf("%s: the counter was left at %d and found at %d", what, seen[i-1].After, s.Before)
		}
		if step := s.After - s.Before; s.After >= 0 && step != 0 && step != 1 {
			t.Errorf("%s: the counter went from %d to %d", what, s.Before, s.After)
		}
		lines := entries[s.PID]
		switch {
		case s.Killed:
			if len(lines) > 1 {
				t.Errorf("%s: killed, and %d lines in the ledger", what, len(lines))
			}
		case s.blocks():
			delivered++
			exact := strings.Contains(s.State, "ralph-loop.") || strings.HasSuffix(s.State, "ralph-state.json")
			if exact && s.After != s.Before+1 {
				t.Errorf("%s: blocked, and the counter went from %d to %d", what, s.Before, s.After)
			}
			if len(lines) != 1 || lines[0].Decision != "block" {
				t.Errorf("%s: blocked, and the ledger has %+v", what, lines)
			}
		case s.Stdout == "" && len(lines) != 0, s.Stdout != "" && (len(lines) != 1 || lines[0].Decision == "block"):
			t.Errorf("%s: answered %q, and the ledger has %+v", what, s.Stdout, lines)
		}
	}
	if blocks := transcript.StopBlocks(); len(blocks) != delivered {
		t.Errorf("%d blocks were delivered, the client noted %d", delivered, len(blocks))
	}
}

// ledgerLine holds the members of a ledger line that the soak checks.
type ledgerLine struct {
	Session  string `json:"session"`
	Event    string `json:"event"`
	Decision string `json:"decision"`
	PID      int    `json:"pid"`
}

// readLedger returns the lines about stops by session and process.
func readLedger(t *testing.T, stateDir string) map[string]map[int][]ledgerLine {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(stateDir, "ledger", "*.jsonl"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no ledger: %v", err)
	}
	all := map[string]map[int][]ledgerLine{}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
			var l ledgerLine
			if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
				t.Errorf("the ledger has a torn line %q: %v", lines.Bytes(), err)
				continue
			}
			if l.Event != "Stop" {
				continue
			}
			if all[l.Session] == nil {
				all[l.Session] = map[int][]ledgerLine{}
			}
			all[l.Session][l.PID] = append(all[l.Session][l.PID], l)
		}
	}
	return all
}

// nothingLeft looks for temporary files, held locks and processes. A killed hook may have left a temporary file; the
// next write of that file removes it.
func nothingLeft(t *testing.T, s *stage, path string, killed map[int]bool) {
	t.Helper()
	for _, top := range []string{s.Project, s.StateDir()} {
		err := filepath.WalkDir(top, func(name string, _ fs.DirEntry, err error) error {
			if base, ok := strings.CutSuffix(name, ".tmp"); ok && err == nil {
				if pid, err := strconv.Atoi(strings.TrimPrefix(filepath.Ext(base), ".")); err != nil || !killed[pid] {
					t.Errorf("left behind: %s", name)
				}
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
	locks, err := filepath.Glob(filepath.Join(s.StateDir(), "locks", "*"))
	if err != nil || len(locks) == 0 {
		t.Errorf("no lock was ever taken: %v", err)
	}
	for _, name := range locks {
		lock := flock.New(name)
		if ok, err := lock.TryLock(); !ok || err != nil {
			t.Errorf("the lock %s is held: %v", name, err)
		}
		lock.Close()
	}
	if runtime.GOOS != "linux" {
		return
	}
	programs, err := filepath.Glob("/proc/[0-9]*/exe")
	if err != nil {
		t.Fatal(err)
	}
	for _, link := range programs {
		if program, err := os.Readlink(link); err == nil && program == path {
			cwd, _ := os.Readlink(filepath.Join(filepath.Dir(link), "cwd"))
			if strings.HasPrefix(cwd, s.Root) {
				t.Errorf("a hook still runs: %s", link)
			}
		}
	}
}
