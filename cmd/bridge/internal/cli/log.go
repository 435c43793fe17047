package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/ledger"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/term"
)

type logCmd struct {
	Follow  bool   `short:"f" help:"Keep showing new decisions until interrupted."`
	Session string `help:"Only this session; the beginning of its id is enough."`
	Project string `help:"Only the project of this directory." placeholder:"DIR"`
	Last    int    `help:"How many decisions to show. With --follow, 0 shows only new ones." default:"20"`
	JSON    bool   `help:"Print JSON; with --follow one object a line."`
}

// logEntry is one decision in JSON.
type logEntry struct {
	Time       string `json:"time"`
	Session    string `json:"session"`
	Type       string `json:"type"`
	Event      string `json:"event"`
	Step       string `json:"step"`
	Decision   string `json:"decision"`
	Rule       string `json:"rule"`
	DurationUS int64  `json:"duration_us"`
	// Project is the path of the project's root, or its id if the index does not know it.
	Project   string `json:"project,omitempty"`
	Client    string `json:"client,omitempty"`
	Loop      string `json:"loop,omitempty"`
	Iteration int    `json:"iteration,omitempty"`
	Prompt    string `json:"prompt,omitempty"`
	ToolUse   string `json:"tool_use,omitempty"`
}

func (c logCmd) Run(app *App) error {
	if c.Last < 0 {
		return hinted(fmt.Errorf("--last must be a non-negative integer, got: %d", c.Last), "Example: "+display.Bridge+" log --last 5")
	}
	home := app.env().StateHome
	kept := ledger.Ledger{Dir: filepath.Join(home, "ledger")}
	if c.Follow {
		if home == "" {
			return hinted(errors.New("no directory for the log is known"), "Set HOME to an absolute path.")
		}
		return c.follow(app, kept, home)
	}
	paths := projectPaths{home, map[string]string{}}
	var entries []logEntry
	if home != "" && c.Last > 0 {
		for e := range kept.Entries(c.filter(app)) {
			if entries = append(entries, paths.entryOf(e)); len(entries) == c.Last {
				break
			}
		}
	}
	if len(entries) == 0 && !c.JSON {
		fmt.Fprintln(app.Stderr, "bridge: there are no decisions to show. A hook that had nothing to say leaves no line.")
	}
	table := term.Table{Head: logHead()}
	for _, e := range slices.Backward(entries) {
		table.Add(e.cells()...)
	}
	return app.list(c.JSON, entries, table)
}

// filter is the filter that the flags describe. A directory that no longer exists stands
// for the project with that path.
func (c logCmd) filter(app *App) ledger.Filter {
	filter := ledger.Filter{Session: c.Session}
	if c.Project != "" {
		root := filepath.Clean(absolute(app, c.Project))
		if _, err := os.Stat(root); err == nil {
			root = project.Find(root, app.Getenv).Root
		}
		filter.Project = project.ID(root)
	}
	return filter
}

// follow shows the existing decisions and then each new one. The columns have fixed
// widths, because the width of later values is unknown.
func (c logCmd) follow(app *App, kept ledger.Ledger, home string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	const layout = "%-14s  %-8s  %-18s  %-17s  %-8s  %-24s  %-9s  %s\n"
	if !c.JSON {
		head := logHead()
		fmt.Fprintf(app.Stdout, layout, head[0], head[1], head[2], head[3], head[4], head[5], head[6], head[7])
	}
	paths := projectPaths{home, map[string]string{}}
	return kept.Follow(ctx, c.filter(app), c.Last, time.Second, func(e ledger.Entry) {
		entry := paths.entryOf(e)
		if c.JSON {
			if text, err := json.Marshal(entry); err == nil {
				fmt.Fprintf(app.Stdout, "%s\n", text)
			}
			return
		}
		cells := entry.cells()
		for i := range cells {
			cells[i] = display.Text(cells[i])
		}
		fmt.Fprintf(app.Stdout, layout, cells[0], cells[1], cells[2], cells[3], cells[4], cells[5], cells[6], cells[7])
	})
}

func logHead() []string {
	return []string{"TIME", "SESSION", "TYPE", "STEP", "DECISION", "RULE", "TOOK", "PROJECT"}
}

// projectPaths looks up the paths of projects by their ids.
type projectPaths struct {
	home string
	read map[string]string
}

// of is the path of a project, or its id if the index does not know it (yet).
func (p projectPaths) of(id string) string {
	if _, ok := p.read[id]; !ok && id != "" {
		known, _ := project.Index(p.home)
		for _, k := range known {
			p.read[project.ID(k.Path)] = k.Path
		}
	}
	return cmp.Or(p.read[id], id)
}

func (p projectPaths) entryOf(e ledger.Entry) logEntry {
	return logEntry{e.Time.UTC().Format(time.RFC3339Nano), e.Session, string(e.Type), string(e.Event), e.Step, e.Decision, e.Rule, e.Duration.Microseconds(),
		p.of(e.Project), e.Client, e.Loop, e.Iteration, e.Prompt, e.ToolUse}
}

// cells is the entry as a row of the table.
func (e logEntry) cells() []string {
	at, _ := time.Parse(time.RFC3339Nano, e.Time)
	name := ""
	if e.Project != "" {
		name = filepath.Base(e.Project)
	}
	return []string{at.Local().Format("01-02 15:04:05"), short(e.Session), e.Type, e.Step, e.Decision, e.Rule, time.Duration(e.DurationUS * 1000).String(), name}
}
