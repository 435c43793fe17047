package guard

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"syscall"
	"time"

	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/moderegistry"
	"github.com/hookbridge/bridge/protocol"
)

// lockWait is how long a tool hook waits for another tool hook of the project. Each holds the lock only for a few
// renames.
const lockWait = 500 * time.Millisecond

// bookkeeping gives access to what the tool hooks record about a session.
type bookkeeping struct {
	records moderegistry.Records
	store   session.Store
	key     session.Key
	env     protocol.Env
}

// open finds the records of the request's session; ok is false when its directory
// is gone.
func open(req protocol.Request) (b bookkeeping, ok bool) {
	places := req.Places()
	if places.Root == "" {
		return bookkeeping{}, false
	}
	return bookkeeping{
		records: moderegistry.OpenRecords(places, req.Input.SessionID, req.Env),
		store:   session.NewStore(req.Env.StateHome),
		key:     session.Key{SessionID: req.Input.SessionID, Root: places.Root},
		env:     req.Env,
	}, true
}

// lock keeps out the other tool hooks of the project. It is not the project's own lock, which a stop may hold for
// longer.
func (b bookkeeping) lock(ctx context.Context) (unlock func(), err error) {
	return project.Lock(ctx, b.env, b.key.Root+"\x00tools", lockWait)
}

// PostToolUse counts a tool call for the idle guard and keeps the last tool error
// (docs/reference/records.md#tool-errors). It first records the calls that missed their
// deadline. It prints nothing.
//
// Calls of subagents do not count: their work does not show that the main session makes
// progress, and the main session cannot retry their failed calls.
func PostToolUse(ctx context.Context, req protocol.Request) (protocol.Outcome, error) {
	in := req.Input
	outcome := protocol.Outcome{Trace: protocol.Trace{Rule: "counted"}}
	b, ok := open(req)
	if !ok || in.Tool.ToolName == "" {
		outcome.Trace.Rule = "no-place"
		return outcome, nil
	}
	if in.AgentID != "" {
		outcome.Trace.Rule = "subagent"
		return outcome, nil
	}
	uses := []toolUse{useOf(req)}
	pending := b.records.Exists(moderegistry.PendingToolUse)
	if uses[0].Failed || pending || b.records.Exists(moderegistry.ToolError) {
		unlock, err := b.lock(ctx)
		if err != nil {
			// A retry may not be counted. Pending calls wait for the next event.
			pending = false
			outcome.Trace.Add("lock", err.Error())
		} else {
			outcome.Close = unlock
		}
		if pending {
			uses = append(b.pending(), uses...)
			outcome.Trace.Add("recorded late", fmt.Sprint(len(uses)-1))
		}
		outcome.Trace.Rule, outcome.Writes = b.noteError(uses)
	}
	outcome.Writes = append(outcome.Writes, protocol.Write{
		What: "count the tool call",
		Do: func() error {
			err := b.store.CountTools(b.key, len(uses))
			if errors.Is(err, syscall.ENOTDIR) {
				// HOME=/dev/null is a common way to say that there is no home.
				return nil
			}
			return err
		},
		Optional: true,
	})
	if pending {
		outcome.Writes = append(outcome.Writes, protocol.Write{
			What:     "remove the late tool calls, which are now recorded",
			Do:       func() error { return b.records.Remove(moderegistry.PendingToolUse) },
			Optional: true,
		})
	}
	return outcome, nil
}

// noteError applies tool calls to the record of the last tool error. rule names the
// result.
func (b bookkeeping) noteError(uses []toolUse) (rule string, writes []protocol.Write) {
	before, had := b.records.Read(moderegistry.ToolError)
	record := before
	for _, use := range uses {
		record = after(record, use)
	}
	switch {
	case isEmpty(record) && (had || b.records.Exists(moderegistry.ToolError)):
		return "tool-error-cleared", []protocol.Write{{
			What:     "clear the last tool error",
			Do:       func() error { return b.records.Remove(moderegistry.ToolError) },
			Optional: true,
		}}
	case bytes.Equal(record.Bytes(), before.Bytes()):
		return "counted", nil
	}
	return "tool-error", []protocol.Write{b.writeError(record)}
}

func (b bookkeeping) writeError(record statefile.Object) protocol.Write {
	return protocol.Write{
		What:     "note the last tool error",
		Do:       func() error { return b.records.Write(moderegistry.ToolError, record) },
		Optional: true,
	}
}

// useOf is the tool call that the request is about.
func useOf(req protocol.Request) toolUse {
	in := req.Input
	return toolUse{
		Tool:        in.Tool.ToolName,
		Preview:     display.Clip(string(in.Tool.ToolInput), maxPreview),
		Failed:      eventOf(in) == protocol.EventPostToolUseFailure,
		Error:       display.Clip(in.Tool.Error, maxError),
		At:          req.Env.Now.UTC(),
		Interrupted: in.Tool.IsInterrupt,
	}
}
