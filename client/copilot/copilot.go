// Package copilot holds the differences between GitHub Copilot and Claude Code.
package copilot

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/protocol"
)

// Call translates a tool call into the terms in which rules and guards are written: the
// name of the tool, and arguments that may arrive as a JSON text.
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

// tool returns Claude's name for a tool of Copilot; other names stay as they are.
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

// Meant is another tool that a dialog about a tool may really be about, or "": Copilot's dialog about a new file also
// names the tool for edits.
func Meant(tool string) string {
	if tool == claude.ToolEdit {
		return claude.ToolWrite
	}
	return ""
}

// Beside writes a deny a second time, beside the event's part of the answer, because
// Copilot reads only that.
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
