package router

import (
	"slices"
	"testing"

	"github.com/hookbridge/bridge/protocol"
)

// TestEveryTypeHasARow: each type that does something is answered, those that guard tool calls write down
// that they were late, and those that judge them have a judge.
func TestEveryTypeHasARow(t *testing.T) {
	t.Parallel()
	late := []protocol.Type{protocol.PreToolUse, protocol.PostToolUse}
	judges := []protocol.Type{protocol.PreToolUse, protocol.PermissionRequest}
	for _, row := range protocol.AllRows() {
		does := rowOf(protocol.Hook{Types: []protocol.Type{row.Type}})
		if (does.handle == nil) != (row.Duty == protocol.DutySilent) {
			t.Errorf("%s has a handler: %v", row.Type, does.handle != nil)
		}
		if (does.late != nil) != slices.Contains(late, row.Type) {
			t.Errorf("%s writes down that it was late: %v", row.Type, does.late != nil)
		}
		if (does.judge != nil) != slices.Contains(judges, row.Type) {
			t.Errorf("%s judges: %v", row.Type, does.judge != nil)
		}
	}
	if len(table) != len(protocol.WiredRows()) {
		t.Errorf("%d rows for %d types", len(table), len(protocol.WiredRows()))
	}
}
