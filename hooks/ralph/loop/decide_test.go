package loop

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/bridge/protocol"
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
func says(text string, earlier ...string) protocol.Turn {
	turn := protocol.Turn{Final: text, HasFinal: true}
	for _, e := range earlier {
		turn.Entries = append(turn.Entries, protocol.Entry{Kind: protocol.EntryText, Text: e})
	}
	return turn
}

// TestDecide has a row for each rule of docs/reference/ralph-loop.md#decision and for
// each case of its list (docs/reference/ralph-loop.md#vectors).
func TestDecide(t *testing.T) {
	t.Parallel()
	quotedFile := Parse([]byte("---\niteration: 1\nmax_iterations: 0\ncompletion_promise: \"say \"hi\" C:\\new\"\n---\nx\n"))
	for _, test := range []struct {
		name  string
		state State
		turn  protocol.Turn
		kind  protocol.DecisionKind
		rule  string
	}{
		{"basic", running(1, 0), says("still working"), protocol.Continue, "continue"},
		{"no promise set", Parse(New("Work.", "", "", 0, time.Time{})), says("<promise>DONE</promise>"), protocol.Continue, "continue"},
		{"max reached, iteration equals the limit", running(5, 5), says("x"), protocol.Finish, "max-iterations"},
		{"iteration past the limit", running(9, 5), says("x"), protocol.Finish, "max-iterations"},
		{"one before the limit", running(4, 5), says("x"), protocol.Continue, "continue"},
		{"max 0 at 9999", running(9999, 0), says("x"), protocol.Continue, "continue"},
		{"the limit comes before the promise", running(5, 5), says("<promise>DONE</promise>"), protocol.Finish, "max-iterations"},
		{"the limit needs no transcript", running(5, 5), protocol.Turn{Err: protocol.TranscriptMissing}, protocol.Finish, "max-iterations"},

		{"promise match", running(1, 0), says("<promise>DONE</promise>"), protocol.Finish, "promise"},
		{"promise inside text", running(1, 0), says("It works. <promise>DONE</promise> Bye."), protocol.Finish, "promise"},
		{"promise over several lines", running(1, 0), says("<promise>\n  DONE\n</promise>"), protocol.Finish, "promise"},
		{"promise in unicode", running(1, 0).promising("任务 完成"), says("<promise>任务  完成</promise>"), protocol.Finish, "promise"},
		{"promise with inner quotes", running(1, 0).promising(`say "hi"`), says(`<promise>say "hi"</promise>`), protocol.Finish, "promise"},
		{"promise as ralph-loop writes it, unescaped", quotedFile, says(`<promise>say "hi" C:\new</promise>`), protocol.Finish, "promise"},
		{"promise with a glob star is literal", running(1, 0).promising("*"), says("<promise>anything</promise>"), protocol.Continue, "continue"},
		{"promise of a glob star", running(1, 0).promising("*"), says("<promise>*</promise>"), protocol.Finish, "promise"},
		{"promise 100 % #", running(1, 0).promising("100 % # done"), says("<promise>100 % # done</promise>"), protocol.Finish, "promise"},
		{"promise with two inner spaces", running(1, 0).promising("ALL  DONE"), says("<promise>ALL DONE</promise>"), protocol.Finish, "promise"},
		{"promise mismatch", running(1, 0), says("<promise>NOT YET</promise>"), protocol.Continue, "continue"},
		{"promise in another case", running(1, 0), says("<promise>done</promise>"), protocol.Continue, "continue"},
		{"tags in another case", running(1, 0), says("<PROMISE>DONE</PROMISE>"), protocol.Continue, "continue"},
		{"wrong tag, then the right one", running(1, 0), says("<promise>NO</promise> <promise>DONE</promise>"), protocol.Finish, "promise"},
		{"a tag inside a tag", running(1, 0), says("<promise>x <promise>DONE</promise>"), protocol.Finish, "promise"},
		{"a tag that does not end", running(1, 0), says("<promise>DONE"), protocol.Continue, "continue"},
		{"empty tag", running(1, 0), says("<promise></promise>"), protocol.Continue, "continue"},
		{"tags as HTML writes them", running(1, 0), says("It works. &lt;promise&gt;DONE&lt;/promise&gt;"), protocol.Finish, "promise"},
		{"all as HTML writes it", running(1, 0).promising("a < b & c"), says("&lt;promise&gt;a &lt; b &amp; c&lt;/promise&gt;"), protocol.Finish, "promise"},
		{"only the tags as HTML writes them", running(1, 0).promising("a < b & c"), says("&lt;promise&gt;a < b & c&lt;/promise&gt;"), protocol.Finish, "promise"},
		{"another promise as HTML writes it", running(1, 0), says("&lt;promise&gt;NOT YET&lt;/promise&gt;"), protocol.Continue, "continue"},
		{"half a tag as HTML writes it", running(1, 0), says("&lt;promise&gt;DONE</promise>"), protocol.Continue, "continue"},
		{"anthropics/claude-code#81827: the bare word", running(1, 0), says("DONE"), protocol.Continue, "continue"},

		{"empty text continues (ADR 2)", running(1, 0), says(""), protocol.Continue, "continue"},
		{"thinking only, tool only: a turn without text continues", running(1, 0), protocol.Turn{}, protocol.Continue, "continue"},
		{"promise, then a later text in the turn", running(1, 0), says("Summary.", "<promise>DONE</promise>", "Summary."), protocol.Finish, "promise"},
		{"an earlier text that only quotes the tag", running(1, 0), says("Summary.", "The file says <promise>DONE</promise> there."), protocol.Continue, "continue"},
		{"an earlier text with the tag on a line of its own", running(1, 0), says("Summary.", "Done:\n  <promise>DONE</promise>\nbye"), protocol.Finish, "promise"},
		{"a tool result with the promise", running(1, 0), protocol.Turn{Final: "x", HasFinal: true,
			Entries: []protocol.Entry{{Kind: protocol.EntryToolResult, Text: "<promise>DONE</promise>"}}}, protocol.Continue, "continue"},
		{"transcript absent, last message there (anthropics/claude-code#81825)", running(1, 0), protocol.Turn{Final: "x", HasFinal: true, Err: protocol.TranscriptMissing}, protocol.Continue, "continue"},
		{"transcript lags, last message keeps the promise", running(1, 0), protocol.Turn{Final: "<promise>DONE</promise>", HasFinal: true, Err: protocol.TranscriptNoAssistant}, protocol.Finish, "promise"},
		{"transcript missing", running(1, 0), protocol.Turn{Err: protocol.TranscriptMissing}, protocol.Finish, "transcript-missing"},
		{"transcript unreadable", running(1, 0), protocol.Turn{Err: protocol.TranscriptUnreadable}, protocol.Finish, "transcript-unreadable"},
		{"no assistant message", running(1, 0), protocol.Turn{Err: protocol.TranscriptNoAssistant}, protocol.Finish, "no-assistant-message"},
		{"unparsable", running(1, 0), protocol.Turn{Err: protocol.TranscriptUnparsable}, protocol.Finish, "transcript-unparsable"},

		{"front matter unparsable", Parse([]byte("iteration: 1\n")), says("x"), protocol.Finish, "state-corrupted"},
		{"iteration below 0", Parse(file("x", "iteration: -1", "max_iterations: 0")), says("x"), protocol.Finish, "state-corrupted"},
		{"iteration no number", Parse(file("x", "iteration: abc", "max_iterations: 0")), says("x"), protocol.Finish, "state-corrupted"},
		{"max_iterations no number", Parse(file("x", "iteration: 1", "max_iterations: many")), says("x"), protocol.Finish, "state-corrupted"},
		{"missing iteration", Parse(file("x", "max_iterations: 0")), says("x"), protocol.Finish, "state-corrupted"},
		{"missing max_iterations", Parse(file("x", "iteration: 1")), says("x"), protocol.Finish, "state-corrupted"},
		{"missing completion_promise is none", Parse(file("x", "iteration: 1", "max_iterations: 0")), says("x"), protocol.Continue, "continue"},
		{"empty prompt", Parse(file("", "iteration: 1", "max_iterations: 0")), says("x"), protocol.Finish, "state-corrupted"},
		{"prompt of blanks", Parse(file("  \n\t ", "iteration: 1", "max_iterations: 0")), says("x"), protocol.Finish, "state-corrupted"},
		{"a number too large to count", Parse(file("x", "iteration: 99999999999999999999", "max_iterations: 0")), says("x"), protocol.Finish, "state-corrupted"},
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

// TestMessages checks the texts that users and other tools look for.
func TestMessages(t *testing.T) {
	t.Parallel()
	for want, v := range map[string]protocol.Decision{
		"Ralph iteration 4 | To stop: output <promise>DONE</promise>":                Decide(running(3, 0), says("x")),
		"Ralph iteration 2 | No completion promise set - loop runs infinitely":       Decide(Parse(New("x", "", "", 0, time.Time{})), says("x")),
		"Ralph iteration 2 | No completion promise set - stops after 5 iterations":   Decide(Parse(New("x", "", "", 5, time.Time{})), says("x")),
		"Ralph loop: Max iterations (5) reached.":                                    Decide(running(5, 5), says("x")),
		"Ralph loop: Detected <promise>DONE</promise>":                               Decide(running(1, 5), says("<promise>DONE</promise>")),
		"State file corrupted: 'iteration' field is not a valid number (got: 'abc')": Decide(Parse(file("x", "iteration: abc")), says("x")),
		"Transcript file not found":                                                  Decide(running(1, 0), protocol.Turn{Err: protocol.TranscriptMissing}),
	} {
		if !strings.Contains(v.Message, want) {
			t.Errorf("%q does not contain %q", v.Message, want)
		}
	}
}

// TestManyTagsAreLinear: a hostile message of 8 MiB is read only once. A new
// search for each opening tag would take minutes, and the stop would be
// allowed at the deadline.
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
			// In an earlier text of the turn, the tag must be alone on its line.
			if v := Decide(state, says("", test.text)); v.Rule != "continue" {
				t.Errorf("rule %s", v.Rule)
			}
			if v := Decide(state, says(test.text+"\n<promise>"+test.promise+"</promise>")); v.Rule != "promise" {
				t.Errorf("rule %s", v.Rule)
			}
			// Reading the text once takes milliseconds; the limit allows for a busy machine.
			if d := time.Since(began); d > 10*time.Second {
				t.Errorf("took %v", d)
			}
		})
	}
}

// TestDecideIsPure: the decision imports nothing that does I/O or reads the
// clock.
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

// TestWhatEndsALoopIsSaid: each end has a message, and merely reading a turn ends
// nothing.
func TestWhatEndsALoopIsSaid(t *testing.T) {
	t.Parallel()
	for err, rule := range map[protocol.TurnError]string{
		protocol.TurnOK: "continue", protocol.TranscriptMissing: "transcript-missing", protocol.TranscriptUnreadable: "transcript-unreadable",
		protocol.TranscriptUnparsable: "transcript-unparsable", protocol.TranscriptNoAssistant: "no-assistant-message",
	} {
		if v := Decide(running(1, 0), protocol.Turn{Err: err}); v.Rule != rule || v.Message == "" {
			t.Errorf("%v: %+v", err, v)
		}
		if v := Decide(running(1, 0), protocol.Turn{Err: err, HasFinal: true}); v.Rule != "continue" {
			t.Errorf("%v with a last message: %+v", err, v)
		}
	}
	for limit, want := range map[int]string{0: "ralph cancel ends it", 9: "stops after 9 iterations"} {
		if v := Decide(Parse(New("Work.", "", "", limit, time.Time{})), says("x")); !strings.Contains(v.Message, "iteration 2 ") || !strings.Contains(v.Message, want) {
			t.Errorf("limit %d: %s", limit, v.Message)
		}
	}
}

// TestThePromiseIsTold: the model is told its promise at each stop, and the prompt is
// unchanged.
func TestThePromiseIsTold(t *testing.T) {
	t.Parallel()
	for promise, want := range map[string]bool{"DONE": true, `say "hi" & <go>`: true, "": false, strings.Repeat("l", maxPromise): true, strings.Repeat("l", maxPromise+1): false} {
		s := Parse(New("Work.", "", promise, 0, time.Time{}))
		v := Decide(s, says("x"))
		if told := strings.Contains(v.Context, "<promise>"+promise+"</promise>"); told != want || (v.Context == "") == want || strings.TrimSpace(v.Reason) != "Work." {
			t.Errorf("%.20q: %q %q", promise, v.Context, v.Reason)
		}
		if v := Decide(s, says("<promise>"+promise+"</promise>")); v.Kind == protocol.Finish && v.Context != "" {
			t.Errorf("%.20q is told at the end: %q", promise, v.Context)
		}
	}
}

// TestPromiseAsItIsWritten: if an unescaped promise contains what looks like an
// escape, both the literal text and the unescaped one keep the promise.
func TestPromiseAsItIsWritten(t *testing.T) {
	t.Parallel()
	s := Parse([]byte("---\niteration: 1\nmax_iterations: 0\ncompletion_promise: \"C:\\\\new\"\n---\nx\n"))
	for said, want := range map[string]protocol.DecisionKind{`C:\\new`: protocol.Finish, `C:\new`: protocol.Finish, `C:new`: protocol.Continue} {
		if v := Decide(s, says("<promise>"+said+"</promise>")); v.Kind != want {
			t.Errorf("%s: %+v", said, v)
		}
	}
}

// TestNothingIsPromised: a promise of blanks, or none, ends nothing.
func TestNothingIsPromised(t *testing.T) {
	t.Parallel()
	for promise, said := range map[string]string{`"  "`: "  ", `""`: "", "null": "null"} {
		s := Parse([]byte("---\niteration: 1\nmax_iterations: 0\ncompletion_promise: " + promise + "\n---\nx\n"))
		if v := Decide(s, says("<promise>"+said+"</promise>")); v.Kind != protocol.Continue {
			t.Errorf("%s: %+v", promise, v)
		}
	}
}

// TestHowToGoOn: a loop that reached its limit is resumed with twice as many iterations.
func TestHowToGoOn(t *testing.T) {
	t.Parallel()
	l := &loop{dir: "d", name: FileName, state: running(5, 5)}
	d := l.Decide(says("x"), time.Time{})
	if !strings.HasPrefix(d.Message, "🛑 Ralph loop: Max iterations (5) reached.") || !strings.HasSuffix(d.Message, "ralph resume --max-iterations 10") {
		t.Error(d.Message)
	}
	l.state = running(2, 5)
	if d := l.Decide(says("x"), time.Time{}); len(d.Writes) != 1 || d.Writes[0].What != "save iteration 3 in d/"+FileName {
		t.Errorf("%+v", d.Writes)
	}
}

// TestOnlyLoopsAreListed: other files beside a loop are not loops.
func TestOnlyLoopsAreListed(t *testing.T) {
	t.Parallel()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(root, DirName)
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{FileName: true, "ralph-loop.s1.local.md": true, "ralph-loop.s2.local.md.bak": true, "ralph-loop.notes.md": false, "mine.local.md": false, "settings.json": false}
	for name := range want {
		if err := os.WriteFile(filepath.Join(dir, name), New("Work.", "s1", "DONE", 9, time.Now()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, broken := range []string{"ralph-loop.0.local.md", "ralph-loop.9.local.md"} {
		want[broken] = true
		if err := os.Mkdir(filepath.Join(dir, broken), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	all, err := List(&protocol.Stop{Places: []string{root}, Root: root, Env: protocol.Env{Now: time.Now(), Getenv: func(string) string { return "" }}})
	if err != nil || len(all) != 5 {
		t.Errorf("%d, %v", len(all), err)
	}
	for _, c := range all {
		if !want[filepath.Base(c.Status.Path)] {
			t.Errorf("%s is listed", c.Status.Path)
		}
	}
}

// TestProgress: after the fixed text, the user sees how far the loop is.
func TestProgress(t *testing.T) {
	t.Parallel()
	began := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		started time.Time
		max     int
		want    string
	}{
		{began, 5, " (3 of 5, 12 min)"},
		{began, 0, " (12 min)"},
		{time.Time{}, 5, " (3 of 5)"},
		{time.Time{}, 0, ""},
		{began.Add(time.Hour), 5, " (3 of 5)"},
	} {
		if got := progress(State{Iteration: 2, MaxIterations: test.max, StartedAt: test.started}, began.Add(12*time.Minute)); got != test.want {
			t.Errorf("started %v, limit %d: %q, want %q", test.started, test.max, got, test.want)
		}
	}
}
