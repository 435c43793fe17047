package cli

import (
	"fmt"
	"strings"

	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/term"
	"github.com/hookbridge/bridge/protocol"
)

type hooksCmd struct {
	JSON bool `help:"Print JSON."`
}

// hookRow is one line of the table in JSON.
type hookRow struct {
	protocol.Row
	DeadlineMS int64    `json:"deadline_ms"`
	Names      []string `json:"names"`
}

func (c hooksCmd) Run(app *App) error {
	var rows []hookRow
	for _, row := range protocol.Rows() {
		rows = append(rows, hookRow{row, row.Deadline.Milliseconds(), append([]string{string(row.Type)}, row.Aliases...)})
	}
	table := term.Table{Head: []string{"TYPE", "EVENTS", "STAGE", "PRIORITY", "REQUIRED", "SENSITIVE", "DEADLINE", "ON FAILURE"}}
	for _, row := range rows {
		events := make([]string, len(row.Events))
		for i, event := range row.Events {
			events[i] = string(event)
		}
		table.Add(string(row.Type), strings.Join(events, ","), string(row.Stage), row.Priority, strings.Join(row.Required, ","),
			yes(row.Sensitive), row.Deadline.String(), failText(row.Fail))
	}
	if err := app.list(c.JSON, rows, table); err != nil || c.JSON {
		return err
	}
	fmt.Fprintln(app.Stdout, "\n"+display.Bridge+" --hook=stop runs the whole Stop chain; --hook=setup picks setup-init or setup-maintenance by the event's trigger.")
	fmt.Fprintln(app.Stdout, "The event names of Claude Code work as well: "+display.Bridge+" --hook=PreToolUse.")
	return nil
}

func failText(p protocol.FailPolicy) string {
	switch p {
	case protocol.FailOpen:
		return "continue"
	case protocol.FailClosed:
		return "deny"
	}
	return string(p)
}
