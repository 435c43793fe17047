package normalize

import "github.com/hookbridge/bridge/protocol"

// The shapes of the input, one for the types that share one. Their struct tags
// are the whitelist: Decode fills them and the schemas are generated from them.
type (
	// PromptInput is the input of keyword-detector.
	PromptInput struct {
		protocol.Base
		protocol.PromptFields
	}
	// StopInput is the input of the types of the Stop chain. Of the other events
	// of autopilot, SubagentStop has no further field and SubagentStart has none.
	StopInput struct {
		protocol.Base
		protocol.StopFields
	}
	// SessionInput is the input of session-start and session-end.
	SessionInput struct {
		protocol.Base
		protocol.SessionFields
	}
	// ToolInput is the input of pre-tool-use and post-tool-use.
	ToolInput struct {
		protocol.Base
		protocol.ToolFields
	}
	// SubagentInput is the input of subagent-start and subagent-stop.
	SubagentInput struct {
		protocol.Base
		protocol.StopFields
		protocol.SubagentFields
	}
	// CompactInput is the input of pre-compact.
	CompactInput struct {
		protocol.Base
		protocol.TriggerFields
	}
	// SetupInput is the input of setup-init and setup-maintenance.
	SetupInput struct {
		protocol.Base
		protocol.TriggerFields
	}
	// PermissionInput is the input of permission-request.
	PermissionInput struct {
		protocol.Base
		protocol.ToolFields
		protocol.PermissionFields
	}
)

// Shape is a pointer to one of the shapes.
type Shape interface {
	// into copies the shape's groups to their places in in.
	into(in *protocol.Input)
}

// NewShape returns the empty shape of t, and nil for a string that is no type.
func NewShape(t protocol.Type) Shape {
	switch t {
	case protocol.KeywordDetector:
		return new(PromptInput)
	case protocol.Ralph, protocol.PersistentMode, protocol.StopContinuation, protocol.Autopilot:
		return new(StopInput)
	case protocol.SessionStart, protocol.SessionEnd:
		return new(SessionInput)
	case protocol.PreToolUse, protocol.PostToolUse:
		return new(ToolInput)
	case protocol.SubagentStart, protocol.SubagentStop:
		return new(SubagentInput)
	case protocol.PreCompact:
		return new(CompactInput)
	case protocol.SetupInit, protocol.SetupMaintenance:
		return new(SetupInput)
	case protocol.PermissionRequest:
		return new(PermissionInput)
	}
	return nil
}

func (s *PromptInput) into(in *protocol.Input)  { in.Base, in.Prompt = s.Base, s.PromptFields }
func (s *StopInput) into(in *protocol.Input)    { in.Base, in.Stop = s.Base, s.StopFields }
func (s *SessionInput) into(in *protocol.Input) { in.Base, in.Session = s.Base, s.SessionFields }
func (s *ToolInput) into(in *protocol.Input)    { in.Base, in.Tool = s.Base, s.ToolFields }
func (s *CompactInput) into(in *protocol.Input) { in.Base, in.Trigger = s.Base, s.TriggerFields }
func (s *SetupInput) into(in *protocol.Input)   { in.Base, in.Trigger = s.Base, s.TriggerFields }

func (s *SubagentInput) into(in *protocol.Input) {
	in.Base, in.Stop, in.Subagent = s.Base, s.StopFields, s.SubagentFields
}

func (s *PermissionInput) into(in *protocol.Input) {
	in.Base, in.Tool, in.Permission = s.Base, s.ToolFields, s.PermissionFields
}
