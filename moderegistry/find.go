package moderegistry

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// Registry answers questions about the modes of one project from the point of view of one
// session.
type Registry struct {
	omc       protocol.OmcDirs
	root      string
	places    []string
	sessionID string
	now       time.Time
	env       protocol.Env
	store     session.Store
	// bases are the names of the modes' state files, in the order of the table.
	bases []string
}

// Open returns the registry for the session and project of a hook's input, and finds out
// where the project's state is. It reads no state yet.
func Open(s *protocol.Stop) *Registry {
	if s.Omc == nil {
		omc := project.FindOmc(protocol.Places{Root: s.Root, Search: s.Places}, s.Env.Getenv)
		// Four steps ask for this, and most projects have no such directory.
		omc.Absent = !slices.ContainsFunc(omc.Search, func(dir string) bool {
			_, err := os.Lstat(dir)
			return !errors.Is(err, fs.ErrNotExist)
		})
		s.Omc = &omc
	}
	return &Registry{
		omc:       *s.Omc,
		root:      s.Root,
		places:    append(append([]string{s.Omc.Lock}, s.Places...), s.Root),
		sessionID: s.Input.SessionID,
		now:       s.Env.Now,
		env:       s.Env,
		store:     session.NewStore(s.Env.StateHome),
	}
}

// At returns the registry for a session in a working directory, for callers that have no
// hook input. An empty session id means a terminal.
func At(cwd, sessionID string, getenv func(string) string, now time.Time) *Registry {
	r := Open(project.Request(protocol.Input{Base: protocol.Base{SessionID: sessionID, CWD: cwd}}, project.Env(getenv, now)).Stop())
	// A command checks again after it has created something.
	r.omc.Absent = false
	return r
}

// Dirs returns the .omc directories in which the registry looks.
func (r *Registry) Dirs() protocol.OmcDirs { return r.omc }

// open opens one of the .omc directories.
func (r *Registry) open(path string) (*statefile.Dir, error) {
	return statefile.OpenDirWithin(path, r.omc.Roots...)
}

// Refused returns the .omc directories that are links out of the project. Nothing
// in them is read, written or removed.
func (r *Registry) Refused() (refused []session.Refused) {
	for _, path := range r.omc.Search {
		if _, err := statefile.StatWithin(path, r.omc.Roots...); errors.Is(err, statefile.ErrOutside) {
			refused = append(refused, session.Refused{Path: path, Err: err})
		}
	}
	return refused
}

// Finding is the result of looking for one mode of a session.
type Finding struct {
	// State is valid only if OK is true: the mode is active for this session, and nothing
	// prevents it from acting.
	State State
	OK    bool
	// Notices are about files that were ignored.
	Notices []protocol.KeyedNotice
}

// Find looks for the mode in the session's own folder and in the files that all sessions
// share. It opens the same few files however many sessions there are.
func (r *Registry) Find(mode Mode) Finding {
	if r.omc.Absent {
		return Finding{}
	}
	search := session.Search[State]{
		Kind: kindOf(mode), Store: r.store, SessionID: r.sessionID, Now: r.now,
		Owned: State.owned, Judge: r.judge,
		Unusable: func(path string, err error) protocol.KeyedNotice { return unusable(mode, path, err) },
	}
	search.Names = r.names(mode)
	if len(search.Names) > 1 {
		search.Private = search.Names[0]
	}
	search.Load = func(dir *statefile.Dir, path, name string) (State, error) {
		s, found := r.read(dir, path, mode, name)
		switch {
		case !found:
			return s, fs.ErrNotExist
		case s.Problem != "":
			return s, errors.New(s.Problem)
		}
		return s, nil
	}
	for _, dir := range r.each(search.Visit) {
		if slices.ContainsFunc(search.Names, dir.Holds) {
			search.Notices = append(search.Notices, refusedNotice(dir, mode))
		}
	}
	f := Finding{Notices: search.Notices}
	if search.Best == nil {
		return f
	}
	f.State, f.OK = *search.Best, true
	if search.Claimed {
		f.State.Claim, f.State.claimed = r.sessionID, func() { r.store.DropPending(f.State.Path()) }
	}
	if f.State.Name == search.Private {
		f.Notices = nil
	}
	return f
}

// each calls visit with each .omc directory that may be used, until visit returns false.
// It returns the directories that may not be used.
func (r *Registry) each(visit func(dir *statefile.Dir, omc string) bool) []session.Refused {
	return session.Walk(r.omc.Search, r.omc.Roots, "", visit)
}

// names are the files that may hold the state of a mode: the one in the session's own
// folder, if it may have a folder, and the one that all sessions share.
func (r *Registry) names(mode Mode) (names []string) {
	if own, ok := SessionPath(StateFile(mode), r.sessionID); ok {
		names = []string{own}
	}
	shared, _ := LegacyPath(StateFile(mode))
	return append(names, shared)
}

// read reads one of names.
func (r *Registry) read(dir *statefile.Dir, path string, mode Mode, name string) (s State, found bool) {
	owner := r.sessionID
	if shared, _ := LegacyPath(StateFile(mode)); name == shared {
		owner = ""
	}
	return read(dir, path, mode, name, owner)
}

// read reads one state file; found is false if it is absent.
func read(dir *statefile.Dir, path string, mode Mode, name, owner string) (s State, found bool) {
	file, err := dir.Read(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return State{}, false
	case err != nil:
		return State{Mode: mode, Dir: path, Name: name, SessionID: owner, Problem: err.Error()}, true
	}
	return parse(mode, path, name, owner, file), true
}

// judge returns Foreign for a state that the session owns but that must not act: it is
// not active, belongs to another project, has ended in another way, or waits for its
// skill.
func (r *Registry) judge(dir *statefile.Dir, s State, by session.Ownership) session.Ownership {
	switch {
	case !s.Active() || !r.here(s):
		return session.Foreign
	case by == session.Stale:
		return by
	// If neither side has an id, only its age keeps an old file from acting for ever
	// (Yeachan-Heo/oh-my-claudecode#246).
	case by == session.Own && s.SessionID == "" && !s.live(r.now),
		s.orphan() || s.awaiting(r.now) || r.tombstoned(dir, s):
		return session.Foreign
	}
	return by
}

// here reports whether the state was created for this project. Files that were copied
// with their directory name another one.
func (r *Registry) here(s State) bool {
	text := s.Object.Text("project_path")
	if text == "" {
		return true
	}
	path := normalPath(text)
	if resolved, err := filepath.EvalSymlinks(filepath.FromSlash(text)); err == nil {
		path = normalPath(resolved)
	}
	for _, place := range append([]string{filepath.Dir(s.Dir)}, r.places...) {
		if normalPath(place) == path {
			return true
		}
	}
	return false
}

// normalPath makes different spellings of one path equal: other tools write both kinds of
// slashes, and Windows ignores case.
func normalPath(path string) string {
	path = strings.TrimSuffix(strings.ReplaceAll(filepath.Clean(path), `\`, "/"), "/")
	if runtime.GOOS == "windows" {
		path = strings.ToLower(path)
	}
	return path
}

// tombstoned reports whether oh-my-claudecode's ledger of workflows says that the mode ended in
// another way (Yeachan-Heo/oh-my-claudecode#2832, Yeachan-Heo/oh-my-claudecode#2833). A
// workflow that was completed before the mode started does not matter.
func (r *Registry) tombstoned(dir *statefile.Dir, s State) bool {
	name, ok := Path(SkillLedger, s.SessionID)
	if !ok {
		return false
	}
	// An entry that cannot be read does not count.
	ledger, _, _ := dir.ReadObject(name)
	slot := ledger.Object("active_skills").Object(string(s.Mode))
	if slot.Text("completed_at") == "" {
		return false
	}
	at := slot.Time("completed_at")
	return at.IsZero() || r.now.Sub(at) < tombstoneTime && !at.Before(s.StartedAt)
}

// Signal says whether a cancel of the mode is in progress
// (docs/reference/stop-rules.md#cancel-signal).
type Signal int

const (
	// NoSignal also means a signal that expired, was forged, or was written before the
	// mode started.
	NoSignal Signal = iota
	// SignalHere was written for this session.
	SignalHere
	// SignalAnywhere was written without a session: it allows the stop, but must not end
	// what another session runs.
	SignalAnywhere
)

// CancelSignal reads the cancel signal that applies to a state. A signal is valid for 30 seconds; a signal from the
// future counts as expired, because the clock was set back.
func (r *Registry) CancelSignal(s State) Signal {
	signal := NoSignal
	_ = statefile.In(s.Dir, func(dir *statefile.Dir) error {
		if name, ok := SessionPath(CancelSignal, r.sessionID); ok && r.signalled(dir, name, s) {
			signal = SignalHere
		} else if name, ok := LegacyPath(CancelSignal); ok && r.signalled(dir, name, s) {
			signal = SignalAnywhere
		}
		return nil
	})
	return signal
}

func (r *Registry) signalled(dir *statefile.Dir, name string, s State) bool {
	signal, _, err := dir.ReadObject(name)
	if err != nil || !signal.Bool("active") {
		return false
	}
	requested := signal.Time("requested_at")
	expires := signal.Time("expires_at")
	if expires.IsZero() {
		expires = requested.Add(signalTime)
	}
	age := r.now.Sub(requested)
	switch {
	case requested.IsZero(), age < -clockSkew:
		return false
	case !expires.After(r.now), expires.Sub(requested) > signalTime:
		return false
	case requested.Before(s.StartedAt.Truncate(time.Second)):
		return false
	}
	mode := strings.ToLower(signal.Text("mode"))
	if s.Mode == Autopilot {
		// A signal for an autopilot must prove that its writer has read the state.
		return mode == string(Autopilot) && signal.Text("source") != "" && signal.Text("expires_at") != "" &&
			signal.Text("target_workflow_run_id") == s.Object.Text("workflowRunId") &&
			strings.EqualFold(signal.Text("target_state_sha256"), s.checksum())
	}
	return mode == "" || mode == string(s.Mode)
}

// kindOf holds the texts about the states of a mode.
func kindOf(mode Mode) session.Kind {
	return session.Kind{Key: "mode", Label: string(mode), Adopt: ResumeCommand(mode), Drop: display.Bridge + " mode stop " + string(mode) + " --force"}
}

func unusable(mode Mode, path string, err error) protocol.KeyedNotice {
	return protocol.KeyedNotice{
		Key: "broken-mode:" + project.ID(path),
		Text: fmt.Sprintf("%s: the state file cannot be used, so the mode blocks no stop (%v): %s. To end the mode: %s.",
			display.Title(string(mode)), err, path, kindOf(mode).Drop),
	}
}

func refusedNotice(dir session.Refused, mode Mode) protocol.KeyedNotice {
	remedy := "To use it again, make yourself its owner and let nobody else write to it (chown, chmod go-w)."
	if errors.Is(dir.Err, statefile.ErrOutside) {
		remedy = "If the mode belongs to this project, replace the link with a directory."
	}
	return protocol.KeyedNotice{
		Key: "refused-mode:" + string(mode) + project.ID(dir.Path),
		Text: fmt.Sprintf("%s: bridge ignores the state directory of this mode, so the mode blocks no stop (%v). %s",
			display.Title(string(mode)), display.Text(dir.Err.Error()), remedy),
	}
}

// ResumeCommand is the command that resumes a mode.
func ResumeCommand(mode Mode) string {
	if mode == Ralph {
		return display.Bridge + " ralph resume"
	}
	return display.Bridge + " mode start " + string(mode) + " --resume"
}
