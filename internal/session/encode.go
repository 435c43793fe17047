package session

import (
	"time"

	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// The record is read and written at every stop of a loop, so it does without reflection,
// which would cost a tenth of a hook.

// appendRecord appends the record as one JSON object.
func appendRecord(dst []byte, r Record) []byte {
	w := protocol.WriteObject(dst, "")
	w.Text("session_id", r.SessionID)
	w.Text("root", r.Root)
	w.Text("fingerprint", r.Event.Fingerprint)
	w.Text("owner", r.Event.Owner)
	w.Text("at", r.Event.At.UTC().Format(time.RFC3339Nano))
	w.Texts("sources", r.Event.Sources)
	w.Texts("seen", r.Seen)
	w.Text("idle_message", r.Idle.Message)
	w.Int("idle_count", r.Idle.Count)
	w.Int("blocks", r.Blocks)
	w.Int("thinking", r.Thinking)
	w.Int("tools", r.Tools)
	w.Bool("acted", r.Event.Acted)
	dst, _ = w.End()
	return append(dst, '\n')
}

// parseRecord reads a record; ok is false if the text is not one. Unknown members are
// skipped, so that an older bridge can read the record of a newer one.
func parseRecord(text []byte) (r Record, ok bool) {
	o, err := statefile.ParseObject(text)
	if err != nil {
		return Record{}, false
	}
	count := func(name string) int {
		n, _ := o.Count(name, 0)
		return n
	}
	return Record{
		SessionID: o.Text("session_id"), Root: o.Text("root"), Seen: o.Texts("seen"),
		Event: Event{
			Fingerprint: o.Text("fingerprint"), Owner: o.Text("owner"), Acted: o.Bool("acted"),
			Sources: o.Texts("sources"), At: o.Time("at"),
		},
		Idle:   Idle{o.Text("idle_message"), count("idle_count")},
		Blocks: count("blocks"), Thinking: count("thinking"), Tools: count("tools"),
	}, true
}
