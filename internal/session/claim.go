package session

import (
	"time"

	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/statefile"
)

// ClaimLifetime is how long a state file without a session id waits for a session to
// claim it.
const ClaimLifetime = 24 * time.Hour

// timestampSlack is how far a file's own timestamp, its modification time and its change
// time may differ if one program set them all.
const timestampSlack = 5 * time.Second

// Ownership says what a session may do with a state file.
type Ownership int

const (
	// Foreign files belong to another session. They are invisible to this one.
	Foreign Ownership = iota
	// Own files carry this session's id, or neither side has one.
	Own
	// Claimable files have no id, and this session may write its own id into them.
	Claimable
	// Stale files have no id, and nothing shows that they were created here within a day.
	// They are ignored.
	Stale
)

// Owned is the information about a state file that decides who owns it.
type Owned struct {
	// Path is the absolute path.
	Path string
	// SessionID is the id in the file, or empty.
	SessionID string
	// Stamp is the newest timestamp in the file; it is zero if there is none.
	Stamp time.Time
	// ModTime and ChangeTime are those of statefile.File.
	ModTime, ChangeTime time.Time
}

// Ownership decides, according to docs/design.md#ownership, what the session may do with
// the file. pending says whether one of our own commands recorded the file when it ran in
// a terminal without a session.
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

// claimable reports whether the file was created here recently: its own timestamp says so
// and agrees with the time of writing, or one of our commands recorded it.
func (f Owned) claimable(now time.Time, pending func(string) bool) bool {
	return Lately(f.Stamp, now) && f.Stamp.Sub(f.ModTime).Abs() <= timestampSlack && WrittenHere(f.ModTime, f.ChangeTime, now) ||
		pending(f.Path)
}

// WrittenHere reports whether a file with these times was written on this system within a
// day. The author of an archive chooses the modification times of its files, but the
// system sets the change time when they are unpacked.
func WrittenHere(modTime, changeTime, now time.Time) bool {
	return TimesAgree(modTime, changeTime) && Lately(modTime, now) && Lately(changeTime, now)
}

// TimesAgree reports whether a file was really written at its modification time.
func TimesAgree(modTime, changeTime time.Time) bool {
	return modTime.Sub(changeTime).Abs() <= timestampSlack
}

// Lately reports whether a time is within a day of now, before or after: setting the
// clock back must not orphan a file that was created before.
func Lately(t, now time.Time) bool { return now.Sub(t).Abs() < ClaimLifetime }

// pendingDir holds one small file for each state file that our commands wrote in a
// terminal, where no session id is known. Its modification time is the time of writing.
const pendingDir = "pending"

func (s Store) pending() statefile.Own { return statefile.OwnIn(s.home, pendingDir) }

// Pending returns a function that answers, for Ownership, whether a file was recorded.
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

// DropPending removes the record, because the file was claimed or ended.
func (s Store) DropPending(path string) { _ = s.pending().Remove(project.ID(path)) }

// Stale reports that no session may act on the file until a person adopts it.
func (s Store) Stale(f Owned, now time.Time) bool {
	return f.SessionID == "" && !f.claimable(now, s.Pending(now))
}

// AtWork reports whether the session that owns a state may still be running. seen is when
// the session last changed the state. The session may be running if the client has not
// reported its end and if it was active within a day. A turn has no time limit, so a hook
// concludes nothing from a few silent minutes; Held is the rule for a person who asks.
func (s Store) AtWork(sessionID string, seen, now time.Time) bool {
	key := Key{SessionID: sessionID}
	if at := s.Seen(key); at.After(seen) {
		seen = at
	}
	return Lately(seen, now) && s.Ended(key).IsZero()
}
