package cli

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/policy"
	"github.com/hookbridge/bridge/internal/self"
	"github.com/hookbridge/bridge/internal/term"
)

// naming is the app without the variables that bridge ignores, and with outputs that
// replace display.Bridge with the command that runs this program and make control
// characters visible.
func (app *App) naming(out io.Writer) *App {
	named := *app
	named.Getenv = policy.Screen(app.Getenv, func() (string, error) { return app.Dir, nil }, func(string, string) {})
	named.name = sync.OnceValue(func() string { return self.Name(app.Getenv) })
	named.Stdout, named.Stderr = naming{out, named.name}, naming{app.Stderr, named.name}
	return &named
}

// named replaces display.Bridge in a text that is measured or encoded before it is
// written.
func (app *App) named(text string) string { return display.Named(text, app.name) }

// laidOut lays out a text in which the name of the program has its width. The name is put
// in afterwards: it may be a quoted path, in which no line may end.
func (app *App) laidOut(text string, layout func(string) string) string {
	const letter = "\ue000" // belongs to no script, so no text has it
	name := strings.Repeat(letter, max(1, term.Width(app.name())))
	return strings.ReplaceAll(layout(strings.ReplaceAll(text, display.Bridge, name)), name, display.Bridge)
}

// filled fits a text into a screen.
func (app *App) filled(text string) string {
	return app.laidOut(text, func(text string) string { return term.Fill(text, plainColumns) })
}

// printf prints for a person. Texts among args may come from file names and state files,
// so line breaks in them are escaped.
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

// watched remembers the first error of an output, because most of what prints for a person
// does not look.
type watched struct {
	io.Writer
	err error
}

func (w *watched) Write(text []byte) (int, error) {
	n, err := w.Writer.Write(text)
	if w.err == nil {
		w.err = err
	}
	return n, err
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

// list prints rows as JSON or as a table.
func (app *App) list(asJSON bool, rows any, table term.Table) error {
	if asJSON {
		return printJSON(app, rows)
	}
	table.Write(app.Stdout)
	return nil
}

// say prints the result of a command: a text for people, or a value in JSON.
func (app *App) say(asJSON bool, value any, text string) error {
	if asJSON {
		return printJSON(app, value)
	}
	fmt.Fprintln(app.Stdout, text)
	return nil
}

// yes is a cell that is empty if the value is false.
func yes(holds bool) string {
	if holds {
		return "yes"
	}
	return ""
}

// outOf is a cell such as 3/9.
func outOf(n, total int) string { return strconv.Itoa(n) + "/" + strconv.Itoa(total) }

// printJSON prints a value as indented JSON.
func printJSON(app *App, value any) error {
	// Invalid UTF-8 becomes U+FFFD, and the error would say nothing more than that.
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
