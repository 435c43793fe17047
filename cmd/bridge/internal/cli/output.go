package cli

import (
	"fmt"
	"io"
	"strconv"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/policy"
	"github.com/hookbridge/bridge/internal/self"
	"github.com/hookbridge/bridge/internal/term"
)

// naming is the app with outputs that put the command that runs this program where a
// text names it, and that make control characters visible, and without the variables
// that bridge ignores.
func (app *App) naming() *App {
	named := *app
	named.Getenv = policy.Screen(app.Getenv, func() (string, error) { return app.Dir, nil })
	named.name = sync.OnceValue(func() string { return self.Name(app.Getenv) })
	named.Stdout, named.Stderr = naming{app.Stdout, named.name}, naming{app.Stderr, named.name}
	return &named
}

// named puts the command in a text that is measured or encoded before it is written.
func (app *App) named(text string) string { return display.Named(text, app.name) }

// printf prints for a person. Texts among args may come from the names of files and
// from states: they stay on their line.
func (app *App) printf(format string, args ...any) {
	fmt.Fprintf(app.Stdout, format, shown(args)...)
}

// complain is printf on stderr.
func (app *App) complain(format string, args ...any) {
	fmt.Fprintf(app.Stderr, format, shown(args)...)
}

func shown(args []any) []any {
	for i, arg := range args {
		switch arg := arg.(type) {
		case string:
			args[i] = display.Text(arg)
		case error:
			args[i] = display.Text(display.Error(arg))
		}
	}
	return args
}

type naming struct {
	io.Writer
	name func() string
}

func (n naming) Write(text []byte) (int, error) {
	if _, err := io.WriteString(n.Writer, display.Lines(display.Named(string(text), n.name))); err != nil {
		return 0, err
	}
	return len(text), nil
}

// list prints rows for programs, or the table of them for people.
func (app *App) list(asJSON bool, rows any, table term.Table) error {
	if asJSON {
		return printJSON(app, rows)
	}
	table.Write(app.Stdout)
	return nil
}

// say prints what was done: a text for people, or a value for programs.
func (app *App) say(asJSON bool, value any, text string) error {
	if asJSON {
		return printJSON(app, value)
	}
	fmt.Fprintln(app.Stdout, text)
	return nil
}

// yes is a cell that is empty where something does not hold.
func yes(holds bool) string {
	if holds {
		return "yes"
	}
	return ""
}

// outOf is a cell such as 3/9.
func outOf(n, total int) string { return strconv.Itoa(n) + "/" + strconv.Itoa(total) }

// printJSON prints a value for programs, indented for people.
func printJSON(app *App, value any) error {
	// Bytes that are no UTF-8 become U+FFFD; that they were there is all that the
	// error would say.
	named := json.MarshalFunc(func(s string) ([]byte, error) {
		text, _ := jsontext.AppendQuote(nil, app.named(s))
		return text, nil
	})
	text, err := json.Marshal(value, jsontext.WithIndent("  "), json.Deterministic(true), json.WithMarshalers(named))
	if err != nil {
		return fmt.Errorf("encode the answer: %w", err)
	}
	fmt.Fprintln(app.Stdout, string(text))
	return nil
}
