package session

import (
	"fmt"
	"time"

	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/protocol"
)

// Silence is how long a session must have been silent before a command of another session
// may take over its loop (docs/design.md#take-over).
const Silence = 10 * time.Minute

// HeldError means that the session that owns a loop may still be running it. It is an
// ErrMayRun.
type HeldError struct {
	SessionID string
	// Ago is how long ago the session was last active.
	Ago time.Duration
}

func (e HeldError) Error() string {
	return fmt.Sprintf("%v (session %s was active %s; after %d minutes of silence --force is not needed)",
		protocol.ErrMayRun, display.Name(e.SessionID), Ago(e.Ago), int(Silence.Minutes()))
}

// In implements protocol.Bilingual.
func (e HeldError) In(lang protocol.Lang) string {
	return lang.In(fmt.Sprintf("另一个会话可能还在运行它 (会话 %s 在 %d 分钟前还活跃); 用 --force 立即接手, 静默 %d 分钟后就不需要 --force",
		display.Name(e.SessionID), int(e.Ago.Minutes()), int(Silence.Minutes())), e.Error())
}

func (e HeldError) Unwrap() error { return protocol.ErrMayRun }

// Held returns a HeldError if the session that owns a loop may still be running: the client has not reported its end,
// and within Silence it stopped, used a tool or, at the time seen, changed the state. Held protects the loop from a
// command that a person typed; what hooks do by themselves depends on AtWork.
func (s Store) Held(sessionID string, seen, now time.Time) error {
	key := Key{SessionID: sessionID}
	// A state from the future says nothing if the session has a record.
	if at := s.Seen(key); at.After(seen) || !at.IsZero() && seen.Sub(now) >= Silence {
		seen = at
	}
	ago := now.Sub(seen)
	if ago.Abs() >= Silence || !s.Ended(key).IsZero() {
		return nil
	}
	return HeldError{sessionID, max(ago, 0)}
}
