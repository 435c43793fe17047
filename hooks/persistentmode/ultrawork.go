// Package persistentmode is the ultrawork step of the Stop chain: it sends the model back
// to work as long as the session's task list has open tasks, or until the model promises
// that all is done if it has no tool for lists
// (docs/reference/hook-standard.md#stop-order; docs/reference/stop-rules.md#ultrawork).
// --hook=persistent-mode runs it together with the autopilot step.
package persistentmode

import (
	"context"
	"fmt"
	"time"

	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/client/claude/tasklist"
	"github.com/hookbridge/bridge/client/claude/transcript"
	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/moderegistry"
	"github.com/hookbridge/bridge/protocol"
)

// ultrawork is an ultrawork that this session owns or may claim.
type ultrawork struct {
	registry *moderegistry.Registry
	state    moderegistry.State
	facts    Facts
	// transcript is the path of the session's transcript.
	transcript string
}

// Find looks for the session's ultrawork. An ultrawork that a ralph loop started belongs
// to the loop: it never acts by itself, so it never outlives its loop
// (Yeachan-Heo/oh-my-claudecode#2088, Yeachan-Heo/oh-my-claudecode#2220).
func Find(s *protocol.Stop) (protocol.Found, error) {
	registry := moderegistry.Open(s)
	finding := registry.Find(moderegistry.Ultrawork)
	found := protocol.Found{Notices: finding.Notices}
	if !finding.OK || finding.State.Object.Bool("linked_to_ralph") {
		return found, nil
	}
	u := &ultrawork{registry: registry, state: finding.State, transcript: s.Input.TranscriptPath}
	u.facts = Facts{
		Count: u.state.Count, Max: u.state.Limit, Objective: display.Text(u.state.Object.Text("original_prompt")),
		Ending: registry.Ending(), Cancel: registry.CancelSignal(u.state), Tasks: tasklist.Read(s.Input.SessionID, u.state.StartedAt, s.Env.Getenv),
	}
	found.Active = u
	return found, nil
}

// Observe finds out whether the model could write a task list, if the session has none.
func (u *ultrawork) Observe(context.Context, protocol.Turn) {
	if u.facts.Tasks.Known || u.facts.Tasks.Partial {
		return
	}
	u.facts.Lists = transcript.Offers(u.transcript, claude.ListTools()...)
}

// Label names the mode for the user.
func (u *ultrawork) Label() string { return "ultrawork" }

// Decide answers a stop.
func (u *ultrawork) Decide(turn protocol.Turn, now time.Time) protocol.Decision {
	d := Decide(u.facts, turn)
	switch d.Kind {
	case protocol.Continue:
		object := u.state.Object.Set("reinforcement_count", d.Count).Set("last_checked_at", now)
		d.Writes = []protocol.Write{u.state.Save(fmt.Sprintf("save reinforcement %d", d.Count), object)}
	case protocol.Finish:
		writes, resume := u.End(now)
		d.Writes = writes
		d.Message += " " + resume
		if d.Rule == "max-reinforcements" {
			d.Message += fmt.Sprintf(" --limit %d", 2*u.facts.Max)
		}
		d.Diagnostic = d.Message
	case protocol.Allow:
	}
	return d
}

// End moves the mode to its backup.
func (u *ultrawork) End(time.Time) ([]protocol.Write, string) {
	return u.registry.End(u.state), u.state.Kept()
}
