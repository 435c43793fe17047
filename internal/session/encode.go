package session

import (
	"bytes"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/protocol"
)

// The record is read and written at every stop of a loop, so it does without
// reflection, which costs a tenth of a hook.

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

// parseRecord reads a record; ok is false for text that is none. Unknown members
// are skipped, so that an older bridge reads a newer one's record.
func parseRecord(text []byte) (r Record, ok bool) {
	dec := jsontext.NewDecoder(bytes.NewReader(text))
	if token, err := dec.ReadToken(); err != nil || token.Kind() != '{' {
		return Record{}, false
	}
	for dec.PeekKind() != '}' {
		name, err := dec.ReadToken()
		if err != nil {
			return Record{}, false
		}
		if err := r.readMember(dec, name.String()); err != nil {
			return Record{}, false
		}
	}
	return r, true
}

func (r *Record) readMember(dec *jsontext.Decoder, name string) error {
	text := func(to *string) error {
		token, err := dec.ReadToken()
		if err == nil && token.Kind() == '"' {
			*to = token.String()
		}
		return err
	}
	number := func(to *int) error {
		token, err := dec.ReadToken()
		if err != nil || token.Kind() != '0' {
			return err
		}
		n, err := token.Int()
		*to = int(n)
		return err
	}
	switch name {
	case "session_id":
		return text(&r.SessionID)
	case "root":
		return text(&r.Root)
	case "fingerprint":
		return text(&r.Event.Fingerprint)
	case "owner":
		return text(&r.Event.Owner)
	case "at":
		var at string
		err := text(&at)
		r.Event.At, _ = time.Parse(time.RFC3339Nano, at)
		return err
	case "sources":
		return readList(dec, &r.Event.Sources)
	case "seen":
		return readList(dec, &r.Seen)
	case "idle_message":
		return text(&r.Idle.Message)
	case "idle_count":
		return number(&r.Idle.Count)
	case "blocks":
		return number(&r.Blocks)
	case "thinking":
		return number(&r.Thinking)
	case "tools":
		return number(&r.Tools)
	case "acted":
		token, err := dec.ReadToken()
		if err == nil && token.Kind() == 't' {
			r.Event.Acted = true
		}
		return err
	}
	return dec.SkipValue()
}

func readList(dec *jsontext.Decoder, to *[]string) error {
	if dec.PeekKind() != '[' {
		return dec.SkipValue()
	}
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	for dec.PeekKind() != ']' {
		token, err := dec.ReadToken()
		if err != nil {
			return err
		}
		if token.Kind() == '"' {
			*to = append(*to, token.String())
		}
	}
	_, err := dec.ReadToken()
	return err
}
