package protocol

import "github.com/go-json-experiment/json/jsontext"

// Client is the coding agent that called a hook.
type Client string

// ClientClaude is Claude Code, and every client that cannot be distinguished from it.
const ClientClaude Client = ""

// ClientFields are fields that Claude Code never sends with an event that a type answers. bridge checks only whether
// they are present and what kind of value they have.
type ClientFields struct {
	TurnID         jsontext.Value `json:"turn_id,omitempty"`
	Timestamp      jsontext.Value `json:"timestamp,omitempty"`
	ConversationID jsontext.Value `json:"conversation_id,omitempty"`
	CursorVersion  jsontext.Value `json:"cursor_version,omitempty"`
	HookName       jsontext.Value `json:"hookName,omitempty"`
}
