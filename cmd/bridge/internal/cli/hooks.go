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
	All  bool `help:"List the other events of Claude Code, too."`
}

// hookRow is one line of the table in JSON.
type hookRow struct {
	protocol.Row
	DeadlineMS int64    `json:"deadline_ms"`
	Names      []string `json:"names"`
	// Does is there with --all.
	Does string `json:"does,omitempty"`
}

func (c hooksCmd) Run(app *App) error {
	types := protocol.Rows()
	if c.All {
		types = protocol.AllRows()
	}
	var rows []hookRow
	for _, row := range types {
		listed := hookRow{Row: row, DeadlineMS: row.Deadline.Milliseconds(), Names: append([]string{string(row.Type)}, row.Aliases...)}
		if c.All {
			listed.Does = dutyText(row.Duty)
		}
		rows = append(rows, listed)
	}
	// The other columns are for programs: with them, a row is wider than a terminal.
	table := term.Table{Head: []string{"TYPE", "EVENTS", "DEADLINE", "DOES", "ON FAILURE"}}
	for _, row := range rows {
		events := make([]string, len(row.Events))
		for i, event := range row.Events {
			events[i] = string(event)
		}
		failure := failText(row.Fail)
		if c.All {
			failure = ""
		}
		table.Add(string(row.Type), strings.Join(events, ","), row.Deadline.String(), row.Does, failure)
	}
	if err := app.list(c.JSON, rows, table); err != nil || c.JSON {
		return err
	}
	text := "\n" + display.Bridge + " hooks --json adds stage, priority, required fields, and which input is sensitive.\n"
	if c.All {
		text += "On failure, permission-request denies, and every other hook continues.\n\n" +
			display.Bridge + " install writes a hook line for each event that is not silent. In a hook line for a silent event, bridge reads the input and prints nothing.\n"
	}
	text += "\n" + display.Bridge + " --hook=stop runs the whole Stop chain; --hook=setup picks setup-init or setup-maintenance by the event's trigger.\nThe event names of Claude Code work as well: " + display.Bridge + " --hook=PreToolUse."
	fmt.Fprint(app.Stdout, app.filled(text))
	return nil
}

// noHook is the error for a name that is no value of --hook.
func noHook(name string) error {
	return hinted(fmt.Errorf("there is no hook type %q%s", name, display.Meant(name, protocol.HookNames())), display.Bridge+" hooks lists the types.")
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

// dutyText says what bridge does at the events of a row.
func dutyText(d protocol.Duty) string {
	switch d {
	case protocol.DutyStandard:
		return "answers"
	case protocol.DutyRecord:
		return "records"
	case protocol.DutySilent:
		return "silent"
	}
	return ""
}
