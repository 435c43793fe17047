package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/bridge/hooks/ralph"
	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/protocol"
)

// selection says which loop a command is about.
type selection struct {
	Dialect string `help:"Only loops of this dialect, such as loop."`
	forSession
}

type pauseCmd struct {
	selection
}

func (c pauseCmd) Run(app *App) error {
	return c.steer(app, "pause", protocol.LoopActive, func(l protocol.Controlled) func() (string, error) { return l.Pause })
}

type cancelCmd struct {
	selection
}

func (c cancelCmd) Run(app *App) error {
	return c.steer(app, "cancel", "", func(l protocol.Controlled) func() (string, error) { return l.Cancel })
}

type resumeCmd struct {
	selection
	MaxIterations int    `help:"The new limit; a loop that reached its limit needs a higher one." placeholder:"N"`
	Force         bool   `help:"Take a loop over although another session has it and is not known to have ended."`
	Skip          bool   `help:"Smart ralph: leave the task that it stopped at behind."`
	History       bool   `help:"Smart ralph: list the sessions that have ended."`
	Restore       string `help:"Smart ralph: bring a session of the history back." placeholder:"ID"`
}

func (c resumeCmd) Run(app *App) error {
	if c.MaxIterations < 0 {
		return hinted(fmt.Errorf("--max-iterations must be a positive integer, got: %d", c.MaxIterations), "Example: "+display.Bridge+" ralph resume --max-iterations 20")
	}
	opts := protocol.ResumeOptions{SessionID: c.id(app), MaxIterations: c.MaxIterations, Skip: c.Skip, Force: c.Force, Now: app.Now()}
	switch {
	case c.History:
		return smartHistory(app, c.JSON)
	case c.Restore != "":
		return smartRestore(app, c.Restore, opts)
	case c.Skip && c.Dialect == "":
		c.Dialect = "smart"
	}
	return c.steer(app, "resume", "", func(l protocol.Controlled) func() (string, error) {
		if l.Resume == nil {
			return nil
		}
		return func() (string, error) {
			opts.SessionID = c.id(app)
			return l.Resume(opts)
		}
	})
}

// steer gives one order to the loop that the session owns, in the order of the
// dialects. Several candidates without --dialect are listed instead.
func (s *selection) steer(app *App, verb string, only protocol.LoopState, order func(protocol.Controlled) func() (string, error)) error {
	all, err := list(app.stop())
	if err != nil {
		return err
	}
	s.Session = wholeID(s.Session, all)
	candidates := s.candidates(app, all, verb, only, order)
	switch len(candidates) {
	case 0:
		return s.none(app, verb, all)
	case 1:
		text, err := order(candidates[0])()
		if err != nil {
			return err
		}
		fmt.Fprintln(app.Stdout, text)
		return nil
	}
	tellApart(candidates)
	fmt.Fprintf(app.Stderr, "bridge: there are several loops to %s; say which with --dialect or --session:\n", verb)
	writeStatus(app, app.Stderr, statuses(candidates))
	return exitError(1)
}

// wholeID returns the session's id that begins as given, which is all that bridge status
// shows of one. An id that no session, or more than one, begins with stays as it is.
func wholeID(begin string, all []protocol.Controlled) string {
	whole := begin
	for _, l := range all {
		switch id := l.Status.SessionID; {
		case id == begin, len(begin) < shortID:
			return begin
		case !strings.HasPrefix(id, begin), id == whole:
		case whole != begin:
			return begin
		default:
			whole = id
		}
	}
	return whole
}

// tellApart makes the commands that end loops say which one they mean, where there are
// several.
func tellApart(loops []protocol.Controlled) {
	const bare = display.Bridge + " ralph cancel"
	var several []*protocol.Status
	for i := range loops {
		if strings.HasPrefix(loops[i].Status.Stop, bare) {
			several = append(several, &loops[i].Status)
		}
	}
	if len(several) < 2 {
		return
	}
	for _, st := range several {
		if st.Stop == bare {
			st.Stop += " --dialect " + st.Kind
		}
		if session.ValidID(st.SessionID) {
			st.Stop += " --session " + st.SessionID
		}
	}
}

// candidates are the loops that know the order and are this session's, or
// nobody's. In a terminal, where no session is known, every loop is one.
func (s selection) candidates(app *App, all []protocol.Controlled, verb string, only protocol.LoopState, order func(protocol.Controlled) func() (string, error)) []protocol.Controlled {
	id := s.id(app)
	var found []protocol.Controlled
	for _, l := range all {
		switch {
		case s.Dialect != "" && l.Status.Kind != s.Dialect, order(l) == nil, only != "" && l.Status.State != only:
		case verb == "resume" && l.Status.State == protocol.LoopActive && (!l.Adoptable || id == "" || l.Status.SessionID == id):
		case id != "" && l.Status.SessionID != "" && l.Status.SessionID != id && verb != "resume":
		default:
			found = append(found, l)
		}
	}
	if len(found) < 2 {
		return found
	}
	// What waits to go on comes before what has ended.
	if live := slices.DeleteFunc(slices.Clone(found), func(l protocol.Controlled) bool { return l.Status.State == protocol.LoopEnded }); len(live) > 0 {
		found = live
	}
	if own := slices.DeleteFunc(slices.Clone(found), func(l protocol.Controlled) bool { return id == "" || l.Status.SessionID != id }); len(own) > 0 {
		found = own
	}
	return found
}

// none tells that there is nothing to do. To cancel nothing is no failure.
func (s selection) none(app *App, verb string, all []protocol.Controlled) error {
	if verb == "cancel" {
		fmt.Fprintln(app.Stdout, "No active Ralph loop found.")
		return nil
	}
	if len(all) == 0 {
		return hinted(fmt.Errorf("no Ralph loop to %s in this project", verb), "%s", loopExample)
	}
	return hinted(fmt.Errorf("no Ralph loop to %s", verb), display.Bridge+" status shows what is there.")
}

// list asks every dialect what it has in the project.
func list(stop *protocol.Stop) ([]protocol.Controlled, error) {
	var all []protocol.Controlled
	var errs []error
	for _, dialect := range ralph.Dialects() {
		loops, err := dialect.List(stop)
		if err != nil {
			errs = append(errs, fmt.Errorf("list the loops of dialect %s: %w", dialect.Name, err))
		}
		all = append(all, loops...)
	}
	return all, errors.Join(errs...)
}

func statuses(loops []protocol.Controlled) []protocol.Status {
	list := make([]protocol.Status, len(loops))
	for i, l := range loops {
		list[i] = l.Status
	}
	return list
}

// shortPath is the path relative to the project root where it lies below.
func shortPath(root, path string) string {
	if rel, err := filepath.Rel(root, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}
