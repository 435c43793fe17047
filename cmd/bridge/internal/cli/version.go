package cli

import (
	"fmt"

	"github.com/alecthomas/kong"

	"github.com/hookbridge/bridge/internal/self"
)

type versionCmd struct {
	JSON bool `help:"Print JSON."`
}

func (c versionCmd) Run(app *App) error {
	return app.say(c.JSON, map[string]string{"version": self.Version}, "bridge "+self.Version)
}

// versionFlag is --version, which does the same before anything else is read.
type versionFlag bool

// BeforeReset is called by kong.
func (versionFlag) BeforeReset(app *App, parser *kong.Kong) error {
	if err := (versionCmd{}).Run(app); err != nil {
		return fmt.Errorf("print the version: %w", err)
	}
	parser.Exit(0)
	return nil
}
