package guard

import (
	"context"

	"github.com/go-json-experiment/json"

	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/moderegistry"
	"github.com/hookbridge/bridge/protocol"
)

// maxPending is how many tool calls may wait to be recorded. If there are more, the oldest are dropped; only two guards
// use these records.
const maxPending = 20

// LatePreToolUse records in the last tool error that the guard missed its deadline, so
// that the tool ran unchecked (docs/reference/hook-standard.md#timeouts).
func LatePreToolUse(req protocol.Request) []protocol.Write {
	b, ok := open(req)
	if !ok {
		return nil
	}
	return []protocol.Write{{What: "record that pre-tool-use was late", Do: func() error {
		// Without the lock, a retry may not be counted, but the timeout is still recorded.
		if unlock, err := b.lock(context.Background()); err == nil {
			defer unlock()
		}
		record, _ := b.records.Read(moderegistry.ToolError)
		return b.records.Write(moderegistry.ToolError, record.Set(timeoutMember, statefile.Object{}.
			Set("hook", string(protocol.PreToolUse)).
			Set("tool_name", req.Input.Tool.ToolName).
			Set("error", "the hook did not answer in time, so the tool ran unchecked").
			Set("timestamp", req.Env.Now)))
	}}}
}

// LatePostToolUse leaves the tool call to the next post-tool-use of the session. The
// call has run, and nothing of it is rolled back
// (docs/reference/hook-standard.md#timeouts).
func LatePostToolUse(req protocol.Request) []protocol.Write {
	b, ok := open(req)
	if !ok || req.Input.AgentID != "" || req.Input.Tool.ToolName == "" {
		return nil
	}
	return []protocol.Write{{What: "leave the tool call to the next event", Do: func() error {
		if unlock, err := b.lock(context.Background()); err == nil {
			defer unlock()
		}
		uses := append(b.pending(), useOf(req))
		return b.records.Write(moderegistry.PendingToolUse, statefile.Object{}.
			Set("status", "pending-retry").
			Set("event", string(eventOf(req.Input))).
			Set("timestamp", req.Env.Now).
			Set("tool_uses", uses[max(len(uses)-maxPending, 0):]))
	}}}
}

// eventOf is the event of a tool call; older callers do not name it.
func eventOf(in protocol.Input) protocol.Event {
	switch {
	case in.HookEventName != "":
		return in.HookEventName
	case in.Tool.Error != "":
		return protocol.EventPostToolUseFailure
	}
	return protocol.EventPostToolUse
}

// pending reads the tool calls that earlier events left. Entries that cannot be read are dropped; only two guards use
// these records.
func (b bookkeeping) pending() []toolUse {
	record, ok := b.records.Read(moderegistry.PendingToolUse)
	if !ok || record.Text("status") != "pending-retry" {
		return nil
	}
	var uses []toolUse
	value, _ := record.Raw("tool_uses")
	if err := json.Unmarshal(value, &uses); err != nil {
		return nil
	}
	return uses[max(len(uses)-maxPending, 0):]
}
