package protocol

import (
	"path"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Client is the coding agent that called a hook.
type Client string

// The clients that a payload can be told from. ClientClaude is every payload that does
// not show the sign of another one.
const (
	ClientClaude  Client = ""
	ClientCodex   Client = "codex"
	ClientCopilot Client = "copilot"
	ClientCursor  Client = "cursor"
	ClientDroid   Client = "droid"
	ClientGemini  Client = "gemini"
	ClientQwen    Client = "qwen"
)

// ClientFields are fields that Claude Code does not send with any event that a type
// answers. Nothing is read in them but whether they are there, and of what kind.
type ClientFields struct {
	TurnID         jsontext.Value `json:"turn_id,omitempty"`
	Timestamp      jsontext.Value `json:"timestamp,omitempty"`
	ConversationID jsontext.Value `json:"conversation_id,omitempty"`
	CursorVersion  jsontext.Value `json:"cursor_version,omitempty"`
	HookName       jsontext.Value `json:"hookName,omitempty"`
}

// Client tells by the form of a payload which client it comes from. It takes a sign of
// another client: a payload with few fields is Claude's. An environment variable is no
// sign, because clients inherit each other's and repositories set them.
func (b Base) Client() Client {
	transcript := strings.ReplaceAll(b.TranscriptPath, `\`, "/")
	dir, file := path.Split(transcript)
	within := func(part string) bool { return strings.Contains(dir, part) }
	switch {
	case b.SessionID != "" && file == b.SessionID+".jsonl" && path.Base(path.Dir(path.Clean(dir))) == "projects":
		return ClientClaude
	case len(b.CursorVersion) > 0, len(b.ConversationID) > 0:
		return ClientCursor
	case len(b.TurnID) > 0, within("/.codex/"), within("/sessions/") && strings.HasPrefix(file, "rollout-"):
		return ClientCodex
	case strings.Contains(b.PromptID, "########"), within("/.qwen/"):
		return ClientQwen
	case within("/.gemini/"), isGeminiEvent(b.HookEventName):
		return ClientGemini
	case within("/.factory/"), isDroidMode(b.PermissionMode):
		return ClientDroid
	// VS Code's older agent has no sign but the time, and honours what Copilot does.
	case within("/session-state/") && file == "events.jsonl", len(b.HookName) > 0, len(b.Timestamp) > 0:
		return ClientCopilot
	}
	return ClientClaude
}

func isGeminiEvent(event Event) bool {
	switch event {
	case "BeforeAgent", "AfterAgent", "BeforeModel", "AfterModel", "BeforeTool", "AfterTool", "BeforeToolSelection", "PreCompress":
		return true
	}
	return false
}

func isDroidMode(mode string) bool {
	return mode == "off" || mode == "spec" || mode == "auto-low" || mode == "auto-medium" || mode == "auto-high"
}
