package cli

import (
	"os"

	"github.com/hookbridge/bridge/internal/term"
)

// terminal is the terminal that shows the output, or nil.
func (app *App) terminal() *os.File {
	out := app.Stdout
	if named, is := out.(naming); is {
		out = named.Writer
	}
	if seen, is := out.(*watched); is {
		out = seen.Writer
	}
	if file, is := out.(*os.File); is && term.IsTerminal(file) {
		return file
	}
	return nil
}
