package protocol

import "github.com/go-json-experiment/json/jsontext"

// Client is the coding agent that called a hook.
type Client string

// ClientClaude is Claude Code, and every client that nobody can tell from it.
const ClientClaude Client = ""

// ClientFields are fields that Claude Code does not send with any event that a type
// answers. Nothing is read in them but whether they are there, and of what kind.
type ClientFields struct {
	TurnID         jsontext.Value `json:"turn_id,omitempty"`
	Timestamp      jsontext.Value `json:"timestamp,omitempty"`
	ConversationID jsontext.Value `json:"conversation_id,omitempty"`
	CursorVersion  jsontext.Value `json:"cursor_version,omitempty"`
	HookName       jsontext.Value `json:"hookName,omitempty"`
}
