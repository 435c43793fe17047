package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/ledger"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/term"
	"github.com/hookbridge/bridge/protocol"
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
		return hinted(fmt.Errorf("--last must be 0 or more, got: %d", c.Last), "Example: "+display.Bridge+" log --last 5")
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
	// The newest one is at the end, as with --follow.
	slices.Reverse(entries)
	if c.JSON {
		return printJSON(app, entries)
	}
	screen := app.screen()
	if len(entries) == 0 && c.Last > 0 {
		if err := c.unknown(app); err != nil {
			return err
		}
	}
	if len(entries) == 0 {
		screen.line("No decision is in the log%s. A hook that had nothing to say leaves no line.", c.narrowed())
		return screen.show()
	}
	dated := slices.ContainsFunc(entries, func(e logEntry) bool { return !e.isOf(app.Now()) })
	table := term.Table{Head: logHead()}
	for _, e := range entries {
		table.Add(e.cells(dated)...)
	}
	screen.table(table, decisionColumn, 4, 5, 2)
	return screen.show()
}

// unknown is an error if what was asked for cannot have a line.
func (c logCmd) unknown(app *App) error {
	if _, err := os.Stat(absolute(app, c.Project)); c.Project != "" && errors.Is(err, fs.ErrNotExist) {
		return hinted(fmt.Errorf("there is no directory %s, and the log has no line about it", display.Text(c.Project)), display.Bridge+" log shows the projects of the newest lines.")
	}
	if c.Session != "" && c.Project == "" {
		return hinted(fmt.Errorf("there is no session in the log whose id begins with %q", display.Clip(c.Session, longestQuote)), "A hook that had nothing to say leaves no line. "+display.Bridge+" log shows the newest sessions.")
	}
	return nil
}

// narrowed says which decisions were asked for.
func (c logCmd) narrowed() string {
	switch {
	case c.Last == 0:
		return " if --last is 0"
	case c.Session != "" && c.Project != "":
		return " for this session in this project"
	case c.Project != "":
		return " for this project"
	}
	return " yet"
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
	screen := app.screen()
	row := func(cells []string) {
		var line strings.Builder
		for i, cell := range cells {
			cell = display.Text(cell)
			line.WriteString(cell + strings.Repeat(" ", max(0, logWidths[i]-term.Width(cell))+2))
		}
		text := strings.TrimRight(line.String(), " ")
		if screen.columns > 0 {
			text = term.Clip(text, screen.columns)
		}
		fmt.Fprintln(app.Stdout, text)
	}
	if !c.JSON {
		row(logHead())
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
		row(entry.cells(!entry.isOf(app.Now())))
	})
}

func logHead() []string {
	return []string{"TIME", "SESSION", "HOOK", "DECISION", "RULE", "PROJECT"}
}

const decisionColumn = 3

// logWidths are the widths of the columns with --follow.
var logWidths = [...]int{8, 8, 18, 8, 22, 0}

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

// isOf reports whether the decision was made on the same day.
func (e logEntry) isOf(now time.Time) bool {
	return e.at().Format(time.DateOnly) == now.Local().Format(time.DateOnly)
}

func (e logEntry) at() time.Time {
	at, _ := time.Parse(time.RFC3339Nano, e.Time)
	return at.Local()
}

// cells is the entry as a row of the table. The hook of a stop stands with the loop that
// answered: every stop has the same type.
func (e logEntry) cells(dated bool) []string {
	name, hook, layout := "", e.Type, time.TimeOnly
	if e.Project != "" {
		name = filepath.Base(e.Project)
	}
	if e.Event == string(protocol.EventStop) {
		hook = "stop"
	}
	if e.Loop != "" {
		hook += " " + e.Loop
	}
	if e.Iteration > 0 {
		hook += " " + strconv.Itoa(e.Iteration)
	}
	if dated {
		layout = "01-02 15:04"
	}
	return []string{e.at().Format(layout), short(e.Session), hook, e.Decision, e.Rule, name}
}
