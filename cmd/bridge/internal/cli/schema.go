package cli

import (
	"fmt"

	"github.com/hookbridge/bridge/protocol"
	"github.com/hookbridge/bridge/schemas"
)

type schemaCmd struct {
	Type   string `arg:"" optional:"" help:"A hook type or event, such as stop or PreToolUse, or config for the configuration."`
	Output bool   `help:"Print the schema of the output instead of the input."`
}

func (c schemaCmd) Run(app *App) error {
	if c.Type == "" {
		for _, row := range protocol.AllRows() {
			fmt.Fprintln(app.Stdout, row.Type)
		}
		fmt.Fprintln(app.Stdout, "config")
		return nil
	}
	if c.Type == "config" {
		_, err := app.Stdout.Write(schemas.Config())
		return err
	}
	hook, ok := protocol.ParseHook(c.Type)
	if !ok {
		return noHook(c.Type)
	}
	row := hook.Row()
	text, err := schemas.Input(row.Type)
	if c.Output {
		text, err = schemas.Output(row.Events[0])
	}
	if err != nil {
		return fmt.Errorf("find the schema of %s: %w", c.Type, err)
	}
	_, err = app.Stdout.Write(text)
	return err
}
