package ledger

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/bridge/protocol"
)

// FuzzEntry: a line of any file is read or skipped; an entry that was read shows no
// control characters and stays the same when it is written and read again.
func FuzzEntry(f *testing.F) {
	f.Add([]byte(`{"time":"2026-11-21T04:33:26.832000Z","session":"s","type":"ralph","event":"Stop","step":"ralph","decision":"block","rule":"continue","input_bytes":1,"output_bytes":2,"duration_us":3,"pid":4,"version":"v"}`))
	f.Add([]byte(`{"time":"2026-11-21T04:33:26Z","pid":4,"version":"v","project":"p","client":"claude","loop":"loop","iteration":3,"prompt":"\u001b","tool_use":"t"}`))
	f.Add([]byte(`{"time":"2026-11-21T04:33:26Z","rule":"\u001b[31m","later":{"a":[1]}}`))
	f.Add([]byte("{}\n{\"time\":1}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for e := range backward(complete(data), Filter{}) {
			for _, text := range []string{e.Session, string(e.Type), string(e.Event), e.Step, e.Decision, e.Rule, e.Version, e.Project, e.Client, e.Loop, e.Prompt, e.ToolUse} {
				if strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f }) {
					t.Errorf("%q would reach a terminal", text)
				}
			}
		}
	})
}

// FuzzEntryRoundTrip: the line of any entry is one readable line, and reading it gives
// the same entry, up to the length that is kept.
func FuzzEntryRoundTrip(f *testing.F) {
	f.Add("s1", "continue", int64(12), 3)
	f.Add("a\nb\x1b", strings.Repeat("é", 200), int64(-1), 0)
	f.Fuzz(func(t *testing.T, session, rule string, us int64, n int) {
		if us < -1<<50 || us > 1<<50 {
			return
		}
		e := Entry{Time: time.Unix(1e9, 0).UTC(), Session: session, Type: protocol.Ralph, Rule: rule, InputBytes: n, Duration: time.Duration(us) * time.Microsecond}
		line := e.appendLine(nil)
		if bytes.IndexByte(line, '\n') != len(line)-1 {
			t.Fatalf("%q is more than a line", line)
		}
		got, ok := parseEntry(line)
		if !ok {
			t.Fatalf("%q cannot be read", line)
		}
		again, _ := parseEntry(got.appendLine(nil))
		if len(got.Session) > maxText || len(got.Rule) > maxText {
			again = got
		}
		if got.Time != e.Time || got.Type != e.Type || got.InputBytes != n || got.Duration != e.Duration || again != got {
			t.Fatalf("%+v was read as %+v, then as %+v", e, got, again)
		}
	})
}
