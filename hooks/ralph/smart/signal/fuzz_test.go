package signal

import (
	"strings"
	"testing"

	"github.com/hookbridge/bridge/protocol"
)

// FuzzOfTurn: for any tool calls and results, the counts are those of the entries, and
// equal turns give equal signals.
func FuzzOfTurn(f *testing.F) {
	f.Add(`{"command":"go test ./... 2>&1 | tail"}`, "ok  \tx\t0.1s\nFAIL", true, "- [x] a\n- [ ] b")
	f.Add(`{"command":"npm test && echo done"}`, "Tests: 3 passed, 3 total", false, "")
	f.Add(`{"file_path":"a\u0000b","command":1}`, "exit code 1", true, "* [X] \xff")
	f.Add(`{`, strings.Repeat("/a/b 12 ", 200), true, "+ [-] x")
	f.Fuzz(func(t *testing.T, input, result string, failed bool, text string) {
		turn := protocol.Turn{HasFinal: true, Final: text, Entries: []protocol.Entry{
			{Kind: protocol.EntryToolUse, ToolUseID: "1", ToolName: "Bash", ToolInput: []byte(input)},
			{Kind: protocol.EntryToolResult, ToolUseID: "1", Text: result, IsError: failed},
			{Kind: protocol.EntryToolUse, ToolUseID: "2", ToolName: "Edit", ToolInput: []byte(input)},
			{Kind: protocol.EntryText, Text: text},
		}}
		s := OfTurn(turn)
		if s.ToolCalls != 2 || s.Files < 0 || s.Files > 1 || s.Errors < 0 || s.Errors > 1 || (s.Errors == 1) != failed || s.Error != "" && !failed {
			t.Errorf("%+v", s)
		}
		if len(s.Error) > 160 {
			t.Errorf("an error of %d bytes is kept", len(s.Error))
		}
		if again := OfTurn(turn); again != s {
			t.Errorf("%+v, then %+v", s, again)
		}
		if done, total := Boxes(text); done < 0 || done > total || total > strings.Count(text, "[") {
			t.Errorf("%d of %d boxes in %q", done, total, text)
		}
	})
}
