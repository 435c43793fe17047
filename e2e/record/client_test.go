package main

import (
	"os"
	"slices"
	"testing"

	"github.com/hookbridge/bridge/e2e"
	"github.com/hookbridge/bridge/normalize"
	"github.com/hookbridge/bridge/protocol"
)

// rowsOf are the rows that answer an event.
func rowsOf(event string) (rows []protocol.Row) {
	for _, row := range protocol.AllRows() {
		if slices.Contains(row.Events, protocol.Event(event)) {
			rows = append(rows, row)
		}
	}
	return rows
}

// audited are fields that no row reads on purpose. The audit of a sensitive type lists them.
var audited = []string{"tool_kind", "mcp_skill"}

// TestEveryEventOfTheClient: an event or a field that a newer client has and bridge does
// not know fails here, by name. CONTRIBUTING.md says what to do then.
func TestEveryEventOfTheClient(t *testing.T) {
	t.Parallel()
	executable := os.Getenv(e2e.ClientVariable)
	if executable == "" {
		t.Skip(e2e.ClientVariable + " is not set")
	}
	if version, err := e2e.Version(t.Context(), executable); err != nil || version == "2.1.197" {
		t.Skipf("client %s (%v): its program does not name its inputs", version, err)
	}
	events, all, err := shapes(executable)
	if err != nil {
		t.Fatal(err)
	}
	for _, event := range events {
		if rowsOf(event) == nil {
			t.Errorf("%s: no row of protocol/type.go has this event", event)
		}
		if !slices.ContainsFunc(all, func(s shape) bool { return s.event == event }) {
			t.Logf("%s: the client's program does not show its input", event)
		}
	}
	fields := 0
	for _, s := range all {
		for _, row := range rowsOf(s.event) {
			known := normalize.Fields(row.Type)
			for _, field := range s.fields {
				if fields++; !slices.Contains(known, field) && !slices.Contains(audited, field) {
					t.Errorf("%s: %s drops the field %s", s.event, row.Type, field)
				}
			}
		}
	}
	t.Logf("%d events, %d inputs, %d fields", len(events), len(all), fields)
}

// TestMembers: how the fields are read from the client's executable.
func TestMembers(t *testing.T) {
	t.Parallel()
	const text = `{hook_event_name:E("Stop"),stop_hook_active:P(),note:n().describe("a: \"b, c:\" }"),tasks:A(ck({id:n(),x:F(["a"])})).optional()}),next:p()`
	if got := members([]byte(text)); !slices.Equal(got, []string{"hook_event_name", "stop_hook_active", "note", "tasks"}) {
		t.Errorf("%q", got)
	}
}
