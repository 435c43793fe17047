package cli

import (
	"path/filepath"
	"time"

	"github.com/hookbridge/bridge/internal/ledger"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/term"
)

type logCmd struct {
	Session string `help:"Only this session; the beginning of its id is enough."`
	Last    int    `help:"How many decisions to show." default:"20"`
	JSON    bool   `help:"Print JSON."`
}

// Help shows an example.
func (logCmd) Help() string {
	return "Each line is one decision of a hook: what was decided and by which rule.\n\nExample: bridge log --last 5"
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
	var entries []logEntry
	if home := project.StateHome(app.Getenv); home != "" {
		for e := range (ledger.Ledger{Dir: filepath.Join(home, "ledger")}).Entries() {
			if len(e.Session) < len(c.Session) || e.Session[:len(c.Session)] != c.Session {
				continue
			}
			entries = append(entries, logEntry{e.Time.UTC().Format(time.RFC3339Nano), e.Session, string(e.Type), string(e.Event), e.Step, e.Decision, e.Rule, e.Duration.Microseconds()})
			if len(entries) == c.Last {
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
	table := term.Table{Head: []string{"TIME", "SESSION", "TYPE", "STEP", "DECISION", "RULE", "TOOK"}}
	for i := len(entries) - 1; i >= 0; i-- {
		e := entries[i]
		at, _ := time.Parse(time.RFC3339Nano, e.Time)
		table.Add(at.Local().Format("01-02 15:04:05"), short(e.Session), e.Type, e.Step, e.Decision, e.Rule, time.Duration(e.DurationUS*1000).String())
	}
	table.Write(app.Stdout)
	return nil
}
