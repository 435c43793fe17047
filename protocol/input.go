package protocol

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Input is the whitelisted and normalised input of a hook. The struct tags are the
// whitelist: a field that none of a type's groups contains is dropped
// (docs/design.md#whitelist; docs/reference/claude-code.md#input,
// docs/reference/claude-code.md#events). An alias is another caller's spelling of a
// field; a field has at most two, in the order in which they count.
//
// Only the groups of the type at hand are filled.
type Input struct {
	Base
	// Client is the client that sent the input.
	Client     Client `json:"-"`
	Prompt     PromptFields
	Stop       StopFields
	Tool       ToolFields
	Permission PermissionFields
	Session    SessionFields
	Subagent   SubagentFields
	Trigger    TriggerFields
	// Own points to the fields that only one event has (own.go); nil for the types of the
	// standard. It is a pointer so that other events do not make every input larger.
	Own any
}

// Base holds the fields that every event carries.
type Base struct {
	SessionID      string         `json:"session_id,omitempty" alias:"sessionId"`
	TranscriptPath string         `json:"transcript_path,omitempty" alias:"transcriptPath"`
	CWD            string         `json:"cwd,omitempty" alias:"directory"`
	HookEventName  Event          `json:"hook_event_name,omitempty" alias:"hookEventName"`
	PromptID       string         `json:"prompt_id,omitempty"`
	PermissionMode string         `json:"permission_mode,omitempty" alias:"permissionMode"`
	AgentID        string         `json:"agent_id,omitempty"`
	AgentType      string         `json:"agent_type,omitempty"`
	ScratchpadDir  string         `json:"scratchpad_dir,omitempty"`
	Effort         jsontext.Value `json:"effort,omitempty"`
	ClientFields
}

// PromptFields are the fields of UserPromptSubmit. Message and Parts are the forms in
// which oh-my-claudecode's callers pass a prompt.
type PromptFields struct {
	Prompt       string         `json:"prompt,omitempty"`
	Source       string         `json:"source,omitempty"`
	SessionTitle string         `json:"session_title,omitempty"`
	Message      PromptMessage  `json:"message,omitzero"`
	Parts        []PromptPart   `json:"parts,omitempty"`
	ToolInput    jsontext.Value `json:"tool_input,omitempty" alias:"toolInput,toolArgs"`
}

// PromptMessage is a prompt wrapped in a message.
type PromptMessage struct {
	Content string `json:"content,omitempty"`
}

// PromptPart is one part of a prompt; only type "text" has text.
type PromptPart struct {
	Type string `json:"type,omitempty"`
	Text string `json:"text,omitempty"`
}

// Text returns the prompt from whichever field carries it.
func (p PromptFields) Text() string {
	if p.Prompt != "" {
		return p.Prompt
	}
	if p.Message.Content != "" {
		return p.Message.Content
	}
	var texts []string
	for _, part := range p.Parts {
		if part.Type == "text" {
			texts = append(texts, part.Text)
		}
	}
	return strings.Join(texts, " ")
}

// StopFields are the fields of Stop and SubagentStop. oh-my-claudecode checks the reason
// fields before it blocks a stop; the client does not document them.
type StopFields struct {
	StopHookActive bool `json:"stop_hook_active,omitempty"`
	// LastAssistantMessage is nil when the client is too old to send it; an
	// empty text is a turn without text.
	LastAssistantMessage *string          `json:"last_assistant_message,omitempty"`
	AgentTranscriptPath  string           `json:"agent_transcript_path,omitempty"`
	BackgroundTasks      []BackgroundTask `json:"background_tasks,omitempty"`
	SessionCrons         jsontext.Value   `json:"session_crons,omitempty"`
	StopReason           string           `json:"stop_reason,omitempty" alias:"stopReason"`
	EndTurnReason        string           `json:"end_turn_reason,omitempty" alias:"endTurnReason"`
	Reason               string           `json:"reason,omitempty"`
	UserRequested        bool             `json:"user_requested,omitempty" alias:"userRequested"`
	Prompt               string           `json:"prompt,omitempty"`
	ToolName             string           `json:"tool_name,omitempty" alias:"toolName"`
	ToolInput            jsontext.Value   `json:"tool_input,omitempty" alias:"toolInput,toolArgs"`
}

// BackgroundTask is one entry of background_tasks
// (docs/reference/claude-code.md#background-tasks).
type BackgroundTask struct {
	ID     Loose `json:"id,omitempty"`
	Type   Loose `json:"type,omitempty"`
	Status Loose `json:"status,omitempty"`
}

// Loose is a text that may arrive as any JSON value; a value that is not a string counts as empty. It is for unimportant
// fields, so that a number in the wrong place does not end a loop.
type Loose string

// ToolFields are the fields of the tool events. ToolInput and ToolResponse are passed on
// unchanged.
type ToolFields struct {
	ToolName     string         `json:"tool_name,omitempty" alias:"toolName"`
	ToolInput    jsontext.Value `json:"tool_input,omitempty" alias:"toolInput,toolArgs"`
	ToolResponse jsontext.Value `json:"tool_response,omitempty" alias:"toolOutput,toolResponse"`
	ToolUseID    string         `json:"tool_use_id,omitempty"`
	DurationMS   float64        `json:"duration_ms,omitempty"`
	Error        string         `json:"error,omitempty"`
	IsInterrupt  bool           `json:"is_interrupt,omitempty"`
	MCPServer    jsontext.Value `json:"mcp_server,omitempty"`
}

// PermissionFields are the fields of PermissionRequest in addition to ToolFields.
// Suggestions are nil if the client sent none, which means that a rule of the user caused
// the dialog (docs/reference/claude-code.md#allow-beats-ask).
type PermissionFields struct {
	Suggestions []jsontext.Value `json:"permission_suggestions,omitempty"`
}

// SessionFields are the fields of SessionStart (Source and what follows it)
// and SessionEnd (Reason).
type SessionFields struct {
	Source       string `json:"source,omitempty"`
	Model        string `json:"model,omitempty"`
	SessionTitle string `json:"session_title,omitempty"`
	Reason       string `json:"reason,omitempty"`
	// The client sends these four fields on resume and fork.
	SecondsSinceLastResponse  float64 `json:"seconds_since_last_response,omitempty"`
	ContextTokens             float64 `json:"context_tokens,omitempty"`
	PromptCacheLikelyExpired  bool    `json:"prompt_cache_likely_expired,omitempty"`
	EstimatedCacheWriteDollar float64 `json:"estimated_cache_write_usd,omitempty"`
}

// SubagentFields are the fields of subagent-start and subagent-stop in addition to Base
// and StopFields. oh-my-claudecode's callers send them; a nil Success counts as success.
type SubagentFields struct {
	Model   string `json:"model,omitempty"`
	Output  string `json:"output,omitempty"`
	Success *bool  `json:"success,omitempty"`
}

// TriggerFields are the fields of PreCompact and Setup.
type TriggerFields struct {
	Trigger            string `json:"trigger,omitempty"`
	CustomInstructions string `json:"custom_instructions,omitempty"`
}

// The groups of the types' inputs, in the order in which a schema names their fields.
// stopInput covers all events of autopilot: SubagentStop has no additional field, and
// SubagentStart has none of Stop's.
func promptInput(in *Input) []any     { return []any{&in.Base, &in.Prompt} }
func stopInput(in *Input) []any       { return []any{&in.Base, &in.Stop} }
func sessionInput(in *Input) []any    { return []any{&in.Base, &in.Session} }
func toolInput(in *Input) []any       { return []any{&in.Base, &in.Tool} }
func subagentInput(in *Input) []any   { return []any{&in.Base, &in.Stop, &in.Subagent} }
func triggerInput(in *Input) []any    { return []any{&in.Base, &in.Trigger} }
func permissionInput(in *Input) []any { return []any{&in.Base, &in.Tool, &in.Permission} }
