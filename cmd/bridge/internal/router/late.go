package router

import (
	"github.com/hookbridge/bridge/hooks/guard"
	"github.com/hookbridge/bridge/protocol"
)

// lateOf returns what a type writes down when its handler ran into the deadline,
// or nil (seed 004, section 2.4). The writes follow the answer.
func lateOf(t protocol.Type) func(protocol.Request) []protocol.Write {
	switch t {
	case protocol.PreToolUse:
		return guard.LatePreToolUse
	case protocol.PostToolUse:
		return guard.LatePostToolUse
	case protocol.KeywordDetector, protocol.Ralph, protocol.PersistentMode, protocol.StopContinuation,
		protocol.SessionStart, protocol.SessionEnd, protocol.Autopilot, protocol.SubagentStart, protocol.SubagentStop,
		protocol.PreCompact, protocol.SetupInit, protocol.SetupMaintenance, protocol.PermissionRequest:
		return nil
	}
	return nil
}
