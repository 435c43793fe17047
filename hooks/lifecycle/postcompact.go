package lifecycle

import (
	"context"
	"fmt"
	"time"

	"github.com/hookbridge/bridge/client/claude/tasklist"
	"github.com/hookbridge/bridge/protocol"
)

// compaction is how long a compaction may take. An older checkpoint is that of another
// one.
const compaction = 30 * time.Minute

// PostCompact verifies that the compaction left a checkpoint of what is in progress, and
// writes it if there is none: the hook before the compaction may have been killed, and
// the next compaction must not find that of a former one. It says nothing, because the
// client shows the output of this event to the user as it is.
func PostCompact(list protocol.Lister) protocol.Handler {
	return func(_ context.Context, req protocol.Request) (protocol.Outcome, error) {
		s, ok := look(req)
		if !ok || s.records.Dir() == "" {
			return nothing("no-place"), nil
		}
		loops, err := list(s.stop)
		if err != nil {
			return protocol.Outcome{}, fmt.Errorf("list what is in progress: %w", err)
		}
		c := s.checkpointOf(req, loops, tasklist.Tasks{})
		if len(c.Modes) == 0 {
			return nothing("nothing-under-way"), nil
		}
		if last, ok := s.lastCheckpoint(); ok && last.covers(c) {
			return nothing("checkpoint-verified"), nil
		}
		if fields, ok := req.Input.Own.(*protocol.PostCompactFields); ok {
			c.Trigger = fields.Trigger
		}
		tasks := tasklist.Read(req.Input.SessionID, time.Time{}, req.Env.Getenv)
		c.Todos = todosOf(tasks)
		return protocol.Outcome{
			Writes: []protocol.Write{write("write the checkpoint that the compaction lacks", func() error { return s.keep(c) })},
			Trace:  protocol.Trace{Rule: "checkpoint-was-missing", Noted: true},
		}, nil
	}
}

// covers reports whether the checkpoint belongs to the compaction after which now was
// collected, and contains everything that now does.
func (c Checkpoint) covers(now Checkpoint) bool {
	if age := now.CreatedAt.Sub(c.CreatedAt); age < -time.Minute || age > compaction {
		return false
	}
	for kind, moment := range now.Modes {
		if c.Modes[kind].Path != moment.Path {
			return false
		}
	}
	return true
}
