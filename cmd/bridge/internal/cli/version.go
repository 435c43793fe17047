package cli

import (
	"fmt"

	"github.com/hookbridge/bridge/internal/self"
)

type versionCmd struct{}

func (versionCmd) Run(app *App) error {
	fmt.Fprintln(app.Stdout, "bridge", self.Version)
	return nil
}
