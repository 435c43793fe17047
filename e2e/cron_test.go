package e2e

import (
	"strings"
	"testing"
)

// TestRecurringTaskDoesNotHoldALoop: the loop waits for a wake-up, but not for a recurring task
// (docs/reference/claude-code.md#own-features).
func TestRecurringTaskDoesNotHoldALoop(t *testing.T) {
	s := newStage(t, Slowly(think, Turns(
		Call("CronCreate", map[string]any{"cron": "* * * * *", "prompt": "look at the pulse", "recurring": true}),
		Say("The pulse is fine."), Say("One part is missing."), Say("All of it is built. <promise>ALL DONE</promise>"))))
	id := sessionID()
	s.startLoop(loop{Session: id, Max: 20, Promise: "ALL DONE", Prompt: task})
	settings := wired(t)
	settings.Permissions.Allow = append(settings.Permissions.Allow, "CronCreate")
	r := s.run(Client{Prompt: task, SessionID: id, Settings: settings})
	requests := s.model.Requests(id, Main)
	if len(requests) != 4 || !strings.Contains(requests[1].Context(), "Scheduled recurring job") {
		t.Fatalf("the model was asked %d times, want 4; the tool answered %q", len(requests), requests[len(requests)-1].Context())
	}
	if blocks := r.Transcript.StopBlocks(); len(blocks) != 2 {
		t.Errorf("%d blocks, want 2: %q", len(blocks), blocks)
	}
	s.wantEnded(task)
}
