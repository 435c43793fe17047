package loop

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/hookbridge/bridge/internal/statefile"
)

// TestParse has a row for each form of the file (docs/reference/ralph-loop.md#state).
func TestParse(t *testing.T) {
	t.Parallel()
	base := []string{"iteration: 3", "max_iterations: 7", `completion_promise: "DONE"`, "session_id: s1"}
	for _, test := range []struct {
		name string
		data []byte
		want func(State) bool
	}{
		{"as ralph-loop writes it", file("Go.", base...), func(s State) bool {
			return s.Iteration == 3 && s.MaxIterations == 7 && s.Promise == "DONE" && s.SessionID == "s1" && s.Prompt == "\nGo." && s.Active
		}},
		{"CRLF", []byte(strings.ReplaceAll(string(file("Go.", base...)), "\n", "\r\n")), func(s State) bool {
			return s.Iteration == 3 && s.Promise == "DONE" && s.SessionID == "s1" && s.Prompt == "\r\nGo."
		}},
		{"byte order mark", append([]byte("\ufeff"), file("Go.", base...)...), func(s State) bool { return s.Iteration == 3 && s.Problem == "" }},
		{"quoted numbers", file("x", `iteration: "1"`, `max_iterations: '2'`), func(s State) bool { return s.Iteration == 1 && s.MaxIterations == 2 }},
		{"trailing space", file("x", "iteration: 1 ", "max_iterations: 2\t"), func(s State) bool { return s.Iteration == 1 && s.MaxIterations == 2 }},
		{"08", file("x", "iteration: 08", "max_iterations: 007"), func(s State) bool { return s.Iteration == 8 && s.MaxIterations == 7 }},
		{"session id null", file("x", "iteration: 1", "max_iterations: 0", "session_id: null"), func(s State) bool { return s.SessionID == "" }},
		{"session id empty", file("x", "iteration: 1", "max_iterations: 0", "session_id:"), func(s State) bool { return s.SessionID == "" }},
		{"session id in quotes", file("x", "iteration: 1", "max_iterations: 0", `session_id: "s1"`), func(s State) bool { return s.SessionID == "s1" }},
		{"promise null", file("x", "iteration: 1", "max_iterations: 0", "completion_promise: null"), func(s State) bool { return s.Promise == "" }},
		{"promise in single quotes", file("x", "iteration: 1", "max_iterations: 0", "completion_promise: 'DONE'"), func(s State) bool { return s.Promise == "DONE" }},
		{"promise with a hash", file("x", "iteration: 1", "max_iterations: 0", "completion_promise: issue #5 fixed"), func(s State) bool { return s.Promise == "issue #5 fixed" }},
		{"active false (anthropics/claude-plugins-official#1197)", file("x", "active: false", "iteration: 1", "max_iterations: 0"), func(s State) bool { return !s.Active }},
		{"active with a comment", file("x", "active: false # paused", "iteration: 1", "max_iterations: 0"), func(s State) bool { return !s.Active && s.Unclear == "" }},
		{"active no", file("x", `active: "No"`, "iteration: 1", "max_iterations: 0"), func(s State) bool { return !s.Active && s.Unclear == "" }},
		{"active yes", file("x", "active: Yes # again", "iteration: 1", "max_iterations: 0"), func(s State) bool { return s.Active && s.Unclear == "" }},
		{"active paused", file("x", "active: paused", "iteration: 1", "max_iterations: 0"), func(s State) bool { return !s.Active && s.Unclear == "" }},
		{"active empty", file("x", "active:", "iteration: 1", "max_iterations: 0"), func(s State) bool { return !s.Active && s.Unclear != "" }},
		{"active unclear", file("x", "active: later", "iteration: 1", "max_iterations: 0"), func(s State) bool { return !s.Active && s.Unclear != "" }},
		{"no active", file("x", "iteration: 1", "max_iterations: 0"), func(s State) bool { return s.Active && s.Unclear == "" }},
		{"dashes in the prompt stay", file("a\n---\nb\n---\nc", base...), func(s State) bool { return s.Prompt == "\na\n---\nb\n---\nc" }},
		{"a second front matter is prompt", file("---\niteration: 77\n---\nb", base...), func(s State) bool { return s.Iteration == 3 && s.Problem == "" }},
		{"only the first front matter counts", file("iteration: 77", base...), func(s State) bool { return s.Iteration == 3 }},
		{"no dashes at all", []byte("iteration: 1\n"), func(s State) bool { return s.Problem != "" }},
		{"dashes directly after dashes", []byte("---\n---\nx\n"), func(s State) bool { return s.Problem != "" }},
		{"no end of the front matter", []byte("---\niteration: 1\n"), func(s State) bool { return s.Problem != "" }},
		{"empty", nil, func(s State) bool { return s.Problem != "" }},
		{"no blank line before the prompt", []byte("---\niteration: 1\nmax_iterations: 0\n---\nGo."), func(s State) bool { return s.Prompt == "Go." }},
		{"started_at", file("x", "iteration: 1", "max_iterations: 0", `started_at: "2026-01-02T03:04:05Z"`), func(s State) bool {
			return s.StartedAt.Equal(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if s := Parse(test.data); !test.want(s) {
				t.Errorf("%+v", s)
			}
		})
	}
}

// TestNewIsRead: the hook can read whatever start writes, for any texts.
func TestNewIsRead(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		prompt := rapid.StringMatching(`[^\r\n][^\r]{0,80}[^\s]`).Draw(t, "prompt")
		promise := strings.Join(strings.Fields(rapid.StringMatching(`[^\r\n]{0,30}`).Draw(t, "promise")), " ")
		limit := rapid.IntRange(0, 1<<30).Draw(t, "limit")
		s := Parse(New(prompt, "s1", promise, limit, time.Now()))
		if s.Problem != "" || s.Prompt != "\n"+prompt || s.Promise != promise || s.MaxIterations != limit || s.Iteration != 1 {
			t.Fatalf("%+v", s)
		}
	})
}

// TestAdvanceTouchesOneLine: the counter changes and every other byte stays, including a
// line "iteration: 5" in the prompt.
func TestAdvanceTouchesOneLine(t *testing.T) {
	t.Parallel()
	for _, eol := range []string{"\n", "\r\n"} {
		before := strings.ReplaceAll("---\n# mine\nunknown: x\niteration:  1\nmax_iterations: 0\n---\n\niteration: 5\n---\niteration: 6\n", "\n", eol)
		s := Parse([]byte(before))
		after := string(s.front.SetAll([2]string{"iteration", "2"}))
		if want := strings.Replace(before, "iteration:  1", "iteration:  2", 1); after != want {
			t.Errorf("got %q, want %q", after, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(file("x", "iteration: 1", "max_iterations: 0"))
	f.Add([]byte("\ufeff---\r\niteration: \"1\"\r\n---\r\n"))
	f.Add([]byte("---\niteration:1\nmax_iterations:\n---"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s := Parse(data)
		if s.Iteration < 0 || s.MaxIterations < 0 {
			t.Errorf("negative: %+v", s)
		}
		if _, err := statefile.ParseFrontMatter(data); err != nil && s.Problem == "" {
			t.Error("no front matter and no problem")
		}
		if s.Problem == "" {
			next := Parse(s.front.SetAll([2]string{"iteration", "41"}))
			if next.Iteration != 41 || next.Prompt != s.Prompt || next.MaxIterations != s.MaxIterations {
				t.Errorf("after advancing: %+v, before: %+v", next, s)
			}
		}
	})
}
