package loop

import (
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/hookbridge/bridge/hooks"
)

// file is a state file with a front matter of these lines.
func file(prompt string, lines ...string) []byte {
	return []byte("---\n" + strings.Join(lines, "\n") + "\n---\n\n" + prompt + "\n")
}

// running is a loop at an iteration with a limit and the promise DONE.
func running(iteration, limit int) State {
	return Parse(New("Work.", "s1", "DONE", limit, time.Unix(0, 0))).at(iteration)
}

func (s State) at(iteration int) State {
	s.Iteration = iteration
	return s
}

func (s State) promising(promise string) State {
	s.Promise, s.rawPromise = promise, promise
	return s
}

// says is a turn whose last message is text, after earlier texts.
func says(text string, earlier ...string) hooks.Turn {
	turn := hooks.Turn{Final: text, HasFinal: true}
	for _, e := range earlier {
		turn.Entries = append(turn.Entries, hooks.Entry{Kind: hooks.EntryText, Text: e})
	}
	return turn
}

// TestDecide has a row for each vector R1 of the dialect's description (section
// 10), each row of its matrix (section 2.7) and each branch of seed 000.
func TestDecide(t *testing.T) {
	t.Parallel()
	quotedFile := Parse([]byte("---\niteration: 1\nmax_iterations: 0\ncompletion_promise: \"say \"hi\" C:\\new\"\n---\nx\n"))
	for _, test := range []struct {
		name  string
		state State
		turn  hooks.Turn
		kind  hooks.DecisionKind
		rule  string
	}{
		{"basic", running(1, 0), says("still working"), hooks.Continue, "continue"},
		{"seed 000: no promise set", Parse(New("Work.", "", "", 0, time.Time{})), says("<promise>DONE</promise>"), hooks.Continue, "continue"},
		{"seed 000: max reached, iteration equals the limit", running(5, 5), says("x"), hooks.Finish, "max-iterations"},
		{"iteration past the limit", running(9, 5), says("x"), hooks.Finish, "max-iterations"},
		{"one before the limit", running(4, 5), says("x"), hooks.Continue, "continue"},
		{"max 0 at 9999", running(9999, 0), says("x"), hooks.Continue, "continue"},
		{"the limit comes before the promise", running(5, 5), says("<promise>DONE</promise>"), hooks.Finish, "max-iterations"},
		{"the limit needs no transcript", running(5, 5), hooks.Turn{Err: hooks.TranscriptMissing}, hooks.Finish, "max-iterations"},

		{"seed 000: promise match", running(1, 0), says("<promise>DONE</promise>"), hooks.Finish, "promise"},
		{"promise inside text", running(1, 0), says("It works. <promise>DONE</promise> Bye."), hooks.Finish, "promise"},
		{"promise over several lines", running(1, 0), says("<promise>\n  DONE\n</promise>"), hooks.Finish, "promise"},
		{"promise in unicode", running(1, 0).promising("任务 完成"), says("<promise>任务  完成</promise>"), hooks.Finish, "promise"},
		{"promise with inner quotes", running(1, 0).promising(`say "hi"`), says(`<promise>say "hi"</promise>`), hooks.Finish, "promise"},
		{"promise as ralph-loop writes it, unescaped", quotedFile, says(`<promise>say "hi" C:\new</promise>`), hooks.Finish, "promise"},
		{"promise with a glob star is literal", running(1, 0).promising("*"), says("<promise>anything</promise>"), hooks.Continue, "continue"},
		{"promise of a glob star", running(1, 0).promising("*"), says("<promise>*</promise>"), hooks.Finish, "promise"},
		{"promise 100 % #", running(1, 0).promising("100 % # done"), says("<promise>100 % # done</promise>"), hooks.Finish, "promise"},
		{"promise with two inner spaces", running(1, 0).promising("ALL  DONE"), says("<promise>ALL DONE</promise>"), hooks.Finish, "promise"},
		{"seed 000: promise mismatch", running(1, 0), says("<promise>NOT YET</promise>"), hooks.Continue, "continue"},
		{"promise in another case", running(1, 0), says("<promise>done</promise>"), hooks.Continue, "continue"},
		{"tags in another case", running(1, 0), says("<PROMISE>DONE</PROMISE>"), hooks.Continue, "continue"},
		{"wrong tag, then the right one", running(1, 0), says("<promise>NO</promise> <promise>DONE</promise>"), hooks.Finish, "promise"},
		{"a tag inside a tag", running(1, 0), says("<promise>x <promise>DONE</promise>"), hooks.Finish, "promise"},
		{"a tag that does not end", running(1, 0), says("<promise>DONE"), hooks.Continue, "continue"},
		{"empty tag", running(1, 0), says("<promise></promise>"), hooks.Continue, "continue"},
		{"claude-code#81827: the bare word", running(1, 0), says("DONE"), hooks.Continue, "continue"},

		{"seed 000: empty text continues (ADR 2)", running(1, 0), says(""), hooks.Continue, "continue"},
		{"thinking only, tool only: a turn without text continues", running(1, 0), hooks.Turn{}, hooks.Continue, "continue"},
		{"promise, then a later text in the turn", running(1, 0), says("Summary.", "<promise>DONE</promise>", "Summary."), hooks.Finish, "promise"},
		{"an earlier text that only quotes the tag", running(1, 0), says("Summary.", "The file says <promise>DONE</promise> there."), hooks.Continue, "continue"},
		{"an earlier text with the tag on a line of its own", running(1, 0), says("Summary.", "Done:\n  <promise>DONE</promise>\nbye"), hooks.Finish, "promise"},
		{"a tool result with the promise", running(1, 0), hooks.Turn{Final: "x", HasFinal: true,
			Entries: []hooks.Entry{{Kind: hooks.EntryToolResult, Text: "<promise>DONE</promise>"}}}, hooks.Continue, "continue"},
		{"transcript absent, last message there (claude-code#81825)", running(1, 0), hooks.Turn{Final: "x", HasFinal: true, Err: hooks.TranscriptMissing}, hooks.Continue, "continue"},
		{"transcript lags, last message keeps the promise", running(1, 0), hooks.Turn{Final: "<promise>DONE</promise>", HasFinal: true, Err: hooks.TranscriptNoAssistant}, hooks.Finish, "promise"},
		{"seed 000: transcript missing", running(1, 0), hooks.Turn{Err: hooks.TranscriptMissing}, hooks.Finish, "transcript-missing"},
		{"seed 000: transcript unreadable", running(1, 0), hooks.Turn{Err: hooks.TranscriptUnreadable}, hooks.Finish, "transcript-unreadable"},
		{"seed 000: no assistant message", running(1, 0), hooks.Turn{Err: hooks.TranscriptNoAssistant}, hooks.Finish, "no-assistant-message"},
		{"seed 000: unparsable", running(1, 0), hooks.Turn{Err: hooks.TranscriptUnparsable}, hooks.Finish, "transcript-unparsable"},

		{"seed 000: front matter unparsable", Parse([]byte("iteration: 1\n")), says("x"), hooks.Finish, "state-corrupted"},
		{"seed 000: iteration below 0", Parse(file("x", "iteration: -1", "max_iterations: 0")), says("x"), hooks.Finish, "state-corrupted"},
		{"iteration no number", Parse(file("x", "iteration: abc", "max_iterations: 0")), says("x"), hooks.Finish, "state-corrupted"},
		{"max_iterations no number", Parse(file("x", "iteration: 1", "max_iterations: many")), says("x"), hooks.Finish, "state-corrupted"},
		{"missing iteration", Parse(file("x", "max_iterations: 0")), says("x"), hooks.Finish, "state-corrupted"},
		{"missing max_iterations", Parse(file("x", "iteration: 1")), says("x"), hooks.Finish, "state-corrupted"},
		{"missing completion_promise is none", Parse(file("x", "iteration: 1", "max_iterations: 0")), says("x"), hooks.Continue, "continue"},
		{"seed 000: empty prompt", Parse(file("", "iteration: 1", "max_iterations: 0")), says("x"), hooks.Finish, "state-corrupted"},
		{"prompt of blanks", Parse(file("  \n\t ", "iteration: 1", "max_iterations: 0")), says("x"), hooks.Finish, "state-corrupted"},
		{"a number too large to count", Parse(file("x", "iteration: 99999999999999999999", "max_iterations: 0")), says("x"), hooks.Finish, "state-corrupted"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			v := Decide(test.state, test.turn)
			if v.Kind != test.kind || v.Rule != test.rule {
				t.Errorf("kind %v, rule %s; want %v, %s", v.Kind, v.Rule, test.kind, test.rule)
			}
			if v.Message == "" {
				t.Error("no message for the user")
			}
		})
	}
}

// TestMessages holds the texts that users and other tools look for.
func TestMessages(t *testing.T) {
	t.Parallel()
	for want, v := range map[string]Verdict{
		"Ralph iteration 4 | To stop: output <promise>DONE</promise>":                Decide(running(3, 0), says("x")),
		"Ralph iteration 2 | No completion promise set - loop runs infinitely":       Decide(Parse(New("x", "", "", 0, time.Time{})), says("x")),
		"Ralph loop: Max iterations (5) reached.":                                    Decide(running(5, 5), says("x")),
		"Ralph loop: Detected <promise>DONE</promise>":                               Decide(running(1, 5), says("<promise>DONE</promise>")),
		"State file corrupted: 'iteration' field is not a valid number (got: 'abc')": Decide(Parse(file("x", "iteration: abc")), says("x")),
		"Transcript file not found":                                                  Decide(running(1, 0), hooks.Turn{Err: hooks.TranscriptMissing}),
	} {
		if !strings.Contains(v.Message, want) {
			t.Errorf("%q does not contain %q", v.Message, want)
		}
	}
}

// TestManyTagsAreLinear: hostile messages of 8 MiB are judged by reading them
// once. With a search for each opening tag they would take minutes, and the
// deadline would end in an allowed stop.
func TestManyTagsAreLinear(t *testing.T) {
	t.Parallel()
	const size = 8 << 20
	fill := func(unit string) string { return strings.Repeat(unit, size/len(unit)) }
	huge := strings.Repeat("p ", 1<<19)
	for name, test := range map[string]struct {
		promise, text string
	}{
		"openings only":                  {"DONE", fill("<promise>")},
		"closings only":                  {"DONE", fill("</promise>")},
		"many openings for each closing": {"DONE", fill(strings.Repeat("<promise>", 450) + "</promise>")},
		"wrong tags on one line":         {"DONE", fill("<promise>NO</promise>")},
		"quoted right tags on one line":  {"DONE", fill("x<promise>DONE</promise>")},
		"tags in white space":            {"DONE", fill("<promise>" + strings.Repeat(" ", 4000) + "</promise>")},
		"a huge promise":                 {huge, fill("<promise>p p p ")},
		"a huge promise, nearly kept":    {huge, fill("<promise>" + huge + "q</promise>")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			began := time.Now()
			state := running(1, 0).promising(test.promise)
			// As an earlier text of the turn the tag must stand alone on its line.
			if v := Decide(state, says("", test.text)); v.Rule != "continue" {
				t.Errorf("rule %s", v.Rule)
			}
			if v := Decide(state, says(test.text+"\n<promise>"+test.promise+"</promise>")); v.Rule != "promise" {
				t.Errorf("rule %s", v.Rule)
			}
			// Reading once takes milliseconds; the bound is for a busy machine.
			if d := time.Since(began); d > 10*time.Second {
				t.Errorf("took %v", d)
			}
		})
	}
}

// TestTagsAgreeWithTheRule compares with the rule as the dialect's description
// gives it: from each opening to the next closing, white space folded.
func TestTagsAgreeWithTheRule(t *testing.T) {
	t.Parallel()
	rule := func(promise, text string) bool {
		for rest := text; ; {
			_, after, found := strings.Cut(rest, "<promise>")
			if !found {
				return false
			}
			said, _, closed := strings.Cut(after, "</promise>")
			if closed && fold(said) == fold(promise) {
				return true
			}
			rest = after
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SampledFrom([]string{"<promise>", "</promise>", "A", "B", "AB", " ", "\n", "\u00a0", "<", "promise>"})
		promise := strings.Join(rapid.SliceOfN(words, 1, 4).Draw(t, "promise"), "")
		text := strings.Join(rapid.SliceOfN(words, 0, 24).Draw(t, "text"), "")
		if fold(promise) == "" {
			return
		}
		if got, want := tagged(running(1, 0).promising(promise), text, false), rule(promise, text); got != want {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}

// TestDecideIsPure: the decision imports nothing that could look at the world.
func TestDecideIsPure(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"decide.go", "state.go"} {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range f.Imports {
			path, _ := strconv.Unquote(spec.Path.Value)
			first, _, _ := strings.Cut(path, "/")
			switch {
			case first == "os", first == "net", first == "io", first == "syscall", path == "path/filepath",
				path == "time" && name == "decide.go":
				t.Errorf("%s imports %s", name, path)
			}
		}
	}
}
