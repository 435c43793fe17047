package cli

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/hooks"
	"github.com/hookbridge/bridge/internal/term"
)

type hooksCmd struct {
	JSON bool `help:"Print JSON."`
}

// Help shows an example.
func (hooksCmd) Help() string { return "Example: bridge hooks --json" }

// hookRow is one line of the table, for programs.
type hookRow struct {
	hooks.Row
	DeadlineMS int64    `json:"deadline_ms"`
	Names      []string `json:"names"`
}

func (c hooksCmd) Run(app *App) error {
	var rows []hookRow
	for _, row := range hooks.Rows() {
		if row.Required == nil {
			row.Required = []string{}
		}
		rows = append(rows, hookRow{row, row.Deadline.Milliseconds(), hooks.NamesOf(row.Type)})
	}
	if c.JSON {
		return printJSON(app, rows)
	}
	table := term.Table{Head: []string{"TYPE", "EVENTS", "STAGE", "PRIORITY", "REQUIRED", "SENSITIVE", "DEADLINE", "ON FAILURE"}}
	for _, row := range rows {
		events := make([]string, len(row.Events))
		for i, event := range row.Events {
			events[i] = string(event)
		}
		sensitive := ""
		if row.Sensitive {
			sensitive = "yes"
		}
		table.Add(string(row.Type), strings.Join(events, ","), string(row.Stage), row.Priority, strings.Join(row.Required, ","),
			sensitive, row.Deadline.String(), failText(row.Fail))
	}
	table.Write(app.Stdout)
	fmt.Fprintln(app.Stdout, "\nbridge --hook=stop runs the whole Stop chain; --hook=setup picks the type by the trigger.")
	fmt.Fprintln(app.Stdout, "The client's own spelling of an event works as well: bridge --hook=PreToolUse.")
	return nil
}

func failText(p hooks.FailPolicy) string {
	switch p {
	case hooks.FailOpen:
		return "continue"
	case hooks.FailClosed:
		return "deny"
	}
	return string(p)
}

// printJSON prints a value for programs, indented for people.
func printJSON(app *App, value any) error {
	text, err := json.Marshal(value, jsontext.WithIndent("  "), json.Deterministic(true))
	if err != nil {
		return fmt.Errorf("encode the answer: %w", err)
	}
	fmt.Fprintln(app.Stdout, string(text))
	return nil
}
