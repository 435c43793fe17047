package protocol

import "github.com/go-json-experiment/json/jsontext"

// Output is what a hook prints. The zero Output prints nothing: the hook has no opinion
// (docs/design.md#answers).
type Output struct {
	Continue      *bool        `json:"continue,omitempty"`
	StopReason    string       `json:"stopReason,omitempty"`
	Decision      string       `json:"decision,omitempty"`
	Reason        string       `json:"reason,omitempty"`
	SystemMessage string       `json:"systemMessage,omitempty"`
	HookSpecific  HookSpecific `json:"hookSpecificOutput,omitempty"`
	// For is the client that will read the output.
	For Client `json:"-"`
}

// HookSpecific is the part of an output that is specific to one event.
type HookSpecific interface{ members(*ObjectWriter) }

// ContextOutput adds text to what the model reads.
type ContextOutput struct {
	HookEventName     Event  `json:"hookEventName"`
	AdditionalContext string `json:"additionalContext,omitempty"`
}

// PreToolUseOutput decides about one tool call before it runs. Reason is for the model on
// deny and for the user on ask.
type PreToolUseOutput struct {
	HookEventName      Event          `json:"hookEventName"`
	PermissionDecision string         `json:"permissionDecision,omitempty"`
	Reason             string         `json:"permissionDecisionReason,omitempty"`
	UpdatedInput       jsontext.Value `json:"updatedInput,omitempty"`
	AdditionalContext  string         `json:"additionalContext,omitempty"`
}

// PermissionRequestOutput answers a permission dialog.
type PermissionRequestOutput struct {
	HookEventName Event              `json:"hookEventName"`
	Decision      PermissionDecision `json:"decision"`
}

// PermissionDecision is the answer to a permission dialog. Message is only for deny and
// goes to the model. UpdatedInput is only for allow: tools that talk to the user need
// their own input in return.
type PermissionDecision struct {
	Behavior     string         `json:"behavior"`
	Message      string         `json:"message,omitempty"`
	UpdatedInput jsontext.Value `json:"updatedInput,omitempty"`
}

// IsSilent reports whether the output prints nothing.
func (o Output) IsSilent() bool {
	return o.Continue == nil && o.StopReason == "" && o.Decision == "" && o.Reason == "" &&
		o.SystemMessage == "" && o.HookSpecific == nil
}

// Map returns the output with f applied to every text that a person or the model reads.
func (o Output) Map(f func(string) string) Output {
	o.StopReason, o.Reason, o.SystemMessage = f(o.StopReason), f(o.Reason), f(o.SystemMessage)
	switch s := o.HookSpecific.(type) {
	case ContextOutput:
		s.AdditionalContext = f(s.AdditionalContext)
		o.HookSpecific = s
	case PreToolUseOutput:
		s.Reason, s.AdditionalContext = f(s.Reason), f(s.AdditionalContext)
		o.HookSpecific = s
	case PermissionRequestOutput:
		s.Decision.Message = f(s.Decision.Message)
		o.HookSpecific = s
	}
	return o
}

// Shown returns the output with f applied to the texts that the client shows to a person.
// Reason, which repeats prompts, and additional context are for the model.
func (o Output) Shown(f func(string) string) Output {
	shown := o.Map(f)
	shown.Reason = o.Reason
	switch s := shown.HookSpecific.(type) {
	case ContextOutput:
		shown.HookSpecific = o.HookSpecific
	case PreToolUseOutput:
		s.AdditionalContext = o.HookSpecific.(PreToolUseOutput).AdditionalContext
		shown.HookSpecific = s
	}
	return shown
}

// Silent expresses no opinion.
func Silent() Output { return Output{} }

// Notice tells the user something and decides nothing.
func Notice(message string) Output { return Output{SystemMessage: message} }

// Block makes the turn continue. The client gives reason to the model as the next
// instruction and shows message to the user.
func Block(reason, message string) Output {
	return Output{Decision: "block", Reason: reason, SystemMessage: message}
}

// BlockWith is Block with what the model has to know beside the reason; context may be
// empty.
func BlockWith(reason, message string, event Event, context string) Output {
	out := Block(reason, message)
	if context != "" {
		out.HookSpecific = ContextOutput{HookEventName: event, AdditionalContext: context}
	}
	return out
}

// Degraded is the answer of a hook that could not, or must not, do its work.
func Degraded() Output {
	yes := true
	return Output{Continue: &yes}
}

// Context adds text to what the model reads at event.
func Context(event Event, text string) Output {
	return Output{HookSpecific: ContextOutput{HookEventName: event, AdditionalContext: text}}
}

// AllowPermission approves the tool of a permission dialog. updated is nil or the
// unchanged input of the tool.
func AllowPermission(updated jsontext.Value) Output {
	return Output{HookSpecific: PermissionRequestOutput{
		HookEventName: EventPermissionRequest,
		Decision:      PermissionDecision{Behavior: "allow", UpdatedInput: updated},
	}}
}

// DenyPermission denies the tool of a permission dialog; message tells the model why, and
// what to do instead.
func DenyPermission(message string) Output {
	return Output{HookSpecific: PermissionRequestOutput{
		HookEventName: EventPermissionRequest,
		Decision:      PermissionDecision{Behavior: "deny", Message: message},
	}}
}

// FailClosedPermission is the answer of a permission-request that could not decide. The
// client honours only the deny inside. docs/reference/hook-standard.md#failures also asks
// for continue:false, which does no harm
// (docs/reference/claude-code.md#permission-request).
func FailClosedPermission(why string) Output {
	no := false
	out := DenyPermission(why)
	out.Continue = &no
	out.StopReason = why
	return out
}

// DenyTool denies a tool call before it runs.
func DenyTool(reason string) Output { return decideTool("deny", reason) }

// AskTool sends a tool call to the permission dialog.
func AskTool(reason string) Output { return decideTool("ask", reason) }

func decideTool(decision, reason string) Output {
	return Output{HookSpecific: PreToolUseOutput{
		HookEventName:      EventPreToolUse,
		PermissionDecision: decision,
		Reason:             reason,
	}}
}
