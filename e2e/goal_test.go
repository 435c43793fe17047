package e2e

import (
	"strings"
	"testing"
)

// TestGoalBesideALoop: a /goal that is not reached and a loop share the client's cap, the
// model receives both texts in one request, and neither ends the other
// (docs/reference/claude-code.md#own-features).
func TestGoalBesideALoop(t *testing.T) {
	const missing = "GOALREASON: the file is missing."
	goal := func(s *stage) string {
		s.model.Judge = func(Request) Turn { return Say(`{"ok": false, "reason": "` + missing + `"}`) }
		return "/goal the file exists"
	}
	both := func(t *testing.T, q Request, loop bool) {
		t.Helper()
		if text := q.Prompt(); strings.Contains(text, task) != loop || !strings.Contains(text, missing) {
			t.Errorf("request %d, with the loop's text %v: %q", q.N, loop, text)
		}
	}
	t.Run("to the cap", func(t *testing.T) {
		s := newStage(t, Slowly(think, func(r Request) Turn { return Say(strings.Repeat("more ", r.N)) }))
		id := sessionID()
		s.startLoop(loop{Session: id, Max: 20, Promise: "ALL DONE", Prompt: task})
		r := s.run(Client{Prompt: goal(s), SessionID: id, Settings: wired(t)})
		requests := s.model.Requests(id, Main)
		if len(requests) != 9 {
			t.Fatalf("the model was asked %d times, want 9", len(requests))
		}
		for _, q := range requests[1:] {
			both(t, q, true)
		}
		if n, cap := s.frontMatter(loopFile, "iteration"), containing(r.Transcript.SystemMessages("Stop"), "its cap is 8 in a row"); n != "9" || len(cap) != 1 {
			t.Errorf("the loop stands at %s, and the user was told %q", n, cap)
		}
	})
	t.Run("the loop ends first", func(t *testing.T) {
		s := newStage(t, Slowly(think, Turns(Say("Part one."), Say("It works. <promise>ALL DONE</promise>"), Say("What about the file?"))))
		id := sessionID()
		s.startLoop(loop{Session: id, Max: 20, Promise: "ALL DONE", Prompt: task})
		s.run(Client{Prompt: goal(s), SessionID: id, Settings: wired(t)})
		requests := s.model.Requests(id, Main)
		if len(requests) != 9 {
			t.Fatalf("the model was asked %d times, want 9", len(requests))
		}
		both(t, requests[1], true)
		both(t, requests[2], false)
		s.wantEnded(task)
	})
}
