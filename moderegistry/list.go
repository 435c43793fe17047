package moderegistry

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// Lister returns the states of the given modes of every session in the project, for
// bridge status.
func Lister(modes ...Mode) protocol.Lister { return lister(modes, (*Registry).All) }

// OwnLister is Lister for the states of the hook's own session and those that all
// sessions share. The number of files it reads does not depend on the number of sessions.
func OwnLister(modes ...Mode) protocol.Lister { return lister(modes, (*Registry).own) }

func lister(modes []Mode, read func(*Registry) []State) protocol.Lister {
	return func(s *protocol.Stop) ([]protocol.Controlled, error) {
		r := Open(s)
		var all []protocol.Controlled
		states := read(r)
		for _, state := range states {
			if !slices.Contains(modes, state.Mode) {
				continue
			}
			if !state.Active() && !state.Ended && state.Problem == "" {
				continue
			}
			all = append(all, r.controlled(state, states))
		}
		return all, nil
	}
}

// AllModes returns the eight modes.
func AllModes() []Mode {
	var modes []Mode
	for _, row := range Rows() {
		modes = append(modes, row.Mode)
	}
	return modes
}

func (r *Registry) controlled(s State, all []State) protocol.Controlled {
	c := protocol.Controlled{Status: r.status(s, all), Resume: func(opts protocol.ResumeOptions) (string, error) { return r.resume(s, opts) }}
	if s.marker {
		c.Resume = nil
	}
	if !s.Ended {
		c.Cancel = func() (string, error) { return r.cancel(s) }
	}
	return c
}

func (r *Registry) status(s State, all []State) protocol.Status {
	label := string(s.Mode)
	if s.Mode == Ralph {
		label = "omc ralph loop"
	}
	st := protocol.Status{
		Label: label, Path: s.Path(), State: protocol.LoopActive, SessionID: s.SessionID,
		Iteration: s.Count, Limit: s.Limit, Phase: s.Phase(), StartedAt: s.StartedAt, UpdatedAt: s.TouchedAt,
		EndsBy: endsBy(s), Stop: display.Bridge + " mode stop " + string(s.Mode), Problem: s.Problem,
		About: s.Prompt(),
	}
	st.Kind = Kind(s.Mode)
	if st.UpdatedAt.IsZero() {
		st.UpdatedAt = s.File.ModTime
	}
	if session.ValidID(s.SessionID) {
		st.Stop += " --session " + s.SessionID
	}
	row, _ := RowOf(s.Mode)
	switch {
	case s.Ended:
		st.State, st.Stop, st.Path = protocol.LoopEnded, "", st.Path+statefile.Backup("")
		_ = statefile.In(s.Dir, func(dir *statefile.Dir) error {
			names, err := dir.Names(path.Dir(s.Name))
			st.Problem = session.OlderProblem(statefile.Older(names, path.Base(s.Name)))
			return err
		})
	case s.Problem != "":
		st.State, st.Stop = protocol.LoopBroken, display.Bridge+" mode stop "+string(s.Mode)+" --force"
	case !s.marker && r.store.Stale(s.owned(), r.now):
		st.State = protocol.LoopStale
		st.Problem = kindOf(s.Mode).StaleProblem(s.Path())
	case row.Exclusive && !s.live(r.now):
		st.State = protocol.LoopStale
		st.Problem = "inactive for two hours; it no longer prevents other modes from starting"
	case row.Exclusive:
		for _, other := range all {
			if other.Path() != s.Path() && r.holds(other) && StartedLater(s, other) {
				st.Problem = fmt.Sprintf("ignored, because %s (%s) was started earlier and the two exclude each other; stop one of them", other.Mode, other.Path())
			}
		}
	}
	return st
}

// Kind is the name of the mode in bridge status. The mode ralph appears as the dialect
// omc among the loops.
func Kind(mode Mode) string {
	if mode == Ralph {
		return "omc"
	}
	return string(mode)
}

func endsBy(s State) string {
	limit := strconv.Itoa(s.Limit)
	switch s.Mode {
	case Ralph:
		return "a prd.json in which all stories pass, a reviewer's approval, or " + limit + " iterations and at most five extensions of ten"
	case Autopilot:
		return "the signal of its last phase, or " + limit + " iterations"
	case Ultrawork:
		if s.Object.Bool("linked_to_ralph") {
			return "its ralph loop"
		}
		return "no open task on the session's list, or " + limit + " reinforcements"
	case Ultrapilot, Swarm, Pipeline, Team, Ultraqa:
		return "its own skill; it never blocks a stop"
	}
	return ""
}

func (r *Registry) cancel(s State) (string, error) {
	unlock, err := r.Lock(context.Background(), project.CommandWait)
	if err == nil {
		defer unlock()
		err = apply(r.End(s))
	}
	if err != nil {
		return "", fmt.Errorf("cancel %s: %w", s.Mode, err)
	}
	return fmt.Sprintf("Cancelled %s. Its state is kept in %s. To continue: %s", s.Mode, display.Text(s.Path()+statefile.Backup("")), ResumeCommand(s.Mode)), nil
}

// resume resumes an ended or stale mode for a session. Like any start, it fails if
// another exclusive mode is active.
func (r *Registry) resume(s State, opts protocol.ResumeOptions) (string, error) {
	fail := func(err error) (string, error) { return "", fmt.Errorf("resume %s: %w", s.Mode, err) }
	if s.Problem != "" {
		return fail(fmt.Errorf("%s cannot be used: %s", s.Path(), s.Problem))
	}
	if opts.SessionID != "" && !session.ValidID(opts.SessionID) {
		return fail(ErrBadSession)
	}
	row, _ := RowOf(s.Mode)
	limit, err := opts.Limit(s.Count, s.Limit)
	if err != nil {
		return fail(err)
	}
	mine := *r
	mine.sessionID, mine.now = opts.SessionID, opts.Now
	if mine.now.IsZero() {
		mine.now = r.now
	}
	unlock, err := mine.Lock(context.Background(), project.CommandWait)
	if err != nil {
		return fail(err)
	}
	defer unlock()
	if err := unchanged(s); err != nil {
		return fail(err)
	}
	if found := mine.Find(s.Mode); found.OK && (s.Ended || found.State.Path() != s.Path()) {
		return fail(&ActiveError{found.State})
	}
	if err := mine.taken(s); err != nil {
		return fail(err)
	}
	if err := mine.conflict(row, s); err != nil {
		return "", err
	}
	object := s.Object.Set("active", true).Set("last_checked_at", mine.now)
	if s.Mode == Autopilot && Terminal(s.Phase()) {
		return fail(errors.New("it is already complete"))
	}
	if row.Counter != "" {
		object = object.Set(row.LimitField, limit)
	}
	if opts.SessionID != "" || object.Text("session_id") != "" {
		object = object.Set("session_id", opts.SessionID)
	}
	if err := mine.revive(s, object); err != nil {
		return fail(err)
	}
	return fmt.Sprintf("Resumed %s. It continues at the next stop.", s.Mode), nil
}

// file is the name of the file that was read.
func (s State) file() string {
	if s.Ended {
		return statefile.Backup(s.Name)
	}
	return s.Name
}

// unchanged returns an error if a state is no longer as it was read: statefile.ErrGone or
// statefile.ErrChanged.
func unchanged(s State) error {
	file, err := statefile.ReadIn(s.Dir, s.file())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = statefile.ErrGone
	case err == nil && !bytes.Equal(file.Data, s.File.Data):
		err = statefile.ErrChanged
	}
	if err != nil {
		return fmt.Errorf("%s: %w", filepath.Join(s.Dir, filepath.FromSlash(s.file())), err)
	}
	return nil
}

// taken returns a *TakenError if a state other than s, which has not ended, is in the place for the session's state of
// this mode.
func (r *Registry) taken(s State) error {
	name, _ := Path(StateFile(s.Mode), r.sessionID)
	if name == s.file() {
		return nil
	}
	return statefile.In(s.Dir, func(dir *statefile.Dir) error {
		if there, found := read(dir, s.Dir, s.Mode, name, ""); found && (there.Active() || there.Problem != "") {
			return &TakenError{there}
		}
		return nil
	})
}

// revive writes the state to the place for the session and removes the old file.
func (r *Registry) revive(s State, object statefile.Object) error {
	return statefile.In(s.Dir, func(dir *statefile.Dir) error {
		name, _ := Path(StateFile(s.Mode), r.sessionID)
		err := r.put(dir, s.Dir, name, object)
		if old := s.file(); err == nil && old != name {
			err = dir.Remove(old)
		}
		return err
	})
}
