package cli

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/cmd/bridge/internal/stats"
	"github.com/hookbridge/bridge/internal/term"
)

type statsCmd struct {
	Since time.Duration `help:"How far back to look." default:"168h"`
	JSON  bool          `help:"Print JSON."`
}

// barWidth is the length of the longest bar.
const barWidth = 20

func (c statsCmd) Run(app *App) error {
	since := app.Now().Add(-c.Since)
	rows := stats.Client(claude.Home(app.Getenv), since)
	if home := app.env().StateHome; home != "" {
		rows = append(rows, stats.Ledger(filepath.Join(home, "ledger"), since)...)
	}
	if len(rows) == 0 && !c.JSON {
		last := strings.NewReplacer("h0m0s", "h", "m0s", "m").Replace(c.Since.String())
		fmt.Fprintf(app.Stdout, "No hook ran in the last %s, according to the transcripts and the ledger.\n", last)
		return nil
	}
	most := int64(1)
	for _, r := range rows {
		most = max(most, r.P50)
	}
	table := term.Table{Head: []string{"MEASURED BY", "HOOK", "CALLS", "FAILED", "MEDIAN", "P95", ""}}
	for _, r := range rows {
		bar := strings.Repeat("#", int(r.P50*barWidth/most))
		table.Add(r.Source, r.Name, fmt.Sprint(r.Count), fmt.Sprint(r.Failed), milliseconds(r.P50), milliseconds(r.P95), bar)
	}
	return app.list(c.JSON, rows, table)
}

func milliseconds(us int64) string { return fmt.Sprintf("%.1f ms", float64(us)/1000) }
