package e2e

import (
	"regexp"
	"testing"
)

var promiseTag = regexp.MustCompile(`<promise>[A-Z ]+</promise>`)

// obey is a model that outputs the first promise that it was told.
func obey(r Request) Turn {
	if tag := promiseTag.Find(r.Raw); tag != nil {
		return Say("All of it works. " + string(tag))
	}
	return speak(r)
}

// TestLoopOfATerminalTellsItsPromise: only bridge knows the promise of a loop that was started in a terminal. It tells
// the model at the session's start and at each block.
func TestLoopOfATerminalTellsItsPromise(t *testing.T) {
	for skip, want := range map[string]int{"": 1, "session-start": 2} {
		t.Run("without "+skip, func(t *testing.T) {
			s := newStage(t, obey)
			id := sessionID()
			s.startLoop(loop{Session: id, Max: 20, Promise: "ALL DONE", Prompt: task})
			s.run(Client{Prompt: task, SessionID: id, Settings: wired(t), Env: map[string]string{"OMC_SKIP_HOOKS": skip}})
			if n := len(s.model.Requests(id, Main)); n != want {
				t.Errorf("the model was asked %d times, want %d", n, want)
			}
			s.wantEnded(task)
		})
	}
}

// TestPromiseSurvivesACompaction: a compaction removes the promise from the conversation, so the session start after it
// tells the model again.
func TestPromiseSurvivesACompaction(t *testing.T) {
	s := newStage(t, func(r Request) Turn {
		if r.Kind == Main && r.N > 2 {
			return obey(r)
		}
		return speak(r)
	})
	id := sessionID()
	settings := wired(t)
	skip := map[string]string{"OMC_SKIP_HOOKS": "ralph"}
	s.run(Client{Prompt: "one", SessionID: id, Settings: settings})
	s.startLoop(loop{Session: id, Max: 20, Promise: "ALL DONE", Prompt: task})
	s.run(Client{Prompt: "two", Resume: id, Settings: settings, Env: skip})
	s.run(Client{Prompt: "/compact", Resume: id, Settings: settings, Env: skip})
	before := len(s.model.Requests(id, Main))
	s.run(Client{Prompt: "go on", Resume: id, Settings: settings})
	if n := len(s.model.Requests(id, Main)) - before; n != 1 {
		t.Errorf("the model was asked %d times after the compaction, want once", n)
	}
	s.wantEnded(task)
}
