package transcript_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hookbridge/bridge/client/claude/transcript"
	"github.com/hookbridge/bridge/protocol"
)

// FuzzLastTurn reads random text as a transcript. Text before a prompt must not matter,
// and a turn has either entries or an error.
func FuzzLastTurn(f *testing.F) {
	f.Add(lines(prompt, text("a"), tool("t1"), result, text(promise), last))
	f.Add(lines(prompt, text("a"), feedback, attached, text("b")))
	f.Add("\ufeff" + strings.ReplaceAll(lines(prompt, text("a")), "\n", "\r\n"))
	f.Add(lines(prompt, text("a\x01b"), "\x00\x00"+text("c")) + text("half")[:80])
	f.Add(lines(`{"role":"user","content":"x"}`, `{"role": "assistant", "content":[{"type":"text","text":"\ud800"}]}`))
	f.Add(lines(strings.Repeat(`{"message":`, 50)+strings.Repeat("}", 50), `{"type":"assistant","message":"x"}`))
	f.Add("{\"assistant\"\n[\"user\"]\n{}{}\n")
	f.Fuzz(func(t *testing.T, content string) {
		for _, results := range []bool{false, true} {
			got := transcript.LastTurn(file(t, content), nil, results)
			if got.Err != protocol.TurnOK && (len(got.Entries) > 0 || got.HasFinal) {
				t.Fatalf("err %q beside %d entries, final %v", got.Err, len(got.Entries), got.HasFinal)
			}
			for _, e := range got.Entries {
				if !utf8.ValidString(e.Text) || !utf8.ValidString(e.ToolName) {
					t.Fatalf("text that is not UTF-8: %+v", e)
				}
				if e.Kind == protocol.EntryToolResult && !results {
					t.Fatal("a tool result that nobody asked for")
				}
			}
			after := transcript.LastTurn(file(t, content+"\n"+lines(prompt, text("new"))), nil, results)
			if s := show(after.Entries); len(s) != 1 || s[0] != "new" {
				t.Fatalf("turn after a prompt: %q", s)
			}
		}
	})
}
