package lifecycle

import (
	"context"
	"fmt"

	"github.com/hookbridge/bridge/internal/agents"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/moderegistry"
	"github.com/hookbridge/bridge/protocol"
)

// Subagent handles subagent-start and subagent-stop: it updates the list of the session's
// agents and prints nothing, because a text at these events would start a new turn
// (Yeachan-Heo/oh-my-claudecode#3204, Yeachan-Heo/oh-my-claudecode#3209).
func Subagent(ctx context.Context, req protocol.Request) (protocol.Outcome, error) {
	in := req.Input
	if in.AgentType == "" || in.AgentID == "" {
		// The client's own agents, such as the one that suggests prompts, have no type.
		return nothing("internal-agent"), nil
	}
	s, ok := look(req)
	if !ok || s.records.Dir() == "" {
		return nothing("no-place"), nil
	}
	unlock, err := project.Lock(ctx, req.Env, s.records.Dir()+"\x00agents\x00"+in.SessionID, project.LockWait(ctx))
	if err != nil {
		return protocol.Outcome{}, fmt.Errorf("track the subagent %s: %w", in.AgentID, err)
	}
	started := in.HookEventName != protocol.EventSubagentStop && req.Hook.Name != string(protocol.SubagentStop)
	mode := ""
	if started {
		mode = s.parentMode()
	}
	save := write("track a subagent", func() error {
		return s.records.Update(moderegistry.AgentTracking, func(text []byte) ([]byte, error) {
			list, err := agents.Parse(text)
			if err != nil {
				// If the list cannot be read, a new one is better than none.
				list = agents.Tracking{}
			}
			if started {
				list.Start(in.AgentID, in.AgentType, mode, in.Subagent.Model, req.Env.Now)
			} else {
				list.Stop(in.AgentID, in.AgentType, in.Subagent.Success == nil || *in.Subagent.Success, req.Env.Now)
			}
			return list.Bytes()
		})
	})
	return protocol.Outcome{Writes: []protocol.Write{save}, Close: unlock, Trace: protocol.Trace{Rule: "tracked"}}, nil
}

// parentMode is the mode that the agent works for: the first active one in the order of
// oh-my-claudecode.
func (s scene) parentMode() string {
	for _, mode := range []moderegistry.Mode{moderegistry.Ultrapilot, moderegistry.Autopilot, moderegistry.Swarm, moderegistry.Ultrawork, moderegistry.Ralph} {
		if s.registry.Find(mode).OK {
			return string(mode)
		}
	}
	return "none"
}
