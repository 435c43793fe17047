package session

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/bridge/protocol"
)

// TestHeld: a session keeps its loop until it has ended or was silent for ten minutes. A
// tool call is a sign of life even if the state is older.
func TestHeld(t *testing.T) {
	t.Parallel()
	now := time.Now()
	for name, test := range map[string]struct {
		seen        time.Duration
		tool, ended bool
		// back says that the session stopped after its end was reported.
		back bool
		held string
	}{
		"just now":                {seen: 0, held: "session s1 was active 0 min ago"},
		"nine minutes":            {seen: Silence - time.Second, held: "9 min ago"},
		"ten minutes":             {seen: Silence},
		"a clock that was set":    {seen: -time.Minute, held: "0 min ago"},
		"far in the future":       {seen: -time.Hour},
		"in the future, a tool":   {seen: -time.Hour, tool: true, held: "0 min ago"},
		"an old state, a tool":    {seen: time.Hour, tool: true, held: "0 min ago"},
		"ended a second ago":      {seen: time.Second, ended: true},
		"a tool, and its end":     {seen: time.Hour, tool: true, ended: true},
		"works after its end":     {seen: time.Second, ended: true, back: true, held: "0 min ago"},
		"nothing is known at all": {seen: 1 << 62},
	} {
		store, key := NewStore(t.TempDir()), Key{SessionID: "s1"}
		if test.tool {
			if err := store.CountTools(key, 1); err != nil {
				t.Fatal(err)
			}
		}
		if test.ended {
			if err := store.MarkEnded(key, now); err != nil {
				t.Fatal(err)
			}
		}
		if test.back {
			if err := store.Save(key, Record{}); err != nil {
				t.Fatal(err)
			}
		}
		err := store.Held("s1", now.Add(-test.seen), now.Add(time.Millisecond))
		if (err != nil) != (test.held != "") || err != nil && (!errors.Is(err, protocol.ErrMayRun) || !strings.Contains(err.Error(), test.held)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
