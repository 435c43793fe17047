package cli

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/hookbridge/bridge/hooks"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/term"
	"github.com/hookbridge/bridge/moderegistry"
)

// modeCmd groups the commands about the modes of oh-my-claudecode.
type modeCmd struct {
	List  modeListCmd  `cmd:"" help:"List the eight modes and what is active."`
	Start modeStartCmd `cmd:"" help:"Start a mode; exclusive modes refuse each other."`
	Stop  modeStopCmd  `cmd:"" help:"End a mode; its state is kept as .bak."`
}

// forSession says for which session a mode command acts.
type forSession struct {
	Session string `help:"Act for this session instead of the one of the environment."`
	JSON    bool   `help:"Print JSON."`
}

func (s forSession) registry(app *App) *moderegistry.Registry {
	id := s.Session
	if id == "" {
		id = app.Getenv("CLAUDE_CODE_SESSION_ID")
	}
	return moderegistry.At(app.Dir, id, app.Getenv, app.Now())
}

type modeListCmd struct {
	JSON bool `help:"Print JSON."`
}

// Help shows an example.
func (modeListCmd) Help() string { return "Example: bridge mode list --json" }

// jsonMode is one mode for programs.
type jsonMode struct {
	Mode      moderegistry.Mode `json:"mode"`
	Exclusive bool              `json:"exclusive"`
	Active    []jsonStatus      `json:"active"`
}

func (c modeListCmd) Run(app *App) error {
	places := project.Find(app.Dir, app.Getenv)
	stop := stopOf(app, places)
	var modes []jsonMode
	table := term.Table{Head: []string{"MODE", "EXCLUSIVE", "STATE", "COUNT", "SESSION", "AGE", "TO STOP", "PROBLEM"}}
	for _, row := range moderegistry.Rows() {
		found, err := moderegistry.Lister(row.Mode)(stop)
		if err != nil {
			return fmt.Errorf("list mode %s: %w", row.Mode, err)
		}
		modes = append(modes, jsonMode{row.Mode, row.Exclusive, jsonStatuses(found)})
		exclusive := ""
		if row.Exclusive {
			exclusive = "yes"
		}
		if len(found) == 0 {
			table.Add(string(row.Mode), exclusive, "-", "", "", "", "", "")
		}
		for _, l := range found {
			s := l.Status
			count := ""
			if s.Limit > 0 {
				count = strconv.Itoa(s.Iteration) + "/" + strconv.Itoa(s.Limit)
			}
			table.Add(string(row.Mode), exclusive, string(s.State), count, short(s.SessionID), age(app.Now(), s), s.Stop, s.Problem)
		}
	}
	if c.JSON {
		return printJSON(app, modes)
	}
	table.Write(app.Stdout)
	return nil
}

type modeStartCmd struct {
	forSession
	Mode  string `arg:"" help:"The mode, such as ralph."`
	Task  string `arg:"" optional:"" help:"The task in your own words."`
	Limit int    `help:"How many iterations; the mode's own limit otherwise."`
}

// Help shows an example.
func (modeStartCmd) Help() string { return "Example: bridge mode start ralph \"Make the tests pass\"" }

func (c modeStartCmd) Run(app *App) error {
	mode, err := moderegistry.Parse(c.Mode)
	if err != nil {
		return hinted(err, "bridge mode list shows the modes.")
	}
	if c.Limit < 0 {
		return hinted(fmt.Errorf("--limit must be positive, got: %d", c.Limit), "Example: bridge mode start ralph --limit 20")
	}
	registry := c.registry(app)
	if err := registry.Start(context.Background(), moderegistry.StartOptions{Mode: mode, Prompt: c.Task, Limit: c.Limit}, 5*time.Second); err != nil {
		return err
	}
	if c.JSON {
		return printJSON(app, map[string]string{"started": string(mode)})
	}
	fmt.Fprintf(app.Stdout, "Started %s. To look: bridge status. To end it: bridge mode stop %s\n", mode, mode)
	return nil
}

type modeStopCmd struct {
	forSession
	Mode  string `arg:"" optional:"" help:"The mode; every mode of the session when left out."`
	Force bool   `help:"Also end what belongs to other sessions, is stale or cannot be read."`
}

// Help shows an example.
func (modeStopCmd) Help() string { return "Example: bridge mode stop ralph" }

func (c modeStopCmd) Run(app *App) error {
	var mode moderegistry.Mode
	if c.Mode != "" {
		var err error
		if mode, err = moderegistry.Parse(c.Mode); err != nil {
			return hinted(err, "bridge mode list shows the modes.")
		}
	}
	stopped, err := c.registry(app).Stop(context.Background(), moderegistry.StopOptions{Mode: mode, Force: c.Force}, 5*time.Second)
	if err != nil {
		return hinted(err, "bridge mode list shows what is active.")
	}
	var names []string
	for _, s := range stopped {
		names = append(names, string(s.Mode))
		if !c.JSON {
			fmt.Fprintf(app.Stdout, "Stopped %s; its state is kept in %s.bak.\n", s.Mode, s.Path())
		}
	}
	if c.JSON {
		return printJSON(app, map[string][]string{"stopped": names})
	}
	return nil
}

// stopOf is what listers look at, in the eyes of the command's session.
func stopOf(app *App, places project.Places) *hooks.Stop {
	return &hooks.Stop{
		Input:  hooks.Input{Base: hooks.Base{CWD: app.Dir, SessionID: app.Getenv("CLAUDE_CODE_SESSION_ID")}},
		Env:    hooks.Env{Getenv: app.Getenv, Now: app.Now()},
		Places: places.Search,
		Root:   places.Root,
	}
}
