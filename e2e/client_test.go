package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The tests in this file check facts about the client on which bridge relies. If one fails with a new version of the
// client, it shows what has to change in bridge.

func TestClientGivesUpAfterEightBlocks(t *testing.T) {
	s := newStage(t, func(r Request) Turn { return Say(fmt.Sprintf("turn %d", r.N)) })
	payloads := t.TempDir()
	r := s.run(Client{Prompt: "hello", Settings: Settings{}.On("Stop", probeHook(t, "block", payloads))})
	if stops := payloadCount(t, payloads); stops != 9 {
		t.Errorf("the Stop hook ran %d times, want 9: eight blocks and the one that is overridden", stops)
	}
	if n := len(s.model.Requests("", Main)); n != 9 {
		t.Errorf("the model was asked %d times, want 9", n)
	}
	requests := s.model.Requests("", Main)
	if got := strings.Count(requests[len(requests)-1].Context(), "Stop hook feedback:"); got != 8 {
		t.Errorf("%d blocks were fed back to the model, want 8", got)
	}
	// The transcript lists the overridden block like the others.
	if got := len(r.Transcript.StopBlocks()); got != 9 {
		t.Errorf("%d blocks in the transcript, want 9", got)
	}
}

func TestClientToolCallResetsTheCountOfBlocks(t *testing.T) {
	turns := make([]Turn, 0, 32)
	for n := range 5 {
		turns = append(turns, Say(fmt.Sprint("first ", n)))
	}
	turns = append(turns, CallBash("echo tool"))
	for n := range 20 {
		turns = append(turns, Say(fmt.Sprint("second ", n)))
	}
	s := newStage(t, Turns(turns...))
	payloads := t.TempDir()
	settings := Settings{Permissions: &Permissions{Allow: []string{"Bash(echo *)"}}}.On("Stop", probeHook(t, "block", payloads))
	s.run(Client{Prompt: "hello", Settings: settings})
	if stops := payloadCount(t, payloads); stops != 5+9 {
		t.Errorf("the Stop hook ran %d times, want 14: the tool call after five blocks starts a new count", stops)
	}
}

func TestClientResumesUnderTheSameSession(t *testing.T) {
	s := newStage(t, Turns(CallBash("echo from-the-tool"), Say("one"), Say("two")))
	settings := Settings{Permissions: &Permissions{Allow: []string{"Bash(echo *)"}}}
	id := sessionID()
	first := s.run(Client{Prompt: "the first prompt", SessionID: id, Settings: settings})
	if first.SessionID != id {
		t.Errorf("session %s, want %s", first.SessionID, id)
	}
	second := s.run(Client{Prompt: "the second prompt", Resume: id, Settings: settings})
	if second.SessionID != id {
		t.Errorf("resumed as %s, want %s", second.SessionID, id)
	}
	requests := s.model.Requests(id, Main)
	if len(requests) != 3 {
		t.Fatalf("%d requests, want 3", len(requests))
	}
	last := requests[2]
	if last.Prompt() != "the second prompt" {
		t.Errorf("prompt %q", last.Prompt())
	}
	for _, part := range []string{"the first prompt", "from-the-tool", "one"} {
		if !strings.Contains(last.Context(), part) {
			t.Errorf("the context of the resumed session lacks %q:\n%s", part, last.Context())
		}
	}
	if got := fmt.Sprint(second.Transcript.Says()); got != "[one two]" {
		t.Errorf("transcript says %s", got)
	}
}

func TestClientRequestsAreToldApart(t *testing.T) {
	agent := Call("Agent", object{"description": "scripted", "prompt": "say one", "subagent_type": "general-purpose", "run_in_background": false})
	s := newStage(t, Agents(Turns(agent, Say("two")), Turns(Say("one"))))
	r := s.run(Client{Prompt: "use an agent", Settings: Settings{Permissions: &Permissions{Allow: []string{"Agent"}}}})
	s.run(Client{Prompt: "/compact", Resume: r.SessionID})
	for kind, want := range map[Kind]int{Main: 2, Subagent: 1, Compact: 1} {
		if got := len(s.model.Requests(r.SessionID, kind)); got != want {
			t.Errorf("%d requests of kind %v, want %d", got, kind, want)
		}
	}
	if got := s.model.Requests("", Subagent)[0].Prompt(); got != "say one" {
		t.Errorf("the subagent was asked %q", got)
	}
}

func payloadCount(t *testing.T, dir string) int {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if filepath.Ext(f.Name()) != ".json" {
			t.Errorf("unexpected file %s", f.Name())
		}
	}
	return len(files)
}
