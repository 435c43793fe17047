package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/hookbridge/bridge/internal/clean"
	"github.com/hookbridge/bridge/internal/ledger"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/term"
)

type logCmd struct {
	Follow  bool   `short:"f" help:"Go on showing new decisions until interrupted."`
	Session string `help:"Only this session; the beginning of its id is enough."`
	Last    int    `help:"How many decisions to show." default:"20"`
	JSON    bool   `help:"Print JSON; with --follow one object a line."`
}

// Help shows an example.
func (logCmd) Help() string {
	return "Each line is one decision of a hook: what was decided and by which rule. A hook that had nothing to say leaves no line.\n\nExamples: bridge log --last 5\n          bridge log -f --session 1a2b"
}

// logEntry is one decision for programs.
type logEntry struct {
	Time       string `json:"time"`
	Session    string `json:"session"`
	Type       string `json:"type"`
	Event      string `json:"event"`
	Step       string `json:"step"`
	Decision   string `json:"decision"`
	Rule       string `json:"rule"`
	DurationUS int64  `json:"duration_us"`
}

func (c logCmd) Run(app *App) error {
	home := project.StateHome(app.Getenv)
	kept := ledger.Ledger{Dir: filepath.Join(home, "ledger")}
	if c.Follow {
		if home == "" {
			return hinted(errors.New("there is no log without a home directory"), "Set HOME to an absolute path.")
		}
		return c.follow(app, kept)
	}
	var entries []logEntry
	if home != "" {
		for e := range kept.Entries() {
			if !c.shows(e) {
				continue
			}
			if entries = append(entries, entryOf(e)); len(entries) == c.Last {
				break
			}
		}
	}
	if c.JSON {
		if entries == nil {
			entries = []logEntry{}
		}
		return printJSON(app, entries)
	}
	table := term.Table{Head: logHead()}
	for _, e := range slices.Backward(entries) {
		table.Add(e.cells()...)
	}
	table.Write(app.Stdout)
	return nil
}

func (c logCmd) shows(e ledger.Entry) bool { return strings.HasPrefix(e.Session, c.Session) }

// follow shows what is there and then each new decision. The columns have fixed
// widths: nobody knows what comes.
func (c logCmd) follow(app *App, kept ledger.Ledger) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	const layout = "%-14s  %-8s  %-18s  %-17s  %-8s  %-24s  %s\n"
	if !c.JSON {
		head := logHead()
		fmt.Fprintf(app.Stdout, layout, head[0], head[1], head[2], head[3], head[4], head[5], head[6])
	}
	return kept.Follow(ctx, c.Last, time.Second, func(e ledger.Entry) {
		if !c.shows(e) {
			return
		}
		entry := entryOf(e)
		if c.JSON {
			if text, err := json.Marshal(entry); err == nil {
				fmt.Fprintf(app.Stdout, "%s\n", text)
			}
			return
		}
		cells := entry.cells()
		for i := range cells {
			cells[i] = clean.Text(cells[i])
		}
		fmt.Fprintf(app.Stdout, layout, cells[0], cells[1], cells[2], cells[3], cells[4], cells[5], cells[6])
	})
}

func logHead() []string {
	return []string{"TIME", "SESSION", "TYPE", "STEP", "DECISION", "RULE", "TOOK"}
}

func entryOf(e ledger.Entry) logEntry {
	return logEntry{e.Time.UTC().Format(time.RFC3339Nano), e.Session, string(e.Type), string(e.Event), e.Step, e.Decision, e.Rule, e.Duration.Microseconds()}
}

// cells is the entry as a row of the table.
func (e logEntry) cells() []string {
	at, _ := time.Parse(time.RFC3339Nano, e.Time)
	return []string{at.Local().Format("01-02 15:04:05"), short(e.Session), e.Type, e.Step, e.Decision, e.Rule, time.Duration(e.DurationUS * 1000).String()}
}
