package e2e

import (
	"strings"
	"testing"
)

// A loop in an interactive client: the user sees its messages on the screen.
func TestLoopInATerminal(t *testing.T) {
	s := newStage(t, Slowly(think, Turns(Say("Part one is built."), Say("Part two is built."), Say("All of it works. <promise>DONE</promise>"))))
	id := sessionID()
	s.startLoop(loop{Session: id, Max: 20, Promise: "DONE", Prompt: task})
	c := Client{
		Path: s.client, Workspace: s.Workspace, Model: s.model, Settings: wired(t),
		SessionID: id, PermissionMode: "default", Prompt: task,
	}
	ctx := t.Context()
	term := openTerminal(t, c)
	defer closeTerminal(t, term)
	screen, err := term.WaitFor(ctx, "Detected <promise>DONE</promise>")
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"Ralph iteration 2", "Ralph iteration 3", "All of it works."} {
		if !strings.Contains(screen, part) {
			t.Errorf("no %q on the screen:\n%s", part, screen)
		}
	}
	if n := len(s.model.Requests(id, Main)); n != 3 {
		t.Errorf("the model was asked %d times, want 3", n)
	}
	s.wantEnded(task)
}
