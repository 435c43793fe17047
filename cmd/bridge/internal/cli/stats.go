package cli

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/cmd/bridge/internal/stats"
	"github.com/hookbridge/bridge/internal/term"
)

type statsCmd struct {
	Since span `help:"How far back to look, such as 7d, 12h or 90m." default:"7d"`
	JSON  bool `help:"Print JSON."`
}

// barWidth is the length of the longest bar.
const barWidth = 20

func (c statsCmd) Run(app *App) error {
	since := app.Now().Add(-time.Duration(c.Since))
	rows := stats.Client(claude.Home(app.Getenv), since)
	clients := len(rows)
	if home := app.env().StateHome; home != "" {
		rows = append(rows, stats.Ledger(filepath.Join(home, "ledger"), since)...)
	}
	if c.JSON {
		return printJSON(app, rows)
	}
	screen := app.screen()
	if len(rows) == 0 {
		screen.line("No hook ran in the last %s, according to the transcripts and the ledger.", c.Since.String())
		return screen.show()
	}
	screen.line("Hooks of the last %s.", c.Since.String())
	screen.figures("As the client measured them: every call, and how long it waited", rows[:clients])
	screen.figures("As bridge measured them: only calls that had something to say", rows[clients:])
	return screen.show()
}

// figures are the rows of one source, with a bar for the median.
func (s *screen) figures(title string, rows []stats.Row) {
	if len(rows) == 0 {
		return
	}
	most := int64(1)
	for _, r := range rows {
		most = max(most, r.P50)
	}
	s.line("")
	s.line("%s:", title)
	table := term.Table{Head: []string{"HOOK", "CALLS", "FAILED", "MEDIAN", "P95", ""}}
	for _, r := range rows {
		bar := strings.Repeat("#", int(r.P50*barWidth/most))
		table.Add(r.Name, strconv.Itoa(r.Count), strconv.Itoa(r.Failed), milliseconds(r.P50), milliseconds(r.P95), bar)
	}
	s.table(table, -1, 0, 5)
}

func milliseconds(us int64) string { return fmt.Sprintf("%.1f ms", float64(us)/1000) }
