package protocol

import "github.com/go-json-experiment/json/jsontext"

// own is the input of an event whose fields no type of the standard has.
func own[Fields any](in *Input) []any { return []any{&in.Base, ownFields[Fields](in)} }

func ownFields[Fields any](in *Input) any {
	in.Own = new(Fields)
	return in.Own
}

func deniedInput(in *Input) []any {
	return append(toolInput(in), ownFields[PermissionDeniedFields](in))
}

// StopFailureFields are the fields of StopFailure, which takes the place of Stop if the
// API did not answer. Error is a word such as rate_limit; LastAssistantMessage is what
// the client shows, and may name the time at which a limit ends.
type StopFailureFields struct {
	Error                string `json:"error,omitempty"`
	ErrorDetails         string `json:"error_details,omitempty"`
	LastAssistantMessage string `json:"last_assistant_message,omitempty"`
}

// PostCompactFields are the fields of PostCompact.
type PostCompactFields struct {
	Trigger        string `json:"trigger,omitempty"`
	CompactSummary string `json:"compact_summary,omitempty"`
}

// ConfigChangeFields are the fields of ConfigChange.
type ConfigChangeFields struct {
	Source   string `json:"source,omitempty"`
	FilePath string `json:"file_path,omitempty"`
}

// PermissionDeniedFields are the fields of PermissionDenied in addition to ToolFields.
type PermissionDeniedFields struct {
	Reason string `json:"reason,omitempty"`
}

// TaskFields are the fields of TaskCreated and TaskCompleted.
type TaskFields struct {
	TaskID          string `json:"task_id,omitempty"`
	TaskSubject     string `json:"task_subject,omitempty"`
	TaskDescription string `json:"task_description,omitempty"`
	TeammateName    string `json:"teammate_name,omitempty"`
	TeamName        string `json:"team_name,omitempty"`
}

// TeammateIdleFields are the fields of TeammateIdle.
type TeammateIdleFields struct {
	TeammateName string `json:"teammate_name,omitempty"`
	TeamName     string `json:"team_name,omitempty"`
}

// UserPromptExpansionFields are the fields of UserPromptExpansion.
type UserPromptExpansionFields struct {
	ExpansionType string `json:"expansion_type,omitempty"`
	CommandName   string `json:"command_name,omitempty"`
	CommandArgs   string `json:"command_args,omitempty"`
	CommandSource string `json:"command_source,omitempty"`
	Prompt        string `json:"prompt,omitempty"`
}

// PostToolBatchFields are the fields of PostToolBatch.
type PostToolBatchFields struct {
	ToolCalls []jsontext.Value `json:"tool_calls,omitempty"`
}

// NotificationFields are the fields of Notification.
type NotificationFields struct {
	Message          string `json:"message,omitempty"`
	Title            string `json:"title,omitempty"`
	NotificationType string `json:"notification_type,omitempty"`
}

// MessageDisplayFields are the fields of MessageDisplay; turn_id is in ClientFields.
type MessageDisplayFields struct {
	MessageID string  `json:"message_id,omitempty"`
	Index     float64 `json:"index,omitempty"`
	Final     bool    `json:"final,omitempty"`
	Delta     string  `json:"delta,omitempty"`
}

// ElicitationFields are the fields of Elicitation: an MCP server asks the user.
type ElicitationFields struct {
	MCPServerName   string         `json:"mcp_server_name,omitempty"`
	Message         string         `json:"message,omitempty"`
	Mode            string         `json:"mode,omitempty"`
	URL             string         `json:"url,omitempty"`
	ElicitationID   string         `json:"elicitation_id,omitempty"`
	RequestedSchema jsontext.Value `json:"requested_schema,omitempty"`
}

// ElicitationResultFields are the fields of ElicitationResult.
type ElicitationResultFields struct {
	MCPServerName string         `json:"mcp_server_name,omitempty"`
	ElicitationID string         `json:"elicitation_id,omitempty"`
	Mode          string         `json:"mode,omitempty"`
	Action        string         `json:"action,omitempty"`
	Content       jsontext.Value `json:"content,omitempty"`
}

// ModelSwitchFields are the fields of PreModelSwitch and PostModelSwitch.
type ModelSwitchFields struct {
	FromModel                 string  `json:"from_model,omitempty"`
	ToModel                   string  `json:"to_model,omitempty"`
	RequestedModel            string  `json:"requested_model,omitempty"`
	Source                    string  `json:"source,omitempty"`
	ContextTokens             float64 `json:"context_tokens,omitempty"`
	PromptCacheWarm           bool    `json:"prompt_cache_warm,omitempty"`
	CacheTTL                  string  `json:"cache_ttl,omitempty"`
	EstimatedCacheWriteDollar float64 `json:"estimated_cache_write_usd,omitempty"`
	Pricing                   string  `json:"pricing,omitempty"`
}

// InstructionsLoadedFields are the fields of InstructionsLoaded.
type InstructionsLoadedFields struct {
	FilePath        string   `json:"file_path,omitempty"`
	MemoryType      string   `json:"memory_type,omitempty"`
	LoadReason      string   `json:"load_reason,omitempty"`
	Globs           []string `json:"globs,omitempty"`
	TriggerFilePath string   `json:"trigger_file_path,omitempty"`
	ParentFilePath  string   `json:"parent_file_path,omitempty"`
}

// CwdChangedFields are the fields of CwdChanged.
type CwdChangedFields struct {
	OldCWD string `json:"old_cwd,omitempty"`
	NewCWD string `json:"new_cwd,omitempty"`
}

// FileChangedFields are the fields of FileChanged.
type FileChangedFields struct {
	FilePath string `json:"file_path,omitempty"`
	Event    string `json:"event,omitempty"`
}

// DirectoryAddedFields are the fields of DirectoryAdded. The name directory is an alias
// of cwd at every other event.
type DirectoryAddedFields struct {
	Directory string `json:"directory,omitempty"`
	Source    string `json:"source,omitempty"`
}

// WorktreeCreateFields are the fields of WorktreeCreate.
type WorktreeCreateFields struct {
	Name string `json:"name,omitempty"`
}

// WorktreeRemoveFields are the fields of WorktreeRemove.
type WorktreeRemoveFields struct {
	WorktreePath string `json:"worktree_path,omitempty"`
}
