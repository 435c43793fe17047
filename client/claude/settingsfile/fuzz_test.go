package settingsfile

import (
	"bytes"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/internal/settings"
)

// FuzzHooks: a hook that is added to any settings file is found there, the rest of the
// file stays, and removing the hook restores the file to the byte; in a file without a
// single member, white space may differ.
func FuzzHooks(f *testing.F) {
	for _, seed := range []string{
		"", "{}", "{\n}\n", `{"hooks":{}}`, `{"hooks":{"Stop":[]}}`, "{\r\n  \"a\": 1, // x\r\n}\r\n", "\ufeff{ /* c */ }",
		`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x --hook=stop"}]}]}}`, `{"hooks":[]}`, `{"hooks":null}`, `{"hooks":{"Stop":{}}}`, "{\"a\":[1,2,],}",
	} {
		f.Add([]byte(seed), uint8(0))
	}
	handler := jsontext.Value(`{"type":"command","command":"/opt/bridge","args":["--hook=stop"],"timeout":15}`)
	events := []string{"Stop", "PreToolUse", "Setup"}
	f.Fuzz(func(t *testing.T, text []byte, which uint8) {
		event := events[int(which)%len(events)]
		before, err := HookLines(text)
		if err != nil {
			return
		}
		added, err := AddHook(text, event, handler)
		if err != nil {
			return
		}
		if _, err := settings.Standardize(added); err != nil {
			t.Fatalf("%q became %q: %v", text, added, err)
		}
		after, err := HookLines(added)
		if err != nil {
			t.Fatalf("%q became %q: %v", text, added, err)
		}
		var mine []HookLine
		for _, l := range after {
			if l.Event == event && l.Command == "/opt/bridge" && len(l.Args) == 1 {
				mine = append(mine, l)
			}
		}
		if len(after) != len(before)+1 || len(mine) == 0 {
			t.Fatalf("%d lines in %q, %d in %q", len(before), text, len(after), added)
		}
		last := mine[len(mine)-1]
		back, err := RemoveHook(added, last, func(pointer string) bool { return holds(text, pointer) })
		if err != nil {
			t.Fatalf("%q: %v", added, err)
		}
		same := string(back) == string(text)
		if !bytes.Contains(text, []byte(`"`)) {
			same = packed(back) == packed(text) || strings.Trim(packed(text), "\ufeff") == ""
		}
		if !same {
			t.Fatalf("%q came back as %q by way of %q", text, back, added)
		}
	})
}

// packed is a text without white space.
func packed(text []byte) string { return strings.Join(strings.Fields(string(text)), "") }

// holds reports whether the text has a value at a pointer.
func holds(text []byte, pointer string) bool {
	d, err := open(text)
	return err == nil && d.root.Find(pointer) != nil
}
