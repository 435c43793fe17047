package transcript_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/bridge/client/claude/transcript"
	"github.com/hookbridge/bridge/protocol"
)

const promise = "<promise>DONE</promise>"

// Lines as client 2.1.197 writes them, without the members that never matter.
const (
	prompt   = `{"parentUuid":null,"isSidechain":false,"type":"user","message":{"role":"user","content":"go on"},"uuid":"u1","userType":"external"}`
	feedback = `{"isSidechain":false,"type":"user","message":{"role":"user","content":"Stop hook feedback:\nagain"},"isMeta":true}`
	caveat   = `{"type":"user","message":{"role":"user","content":"Caveat: the messages below"},"isMeta":true}`
	wakeup   = `{"isSidechain":false,"type":"user","message":{"role":"user","content":"go on"},"isMeta":true,"promptSource":"system","wakeupSource":"loop_wakeup","turnOrigin":"scheduled"}`
	result   = `{"type":"user","message":{"role":"user","content":[{"tool_use_id":"t1","type":"tool_result","content":"one\nthree"}]},"toolUseResult":{"stdout":"one\nthree"}}`
	attached = `{"type":"attachment","attachment":{"type":"hook_blocking_error","hookEvent":"Stop"}}`
	last     = `{"type":"last-prompt","lastPrompt":"go on","leafUuid":"x"}`
)

func assistant(blocks string) string {
	return `{"parentUuid":"u1","isSidechain":false,"message":{"id":"m","type":"message","role":"assistant","content":[` + blocks +
		`],"stop_reason":null,"usage":{"input_tokens":10}},"type":"assistant","uuid":"a1"}`
}

// contextOf is a line with context from a hook, as 2.1.197 and 2.1.330 write it.
func contextOf(event string) string {
	return `{"isSidechain":false,"attachment":{"type":"hook_additional_context","content":["go on"],"hookName":"` + event + `","hookEvent":"` + event + `"},"type":"attachment"}`
}

func text(s string) string { return assistant(`{"type":"text","text":"` + s + `"}`) }

func tool(id string) string {
	return assistant(`{"type":"tool_use","id":"` + id + `","name":"Bash","input":{"command":"ls"}}`)
}

func file(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "transcript.jsonl")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func lines(l ...string) string { return strings.Join(l, "\n") + "\n" }

// show formats entries in a short form, for comparison.
func show(entries []protocol.Entry) (out []string) {
	for _, e := range entries {
		switch e.Kind {
		case protocol.EntryText:
			out = append(out, e.Text)
		case protocol.EntryToolUse:
			out = append(out, fmt.Sprintf("%s %s%s", e.ToolUseID, e.ToolName, e.ToolInput))
		case protocol.EntryToolResult:
			s := fmt.Sprintf("%s=%s", e.ToolUseID, e.Text)
			if e.IsError {
				s += "!"
			}
			out = append(out, s)
		}
	}
	return out
}

// TestLastTurn has the cases of docs/reference/ralph-loop.md#vectors that are about transcripts.
func TestLastTurn(t *testing.T) {
	t.Parallel()
	const bash = `t1 Bash{"command":"ls"}`
	many := make([]string, 0, 302)
	many = append(many, prompt, text(promise))
	manyWant := []string{promise}
	for range 150 {
		many = append(many, tool("t1"), result)
		manyWant = append(manyWant, bash)
	}
	for _, tc := range []struct {
		name    string
		content string
		results bool
		want    []string
		// final is the turn's final message; nil means that there is none.
		final *string
		err   protocol.TurnError
	}{
		{name: "basic", content: lines(prompt, text(promise)), want: []string{promise}, final: new(promise)},
		{name: "thinking only", content: lines(prompt, assistant(`{"type":"thinking","thinking":"`+promise+`","signature":"x"}`))},
		{name: "thinking with a text member is no text", content: lines(prompt, assistant(`{"type":"thinking","text":"`+promise+`"}`))},
		{name: "tool-only", content: lines(prompt, tool("t1"), result), want: []string{bash}},
		{
			name: "string content", content: lines(prompt, `{"type":"assistant","message":{"role":"assistant","content":"`+promise+`"}}`),
			want: []string{promise}, final: new(promise),
		},
		{
			name: "top-level role", content: lines(`{"role":"user","content":"go on"}`, `{"role":"assistant","content":[{"type":"text","text":"`+promise+`"}]}`),
			want: []string{promise}, final: new(promise),
		},
		{
			name: "top-level role beside a message without one", content: lines(`{"role":"assistant","message":{"content":[{"type":"text","text":"x"}]}}`),
			want: []string{"x"}, final: new("x"),
		},
		{
			name: "no role but type assistant", content: lines(prompt, `{"type":"assistant","message":{"content":[{"type":"text","text":"x"}]}}`),
			want: []string{"x"}, final: new("x"),
		},
		{
			name: "message of the interface itself", content: lines(`{"type":"message","role":"assistant","content":[{"type":"text","text":"x"}]}`),
			want: []string{"x"}, final: new("x"),
		},
		{
			name: "spaced role", content: lines(`{ "type" : "user", "message" : { "role" : "user", "content" : "go" } }`,
				`{ "message" : { "role": "assistant", "content" : [ { "text" : "x", "type": "text" } ] }, "type" : "assistant" }`),
			want: []string{"x"}, final: new("x"),
		},
		{
			name: "sidechain", content: lines(prompt, text("mine"), strings.Replace(text(promise), `"isSidechain":false`, `"isSidechain":true`, 1)),
			want: []string{"mine"}, final: new("mine"),
		},
		{
			name: "sidechain prompt is no boundary", content: lines(prompt, text("mine"),
				strings.Replace(prompt, `"isSidechain":false`, `"isSidechain":true`, 1), tool("t1")),
			want: []string{"mine", bash}, final: new("mine"),
		},
		{
			name: "error of the api", content: lines(prompt, text("mine"),
				`{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"API Error"}]},"isApiErrorMessage":true}`),
			want: []string{"mine"}, final: new("mine"),
		},
		{
			name: "half line", content: lines(prompt, text("whole")) + text(promise)[:90],
			want: []string{"whole"}, final: new("whole"),
		},
		{
			name: "half line in the middle", content: lines(prompt, text("a"), text(promise)[:90], text("b")),
			want: []string{"a", "b"}, final: new("b"),
		},
		{name: "last line without a line end", content: prompt + "\n" + text("x"), want: []string{"x"}, final: new("x")},
		{
			name: "control char", content: lines(prompt, text("a\x01b\x1b "+promise), text("c\x00")),
			want: []string{"a b  " + promise, "c "}, final: new("c "),
		},
		{name: "nul bytes before a line", content: lines(prompt, "\x00\x00\x00"+text("x")), want: []string{"x"}, final: new("x")},
		{name: "150 tool lines after the promise", content: lines(many...), want: manyWant, final: new(promise)},
		{name: "CRLF", content: strings.ReplaceAll(lines(prompt, text("x"), last), "\n", "\r\n"), want: []string{"x"}, final: new("x")},
		{name: "BOM", content: "\ufeff" + lines(text("x")), want: []string{"x"}, final: new("x")},
		{name: "BOM before the prompt", content: "\ufeff" + lines(prompt, text("x")), want: []string{"x"}, final: new("x")},
		{
			name: "two text blocks", content: lines(prompt, assistant(`{"type":"text","text":"a"},{"type":"text","text":"b"}`)),
			want: []string{"a", "b"}, final: new("b"),
		},
		{
			name: "two text blocks on two lines", content: lines(prompt, text(promise), text("b")),
			want: []string{promise, "b"}, final: new("b"),
		},
		{
			name: "text and tool in one line", content: lines(prompt, assistant(`{"type":"text","text":"a"},{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls"}}`), result),
			want: []string{"a", bash}, final: new("a"),
		},
		{
			name: "turn boundary at user prompt", content: lines(prompt, text(promise), prompt, text("later")),
			want: []string{"later"}, final: new("later"),
		},
		{
			name: "turn boundary at a prompt of blocks", content: lines(prompt, text(promise),
				`{"type":"user","message":{"role":"user","content":[{"type":"text","text":"look"},{"type":"image","source":{"data":"aGk="}}]}}`, text("later")),
			want: []string{"later"}, final: new("later"),
		},
		{
			name: "turn boundary at a prompt beside a tool result", content: lines(prompt, text(promise),
				`{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"x"},{"type":"text","text":"no, do this"}]}}`, text("later")),
			want: []string{"later"}, final: new("later"),
		},
		{
			name: "turn boundary at hook feedback", content: lines(prompt, text(promise), feedback, attached, text("later"), last),
			want: []string{"later"}, final: new("later"),
		},
		{
			name: "turn boundary at hook feedback in a block", content: lines(prompt, text(promise),
				`{"type":"user","isMeta":true,"message":{"role":"user","content":[{"type":"text","text":"Stop hook feedback:\nagain"}]}}`, text("later")),
			want: []string{"later"}, final: new("later"),
		},
		{
			name: "no turn boundary at tool_result", content: lines(prompt, text(promise), tool("t1"), result, text("later")),
			want: []string{promise, bash, "later"}, final: new("later"),
		},
		{
			name: "turn boundary at a wake-up, which 2.1.330 marks as meta", content: lines(prompt, text(promise), wakeup, text("later")),
			want: []string{"later"}, final: new("later"),
		},
		{
			name: "turn boundary at context of a Stop hook", content: lines(prompt, text(promise), contextOf("Stop"), text("later")),
			want: []string{"later"}, final: new("later"),
		},
		{
			name: "no turn boundary at context of another hook", content: lines(prompt, text(promise), contextOf("PostToolUse"), text("later")),
			want: []string{promise, "later"}, final: new("later"),
		},
		{
			name: "no turn boundary at context of a subagent's hook", content: lines(prompt, text(promise), contextOf("SubagentStop"), text("later")),
			want: []string{promise, "later"}, final: new("later"),
		},
		{
			name: "no turn boundary at isMeta other", content: lines(prompt, text(promise), caveat, text("later")),
			want: []string{promise, "later"}, final: new("later"),
		},
		{
			name: "no turn boundary at the summary of a compaction", content: lines(prompt, text(promise),
				`{"type":"system","subtype":"compact_boundary"}`,
				`{"type":"user","message":{"role":"user","content":"This session is being continued"},"isCompactSummary":true}`, text("later")),
			want: []string{promise, "later"}, final: new("later"),
		},
		{
			name: "a prompt that quotes a result is a boundary", content: lines(prompt, text(promise),
				`{"type":"user","message":{"role":"user","content":"why \"tool_result\"?"}}`, text("later")),
			want: []string{"later"}, final: new("later"),
		},
		{
			name: "progress of a subagent", content: lines(prompt, text("mine"),
				`{"type":"progress","data":{"message":{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"`+promise+`"}]}}}}`,
				`{"type":"progress","message":{"role":"assistant","content":"`+promise+`"}}`),
			want: []string{"mine"}, final: new("mine"),
		},
		{name: "nothing before the turn", content: lines(text("a"), text("b")), want: []string{"a", "b"}, final: new("b")},
		{name: "blank lines", content: "\n\n" + lines(prompt, "", text("x"), " \t", ""), want: []string{"x"}, final: new("x")},
		{name: "escapes", content: lines(prompt, text(`a\u003cpromise>\"DONE\"\n\ud83d\ude00`)), want: []string{"a<promise>\"DONE\"\n😀"}, final: new("a<promise>\"DONE\"\n😀")},
		{name: "lone surrogate", content: lines(prompt, text(`a\ud800b`)), want: []string{"a\ufffdb"}, final: new("a\ufffdb")},
		{name: "bad UTF-8", content: lines(prompt, text("a\xffb")), want: []string{"a\ufffdb"}, final: new("a\ufffdb")},
		{name: "empty text", content: lines(prompt, text("a"), text("")), want: []string{"a", ""}, final: new("")},
		{
			name: "members of a wrong type", content: lines(prompt,
				`{"type":"assistant","message":{"role":5,"content":[{"type":"text","text":7},3,{"type":["text"]},{"type":"text","text":"x"}]},"isSidechain":"true"}`,
				`{"type":"assistant","message":{"role":"assistant","content":null}}`, `{"type":"assistant","message":null}`),
			want: []string{"x"}, final: new("x"),
		},
		{
			name: "duplicate names: the last wins", content: lines(prompt,
				`{"type":"assistant","message":{"role":"assistant","content":"a","content":[{"type":"text","text":"b"}]}}`),
			want: []string{"b"}, final: new("b"),
		},
		{
			name: "the inner message wins over content beside it", content: lines(prompt,
				`{"type":"assistant","content":"no","message":{"role":"assistant","content":"x"},"content":"no"}`),
			want: []string{"x"}, final: new("x"),
		},
		{name: "two objects on a line", content: lines(prompt, text("x"), text("y")+text("z")), want: []string{"x"}, final: new("x")},
		{
			name: "results wanted", results: true, content: lines(prompt, text("a"), tool("t1"), result,
				`{"type":"user","message":{"role":"user","content":[{"tool_use_id":"t2","type":"tool_result","is_error":true,"content":[{"type":"text","text":"no"},{"type":"image"},{"type":"text","text":"way"}]}]}}`),
			want: []string{"a", bash, "t1=one\nthree", "t2=no\nway!"}, final: new("a"),
		},
		{name: "answer not in the file yet", content: lines(prompt, text("old"), feedback, attached)},
		{name: "empty file", content: "", err: protocol.TranscriptNoAssistant},
		{name: "only line ends", content: "\n\r\n\n", err: protocol.TranscriptNoAssistant},
		{name: "no assistant", content: lines(attached, prompt, last), err: protocol.TranscriptNoAssistant},
		{name: "no assistant but results", results: true, content: lines(prompt, result), err: protocol.TranscriptNoAssistant},
		{name: "unparsable", content: "once upon\na time\n{\"type\":\"assistant\"", err: protocol.TranscriptUnparsable},
		{name: "no line is an object", content: "1\n[\"assistant\"]\n\"user\"\n", err: protocol.TranscriptUnparsable},
		{name: "one object among garbage", content: "once upon\n{}\na time\n", err: protocol.TranscriptNoAssistant},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got := transcript.LastTurn(file(t, tc.content), nil, tc.results)
			if s := show(got.Entries); !slices.Equal(s, tc.want) {
				t.Errorf("entries %q\n   want %q", s, tc.want)
			}
			if got.HasFinal != (tc.final != nil) || tc.final != nil && got.Final != *tc.final {
				t.Errorf("final %q (%v), want %v", got.Final, got.HasFinal, tc.final)
			}
			if got.Err != tc.err {
				t.Errorf("err %q, want %q", got.Err, tc.err)
			}
		})
	}
}

func TestTheMessageOfTheInputComesFirst(t *testing.T) {
	t.Parallel()
	path := file(t, lines(prompt, text("from the file")))
	for _, tc := range []struct {
		name, path string
		final      *string
		want       string
		err        protocol.TurnError
	}{
		{"present", path, new("from the input"), "from the input", protocol.TurnOK},
		{"present and empty", path, new(""), "", protocol.TurnOK},
		{"absent", path, nil, "from the file", protocol.TurnOK},
		{"present without a transcript", path + ".none", new("from the input"), "from the input", protocol.TranscriptMissing},
		{"present beside an unparsable one", file(t, "garbage"), new("from the input"), "from the input", protocol.TranscriptUnparsable},
	} {
		got := transcript.LastTurn(tc.path, tc.final, false)
		if !got.HasFinal || got.Final != tc.want || got.Err != tc.err {
			t.Errorf("%s: final %q (%v), err %q; want %q, %q", tc.name, got.Final, got.HasFinal, got.Err, tc.want, tc.err)
		}
	}
}

func TestToolCallsAreCountedInOrder(t *testing.T) {
	t.Parallel()
	path := file(t, lines(prompt, tool("t0"), feedback, tool("t1"), result, text("x"), tool("t2"), result))
	turn := transcript.LastTurn(path, nil, false)
	if n := turn.ToolCalls(); n != 2 {
		t.Errorf("%d tool calls, want 2", n)
	}
	if got := show(turn.Entries); got[0][:2] != "t1" || got[2][:2] != "t2" {
		t.Errorf("order: %q", got)
	}
}
