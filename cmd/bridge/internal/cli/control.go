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
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// selection says which loop a command applies to.
type selection struct {
	Dialect string `help:"Only loops of this dialect: smart, loop, specum, speckit, codex or omc."`
	forSession
}

type pauseCmd struct {
	selection
}

func (c pauseCmd) Run(app *App) error {
	return c.orJSON(app, "pause", c.run(app))
}

func (c pauseCmd) run(app *App) error {
	return c.steer(app, "pause", protocol.LoopActive, func(l protocol.Controlled) func() (string, error) { return l.Pause })
}

type cancelCmd struct {
	selection
}

func (c cancelCmd) Run(app *App) error {
	return c.orJSON(app, "cancel", c.run(app))
}

func (c cancelCmd) run(app *App) error {
	return c.steer(app, "cancel", "", func(l protocol.Controlled) func() (string, error) { return l.Cancel })
}

// steer applies a command to the loop that the session owns, in the order of the
// dialects. If there are several candidates and no --dialect, it lists them instead.
func (s *selection) steer(app *App, verb string, only protocol.LoopState, order func(protocol.Controlled) func() (string, error)) error {
	stop := app.stop()
	if err := s.known(app.speaks(stop)); err != nil {
		return err
	}
	all, err := list(stop)
	if err != nil {
		return err
	}
	s.Session = wholeID(s.Session, all)
	lang := app.languageOf(stop, all)
	candidates := s.candidates(app, all, only, order)
	switch len(candidates) {
	case 0:
		if verb == "pause" {
			if paused := s.candidates(app, all, protocol.LoopPaused, order); len(paused) > 0 {
				return s.answer(app, verb, paused[0], alreadyPaused(paused[0].Status))
			}
		}
		return s.none(app, lang, verb, all, order)
	case 1:
		text, err := order(candidates[0])()
		if err != nil {
			return err
		}
		noteCommand(app, verb, candidates[0].Status)
		return s.answer(app, verb, candidates[0], text)
	}
	tellApart(candidates)
	if s.JSON {
		if err := printJSON(app, jsonStatuses(candidates)); err != nil {
			return err
		}
	}
	fmt.Fprintf(app.Stderr, lang.In("bridge: 有多个循环可以%[2]s; 请用 --dialect 或 --session 选择一个:\n", "bridge: there are several loops to %[1]s; choose one with --dialect or --session:\n"), verb, inChinese(verb))
	rows := make([]choice, len(candidates))
	for i, l := range candidates {
		// The command is the one that was asked for.
		rows[i] = choice{Status: l.Status, command: strings.Replace(l.Status.Stop, " ralph cancel", " ralph "+verb, 1)}
	}
	writeChoices(app, lang, stop.Root, rows)
	return exitError(1)
}

// jsonControl is the result of a command on a loop in JSON. Without a loop, everything but
// Command and Message is empty.
type jsonControl struct {
	Command   string             `json:"command"`
	Kind      string             `json:"kind"`
	SessionID string             `json:"session_id"`
	Iteration int                `json:"iteration"`
	Limit     int                `json:"limit"`
	State     protocol.LoopState `json:"state"`
	Message   string             `json:"message"`
}

// answer prints the result of a command on a loop: the text for people or, in JSON, the
// loop as it is now.
func (s selection) answer(app *App, verb string, was protocol.Controlled, text string) error {
	if !s.JSON {
		fmt.Fprintln(app.Stdout, text)
		return nil
	}
	all, err := list(app.stop())
	if err != nil {
		return err
	}
	now := s.after(app, verb, was.Status, all)
	return printJSON(app, jsonControl{verb, now.Kind, now.SessionID, now.Iteration, now.Limit, now.State, text})
}

// after returns what became of a loop: it is in the same file, in its backup or, if this
// session took it over, in a file of this session; otherwise it has ended.
func (s selection) after(app *App, verb string, was protocol.Status, all []protocol.Controlled) protocol.Status {
	base := func(path string) string { return strings.TrimSuffix(path, statefile.Backup("")) }
	for _, same := range []func(protocol.Status) bool{
		func(st protocol.Status) bool { return st.Path == base(was.Path) },
		func(st protocol.Status) bool {
			return verb == "resume" && st.SessionID == s.id(app) && st.State != protocol.LoopEnded
		},
		func(st protocol.Status) bool { return base(st.Path) == base(was.Path) },
	} {
		for _, l := range all {
			if l.Status.Kind == was.Kind && same(l.Status) {
				return l.Status
			}
		}
	}
	was.State = protocol.LoopEnded
	return was
}

// wholeID returns the session id that begins with the given text, because bridge status
// shows only the beginning. If no id or more than one id begins with it, the text is
// returned unchanged.
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

// tellApart makes the commands that end loops unambiguous if there are several loops.
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

// candidates are the loops that know the command and belong to this session or to nobody.
// In a terminal, where no session is known, every loop is a candidate.
func (s selection) candidates(app *App, all []protocol.Controlled, only protocol.LoopState, order func(protocol.Controlled) func() (string, error)) []protocol.Controlled {
	id := s.id(app)
	var found []protocol.Controlled
	for _, l := range all {
		switch {
		case s.Dialect != "" && l.Status.Kind != s.Dialect, order(l) == nil, only != "" && l.Status.State != only:
		case id != "" && l.Status.SessionID != "" && l.Status.SessionID != id:
		default:
			found = append(found, l)
		}
	}
	if len(found) < 2 {
		return found
	}
	// Loops that wait to be continued come before those that have ended.
	if live := slices.DeleteFunc(slices.Clone(found), func(l protocol.Controlled) bool { return l.Status.State == protocol.LoopEnded }); len(live) > 0 {
		found = live
	}
	if own := slices.DeleteFunc(slices.Clone(found), func(l protocol.Controlled) bool { return id == "" || l.Status.SessionID != id }); len(own) > 0 {
		found = own
	}
	return found
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

// shortPath is the path relative to the project root if it is inside the project.
func shortPath(root, path string) string {
	if rel, err := filepath.Rel(root, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}
