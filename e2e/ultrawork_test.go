package e2e

import (
	"slices"
	"strings"
	"testing"
)

// TestUltraworkEndsWithoutATaskTool: a model is asked only for a list that it can write.
// The default model of 2.1.330 has no tool for it, and ends ultrawork by a promise; that of
// 2.1.197 has one, but its transcript does not say so.
func TestUltraworkEndsWithoutATaskTool(t *testing.T) {
	const promise = "<promise>ULTRAWORK_COMPLETE</promise>"
	s := newStage(t, Slowly(think, func(r Request) Turn {
		if strings.Contains(r.Context(), promise) {
			return Say("All of it is done and checked. " + promise)
		}
		return Say("A part of it is done.")
	}))
	id := sessionID()
	file := s.mode("ultrawork", id, `"reinforcement_count": 0`)
	r := s.run(Client{Prompt: task, SessionID: id, Settings: wired(t)})
	wantBlocks(t, r, 1, "[ULTRAWORK #1/50]")
	requests := s.model.Requests(id, Main)
	if len(requests) != 2 {
		t.Fatalf("the model was asked %d times, want 2", len(requests))
	}
	asked, has := strings.Contains(requests[1].Context(), "Write one (TaskCreate"), slices.Contains(requests[1].Tools, "TaskCreate")
	if asked != has {
		t.Errorf("asked for a list: %v, has the tool: %v", asked, has)
	}
	if n, ended := s.member(file, "reinforcement_count"); n != 1 || !ended {
		t.Errorf("ultrawork stands at %v, ended %v", n, ended)
	}
	if messages := r.Transcript.SystemMessages("Stop"); len(containing(messages, "[ULTRAWORK COMPLETE]")) != 1 {
		t.Errorf("the user was not told: %q", messages)
	}
}
