package cli

import "fmt"

type versionCmd struct{}

func (versionCmd) Run(app *App) error {
	fmt.Fprintln(app.Stdout, "bridge", Version)
	return nil
}
