package e2e

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// configure writes the user's configuration of bridge.
func (s *stage) configure(text string) {
	s.t.Helper()
	path := filepath.Join(s.Home, ".config", "bridge", "config.json")
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		s.t.Fatal(err)
	}
}

// longTask is a prompt of n characters, with a word that occurs once.
func longTask(n int) string {
	const begin = "ONCEONLY: build the thing until it works. "
	return begin + strings.Repeat("x", n-len(begin))
}

func copies(r Request) int { return bytes.Count(r.Raw, []byte("ONCEONLY")) }

// TestStopDelivery measures the figures of docs/reference/claude-code.md#stop-delivery: how often the model receives the
// loop's text for each iteration, and what the user sees.
func TestStopDelivery(t *testing.T) {
	version, err := Version(t.Context(), clientPath(t))
	if err != nil {
		t.Fatal(err)
	}
	twice := 2
	if version == "2.1.197" {
		twice = 1
	}
	for _, test := range []struct {
		delivery string
		length   int
		copies   int
		blocks   int
	}{
		{"block", 3000, twice, 2},
		{"context", 3000, 1, 0},
		{"context", 10_001, twice, 2},
	} {
		t.Run(fmt.Sprint(test.delivery, test.length), func(t *testing.T) {
			s := newStage(t, Slowly(think, Turns(Say("Part one."), Say("Part two."), Say("All of it works. <promise>ALL DONE</promise>"))))
			s.configure(`{"stop_delivery": "` + test.delivery + `"}`)
			id, prompt := sessionID(), longTask(test.length)
			s.startLoop(loop{Session: id, Max: 20, Promise: "ALL DONE", Prompt: prompt})
			r := s.run(Client{Prompt: "Begin.", SessionID: id, Settings: wired(t)})
			requests := s.model.Requests(id, Main)
			if len(requests) != 3 {
				t.Fatalf("the model was asked %d times, want 3", len(requests))
			}
			for i, q := range requests[1:] {
				if n := copies(q) - copies(requests[i]); n != test.copies {
					t.Errorf("request %d has %d more copies of the prompt, want %d", q.N, n, test.copies)
				}
				if !strings.Contains(q.Context(), "<promise>ALL DONE</promise>") {
					t.Errorf("request %d does not tell the promise", q.N)
				}
			}
			t.Logf("%s, %s, %d characters: %d bytes for each iteration", version, test.delivery, test.length, len(requests[2].Raw)-len(requests[1].Raw))
			if blocks := r.Transcript.StopBlocks(); len(blocks) != test.blocks {
				t.Errorf("%d blocks, want %d", len(blocks), test.blocks)
			}
			if messages := containing(r.Transcript.SystemMessages("Stop"), "Ralph iteration"); len(messages) != 2 {
				t.Errorf("the user was told %q", messages)
			}
			s.wantEnded("ONCEONLY")
		})
	}
}

// TestContextUnderTheCap: the client overrides the ninth context as it overrides the ninth
// block, so bridge pauses before it.
func TestContextUnderTheCap(t *testing.T) {
	s := newStage(t, Slowly(think, func(r Request) Turn { return Say(strings.Repeat("still ", r.N) + "waiting") }))
	s.configure(`{"stop_delivery": "context"}`)
	id := sessionID()
	s.startLoop(loop{Session: id, Max: 50, Prompt: task})
	r := s.run(Client{Prompt: "Begin.", SessionID: id, Settings: wired(t)})
	if n := len(s.model.Requests(id, Main)); n != 9 {
		t.Errorf("the model was asked %d times, want 9", n)
	}
	if messages := r.Transcript.SystemMessages("Stop"); len(containing(messages, "its cap is 8 in a row")) != 1 {
		t.Errorf("the user was told %q", messages)
	}
	if n := s.frontMatter(loopFile, "iteration"); n != "9" {
		t.Errorf("the loop stands at %s, want 9", n)
	}
}

// TestContextBesideAnotherHook: two hook lines of bridge deliver one text, and the feedback
// of another hook arrives beside it.
func TestContextBesideAnotherHook(t *testing.T) {
	path := bridge(t)
	s := newStage(t, Slowly(think, Turns(Say("Part one."), Say("Part two."), Say("<promise>ALL DONE</promise>"))))
	s.configure(`{"stop_delivery": "context"}`)
	id := sessionID()
	s.startLoop(loop{Session: id, Max: 3, Promise: "ALL DONE", Prompt: longTask(100)})
	s.mode("ultrawork", id, `"reinforcement_count": 0`)
	other := Exec("/bin/sh", "-c", `grep -q '"stop_hook_active":true' || echo '{"decision": "block", "reason": "Run the linter, too."}'`)
	settings := wired(t).On("Stop", Exec(path, "--hook=ralph"), Exec(path, "--hook=persistent-mode"), other)
	s.run(Client{Prompt: "Begin.", SessionID: id, Settings: settings, Env: map[string]string{"OMC_SKIP_HOOKS": "ultrawork"}})
	requests := s.model.Requests(id, Main)
	if len(requests) != 3 {
		t.Fatalf("the model was asked %d times, want 3", len(requests))
	}
	if n := copies(requests[1]); n != 1 || !strings.Contains(requests[1].Context(), "Run the linter, too.") {
		t.Errorf("%d copies of the prompt, and %q", n, requests[1].Prompt())
	}
	s.wantEnded("ONCEONLY")
}
