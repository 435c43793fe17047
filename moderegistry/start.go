package moderegistry

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

var (
	// ErrBadSession means that a session id must not be used in a path.
	ErrBadSession = errors.New("the session id may contain only letters, digits, -, _ and single dots inside")
	// ErrNoProject means that the working directory does not exist.
	ErrNoProject = errors.New("there is no project: the working directory does not exist")
)

// ConflictError says that an exclusive mode was not started because another one is
// active.
type ConflictError struct {
	Mode    Mode
	Blocker State
	now     time.Time
}

func (e *ConflictError) Error() string {
	owner := "without a session"
	stop := fmt.Sprintf(display.Bridge+" mode stop %s --force", e.Blocker.Mode)
	if e.Blocker.SessionID != "" {
		owner = "of session " + display.Name(e.Blocker.SessionID)
	}
	seen := ""
	if !e.Blocker.TouchedAt.IsZero() {
		seen = fmt.Sprintf(", last seen %s ago", e.now.Sub(e.Blocker.TouchedAt).Round(time.Second))
	}
	return fmt.Sprintf("%s was not started, because %s %s is active in this project (%s%s). Only one of autopilot, ultrapilot, swarm and pipeline can run. "+
		"To end %s: %s. A mode that crashed no longer counts after two hours", e.Mode, e.Blocker.Mode, owner, display.Place(e.Blocker.Path()), seen, e.Blocker.Mode, stop)
}

// ActiveError says that a mode was not started because the session runs it already.
type ActiveError struct{ State State }

func (e *ActiveError) Error() string {
	return fmt.Sprintf("%s is already active for this session (%s). To start over: "+display.Bridge+" mode stop %s, then start it again", e.State.Mode, e.State.Path(), e.State.Mode)
}

// TakenError says that a mode was not started because the place of its state holds one
// that another session runs, or that cannot be read.
type TakenError struct{ State State }

func (e *TakenError) Error() string {
	s := e.State
	stop := display.Bridge + " mode stop " + string(s.Mode)
	switch {
	case s.Problem != "":
		return fmt.Sprintf("the state file of %s cannot be used (%s: %s). To move it to .bak: %s --force", s.Mode, s.Path(), s.Problem, stop)
	case s.SessionID == "":
		return fmt.Sprintf("%s is active and waits for a session (%s). To end it: %s", s.Mode, s.Path(), stop)
	}
	return fmt.Sprintf("%s of session %s already uses that state file (%s). To end it: %s --session %s", s.Mode, s.SessionID, s.Path(), stop, s.SessionID)
}

// StartOptions describe the mode to start.
type StartOptions struct {
	Mode Mode
	// Prompt is the user's task in the user's own words.
	Prompt string
	// Limit replaces the mode's own limit when it is positive.
	Limit int
}

// Lock keeps every other process from starting or stopping a mode of the project. Take it
// before PlanStart or PlanStop and hold it until their writes are done; a hook returns
// unlock as Outcome.Close. The error is project.ErrLocked if other processes held the
// lock for the whole wait.
func (r *Registry) Lock(ctx context.Context, wait time.Duration) (unlock func(), err error) {
	env := r.env
	if env.StateHome == "" {
		// Without a home directory, the lock has to be in the project. If that directory is outside the project, the
		// registry writes nothing there, so no lock is needed.
		if !r.ownsState() {
			return func() {}, nil
		}
		env.StateHome = filepath.Join(r.omc.Home, "state")
	}
	return project.Lock(ctx, env, r.omc.Lock, wait)
}

// ownsState reports whether the place of the lock is reached without a link.
func (r *Registry) ownsState() bool {
	dir, err := r.open(r.omc.Home)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	defer dir.Close()
	for _, name := range []string{"state", "state/" + project.LocksDir} {
		if info, err := dir.Stat(name); err == nil && !info.IsDir() {
			return false
		}
	}
	return true
}

// PlanStart returns the writes that start a mode for the session, or the reason why it
// must not start: *ActiveError, *ConflictError, ErrBadSession, ErrNoProject. The caller
// holds the lock.
func (r *Registry) PlanStart(opts StartOptions) ([]protocol.Write, error) {
	row, ok := RowOf(opts.Mode)
	switch {
	case !ok:
		_, err := Parse(string(opts.Mode))
		return nil, err
	case r.omc.Home == "":
		return nil, ErrNoProject
	case r.sessionID != "" && !session.ValidID(r.sessionID):
		return nil, fmt.Errorf("start %s for session %q: %w", opts.Mode, r.sessionID, ErrBadSession)
	}
	// An ultrawork that a ralph started is replaced by one that is started by itself.
	if found := r.Find(opts.Mode); found.OK && found.State.Claim == "" && !found.State.Object.Bool("linked_to_ralph") {
		return nil, &ActiveError{found.State}
	}
	if err := r.conflict(row, State{}); err != nil {
		return nil, err
	}
	if there, ok := r.foreignAt(opts.Mode); ok {
		return nil, fmt.Errorf("start %s: %w", opts.Mode, &TakenError{there})
	}
	var writes []protocol.Write
	if opts.Mode == Ralph {
		// If the process is killed after some of the writes, that does no harm: a linked ultrawork without its ralph never
		// acts.
		if _, foreign := r.foreignAt(Ultrawork); !foreign && !r.Find(Ultrawork).OK {
			linked := r.fresh(StartOptions{Mode: Ultrawork, Prompt: opts.Prompt}).Set("linked_to_ralph", true)
			writes = append(writes, r.create(StateFile(Ultrawork), linked)...)
		}
		if name, ok := Path(RalphVerification, r.sessionID); ok {
			writes = append(writes, r.archives(r.omc.Home, name)...)
		}
	}
	if opts.Mode == Swarm {
		marker := statefile.Object{}.Set("mode", string(Swarm)).Set("startedAt", r.now)
		if r.sessionID != "" {
			marker = marker.Set("session_id", r.sessionID)
		}
		return append(writes, r.create(SwarmMarker, marker)...), nil
	}
	return append(writes, r.create(StateFile(opts.Mode), r.fresh(opts))...), nil
}

// foreignAt returns the active state of another session in the place where the state of
// the mode would be written. In a terminal that is the shared file, which another session
// may have claimed or which waits for a session.
func (r *Registry) foreignAt(mode Mode) (State, bool) {
	if r.sessionID != "" {
		// A session writes to its own folder.
		return State{}, false
	}
	dir, err := r.open(r.omc.Home)
	if err != nil {
		return State{}, false
	}
	defer dir.Close()
	name, _ := LegacyPath(StateFile(mode))
	s, found := read(dir, r.omc.Home, mode, name, "")
	if !found || !s.Active() || s.SessionID == "" && s.Object.Bool("linked_to_ralph") {
		return State{}, false
	}
	return s, !r.store.Stale(s.owned(), r.now)
}

// Start starts a mode: PlanStart and its writes under the lock. If two processes start
// exclusive modes at once, only one succeeds.
func (r *Registry) Start(ctx context.Context, opts StartOptions, wait time.Duration) error {
	unlock, err := r.Lock(ctx, wait)
	if err != nil {
		return fmt.Errorf("start %s: %w", opts.Mode, err)
	}
	defer unlock()
	writes, err := r.PlanStart(opts)
	if err != nil {
		return err
	}
	return apply(writes)
}

func apply(writes []protocol.Write) error {
	for _, write := range writes {
		if err := write.Do(); err != nil {
			return fmt.Errorf("%s: %w", write.What, err)
		}
	}
	return nil
}

// conflict searches all sessions for a mode that excludes the mode of the row. The state
// that is about to be replaced does not count.
func (r *Registry) conflict(row Row, except State) error {
	if !row.Exclusive {
		return nil
	}
	for _, s := range r.All() {
		if r.holds(s) && s.Path() != except.Path() {
			return &ConflictError{row.Mode, s, r.now}
		}
	}
	return nil
}

// fresh is the initial state of a mode, with the members that oh-my-claudecode expects.
func (r *Registry) fresh(opts StartOptions) statefile.Object {
	row, _ := RowOf(opts.Mode)
	o := statefile.Object{}.Set("active", true)
	if row.Counter != "" {
		limit := row.Limit
		if opts.Limit > 0 {
			limit = opts.Limit
		}
		o = o.Set(row.Counter, row.First).Set(row.LimitField, limit)
	}
	switch opts.Mode {
	case Ralph:
		o = o.Set("prompt", opts.Prompt).Set("linked_ultrawork", true).Set("extensions", 0)
	case Autopilot:
		o = o.Set("phase", "expansion").Set("originalIdea", opts.Prompt).Set("total_agents_spawned", 0)
	case Team:
		o = o.Set("current_phase", "team-plan").Set("original_prompt", opts.Prompt)
	case Pipeline:
		o = o.Set("current_stage", 0).Set("original_prompt", opts.Prompt)
	case Ultrapilot, Swarm, Ultrawork, Ultraqa:
		o = o.Set("original_prompt", opts.Prompt)
	}
	o = o.Set("started_at", r.now).Set("last_checked_at", r.now)
	if r.sessionID != "" {
		o = o.Set("session_id", r.sessionID)
	}
	return o.Set("project_path", r.root)
}

// create returns the writes that create a file for the session; an existing file becomes
// its backup.
func (r *Registry) create(file File, object statefile.Object) []protocol.Write {
	name, _ := Path(file, r.sessionID)
	return append(r.archives(r.omc.Home, name), protocol.Write{What: "create " + filepath.Join(r.omc.Home, filepath.FromSlash(name)), Do: func() error {
		dir, err := statefile.MakeDirWithin(r.omc.Home, r.omc.Roots...)
		if err != nil {
			return err
		}
		defer dir.Close()
		return r.put(dir, r.omc.Home, name, object)
	}})
}

// put writes a file for the session. A file that is written in a terminal is claimed by
// the next session of the project (docs/design.md#ownership).
func (r *Registry) put(dir *statefile.Dir, omc, name string, object statefile.Object) error {
	if err := dir.Create(name, object.Bytes(), statefile.Durable); err != nil || r.sessionID != "" {
		return err
	}
	return r.store.AddPending(filepath.Join(omc, filepath.FromSlash(name)))
}
