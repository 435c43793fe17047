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
var ErrNotActive = errors.New("nothing of that kind is active here")

// OthersError refuses to stop modes of other sessions without being told to.
type OthersError struct{ States []State }

func (e *OthersError) Error() string {
	var list []string
	for _, s := range e.States {
		list = append(list, fmt.Sprintf("%s of session %s (%s)", s.Mode, s.SessionID, s.Path()))
	}
	return "nothing was stopped, because it belongs to another session: " + strings.Join(list, "; ") + ". To stop it all the same: --session with its id, or --force for all of them"
}

// StopOptions say what is to stop.
type StopOptions struct {
	// Mode is empty for all modes of the session.
	Mode Mode
	// Force also stops what belongs to other sessions, is stale, or cannot be
	// read.
	Force bool
}

// PlanStop returns the writes that end the modes, and what they end. Everything
// goes to its backup and can be resumed. Errors: ErrNotActive, *OthersError. The
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
		// A file without an owner is anybody's to stop.
		if opts.Force || s.SessionID == r.sessionID || s.SessionID == "" {
			stopped = append(stopped, s)
		} else {
			others = append(others, s)
		}
	}
	if len(stopped) == 0 && len(others) == 1 && r.sessionID == "" {
		// A person in a terminal means the only one there is.
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

// End returns the writes that end one mode with what belongs to it: the markers,
// and for ralph its verification and the ultrawork that it brought along.
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

// archives returns the writes that move those of the files away that there are.
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

// Companion is a file that belongs to a state without being one, such as the
// verification of a loop.
type Companion struct {
	Dir, Name string
	Object    statefile.Object
	File      statefile.File
}

// Companion reads such a file: the session's own, else the one of all sessions if
// it names this session. (The verification of a loop whose state lies among the
// files of all sessions names none.) One that cannot be read is none.
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

// Save returns the write that puts object in the place of the file that was read.
func (c Companion) Save(object statefile.Object) protocol.Write {
	return State{Dir: c.Dir, Name: c.Name, File: c.File}.Save("save", object)
}

// scoped reports whether the state lies in its session's folder.
func (s State) scoped() bool {
	own, ok := SessionPath(StateFile(s.Mode), s.SessionID)
	return ok && own == s.Name
}

// Linked returns the ultrawork that a ralph brought along.
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
