package stop

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// pending returns how many background tasks will report to the session: running agents
// and workflows. Nothing else counts. A development server runs for ever, a teammate is
// "running" even while it is idle, and a task of an unknown kind may never end
// (docs/design.md#pending-work).
func pending(tasks []protocol.BackgroundTask) int {
	n := 0
	for _, task := range tasks {
		if (task.Type == "subagent" || task.Type == "workflow") && task.Status == "running" {
			n++
		}
	}
	return n
}

// scheduled reports whether the turn has scheduled a wake-up of the session that is still
// pending. Continuing at once would defeat it. session_crons says what is scheduled,
// which may differ from what the tool was called for: the client may reject the call, and
// a call may end the wake-ups. An older client does not send session_crons; then the last
// tool call counts.
func scheduled(in protocol.StopFields, turn protocol.Turn) bool {
	named := wakeup(in.ToolName)
	called, last := named, named
	for _, e := range turn.Entries {
		if e.Kind == protocol.EntryToolUse {
			last = (e.ToolName == claude.ToolWakeup || named && e.ToolName == in.ToolName) && !stopsWakeups(e.ToolInput)
			called = called || last
		}
	}
	if crons, ok := sessionCrons(in.SessionCrons); ok {
		return called && anyOnce(crons)
	}
	return last
}

// A reason or the name of a tool with one of wakeupWords says that the session scheduled its own wake-up. Other callers
// spell the tool's name differently, for example native.schedule_wakeup.
func wakeupWords() []string {
	return []string{"schedulewakeup", "schedule wakeup", "scheduled wakeup", "scheduled task", "scheduled resume", "loop resume", "loop wakeup"}
}

func wakeup(tool string) bool {
	return tool == claude.ToolWakeup || reason{words: wakeupWords()}.matches(wordsOf(tool))
}

// stopsWakeups reports whether a call of the tool ends the wake-ups instead of scheduling
// one.
func stopsWakeups(input []byte) bool {
	object, err := statefile.ParseObject(input)
	return err == nil && object.Bool("stop")
}

// cron is an entry of session_crons.
type cron struct {
	Recurring bool `json:"recurring"`
}

// sessionCrons reads session_crons. ok is false if the client sent no list.
func sessionCrons(text jsontext.Value) (crons []jsontext.Value, ok bool) {
	if text.Kind() != '[' || json.Unmarshal(text, &crons, jsontext.AllowInvalidUTF8(true)) != nil {
		return nil, false
	}
	return crons, true
}

// anyOnce reports whether one of the entries does not recur, as a wake-up does not.
func anyOnce(crons []jsontext.Value) bool {
	for _, text := range crons {
		var c cron
		if json.Unmarshal(text, &c, jsontext.AllowInvalidUTF8(true)) == nil && !c.Recurring {
			return true
		}
	}
	return false
}
