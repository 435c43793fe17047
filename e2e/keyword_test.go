package e2e

import (
	"strings"
	"testing"
)

// A prompt that asks for ultrawork starts it, the model is told, and its stops are blocked until the user cancels.
func TestKeywordStartsAMode(t *testing.T) {
	s := newStage(t, Slowly(think, speak))
	id := sessionID()
	settings := wired(t)
	settings.Env = map[string]string{capVariable: "3"}
	first := s.run(Client{Prompt: "ultrawork: migrate the tests", SessionID: id, Settings: settings})
	if got := s.model.Requests(id, Main)[0].Context(); !strings.Contains(got, "[bridge] The user asked for ultrawork") {
		t.Errorf("the model was not told:\n%s", got)
	}
	wantBlocks(t, first, 3, "[ULTRAWORK #")
	if n, ended := s.member(".omc/state/sessions/"+id+"/ultrawork-state.json", "reinforcement_count"); n != 3 || ended {
		t.Errorf("ultrawork stands at %v, ended %v", n, ended)
	}
	second := s.run(Client{Prompt: "cancelomc", Resume: id, Settings: settings})
	if blocks := second.Transcript.StopBlocks(); len(blocks) != 3 {
		t.Errorf("%d blocks in all, want 3: %q", len(blocks), blocks)
	}
	requests := s.model.Requests(id, Main)
	if last := requests[len(requests)-1].Context(); !strings.Contains(last, "The user cancelled: ultrawork ended") {
		t.Errorf("the model was not told of the cancel:\n%.2000s", last)
	}
}

// A prompt that only mentions a mode starts nothing.
func TestMentionStartsNothing(t *testing.T) {
	s := newStage(t, speak)
	id := sessionID()
	r := s.run(Client{Prompt: "What is ralph, and how does ultrawork differ from autopilot?", SessionID: id, Settings: wired(t)})
	if blocks := r.Transcript.StopBlocks(); len(blocks) != 0 {
		t.Errorf("blocked: %q", blocks)
	}
}

// The flagship prompt starts autopilot: the user sees one line about it, and the stop is blocked.
func TestPromptStartsAutopilotInATerminal(t *testing.T) {
	s := newStage(t, Slowly(think, speak))
	settings := wired(t)
	settings.Env = map[string]string{capVariable: "2"}
	c := Client{Path: s.client, Workspace: s.Workspace, Model: s.model, Settings: settings, SessionID: sessionID(), Prompt: "autopilot build me a todo app"}
	term := openTerminal(t, c)
	defer closeTerminal(t, term)
	if _, err := term.WaitFor(t.Context(), "Your prompt started autopilot"); err != nil {
		t.Fatal(err)
	}
	if _, err := term.WaitFor(t.Context(), ", iteration 3/10"); err != nil {
		t.Error(err)
	}
	if requests := s.model.Requests(c.SessionID, Main); len(requests) < 2 || !strings.Contains(requests[1].Context(), "[AUTOPILOT - Phase") {
		t.Errorf("the stop was not blocked: %d requests", len(requests))
	}
}
