package session

import (
	"time"

	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/statefile"
)

// ClaimLifetime is how long a state file without a session id waits for the
// session that claims it.
const ClaimLifetime = 24 * time.Hour

// timestampSlack is how far a file's own timestamp, its modification time and its
// change time may lie apart when one program set them all.
const timestampSlack = 5 * time.Second

// Ownership says what a session may do with a state file.
type Ownership int

const (
	// Foreign files belong to another session and are invisible.
	Foreign Ownership = iota
	// Own files carry this session's id, or neither side has one.
	Own
	// Claimable files carry no id, and this session may write its own into them.
	Claimable
	// Stale files carry no id, and nothing shows that they were started here within
	// a day. They are left alone.
	Stale
)

// Owned is what is known about a state file whose owner is asked for.
type Owned struct {
	// Path is the absolute path.
	Path string
	// SessionID is the id in the file, or empty.
	SessionID string
	// Stamp is the file's own newest timestamp; zero when it has none.
	Stamp time.Time
	// ModTime and ChangeTime are those of statefile.File.
	ModTime, ChangeTime time.Time
}

// Ownership decides by docs/design.md#ownership whether the session may act on the
// file. pending says whether one of our own commands recorded the file in a terminal
// without a session.
func (f Owned) Ownership(sessionID string, now time.Time, pending func(path string) bool) Ownership {
	if f.SessionID != "" {
		if f.SessionID == sessionID {
			return Own
		}
		return Foreign
	}
	if sessionID == "" {
		return Own
	}
	if f.claimable(now, pending) {
		return Claimable
	}
	return Stale
}

// claimable reports whether the file was started here lately: its own time says
// so and agrees with when it was written, or one of our commands recorded it.
func (f Owned) claimable(now time.Time, pending func(string) bool) bool {
	return Lately(f.Stamp, now) && f.Stamp.Sub(f.ModTime).Abs() <= timestampSlack && WrittenHere(f.ModTime, f.ChangeTime, now) ||
		pending(f.Path)
}

// WrittenHere reports whether a file with these times was written on this system
// within a day. Whoever makes an archive decides about the modification time of
// what is unpacked, but the system sets the change time at that moment.
func WrittenHere(modTime, changeTime, now time.Time) bool {
	return TimesAgree(modTime, changeTime) && Lately(modTime, now) && Lately(changeTime, now)
}

// TimesAgree reports whether a file was written when its modification time says so.
func TimesAgree(modTime, changeTime time.Time) bool {
	return modTime.Sub(changeTime).Abs() <= timestampSlack
}

// Lately reports a time within a day of now, on either side: a clock that was set
// back must not orphan what was started before.
func Lately(t, now time.Time) bool { return now.Sub(t).Abs() < ClaimLifetime }

// pendingDir holds one small file for each state file that our commands wrote in
// a terminal, where no session id was known. Its modification time says when.
const pendingDir = "pending"

func (s Store) pending() statefile.Own { return statefile.OwnIn(s.home, pendingDir) }

// Pending returns the question of Ownership for those records.
func (s Store) Pending(now time.Time) func(path string) bool {
	return func(path string) bool {
		file, err := s.pending().Read(project.ID(path))
		return err == nil && Lately(file.ModTime, now)
	}
}

// AddPending records that the next session of the project may claim path.
func (s Store) AddPending(path string) error {
	return s.pending().Save(project.ID(path), []byte(path+"\n"), statefile.Durable)
}

// DropPending forgets the record: the file was claimed or ended.
func (s Store) DropPending(path string) { _ = s.pending().Remove(project.ID(path)) }

// Stale reports whether no session may act on the file until a person adopts it.
func (s Store) Stale(f Owned, now time.Time) bool {
	return f.SessionID == "" && !f.claimable(now, s.Pending(now))
}

// AtWork reports whether a session that has a state, which it changed at seen, may
// still be at work: the client has not said that it ended, and something was seen of it
// within a day. A turn has no limit, so that nothing was heard for minutes says nothing.
func (s Store) AtWork(sessionID string, seen, now time.Time) bool {
	key := Key{SessionID: sessionID}
	if at := s.Seen(key); at.After(seen) {
		seen = at
	}
	return Lately(seen, now) && s.Ended(key).IsZero()
}
