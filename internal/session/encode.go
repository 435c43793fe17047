package session

import (
	"bytes"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// The record is read and written at every stop of a loop, so it does without
// reflection, which costs a tenth of a hook.

// appendRecord appends the record as one JSON object.
func appendRecord(dst []byte, r Record) []byte {
	quote := func(name, value string) {
		dst = append(dst, `"`+name+`":`...)
		// Text that is not UTF-8 is mended; the ids that matter are ASCII.
		dst, _ = jsontext.AppendQuote(dst, value)
		dst = append(dst, ',')
	}
	list := func(name string, values []string) {
		dst = append(dst, `"`+name+`":[`...)
		for i, value := range values {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst, _ = jsontext.AppendQuote(dst, value)
		}
		dst = append(dst, `],`...)
	}
	dst = append(dst, '{')
	quote("session_id", r.SessionID)
	quote("root", r.Root)
	quote("fingerprint", r.Event.Fingerprint)
	quote("owner", r.Event.Owner)
	quote("at", r.Event.At.UTC().Format(time.RFC3339Nano))
	list("sources", r.Event.Sources)
	list("seen", r.Seen)
	quote("idle_message", r.Idle.Message)
	dst = append(dst, `"idle_count":`...)
	dst = strconv.AppendInt(dst, int64(r.Idle.Count), 10)
	dst = append(dst, `,"blocks":`...)
	dst = strconv.AppendInt(dst, int64(r.Blocks), 10)
	dst = append(dst, `,"thinking":`...)
	dst = strconv.AppendInt(dst, int64(r.Thinking), 10)
	dst = append(dst, `,"tools":`...)
	dst = strconv.AppendInt(dst, int64(r.Tools), 10)
	dst = append(dst, `,"acted":`...)
	dst = strconv.AppendBool(dst, r.Event.Acted)
	return append(dst, "}\n"...)
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
