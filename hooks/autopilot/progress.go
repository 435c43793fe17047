package autopilot

import (
	"context"
	"fmt"
	"strings"

	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/moderegistry"
	"github.com/hookbridge/bridge/protocol"
)

// Progress handles subagent-start and subagent-stop for an autopilot that is active for
// the session: it counts the subagents, so that people and the tools of oh-my-claudecode can
// see the progress of a phase. It prints nothing.
func Progress(ctx context.Context, req protocol.Request) (protocol.Outcome, error) {
	in := req.Input
	if in.SessionID == "" || in.AgentType == "" || req.Places().Root == "" {
		// The client's internal agents have no type.
		return protocol.Outcome{Trace: protocol.Trace{Step: "autopilot", Rule: "not-an-agent"}}, nil
	}
	registry := moderegistry.Open(req.Stop())
	if f, _ := find(registry); f == nil {
		return protocol.Outcome{Trace: protocol.Trace{Step: "autopilot", Rule: "nothing-active"}}, nil
	}
	unlock, err := registry.Lock(ctx, project.LockWait(ctx))
	if err != nil {
		return protocol.Outcome{}, fmt.Errorf("count a subagent of autopilot: %w", err)
	}
	f, _ := find(registry)
	if f == nil || f.state.Claim != "" {
		unlock()
		return protocol.Outcome{Trace: protocol.Trace{Step: "autopilot", Rule: "nothing-active"}}, nil
	}
	object, changed := progress(f.state.Object, in, Phase(f.state.Phase()))
	outcome := protocol.Outcome{Close: unlock, Trace: protocol.Trace{Step: "autopilot", Rule: "progress"}}
	if changed {
		save := f.state.Save("count a subagent", object.Set("last_checked_at", req.Env.Now))
		save.Optional = true
		outcome.Writes = []protocol.Write{save}
	}
	return outcome, nil
}

// progress returns the state with one subagent event counted. It is pure.
func progress(object statefile.Object, in protocol.Input, phase Phase) (after statefile.Object, changed bool) {
	reviewer := strings.Contains(in.AgentType, "architect") || strings.Contains(in.AgentType, "critic") || strings.Contains(in.AgentType, "reviewer")
	switch {
	case in.HookEventName == protocol.EventSubagentStart:
		object, changed = count(object, "total_agents_spawned")
		if phase == Validation && reviewer {
			inner, ok := count(object.Object("validation"), "architects_spawned")
			if ok {
				object = object.Set("validation", inner)
			}
		}
	case phase == Expansion && strings.Contains(in.AgentType, "analyst"):
		return object.Set("expansion", object.Object("expansion").Set("analyst_complete", true)), true
	case phase == Expansion && strings.Contains(in.AgentType, "architect"):
		return object.Set("expansion", object.Object("expansion").Set("architect_complete", true)), true
	}
	return object, changed
}

// count adds one to a member. A member that is not a number stays as it is.
func count(object statefile.Object, name string) (after statefile.Object, ok bool) {
	n, err := object.Count(name, 0)
	if err != nil {
		return object, false
	}
	return object.Set(name, n+1), true
}
