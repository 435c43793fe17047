package e2e

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const task = "Build the thing until it works."

// think is longer than the client takes to write its transcript. If the scripted model answered at once, a Stop hook
// would read a transcript without the turn's tool calls, which never happens with a real model.
const think = 250 * time.Millisecond

// words are messages without repetition.
var words = strings.Fields("alfa bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike november oscar papa quebec romeo sierra tango")

func speak(r Request) Turn { return Say("Working on part " + words[(r.N-1)%len(words)] + ".") }

func TestLoopEndsByItsPromise(t *testing.T) {
	s := newStage(t, Turns(Say("Part one is built."), Say("Part two is built."), Say("All of it works. <promise>DONE</promise>")))
	id := sessionID()
	s.startLoop(loop{Session: id, Max: 20, Promise: "DONE", Prompt: task})
	r := s.run(Client{Prompt: task, SessionID: id, Settings: wired(t)})

	requests := s.model.Requests(id, Main)
	if len(requests) != 3 {
		t.Fatalf("the model was asked %d times, want 3: %q", len(requests), r.Transcript.Says())
	}
	for _, q := range requests[1:] {
		if !strings.Contains(q.Prompt(), task) {
			t.Errorf("the model was not given the task again but %q", q.Prompt())
		}
	}
	blocks := r.Transcript.StopBlocks()
	if len(blocks) != 2 {
		t.Errorf("%d blocks, want 2: %q", len(blocks), blocks)
	}
	messages := r.Transcript.SystemMessages("Stop")
	for _, want := range []string{
		"Ralph iteration 2 | To stop: output <promise>DONE</promise>",
		"Ralph iteration 3 | To stop: output <promise>DONE</promise>",
		"Ralph loop: Detected <promise>DONE</promise>",
	} {
		if len(containing(messages, want)) != 1 {
			t.Errorf("the user did not see %q once but %q", want, messages)
		}
	}
	if _, err := os.Stat(s.StateDir()); err != nil {
		t.Error("bridge kept no record of the session:", err)
	}
	s.wantEnded(task)
}

func TestLoopEndsAtItsLimit(t *testing.T) {
	s := newStage(t, speak)
	id := sessionID()
	s.startLoop(loop{Session: id, Max: 12, Promise: "DONE", Prompt: task})
	r := s.run(Client{Prompt: task, SessionID: id, Settings: uncapped(wired(t))})

	if n := len(s.model.Requests(id, Main)); n != 12 {
		t.Errorf("the model was asked %d times, want 12: %q", n, r.Transcript.Says())
	}
	if blocks := r.Transcript.StopBlocks(); len(blocks) != 11 {
		t.Errorf("%d blocks, want 11", len(blocks))
	}
	if messages := r.Transcript.SystemMessages("Stop"); len(containing(messages, "Ralph loop: Max iterations (12) reached.")) != 1 {
		t.Errorf("the user was not told of the limit: %q", messages)
	}
	s.wantEnded(task)
}

// Without lifting the cap the client ends the turn after eight blocks. The loop must outlive that: bridge allows the ninth stop
// itself, keeps the counter, and continues at the next prompt.
func TestLoopSurvivesTheClientsCap(t *testing.T) {
	s := newStage(t, speak)
	id := sessionID()
	s.startLoop(loop{Session: id, Max: 12, Promise: "DONE", Prompt: task})
	settings := wired(t)

	first := s.run(Client{Prompt: task, SessionID: id, Settings: settings})
	if n := len(s.model.Requests(id, Main)); n != 9 {
		t.Fatalf("the model was asked %d times before the cap, want 9: %q", n, first.Transcript.Says())
	}
	if blocks := first.Transcript.StopBlocks(); len(blocks) != 8 {
		t.Errorf("%d blocks before the cap, want 8", len(blocks))
	}
	if n := s.frontMatter(loopFile, "iteration"); n != "9" {
		t.Errorf("iteration %s at the cap, want 9: the start and eight blocks", n)
	}
	messages := first.Transcript.SystemMessages("Stop")
	if len(messages) == 0 || !strings.Contains(messages[len(messages)-1], capVariable) {
		t.Errorf("the user was not told how to lift the cap: %q", messages)
	}

	const overridden = "overriding and ending turn"
	if first.Transcript.Contains(overridden) || strings.Contains(string(first.Stdout), overridden) {
		t.Error("the client had to override a block")
	}

	second := s.run(Client{Prompt: "go on", Resume: id, Settings: settings})
	if n := len(s.model.Requests(id, Main)); n != 13 {
		t.Errorf("the model was asked %d times in all, want 13: %q", n, second.Transcript.Says())
	}
	if blocks := second.Transcript.StopBlocks(); len(blocks) != 11 {
		t.Errorf("%d blocks in all, want 11", len(blocks))
	}
	s.wantEnded(task)
}

func TestIdleGuardEndsALoop(t *testing.T) {
	// The idle guard ignores digits: a counter in the message is not progress.
	s := newStage(t, Slowly(think, func(r Request) Turn { return Say(fmt.Sprintf("Still waiting, attempt %d.", r.N)) }))
	id := sessionID()
	s.startLoop(loop{Session: id, Max: 100, Promise: "DONE", Prompt: task})
	r := s.run(Client{Prompt: task, SessionID: id, Settings: uncapped(wired(t))})

	// Ten stops count. The first stop of a session may not count: the transcript contains no answer yet, so its tool
	// calls are unknown.
	asked := len(s.model.Requests(id, Main))
	if asked != 10 && asked != 11 {
		t.Errorf("the model was asked %d times, want 10 or 11", asked)
	}
	if blocks := r.Transcript.StopBlocks(); len(blocks) != asked-1 {
		t.Errorf("%d blocks, want %d: all stops but the last", len(blocks), asked-1)
	}
	if messages := r.Transcript.SystemMessages("Stop"); len(containing(messages, "bridge ralph resume")) != 1 {
		t.Errorf("the user was not told how to resume: %q", messages)
	}
	s.wantEnded(task)
}

func TestToolCallsKeepTheIdleGuardAway(t *testing.T) {
	// The same text more often than cap and guard allow, each time after a tool call.
	const stops = 11
	s := newStage(t, func(r Request) Turn {
		switch {
		case r.N > 2*stops:
			return Say("<promise>DONE</promise>")
		case r.N%2 == 1:
			return CallBash("echo work")
		default:
			t := Say("One more part is built.")
			t.Delay = think
			return t
		}
	})
	id := sessionID()
	s.startLoop(loop{Session: id, Max: 100, Promise: "DONE", Prompt: task})
	r := s.run(Client{Prompt: task, SessionID: id, Settings: wired(t)})
	if blocks := r.Transcript.StopBlocks(); len(blocks) != stops {
		t.Errorf("%d blocks, want %d", len(blocks), stops)
	}
	if messages := r.Transcript.SystemMessages("Stop"); len(containing(messages, "Ralph loop: Detected <promise>DONE</promise>")) != 1 {
		t.Errorf("the loop did not end by its promise: %q", messages)
	}
	s.wantEnded(task)
}

func TestTwoSessionsOfOneProject(t *testing.T) {
	owner, other := sessionID(), sessionID()
	s := newStage(t, PerSession(map[string]Script{
		// This model is slow, so that the other session stops while this one runs.
		owner: Slowly(think, Turns(Say("Part one is built."), Say("Part two is built."), Say("Part three is built."), Say("<promise>DONE</promise>"))),
		other: Turns(CallBash("echo hello"), Say("I only answered. <promise>DONE</promise>")),
	}))
	state := s.startLoop(loop{Session: owner, Max: 20, Promise: "DONE", Prompt: task})
	settings := wired(t)

	// The other session stops before the loop has begun, and again while it runs.
	before := s.run(Client{Prompt: "a question", SessionID: other, Settings: settings})
	if now, err := s.Read(loopFile); err != nil || now != state {
		t.Errorf("the other session changed the loop (%v):\n%s", err, now)
	}
	waitOwner := s.start(Client{Prompt: task, SessionID: owner, Settings: settings})
	waitOther := s.start(Client{Prompt: "another question", Resume: other, Settings: settings})
	looping, during := waitOwner(), waitOther()

	for _, r := range []*Result{before, during} {
		if blocks := r.Transcript.StopBlocks(); len(blocks) != 0 {
			t.Errorf("the other session was blocked: %q", blocks)
		}
		if strings.Contains(s.model.Requests(other, Main)[0].Context(), task) || r.Transcript.Contains(task) {
			t.Error("the other session was given the task")
		}
	}
	if blocks := looping.Transcript.StopBlocks(); len(blocks) != 3 {
		t.Errorf("%d blocks of the owner, want 3", len(blocks))
	}
	s.wantEnded(task)
}

// The author of an archive chooses the times of its files, but not the time at which it is unpacked.
func TestUnpackedLoopStartsNothing(t *testing.T) {
	s := newStage(t, speak)
	id := sessionID()
	started := time.Now().Add(-time.Hour).UTC().Truncate(time.Second)
	state := fmt.Sprintf("---\nactive: true\niteration: 1\nmax_iterations: 12\ncompletion_promise: null\nstarted_at: %q\n---\n\n%s\n", started.Format(time.RFC3339), task)
	var archive bytes.Buffer
	w := tar.NewWriter(&archive)
	err := w.WriteHeader(&tar.Header{Name: loopFile, Mode: 0o600, Size: int64(len(state)), ModTime: started})
	if err == nil {
		_, err = io.WriteString(w, state)
	}
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	unpack := exec.Command("tar", "-xf", "-", "-C", s.Project)
	unpack.Stdin = &archive
	if out, err := unpack.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	info, err := os.Stat(filepath.Join(s.Project, loopFile))
	if err != nil || !info.ModTime().Equal(started) {
		t.Fatalf("the file is not of the time in the archive: %v", err)
	}
	r := s.run(Client{Prompt: task, SessionID: id, Settings: wired(t)})

	if n := len(s.model.Requests(id, Main)); n != 1 {
		t.Errorf("the model was asked %d times, want 1", n)
	}
	if messages := r.Transcript.SystemMessages("Stop"); len(containing(messages, "ralph resume")) != 1 {
		t.Errorf("the user was not told: %q", messages)
	}
	if now, err := s.Read(loopFile); err != nil || now != state {
		t.Errorf("the state changed (%v):\n%s", err, now)
	}
}

func TestDisabledBridgeLetsTheSessionStop(t *testing.T) {
	s := newStage(t, speak)
	id := sessionID()
	state := s.startLoop(loop{Session: id, Max: 12, Promise: "DONE", Prompt: task})
	r := s.run(Client{Prompt: task, SessionID: id, Settings: wired(t), Env: map[string]string{"DISABLE_OMC": "1"}})

	if n := len(s.model.Requests(id, Main)); n != 1 {
		t.Errorf("the model was asked %d times, want 1", n)
	}
	if blocks := r.Transcript.StopBlocks(); len(blocks) != 0 {
		t.Errorf("blocked: %q", blocks)
	}
	if now, err := s.Read(loopFile); err != nil || now != state {
		t.Errorf("the state changed (%v):\n%s", err, now)
	}
	for _, path := range []string{filepath.Join(s.Project, loopBackup), s.StateDir()} {
		if _, err := os.Lstat(path); !os.IsNotExist(err) {
			t.Errorf("%s was made (%v)", path, err)
		}
	}
}
