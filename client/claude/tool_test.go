package claude_test

import (
	"testing"

	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/protocol"
)

// TestKind: every tool that has a kind, and names that only look like one.
func TestKind(t *testing.T) {
	t.Parallel()
	for kind, tools := range map[protocol.ToolKind][]string{
		protocol.ToolShell:  {"Bash", "PowerShell"},
		protocol.ToolRead:   {"Read", "LS", "NotebookRead"},
		protocol.ToolSearch: {"Glob", "Grep"},
		protocol.ToolWrite:  {"Write", "Edit", "MultiEdit", "NotebookEdit"},
		protocol.ToolFetch:  {"WebFetch"},
		protocol.ToolAgent:  {"Task", "Agent"},
		protocol.ToolDialog: {"AskUserQuestion", "ExitPlanMode"},
		protocol.ToolOther:  {"", "*", "bash", "Bash ", "BashOutput", "TaskStop", "WebSearch", "mcp__Bash__Read"},
	} {
		for _, tool := range tools {
			if got := claude.Kind(tool); got != kind {
				t.Errorf("%q is of kind %d, want %d", tool, got, kind)
			}
		}
	}
}
