package moderegistry

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/internal/statefile"
)

// checksum is the checksum of the state in a cancel signal, or "" if it has none.
func (s State) checksum() string {
	text, err := stringify(s.File.Data)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// All reads the states of every session, including ended ones. It is for starting a mode
// and for bridge status, never for the stop of a hook.
func (r *Registry) All() (states []State) {
	parent, _ := LegacyPath(SessionsDir)
	r.each(func(dir *statefile.Dir, omc string) bool {
		states = append(states, r.shared(dir, omc)...)
		if s, ok := swarm(dir, omc); ok {
			states = append(states, s)
		}
		ids, _ := dir.Names(parent)
		slices.Sort(ids)
		for _, id := range ids {
			states = append(states, r.statesOf(dir, omc, id)...)
		}
		return true
	})
	return states
}

// own reads the states in the session's own folder and those that all sessions share.
func (r *Registry) own() (states []State) {
	r.each(func(dir *statefile.Dir, omc string) bool {
		states = append(append(states, r.shared(dir, omc)...), r.statesOf(dir, omc, r.sessionID)...)
		return true
	})
	return states
}

// shared reads the states that all sessions share.
func (r *Registry) shared(dir *statefile.Dir, omc string) []State {
	parent, _ := LegacyPath(SessionsDir)
	names, _ := dir.Names(path.Dir(parent))
	return r.statesIn(dir, omc, path.Dir(parent), "", names)
}

// statesOf reads the states in a session's own folder.
func (r *Registry) statesOf(dir *statefile.Dir, omc, id string) []State {
	if !session.ValidID(id) {
		return nil
	}
	parent, _ := LegacyPath(SessionsDir)
	folder := parent + "/" + id
	defer dir.Leave(folder)
	names, _ := dir.Names(folder)
	return r.statesIn(dir, omc, folder, id, names)
}

// statesIn reads the state files among names in the directory sub.
func (r *Registry) statesIn(dir *statefile.Dir, omc, sub, owner string, names []string) []State {
	var states []State
	if r.bases == nil {
		// Looking up the path table for each of a thousand folders would cost more than
		// reading the folders.
		for _, row := range Rows() {
			legacy, _ := LegacyPath(StateFile(row.Mode))
			r.bases = append(r.bases, path.Base(legacy))
		}
	}
	for i, row := range Rows() {
		base := r.bases[i]
		for _, name := range []string{base, statefile.Backup(base)} {
			if !slices.Contains(names, name) {
				continue
			}
			if s, ok := read(dir, omc, row.Mode, sub+"/"+name, owner); ok {
				if s.Ended = name != base; s.Ended {
					s.Name = sub + "/" + base
				}
				states = append(states, s)
			}
		}
	}
	return states
}

// swarm reads the marker of a swarm, whose state is in a database. The summary beside it
// says when the swarm was last active.
func swarm(dir *statefile.Dir, omc string) (State, bool) {
	name, _ := LegacyPath(SwarmMarker)
	object, file, err := dir.ReadObject(name)
	if err != nil && !errors.Is(err, statefile.ErrNotObject) {
		return State{}, false
	}
	s := State{Mode: Swarm, Dir: omc, Name: name, File: file, marker: true, Object: object, SessionID: object.Text("session_id"), StartedAt: object.Time("startedAt")}
	s.TouchedAt = s.StartedAt
	name, _ = LegacyPath(SwarmSummary)
	summary, _, _ := dir.ReadObject(name)
	if t := summary.Time("last_checked_at"); t.After(s.TouchedAt) {
		s.TouchedAt = t
	}
	return s, true
}

// holds reports whether an exclusive mode prevents others from starting: it is active and
// not stale, its session has not ended, and it did not come with the repository.
func (r *Registry) holds(s State) bool {
	row, _ := RowOf(s.Mode)
	if !row.Exclusive || !s.live(r.now) || s.foreign || s.orphan() {
		return false
	}
	if s.SessionID != "" && !r.store.Ended(session.Key{SessionID: s.SessionID}).IsZero() {
		return false
	}
	return !r.store.Stale(s.owned(), r.now)
}

// Rival returns another exclusive mode that is active at the same time as the session's own, according to the session's
// folder and the shared files.
func (r *Registry) Rival(own State) (rival State, ok bool) {
	r.each(func(dir *statefile.Dir, omc string) bool {
		rival, ok = r.rivalIn(dir, omc, own)
		return !ok
	})
	return rival, ok
}

func (r *Registry) rivalIn(dir *statefile.Dir, omc string, own State) (State, bool) {
	for _, row := range Rows() {
		if !row.Exclusive {
			continue
		}
		var candidates []State
		for _, name := range r.names(row.Mode) {
			if s, ok := r.read(dir, omc, row.Mode, name); ok {
				candidates = append(candidates, s)
			}
		}
		if row.Mode == Swarm {
			if s, ok := swarm(dir, omc); ok {
				candidates = append(candidates, s)
			}
		}
		for _, s := range candidates {
			if s.Path() != own.Path() && r.holds(s) && r.here(s) {
				return s, true
			}
		}
	}
	return State{}, false
}

// StartedLater reports whether a counts as started after b, so that a is the mode that is ignored
// (docs/design.md#two-exclusive-modes). The table of modes decides a tie.
func StartedLater(a, b State) bool {
	if !a.StartedAt.Equal(b.StartedAt) {
		// A mode that does not say when it started cannot claim to be first.
		return a.StartedAt.IsZero() || !b.StartedAt.IsZero() && a.StartedAt.After(b.StartedAt)
	}
	rank := func(m Mode) int {
		return slices.IndexFunc(Rows(), func(row Row) bool { return row.Mode == m })
	}
	if a.Mode != b.Mode {
		return rank(a.Mode) > rank(b.Mode)
	}
	return strings.Compare(a.Path(), b.Path()) > 0
}
