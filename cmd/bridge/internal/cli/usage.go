package cli

import (
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hookbridge/bridge/client/claude"
	transcript "github.com/hookbridge/bridge/client/claude/usage"
	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/internal/term"
	"github.com/hookbridge/bridge/internal/usage"
	"github.com/hookbridge/bridge/protocol"
)

type usageCmd struct {
	Session string `help:"Only this session." placeholder:"ID"`
	Since   span   `help:"How far back to look, such as 12h or 7d." default:"7d"`
	All     bool   `help:"All projects, not only this one."`
	By      string `help:"One row per session, model or day." enum:"session,model,day" default:"session"`
	JSON    bool   `help:"Print JSON. Costs are in micro-dollars."`
}

// usageRow is the usage of a session, a model or a day, or of all of them.
type usageRow struct {
	Name     string       `json:"name"`
	Requests int          `json:"requests"`
	Tokens   usage.Tokens `json:"tokens"`
	Micros   int64        `json:"cost_micro_dollars"`
	// Seconds is the time from the first to the last answer.
	Seconds   int64    `json:"seconds"`
	ToolCalls int      `json:"tool_calls"`
	Files     int      `json:"files_changed"`
	Unpriced  []string `json:"models_without_price"`
}

type usageReport struct {
	PricesAsOf string     `json:"prices_as_of"`
	Rows       []usageRow `json:"rows"`
	Total      usageRow   `json:"total"`
}

func (c usageCmd) Run(app *App) error {
	env := app.stop()
	project := app.Dir
	if env.Root != "" {
		project = env.Root
	}
	if c.All || c.Session != "" {
		project = ""
	}
	if c.Session != "" && !session.ValidID(c.Session) {
		return hinted(fmt.Errorf("%q is not the id of a session", display.Text(c.Session)), "%s usage lists the sessions of this project.", display.Bridge)
	}
	paths, err := transcript.Transcripts(claude.Home(app.Getenv), project, c.Session)
	if err != nil {
		return err
	}
	messages := transcript.New()
	for _, path := range paths {
		if err := messages.Read(path); err != nil {
			app.complain("bridge: %v. The figures do not include it.\n", err)
		}
	}
	since := app.Now().Add(-time.Duration(c.Since))
	prices := pricingOf(env.Env.Config.Prices)
	groups, total := map[string]*group{}, new(group)
	for m := range messages.All() {
		if m.At.Before(since) || project != "" && !below(project, m.CWD) {
			continue
		}
		name := c.groupOf(m)
		if groups[name] == nil {
			groups[name] = new(group)
		}
		groups[name].add(m, prices)
		total.add(m, prices)
	}
	report := usageReport{PricesAsOf: transcript.PricesAsOf, Total: total.row("total")}
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		report.Rows = append(report.Rows, groups[name].row(name))
	}
	if c.By == "session" {
		slices.SortStableFunc(report.Rows, func(a, b usageRow) int { return groups[a.Name].first.Compare(groups[b.Name].first) })
	}
	return c.print(app, report)
}

// below reports whether a session worked in the project. One that does not say where
// counts by its folder.
func below(project, dir string) bool {
	rel, err := filepath.Rel(project, dir)
	return dir == "" || err == nil && filepath.IsLocal(rel)
}

func (c usageCmd) print(app *App, report usageReport) error {
	if len(report.Rows) == 0 && !c.JSON {
		app.printf("Nothing was used in the last %s, according to the transcripts. %s usage --all looks at all projects.\n", c.Since, display.Bridge)
		return nil
	}
	table := term.Table{Head: []string{strings.ToUpper(c.By), "REQUESTS", "INPUT", "OUTPUT", "CACHE WRITE", "CACHE READ", "COST", "TIME", "TOOLS", "FILES"}}
	for _, r := range append(slices.Clone(report.Rows), report.Total) {
		name := r.Name
		if c.By == "session" {
			name = short(name)
		}
		t := r.Tokens
		table.Add(display.Text(name), strconv.Itoa(r.Requests), tokens(t.Input), tokens(t.Output), tokens(t.CacheWrite5m+t.CacheWrite1h), tokens(t.CacheRead),
			usage.Cost(r.Micros*1_000_000).String(), display.Elapsed(time.Duration(r.Seconds)*time.Second), strconv.Itoa(r.ToolCalls), strconv.Itoa(r.Files))
	}
	if err := app.list(c.JSON, report, table); err != nil || c.JSON {
		return err
	}
	app.printf("\nCosts are list prices of %s; a subscription is not billed by them.\n", report.PricesAsOf)
	if len(report.Total.Unpriced) > 0 {
		app.printf("Without a price, so not in the costs: %s. Set one with prices in the configuration.\n", display.Text(strings.Join(report.Total.Unpriced, ", ")))
	}
	return nil
}

func (c usageCmd) groupOf(m transcript.Message) string {
	switch c.By {
	case "model":
		return m.Model
	case "day":
		return m.At.Local().Format(time.DateOnly)
	}
	return m.Session
}

// group is the usage of the answers of one row.
type group struct {
	usage.Sum
	first, last time.Time
	calls       int
	files       map[string]bool
}

func (g *group) add(m transcript.Message, p pricing) {
	if price, ok := p.of(m.Model); ok {
		g.Add(m.Tokens, price.Of(m.Tokens, m.Fast))
	} else {
		g.AddUnpriced(m.Tokens, m.Model)
	}
	if g.first.IsZero() || m.At.Before(g.first) {
		g.first = m.At
	}
	if m.At.After(g.last) {
		g.last = m.At
	}
	g.calls += len(m.Tools)
	for _, file := range m.Tools {
		if file != "" {
			if g.files == nil {
				g.files = map[string]bool{}
			}
			g.files[file] = true
		}
	}
}

func (g *group) row(name string) usageRow {
	return usageRow{
		Name: name, Requests: g.Requests, Tokens: g.Tokens, Micros: g.Cost.Micros(), Seconds: int64(g.last.Sub(g.first).Seconds()),
		ToolCalls: g.calls, Files: len(g.files), Unpriced: append([]string{}, g.Unpriced()...),
	}
}

// pricing knows the prices of the models, the user's own first.
type pricing struct {
	table map[string]usage.Price
	// keys are the names under which the table has the models that were asked for.
	keys map[string]string
}

func pricingOf(own map[string]protocol.ModelPrice) pricing {
	p := pricing{transcript.Prices(), map[string]string{}}
	micro := func(dollars float64) usage.Cost { return usage.Cost(math.Round(dollars * 1e6)) }
	for model, price := range own {
		p.table[model] = usage.Price{Input: micro(price.Input), Output: micro(price.Output), CacheWrite: micro(price.CacheWrite), CacheRead: micro(price.CacheRead)}
	}
	return p
}

func (p pricing) of(model string) (usage.Price, bool) {
	if price, ok := p.table[model]; ok {
		return price, true
	}
	key, ok := p.keys[model]
	if !ok {
		key = transcript.ModelKey(model)
		p.keys[model] = key
	}
	price, ok := p.table[key]
	return price, ok
}

// tokens is a number of tokens with at most one digit after the point, such as 950, 1.2k
// and 34M.
func tokens(n int64) string {
	switch {
	case n < 1000:
		return strconv.FormatInt(n, 10)
	case n < 1_000_000:
		return strconv.FormatFloat(float64(n)/1000, 'f', 1, 64) + "k"
	}
	return strconv.FormatFloat(float64(n)/1e6, 'f', 1, 64) + "M"
}
