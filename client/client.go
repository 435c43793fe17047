// Package client is the table of the coding agents that call hooks. Rules, guards and
// answers use the terms of Claude Code; a row contains the differences of another client.
package client

import (
	"path"
	"strings"

	"github.com/hookbridge/bridge/client/copilot"
	"github.com/hookbridge/bridge/protocol"
)

// adapter is one client. A nil function means that the client does the same as Claude
// Code.
type adapter struct {
	name protocol.Client
	// sent reports whether a payload comes from the client. dir and file are the parts of the transcript's path, with
	// slashes.
	sent func(b protocol.Base, dir, file string) bool
	// call translates a tool call into the terms of Claude Code.
	call func(*protocol.ToolFields)
	// meant is another tool that a dialog about a tool may really be about, or "".
	meant func(tool string) string
	// beside writes the members that the client expects beside the event's part of the
	// answer.
	beside func(protocol.HookSpecific, *protocol.ObjectWriter)
}

// adapters are the clients other than Claude Code. The first one that recognises a
// payload counts.
var adapters = [...]adapter{
	{name: "cursor", sent: func(b protocol.Base, _, _ string) bool { return len(b.CursorVersion) > 0 || len(b.ConversationID) > 0 }},
	// Claude Code sends a turn_id only with MessageDisplay, an event that Codex does not have.
	{name: "codex", sent: func(b protocol.Base, dir, file string) bool {
		return len(b.TurnID) > 0 && b.HookEventName != "MessageDisplay" || strings.Contains(dir, "/.codex/") || strings.Contains(dir, "/sessions/") && strings.HasPrefix(file, "rollout-")
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
	// VS Code's older agent can be recognised only by its timestamps, and honours the
	// same answers as Copilot.
	{name: "copilot", call: copilot.Call, meant: copilot.Meant, beside: copilot.Beside, sent: func(b protocol.Base, dir, file string) bool {
		return strings.Contains(dir, "/session-state/") && file == "events.jsonl" || len(b.HookName) > 0 || len(b.Timestamp) > 0
	}},
}

// of is the row of a client; that of Claude Code is empty.
func of(name protocol.Client) adapter {
	for _, a := range adapters {
		if a.name == name {
			return a
		}
	}
	return adapter{}
}

// Of recognises the client by the form of a payload. Only a positive sign of another
// client counts: a payload with few fields comes from Claude Code. Environment variables
// do not count, because clients inherit each other's and repositories set them.
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

// Translate records which client an input comes from, and translates its tool call into
// the terms of Claude Code.
func Translate(in *protocol.Input) {
	in.Client = Of(in.Base)
	if call := of(in.Client).call; call != nil && in.Tool.ToolName != "" {
		call(&in.Tool)
	}
}

// Meant is another tool that a client's dialog about a tool may really be about, or "".
func Meant(name protocol.Client, tool string) string {
	if meant := of(name).meant; meant != nil {
		return meant(tool)
	}
	return ""
}

// AppendJSON appends an output in the form that the client reads.
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
