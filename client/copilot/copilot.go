// Package copilot holds what GitHub Copilot does differently from Claude Code.
package copilot

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/protocol"
)

// Call puts a tool call into the words in which rules and guards are written: the name of
// the tool, and arguments that came as a text that holds them.
func Call(call *protocol.ToolFields) {
	call.ToolName = tool(call.ToolName)
	if call.ToolInput.Kind() != '"' {
		return
	}
	inner, _ := jsontext.AppendUnquote(nil, call.ToolInput)
	if inner := jsontext.Value(inner); inner.IsValid() && inner.Kind() == '{' {
		call.ToolInput = inner
	}
}

// tool is Claude's name of a tool of Copilot; another name stays.
func tool(name string) string {
	switch name {
	case "bash":
		return claude.ToolBash
	case "powershell":
		return "PowerShell"
	case "view":
		return "Read"
	case "edit":
		return claude.ToolEdit
	case "create":
		return claude.ToolWrite
	case "glob":
		return claude.ToolGlob
	case "grep":
		return claude.ToolGrep
	case "web_fetch":
		return "WebFetch"
	}
	return name
}

// Meant is the other tool that a dialog about a tool may be for, or "": a dialog calls a
// new file an edit as well.
func Meant(tool string) string {
	if tool == claude.ToolEdit {
		return claude.ToolWrite
	}
	return ""
}

// Beside writes a deny once more beside the part of the event, which is all that Copilot
// reads.
func Beside(specific protocol.HookSpecific, w *protocol.ObjectWriter) {
	switch s := specific.(type) {
	case protocol.PreToolUseOutput:
		if s.PermissionDecision == "deny" {
			w.Some("permissionDecision", s.PermissionDecision)
			w.Some("permissionDecisionReason", s.Reason)
		}
	case protocol.PermissionRequestOutput:
		if s.Decision.Behavior == "deny" {
			w.Some("behavior", s.Decision.Behavior)
			w.Some("message", s.Decision.Message)
		}
	}
}
