// Package stopcontinuation is the last step of the Stop chain. It never blocks: todo continuation was removed from the
// chain (docs/reference/hook-standard.md#d-02; docs/design.md#four-steps). It only tells the user the stage of the
// session's team (docs/reference/stop-rules.md#stop-continuation).
package stopcontinuation

import (
	"fmt"
	"time"

	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/moderegistry"
	"github.com/hookbridge/bridge/protocol"
)

// team is the session's team.
type team struct {
	registry *moderegistry.Registry
	state    moderegistry.State
}

// Find looks for the session's team.
func Find(s *protocol.Stop) (protocol.Found, error) {
	registry := moderegistry.Open(s)
	finding := registry.Find(moderegistry.Team)
	found := protocol.Found{Notices: finding.Notices}
	if finding.OK {
		found.Active = &team{registry, finding.State}
	}
	return found, nil
}

// Label names the mode for the user.
func (t *team) Label() string { return "team" }

// Decide lets the turn end, and reports each stage of the team once.
func (t *team) Decide(protocol.Turn, time.Time) protocol.Decision {
	name := t.state.Object.Text("team_name")
	if name == "" {
		name = t.state.Object.Text("teamName")
	}
	end, stage := moderegistry.TeamEnd(t.state.Object), t.state.Phase()
	d := protocol.Decision{Kind: protocol.Allow, Rule: "team-stage", MessageKey: "team:" + project.ID(t.state.Path()+"\x00"+stage+"\x00"+end)}
	d.Message = Message(display.Text(display.Clip(name, 80)), display.Text(display.Clip(stage, 40)), end)
	if end != "" {
		d.Rule = "team-ended"
	}
	return d
}

// Message describes the stage of a team. end is the phase with which the team ended, or
// empty.
func Message(name, stage, end string) string {
	if name == "" {
		name = "team"
	}
	if end != "" {
		return fmt.Sprintf("[TEAM MODE TERMINAL STATE DETECTED] Team %q has ended (%s), but its state is still there. To remove it: "+display.Bridge+" mode stop team.", name, end)
	}
	if stage == "" {
		stage = "team-plan"
	}
	return fmt.Sprintf("[TEAM MODE] Team %q is at stage %s: %s The team does not block this session; to end it: "+display.Bridge+" mode stop team.", name, stage, next(stage))
}

// next describes a stage.
func next(stage string) string {
	switch stage {
	case "team-plan", "planning":
		return "the work is being planned and divided."
	case "team-prd":
		return "requirements and acceptance criteria are being written."
	case "team-exec", "executing":
		return "the tasks are being carried out."
	case "team-verify", "verify", "verification":
		return "the result still has to be verified."
	case "team-fix", "fix", "fixing":
		return "what the verification found still has to be fixed."
	}
	return "the team is at work."
}

// End moves the team's state to its backup.
func (t *team) End(time.Time) ([]protocol.Write, string) {
	return t.registry.End(t.state), "To continue: " + moderegistry.ResumeCommand(moderegistry.Team)
}
