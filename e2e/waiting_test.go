package e2e

import (
	"strings"
	"testing"
	"time"
)

// TestWorkflowIsWaitedFor: the loop waits for a running workflow and counts no iteration.
func TestWorkflowIsWaitedFor(t *testing.T) {
	const script = "export const meta = { name: 'probe', description: 'probes', phases: [{title: 'One'}] }\nphase('One')\nreturn await agent('do it', {phase: 'One'})\n"
	s := newStage(t, Agents(Slowly(think, func(r Request) Turn {
		switch {
		case r.N == 1:
			return Call("Workflow", map[string]any{"script": script})
		case strings.Contains(r.Context(), "<task-notification>"):
			return Say("The workflow reported. <promise>ALL DONE</promise>")
		}
		return Say("I wait for the workflow.")
	}), Slowly(3*time.Second, Turns(Say("done")))))
	id := sessionID()
	s.startLoop(loop{Session: id, Max: 20, Promise: "ALL DONE", Prompt: task})
	settings := wired(t)
	settings.Permissions.Allow = append(settings.Permissions.Allow, "Workflow")
	r := s.run(Client{Prompt: task, SessionID: id, Settings: settings})
	if n := len(s.model.Requests(id, Main)); n != 3 {
		t.Errorf("the model was asked %d times, want 3: the call, the wait, the report", n)
	}
	if blocks := r.Transcript.StopBlocks(); len(blocks) != 0 {
		t.Errorf("blocked with %q", blocks)
	}
	s.wantEnded(task)
}

// TestWakeupThatHasComeIsOver: the loop waits for a wake-up that the client has scheduled, and continues after it. If
// the client rejects the call, no wake-up comes, so the loop continues at once. 2.1.197 rejects it in print mode;
// 2.1.330 waits a minute or two.
func TestWakeupThatHasComeIsOver(t *testing.T) {
	s := newStage(t, Slowly(think, func(r Request) Turn {
		switch {
		case r.N == 1:
			return Call("ScheduleWakeup", map[string]any{"delaySeconds": 60, "reason": "the build takes a minute", "prompt": "look at the build"})
		case r.N == 2:
			return Say("I wait for the build.")
		case r.N == 3:
			return Say("It is built; one part is missing.")
		}
		return Say("All of it is built. <promise>ALL DONE</promise>")
	}))
	id := sessionID()
	s.startLoop(loop{Session: id, Max: 20, Promise: "ALL DONE", Prompt: task})
	settings := wired(t)
	settings.Permissions.Allow = append(settings.Permissions.Allow, "ScheduleWakeup")
	r := s.run(Client{Prompt: task, SessionID: id, Settings: settings, Timeout: 4 * time.Minute})
	requests := s.model.Requests(id, Main)
	if len(requests) != 4 {
		t.Fatalf("the model was asked %d times, want 4", len(requests))
	}
	refused := strings.Contains(requests[1].Context(), "Wakeup not scheduled")
	third, fourth := requests[2].Prompt(), requests[3].Prompt()
	if woken := strings.Contains(third, "look at the build"); woken == refused {
		t.Errorf("refused %v, but the third request is %q", refused, third)
	}
	if !strings.Contains(fourth, task) {
		t.Errorf("the fourth request is %q, not the loop's prompt", fourth)
	}
	want := 1
	if refused {
		want = 2
	}
	if blocks := r.Transcript.StopBlocks(); len(blocks) != want {
		t.Errorf("%d blocks, want %d: %q", len(blocks), want, blocks)
	}
	s.wantEnded(task)
}
