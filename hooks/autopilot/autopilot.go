// Package autopilot is the autopilot step of the Stop chain: it leads the model through
// five phases, from an idea to a validated result
// (docs/reference/hook-standard.md#stop-order; docs/reference/stop-rules.md#autopilot).
// It also counts the subagents that work for it.
package autopilot

import (
	"fmt"
	"path/filepath"
	"time"

	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/moderegistry"
	"github.com/hookbridge/bridge/protocol"
)

// flight is an autopilot run that this session owns or may claim.
type flight struct {
	registry *moderegistry.Registry
	state    moderegistry.State
	facts    Facts
}

// Find looks for the session's autopilot. If another exclusive mode was started before
// it, autopilot is ignored (docs/design.md#two-exclusive-modes).
func Find(s *protocol.Stop) (protocol.Found, error) {
	f, notices := find(moderegistry.Open(s))
	found := protocol.Found{Notices: notices}
	if f != nil {
		found.Active = f
	}
	return found, nil
}

func find(registry *moderegistry.Registry) (*flight, []protocol.KeyedNotice) {
	finding := registry.Find(moderegistry.Autopilot)
	if !finding.OK {
		return nil, finding.Notices
	}
	state := finding.State
	if rival, ok := registry.Rival(state); ok {
		notice := rivalNotice(state, rival)
		finding.Notices = append(finding.Notices, notice)
		if moderegistry.StartedLater(state, rival) {
			return nil, finding.Notices
		}
	}
	f := &flight{registry: registry, state: state}
	f.facts = Facts{
		Phase: Phase(state.Phase()), Iteration: state.Count, Max: state.Limit, Idea: display.Text(idea(state.Object)),
		SpecFile:  f.place(moderegistry.AutopilotSpec, state.Object.Object("expansion").Text("spec_path")),
		PlanFile:  f.place(moderegistry.AutopilotPlan, state.Object.Object("planning").Text("plan_path")),
		Cancelled: registry.CancelSignal(state) == moderegistry.SignalHere,
		Ending:    registry.Ending(),
	}
	return f, finding.Notices
}

// place is a path that the model is told: the one in the state or, if the state has none, the one in the path table.
func (f *flight) place(file moderegistry.File, named string) string {
	if named != "" {
		return display.Text(display.Clip(named, 200))
	}
	name, _ := moderegistry.LegacyPath(file)
	return filepath.ToSlash(filepath.Join(filepath.Base(f.state.Dir), name))
}

func idea(object statefile.Object) string {
	for _, field := range []string{"originalIdea", "original_prompt", "prompt"} {
		if text := object.Text(field); text != "" {
			return text
		}
	}
	return ""
}

func rivalNotice(own, rival moderegistry.State) protocol.KeyedNotice {
	first, second := own, rival
	if moderegistry.StartedLater(own, rival) {
		first, second = rival, own
	}
	return protocol.KeyedNotice{
		Key: "two-exclusive:" + project.ID(own.Path()+"\x00"+rival.Path()),
		Text: fmt.Sprintf("Two modes that exclude each other are active: %s (%s) and %s (%s). The later one, %s, is ignored. Stop one of them: "+display.Bridge+" mode stop %s, or "+display.Bridge+" mode stop %s.",
			first.Mode, first.Path(), second.Mode, second.Path(), second.Mode, first.Mode, second.Mode),
	}
}

// Label names the mode for the user.
func (f *flight) Label() string { return "autopilot" }

// Decide answers a stop.
func (f *flight) Decide(turn protocol.Turn, now time.Time) protocol.Decision {
	d, phase := Decide(f.facts, turn)
	object := f.state.Object.Set("phase", string(phase)).Set("last_checked_at", now)
	switch d.Kind {
	case protocol.Continue:
		d.Writes = []protocol.Write{f.state.Save(fmt.Sprintf("save iteration %d", d.Count), object.Set("iteration", d.Count).Set("max_iterations", f.facts.Max))}
		if phase != f.facts.Phase {
			d.Kept = []protocol.Write{f.state.Save("save phase "+string(phase), object)}
		}
	case protocol.Finish:
		writes, resume := f.End(now)
		switch d.Rule {
		case "complete":
			// A completed autopilot cannot be resumed.
			object = object.Set("active", false).Set("completed_at", now)
			resume = "Its state is kept in " + display.Text(statefile.Backup(f.state.Path())) + "."
		case "max-iterations":
			resume += fmt.Sprintf(" --limit %d", 2*f.facts.Max)
		}
		d.Writes = append([]protocol.Write{f.state.Save("save phase "+string(phase), object)}, writes...)
		d.Message += " " + resume
		d.Diagnostic = d.Message
	case protocol.Allow:
		d.MessageKey = d.Rule + ":" + project.ID(f.state.Path()+string(phase))
	}
	return d
}

// End moves the mode to its backup.
func (f *flight) End(time.Time) ([]protocol.Write, string) {
	return f.registry.End(f.state), f.state.Kept()
}
