// Package client is the table of the coding agents that call hooks. Rules, guards and
// answers are in the words of Claude Code; a row holds what another client does
// differently.
package client

import (
	"path"
	"strings"

	"github.com/hookbridge/bridge/client/copilot"
	"github.com/hookbridge/bridge/protocol"
)

// adapter is one client. A function that is nil leaves things as Claude Code has them.
type adapter struct {
	name protocol.Client
	// sent reports whether a payload shows the sign of the client. dir and file are the
	// parts of the transcript's path, with slashes.
	sent func(b protocol.Base, dir, file string) bool
	// call puts a tool call into the words of Claude Code.
	call func(*protocol.ToolFields)
	// meant is the other tool that a dialog about a tool may be for, or "".
	meant func(tool string) string
	// beside writes what stands beside the part of the event.
	beside func(protocol.HookSpecific, *protocol.ObjectWriter)
}

// adapters are the clients besides Claude Code. The first whose sign is seen counts.
var adapters = [...]adapter{
	{name: "cursor", sent: func(b protocol.Base, _, _ string) bool { return len(b.CursorVersion) > 0 || len(b.ConversationID) > 0 }},
	{name: "codex", sent: func(b protocol.Base, dir, file string) bool {
		return len(b.TurnID) > 0 || strings.Contains(dir, "/.codex/") || strings.Contains(dir, "/sessions/") && strings.HasPrefix(file, "rollout-")
	}},
	{name: "qwen", sent: func(b protocol.Base, dir, _ string) bool {
		return strings.Contains(b.PromptID, "########") || strings.Contains(dir, "/.qwen/")
	}},
	{name: "gemini", sent: func(b protocol.Base, dir, _ string) bool {
		return strings.Contains(dir, "/.gemini/") || isGeminiEvent(b.HookEventName)
	}},
	{name: "droid", sent: func(b protocol.Base, dir, _ string) bool {
		return strings.Contains(dir, "/.factory/") || isDroidMode(b.PermissionMode)
	}},
	// VS Code's older agent has no sign but the time, and honours what Copilot does.
	{name: "copilot", call: copilot.Call, meant: copilot.Meant, beside: copilot.Beside, sent: func(b protocol.Base, dir, file string) bool {
		return strings.Contains(dir, "/session-state/") && file == "events.jsonl" || len(b.HookName) > 0 || len(b.Timestamp) > 0
	}},
}

// of is the row of a client; Claude Code has an empty one.
func of(name protocol.Client) adapter {
	for _, a := range adapters {
		if a.name == name {
			return a
		}
	}
	return adapter{}
}

// Of tells by the form of a payload which client it comes from. It takes a sign of
// another client: a payload with few fields is Claude's. An environment variable is no
// sign, because clients inherit each other's and repositories set them.
func Of(b protocol.Base) protocol.Client {
	dir, file := path.Split(strings.ReplaceAll(b.TranscriptPath, `\`, "/"))
	if b.SessionID != "" && file == b.SessionID+".jsonl" && path.Base(path.Dir(path.Clean(dir))) == "projects" {
		return protocol.ClientClaude
	}
	for _, a := range adapters {
		if a.sent(b, dir, file) {
			return a.name
		}
	}
	return protocol.ClientClaude
}

// Translate notes which client an input comes from, and puts its tool call into the words
// of Claude Code.
func Translate(in *protocol.Input) {
	in.Client = Of(in.Base)
	if call := of(in.Client).call; call != nil && in.Tool.ToolName != "" {
		call(&in.Tool)
	}
}

// Meant is the other tool that a client's dialog about a tool may be for, or "".
func Meant(name protocol.Client, tool string) string {
	if meant := of(name).meant; meant != nil {
		return meant(tool)
	}
	return ""
}

// AppendJSON appends an output as its client reads it.
func AppendJSON(dst []byte, out protocol.Output) ([]byte, error) {
	return out.AppendJSON(dst, of(out.For).beside)
}

func isGeminiEvent(event protocol.Event) bool {
	switch event {
	case "BeforeAgent", "AfterAgent", "BeforeModel", "AfterModel", "BeforeTool", "AfterTool", "BeforeToolSelection", "PreCompress":
		return true
	}
	return false
}

func isDroidMode(mode string) bool {
	return mode == "off" || mode == "spec" || mode == "auto-low" || mode == "auto-medium" || mode == "auto-high"
}
