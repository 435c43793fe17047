package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/internal/term"
	"github.com/hookbridge/bridge/moderegistry"
	"github.com/hookbridge/bridge/protocol"
)

// modeCmd groups the commands about the modes of oh-my-claudecode.
type modeCmd struct {
	List  modeListCmd  `cmd:"" help:"List the eight modes and what is active."`
	Start modeStartCmd `cmd:"" help:"Start a mode. Only one of the exclusive modes can run in a project."`
	Stop  modeStopCmd  `cmd:"" help:"End a mode; its state is kept as .bak."`
}

// forSession says which session a mode command acts for.
type forSession struct {
	Session string `help:"Act for this session instead of the one in $CLAUDE_CODE_SESSION_ID."`
	JSON    bool   `help:"Print JSON."`
}

// given is the session id as the user typed it; it may not be a valid id.
func (s forSession) given(app *App) string {
	return cmp.Or(s.Session, app.Getenv(claude.EnvSessionID))
}

// id is the id of the session that the command acts for; it is empty in a terminal.
func (s forSession) id(app *App) string {
	if id := s.given(app); session.ValidID(id) {
		return id
	}
	return ""
}

func (s forSession) registry(app *App) *moderegistry.Registry {
	return moderegistry.At(app.Dir, s.given(app), app.Getenv, app.Now())
}

type modeListCmd struct {
	forSession
	Mode string `arg:"" optional:"" help:"Only this mode."`
}

// parseMode resolves the name of a mode; an empty name means every mode.
func parseMode(name string) (moderegistry.Mode, error) {
	if name == "" {
		return "", nil
	}
	mode, err := moderegistry.Parse(name)
	if err != nil {
		return "", hinted(err, display.Bridge+" mode list shows the modes.")
	}
	return mode, nil
}

// jsonMode is one mode in JSON.
type jsonMode struct {
	Mode      moderegistry.Mode `json:"mode"`
	Exclusive bool              `json:"exclusive"`
	Active    []jsonStatus      `json:"active"`
}

func (c modeListCmd) Run(app *App) error {
	only, err := parseMode(c.Mode)
	if err != nil {
		return err
	}
	all, err := moderegistry.Lister(moderegistry.AllModes()...)(app.stop())
	if err != nil {
		return fmt.Errorf("list the modes: %w", err)
	}
	var modes []jsonMode
	table := term.Table{Head: []string{"MODE", "EXCLUSIVE", "STATE", "COUNT", "SESSION", "AGE", "TO STOP", "PROBLEM"}}
	for _, row := range moderegistry.Rows() {
		if only != "" && row.Mode != only {
			continue
		}
		found := slices.DeleteFunc(slices.Clone(all), func(l protocol.Controlled) bool {
			return l.Status.Kind != moderegistry.Kind(row.Mode) || c.Session != "" && l.Status.SessionID != c.Session
		})
		modes = append(modes, jsonMode{row.Mode, row.Exclusive, jsonStatuses(found)})
		exclusive := yes(row.Exclusive)
		if len(found) == 0 {
			table.Add(string(row.Mode), exclusive, "-", "", "", "", "", "")
		}
		for _, l := range found {
			s := l.Status
			count := ""
			if s.Limit > 0 {
				count = outOf(s.Iteration, s.Limit)
			}
			table.Add(string(row.Mode), exclusive, string(s.State), count, short(s.SessionID), age(app.Now(), s), app.named(s.Stop), app.named(s.Problem))
		}
	}
	return app.list(c.JSON, modes, table)
}

type modeStartCmd struct {
	forSession
	Mode  string `arg:"" help:"The mode, such as ralph."`
	Task  string `arg:"" optional:"" help:"The task in your own words."`
	Limit *int   `help:"Stop after this many iterations. The default is the mode's own limit." aliases:"max-iterations"`
	// Resume resumes a mode that ended or was abandoned.
	Resume bool `help:"Resume a mode that ended or was abandoned. If it reached its limit, give a higher --limit."`
}

func (c modeStartCmd) Run(app *App) error {
	mode, err := parseMode(c.Mode)
	if err != nil {
		return err
	}
	limit := 0
	if c.Limit != nil {
		if limit = *c.Limit; limit < 1 {
			return hinted(fmt.Errorf("--limit must be a whole number from 1 on, got: %d", limit), "Without --limit, the mode has its own limit. Example: "+display.Bridge+" mode start ralph --limit 20")
		}
	}
	if _, err := app.userConfig(app.stop()); err != nil {
		return err
	}
	if c.Resume {
		return c.resume(app, mode, limit)
	}
	registry := c.registry(app)
	if err := registry.Start(context.Background(), moderegistry.StartOptions{Mode: mode, Prompt: c.Task, Limit: limit}, project.CommandWait); err != nil {
		return err
	}
	noteStart(app, moderegistry.Kind(mode), protocol.English)
	text := fmt.Sprintf("Started %s.", mode)
	if row, ok := moderegistry.RowOf(mode); ok && !row.Blocks {
		text += " This mode never blocks a stop: bridge only registers it."
	}
	text += fmt.Sprintf(" To see it: "+display.Bridge+" status. To end it: "+display.Bridge+" mode stop %s", mode)
	return app.say(c.JSON, map[string]string{"started": string(mode)}, text)
}

// resume resumes a mode for the session. A mode of this session comes before one of
// another session, and a waiting mode before one that has ended.
func (c modeStartCmd) resume(app *App, mode moderegistry.Mode, limit int) error {
	found, err := moderegistry.Lister(mode)(app.stop())
	if err != nil {
		return fmt.Errorf("list mode %s: %w", mode, err)
	}
	id := c.id(app)
	rank := func(l protocol.Controlled) int {
		n := 0
		if l.Status.SessionID == id {
			n += 2
		}
		if l.Status.State != protocol.LoopEnded {
			n++
		}
		return n
	}
	var best *protocol.Controlled
	for _, l := range found {
		if l.Resume != nil && l.Status.State != protocol.LoopActive && (best == nil || rank(l) > rank(*best)) {
			best = &l
		}
	}
	if best == nil && slices.ContainsFunc(found, func(l protocol.Controlled) bool { return l.Status.State == protocol.LoopActive }) {
		return hinted(fmt.Errorf("%s is already active", mode), display.Bridge+" mode list shows it; "+display.Bridge+" mode stop %s ends it.", mode)
	}
	if best == nil {
		return hinted(fmt.Errorf("no %s to resume in this project", mode), display.Bridge+" mode list shows the modes; "+display.Bridge+" mode start %s \"TASK\" starts a new one.", mode)
	}
	text, err := best.Resume(protocol.ResumeOptions{SessionID: id, MaxIterations: limit, Now: app.Now()})
	if err != nil {
		return err
	}
	return app.say(c.JSON, map[string]string{"resumed": string(mode)}, text)
}

type modeStopCmd struct {
	forSession
	Mode  string `arg:"" optional:"" help:"The mode. The default is every mode of the session."`
	Force bool   `help:"Also end modes that belong to other sessions, are stale or cannot be read."`
}

func (c modeStopCmd) Run(app *App) error {
	mode, err := parseMode(c.Mode)
	if err != nil {
		return err
	}
	stopped, err := c.registry(app).Stop(context.Background(), moderegistry.StopOptions{Mode: mode, Force: c.Force}, project.CommandWait)
	if err != nil {
		return hinted(err, display.Bridge+" mode list shows what is active.")
	}
	var names []string
	for _, s := range stopped {
		names = append(names, string(s.Mode))
		if !c.JSON {
			app.printf("Stopped %s; its state is kept in %s.bak.\n", s.Mode, s.Path())
		}
	}
	if c.JSON {
		return printJSON(app, map[string][]string{"stopped": names})
	}
	return nil
}
