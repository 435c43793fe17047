package normalize

import "github.com/hookbridge/bridge/hooks"

// The shapes of the input, one for the types that share one. Their struct tags
// are the whitelist: Decode fills them and the schemas are generated from them.
type (
	// PromptInput is the input of keyword-detector.
	PromptInput struct {
		hooks.Base
		hooks.PromptFields
	}
	// StopInput is the input of the types of the Stop chain. Of the other events
	// of autopilot, SubagentStop has no further field and SubagentStart has none.
	StopInput struct {
		hooks.Base
		hooks.StopFields
	}
	// SessionInput is the input of session-start and session-end.
	SessionInput struct {
		hooks.Base
		hooks.SessionFields
	}
	// ToolInput is the input of pre-tool-use and post-tool-use.
	ToolInput struct {
		hooks.Base
		hooks.ToolFields
	}
	// SubagentInput is the input of subagent-start and subagent-stop.
	SubagentInput struct {
		hooks.Base
		hooks.StopFields
		hooks.SubagentFields
	}
	// CompactInput is the input of pre-compact.
	CompactInput struct {
		hooks.Base
		hooks.TriggerFields
	}
	// SetupInput is the input of setup-init and setup-maintenance.
	SetupInput struct {
		hooks.Base
		hooks.TriggerFields
	}
	// PermissionInput is the input of permission-request.
	PermissionInput struct {
		hooks.Base
		hooks.ToolFields
		hooks.PermissionFields
	}
)

// Shape is a pointer to one of the shapes.
type Shape interface {
	// into copies the shape's groups to their places in in.
	into(in *hooks.Input)
}

// NewShape returns the empty shape of t, and nil for a string that is no type.
func NewShape(t hooks.Type) Shape {
	switch t {
	case hooks.KeywordDetector:
		return new(PromptInput)
	case hooks.Ralph, hooks.PersistentMode, hooks.StopContinuation, hooks.Autopilot:
		return new(StopInput)
	case hooks.SessionStart, hooks.SessionEnd:
		return new(SessionInput)
	case hooks.PreToolUse, hooks.PostToolUse:
		return new(ToolInput)
	case hooks.SubagentStart, hooks.SubagentStop:
		return new(SubagentInput)
	case hooks.PreCompact:
		return new(CompactInput)
	case hooks.SetupInit, hooks.SetupMaintenance:
		return new(SetupInput)
	case hooks.PermissionRequest:
		return new(PermissionInput)
	}
	return nil
}

func (s *PromptInput) into(in *hooks.Input)  { in.Base, in.Prompt = s.Base, s.PromptFields }
func (s *StopInput) into(in *hooks.Input)    { in.Base, in.Stop = s.Base, s.StopFields }
func (s *SessionInput) into(in *hooks.Input) { in.Base, in.Session = s.Base, s.SessionFields }
func (s *ToolInput) into(in *hooks.Input)    { in.Base, in.Tool = s.Base, s.ToolFields }
func (s *CompactInput) into(in *hooks.Input) { in.Base, in.Trigger = s.Base, s.TriggerFields }
func (s *SetupInput) into(in *hooks.Input)   { in.Base, in.Trigger = s.Base, s.TriggerFields }

func (s *SubagentInput) into(in *hooks.Input) {
	in.Base, in.Stop, in.Subagent = s.Base, s.StopFields, s.SubagentFields
}

func (s *PermissionInput) into(in *hooks.Input) {
	in.Base, in.Tool, in.Permission = s.Base, s.ToolFields, s.PermissionFields
}
