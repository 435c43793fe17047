package cli

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/hookbridge/bridge/internal/term"
	"github.com/hookbridge/bridge/protocol"
)

// terminal is the terminal that shows the output, or nil.
func (app *App) terminal() *os.File {
	if file, is := app.raw().(*os.File); is && term.IsTerminal(file) {
		return file
	}
	return nil
}

// raw is the output below naming, for texts that are clean already and hold colours.
func (app *App) raw() io.Writer {
	out := app.Stdout
	if named, is := out.(naming); is {
		out = named.Writer
	}
	if seen, is := out.(*watched); is {
		if _, is := seen.Writer.(*os.File); is {
			return seen.Writer
		}
	}
	return out
}

// screen collects what a command shows, so that it appears at once. On a terminal, it is
// as wide as that, and may have colours.
type screen struct {
	app           *App
	text          strings.Builder
	columns, rows int
	colours       bool
	live          bool
	// lang is the language of what it shows.
	lang protocol.Lang
}

func (app *App) screen() *screen {
	s := &screen{app: app}
	if file := app.terminal(); file != nil {
		s.columns, s.rows = term.Size(file)
		s.live = term.Escapes(file)
		s.colours = s.live && app.Getenv("NO_COLOR") == ""
	}
	return s
}

// plainColumns is how wide a text is that is not shown on a terminal.
const plainColumns = 80

// fitted wraps texts even if they are not shown on a terminal.
func (s *screen) fitted() *screen {
	if s.columns == 0 {
		s.columns = plainColumns
	}
	return s
}

// line adds a line. Texts among args are cleaned.
func (s *screen) line(format string, args ...any) {
	for i, arg := range args {
		if text, is := arg.(string); is {
			args[i] = s.app.named(text)
		}
	}
	fmt.Fprintf(&s.text, s.app.named(format)+"\n", shown(args)...)
}

// wrapped adds a text, on a terminal in lines that fit, all but the first one indented.
func (s *screen) wrapped(first, indent, text string) {
	const narrow = 40
	if s.columns < narrow {
		s.line("%s", first+text)
		return
	}
	room := s.columns - term.Width(indent)
	line := first
	for i, word := range strings.Fields(text) {
		switch {
		case i == 0, line == indent:
		case term.Width(line)+1+term.Width(word) > s.columns && term.Width(word) <= room:
			s.line("%s", strings.TrimRight(line, " "))
			line = indent
		default:
			line += " "
		}
		line += word
	}
	s.line("%s", line)
}

// table adds a table, whose columns in clip become narrower where it does not fit. colour
// names the column with a word that colourOf knows.
func (s *screen) table(t term.Table, colour int, clip ...int) {
	t.Width, t.Clip = s.columns, clip
	if s.colours {
		t.Paint = func(column int, cell string) string {
			if column != colour {
				return ""
			}
			return colourOf(cell)
		}
	}
	t.Write(&s.text)
}

// colourOf is the escape sequence for a state or a decision; "" is the usual colour.
func colourOf(word string) string {
	const red, green, yellow, grey = "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[90m"
	switch word {
	case "active", "活跃", "allow":
		return green
	case "paused", "已暂停", "block", "ask":
		return yellow
	case "broken", "已损坏", "stale", "已闲置", "deny":
		return red
	case "ended", "已结束", "silent":
		return grey
	}
	return ""
}

// show prints what was collected.
func (s *screen) show() error {
	out := s.app.raw()
	if !s.live {
		// Without colours, the way of every other text.
		out = s.app.Stdout
	}
	if _, err := io.WriteString(out, s.text.String()); err != nil {
		return fmt.Errorf("show the result: %w", err)
	}
	return nil
}

// redraw shows what was collected in the place of what was there before.
func (s *screen) redraw() error {
	if !s.live {
		s.text.WriteByte('\n')
		return s.show()
	}
	const topLeft, toEndOfLine, toEndOfScreen = "\x1b[H", "\x1b[K", "\x1b[J"
	lines := strings.Split(strings.TrimRight(s.text.String(), "\n"), "\n")
	if most := s.rows - 1; s.rows > 2 && len(lines) > most {
		lines = append(lines[:most-1], fmt.Sprintf("… %d more lines", len(lines)-most+1))
	}
	s.text.Reset()
	s.text.WriteString(topLeft + strings.Join(lines, toEndOfLine+"\n") + toEndOfLine + "\n" + toEndOfScreen)
	return s.show()
}
