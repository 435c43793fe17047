package normalize

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/protocol"
)

// native puts a tool call of another client into the words in which rules and guards
// are written: the name of the tool, and arguments that came as a text that holds them.
func native(in *protocol.Input) {
	if in.Tool.ToolName == "" || in.Client() != protocol.ClientCopilot {
		return
	}
	in.Tool.ToolName = copilotTool(in.Tool.ToolName)
	if in.Tool.ToolInput.Kind() != '"' {
		return
	}
	inner := jsontext.Value(bytes.Clone(unquote(in.Tool.ToolInput)))
	if inner.IsValid() && inner.Kind() == '{' {
		in.Tool.ToolInput = inner
	}
}

// copilotTool is Claude's name of a tool of Copilot; another name stays.
func copilotTool(name string) string {
	switch name {
	case "bash":
		return "Bash"
	case "powershell":
		return "PowerShell"
	case "view":
		return "Read"
	case "edit":
		return "Edit"
	case "create":
		return "Write"
	case "glob":
		return "Glob"
	case "grep":
		return "Grep"
	case "web_fetch":
		return "WebFetch"
	}
	return name
}
