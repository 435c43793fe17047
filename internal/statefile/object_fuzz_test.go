package statefile

import (
	"bytes"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// FuzzObject: setting a member of any readable object changes that member and no byte of the others.
func FuzzObject(f *testing.F) {
	for _, seed := range []string{`{}`, `{"a":1}`, "{\n  \"a\": \"x\",\n  \"b\": [1, {\"a\": 2}]\n}\n", "\ufeff{\"a\":null}", `{"\u0061":1,"b":"\ud83d\ude00"}`, `{"a":1e9}`, `[]`, `{"a":1,"a":2}`} {
		f.Add([]byte(seed), "a", "value")
	}
	f.Fuzz(func(t *testing.T, data []byte, name, value string) {
		before, err := ParseObject(data)
		if err != nil || !utf8.ValidString(name) {
			return // members that we set have names of our own
		}
		for _, given := range []any{value, len(value), len(value)%2 == 0, time.Unix(int64(len(value)), 0)} {
			after := before.Set(name, given)
			if !jsontext.Value(bytes.TrimPrefix(after.Bytes(), byteOrderMark)).IsValid(jsontext.AllowInvalidUTF8(true)) {
				t.Fatalf("%q is no JSON any more: %q", data, after.Bytes())
			}
			if raw, ok := after.Raw(name); !ok || string(raw) != string(encode(given)) {
				t.Fatalf("%q in %q reads %q, %v", name, after.Bytes(), raw, ok)
			}
			for _, m := range before.members {
				if m.name == name {
					continue
				}
				was, _ := before.Raw(m.name)
				if is, ok := after.Raw(m.name); !ok || string(is) != string(was) {
					t.Fatalf("setting %q changed %q from %q to %q", name, m.name, was, is)
				}
			}
		}
	})
}
