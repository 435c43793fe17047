package session

import (
	"testing"
	"time"
)

// FuzzRecord: any file can be read as a record or is rejected, and a written record is read back unchanged.
func FuzzRecord(f *testing.F) {
	f.Add([]byte(`{"session_id":"s1","root":"/r","fingerprint":"f","owner":"ralph","acted":true,"at":"2026-11-21T00:00:00Z","sources":["a"],"idle_message":"m","idle":2,"blocks":1,"thinking":0,"tools":3,"seen":["k"]}   `))
	f.Add([]byte(`{"blocks":-1,"seen":[1,null],"later":{"a":[]}}`))
	f.Add([]byte(`{"blocks":9223372036854775808}`))
	f.Add([]byte(`[`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, ok := parseRecord(text)
		if !ok {
			return
		}
		first := appendRecord(nil, r)
		again, ok := parseRecord(first)
		if !ok {
			t.Fatalf("%q cannot be read", first)
		}
		if second := appendRecord(nil, again); string(second) != string(first) {
			t.Fatalf("%q, then %q", first, second)
		}
		// The guards must work with any record that can be read.
		r.Deliver("f2", "source", time.Unix(1e9, 0))
		r.NoteIdle("message", 0)
		if !r.MarkSeen("a key of its own") || r.MarkSeen("a key of its own") {
			t.Fatalf("a notice is not shown once: %+v", r)
		}
	})
}
