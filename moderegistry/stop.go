package moderegistry

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// ErrNotActive means that there is nothing to stop.
var ErrNotActive = errors.New("no such mode is active here")

// OthersError says that the modes belong to other sessions, so they are stopped only if
// the user insists.
type OthersError struct{ States []State }

func (e *OthersError) Error() string {
	var list []string
	for _, s := range e.States {
		list = append(list, fmt.Sprintf("%s of session %s (%s)", s.Mode, s.SessionID, s.Path()))
	}
	return "nothing was stopped, because another session owns it: " + strings.Join(list, "; ") + ". To stop it anyway, add --session with that id, or --force for all of them"
}

// StopOptions say what to stop.
type StopOptions struct {
	// Mode is empty for all modes of the session.
	Mode Mode
	// Force also stops modes that belong to other sessions, are stale, or cannot be read.
	Force bool
}

// PlanStop returns the writes that end the modes, and the modes that they end. Every
// state becomes a backup and can be resumed. Errors: ErrNotActive, *OthersError. The
// caller holds the lock.
func (r *Registry) PlanStop(opts StopOptions) (writes []protocol.Write, stopped []State, err error) {
	var others []State
	for _, s := range r.All() {
		if s.Ended || opts.Mode != "" && s.Mode != opts.Mode {
			continue
		}
		if !opts.Force && !s.Active() {
			continue
		}
		// Any session may stop a mode without an owner.
		if opts.Force || s.SessionID == r.sessionID || s.SessionID == "" {
			stopped = append(stopped, s)
		} else {
			others = append(others, s)
		}
	}
	if len(stopped) == 0 && len(others) == 1 && r.sessionID == "" {
		// If there is only one mode, a command in a terminal stops that one.
		stopped, others = others, nil
	}
	switch {
	case len(stopped) == 0 && len(others) > 0:
		return nil, nil, &OthersError{others}
	case len(stopped) == 0:
		return nil, nil, ErrNotActive
	}
	for _, s := range stopped {
		writes = append(writes, r.End(s)...)
	}
	return writes, stopped, nil
}

// Stop ends modes: PlanStop and its writes under the lock.
func (r *Registry) Stop(ctx context.Context, opts StopOptions, wait time.Duration) ([]State, error) {
	unlock, err := r.Lock(ctx, wait)
	if err != nil {
		return nil, fmt.Errorf("stop %s: %w", opts.Mode, err)
	}
	defer unlock()
	writes, stopped, err := r.PlanStop(opts)
	if err != nil {
		return nil, err
	}
	return stopped, apply(writes)
}

// End returns the writes that end one mode and what belongs to it: its markers and, for
// ralph, its verification and the ultrawork that it started.
func (r *Registry) End(s State) []protocol.Write {
	writes := []protocol.Write{s.Archive()}
	if s.SessionID == "" {
		writes = append(writes, protocol.Write{What: "forget the claim of " + s.Path(), Optional: true, Do: func() error {
			r.store.DropPending(s.Path())
			return nil
		}})
	}
	row, _ := RowOf(s.Mode)
	var files []string
	if s.SessionID == "" || s.marker || s.Mode == Ultrapilot {
		for _, marker := range row.Markers {
			if name, _ := LegacyPath(marker); name != s.Name {
				files = append(files, name)
			}
		}
	}
	if s.Mode == Ralph {
		if verification, ok := r.Companion(s, RalphVerification); ok {
			files = append(files, verification.Name)
		}
		if linked, ok := r.Linked(s); ok {
			files = append(files, linked.Name)
		}
	}
	return append(writes, r.archives(s.Dir, files...)...)
}

// archives returns the writes that archive those of the files that exist.
func (r *Registry) archives(omc string, names ...string) (writes []protocol.Write) {
	dir, err := r.open(omc)
	if err != nil {
		return nil
	}
	defer dir.Close()
	for _, name := range names {
		if _, err := dir.Stat(name); err == nil {
			writes = append(writes, archive(omc, name))
		}
	}
	return writes
}

// Companion is a file that belongs to a state, such as the verification of a loop.
type Companion struct {
	Dir, Name string
	Object    statefile.Object
	File      statefile.File
}

// Companion reads a companion file: the session's own, or else the shared one if it names this session. (The
// verification of a loop whose state is shared names no session.) A file that cannot be read counts as absent.
func (r *Registry) Companion(s State, file File) (Companion, bool) {
	dir, err := statefile.OpenDir(s.Dir)
	if err != nil {
		return Companion{}, false
	}
	defer dir.Close()
	owner := s.SessionID
	if s.Claim != "" {
		owner = s.Claim
	}
	if name, ok := SessionPath(file, owner); ok {
		if c, ok := companion(dir, s.Dir, name); ok {
			id := c.Object.Text("session_id")
			return c, id == "" || id == owner
		}
	}
	name, ok := LegacyPath(file)
	if !ok {
		return Companion{}, false
	}
	c, ok := companion(dir, s.Dir, name)
	id := c.Object.Text("session_id")
	return c, ok && (id == owner || id == "" && file == RalphVerification && !s.scoped())
}

func companion(dir *statefile.Dir, omc, name string) (Companion, bool) {
	object, file, err := dir.ReadObject(name)
	return Companion{Dir: omc, Name: name, Object: object, File: file}, err == nil
}

// Save returns the write that replaces the file that was read with object.
func (c Companion) Save(object statefile.Object) protocol.Write {
	return State{Dir: c.Dir, Name: c.Name, File: c.File}.Save("save", object)
}

// scoped reports whether the state is in its session's folder.
func (s State) scoped() bool {
	own, ok := SessionPath(StateFile(s.Mode), s.SessionID)
	return ok && own == s.Name
}

// Linked returns the ultrawork that a ralph started.
func (r *Registry) Linked(ralph State) (State, bool) {
	name, ok := LegacyPath(StateFile(Ultrawork))
	if ralph.scoped() {
		name, ok = SessionPath(StateFile(Ultrawork), ralph.SessionID)
	}
	if !ok {
		return State{}, false
	}
	dir, err := statefile.OpenDir(ralph.Dir)
	if err != nil {
		return State{}, false
	}
	defer dir.Close()
	s, found := read(dir, ralph.Dir, Ultrawork, name, ralph.SessionID)
	if !found || s.Problem != "" || !s.Object.Bool("linked_to_ralph") {
		return State{}, false
	}
	if id := s.Object.Text("session_id"); id != "" && id != ralph.SessionID && id != ralph.Claim {
		return State{}, false
	}
	return s, true
}
