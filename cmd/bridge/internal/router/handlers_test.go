package router

import (
	"slices"
	"testing"

	"github.com/hookbridge/bridge/protocol"
)

// TestEveryTypeHasARow: each type with work to do has a handler, those that guard tool calls record
// a missed deadline, and those that judge tool calls have a judge.
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
