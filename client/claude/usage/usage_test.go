package usage

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/hookbridge/bridge/internal/usage"
)

// sum prices all messages.
func sum(t testing.TB, s *Messages) (total usage.Sum) {
	t.Helper()
	for m := range s.All() {
		price, ok := Prices()[ModelKey(m.Model)]
		if !ok {
			total.AddUnpriced(m.Tokens, m.Model)
			continue
		}
		total.Add(m.Tokens, price.Of(m.Tokens, m.Fast))
	}
	return total
}

func recorded(t testing.TB) []byte {
	t.Helper()
	var all []byte
	for _, name := range []string{"main.jsonl", "subagent.jsonl"} {
		text, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, text...)
	}
	return all
}

// TestRecorded: the client's own account of this session, which its last line has, is
// 0.003978 dollars.
func TestRecorded(t *testing.T) {
	t.Parallel()
	s := New()
	for _, name := range []string{"main.jsonl", "subagent.jsonl", "missing.jsonl"} {
		if err := s.Read(filepath.Join("testdata", name)); err != nil {
			t.Fatal(err)
		}
	}
	got := sum(t, s)
	want := usage.Tokens{Input: 600, Output: 120, CacheWrite5m: 24, CacheWrite1h: 36, CacheRead: 240}
	if got.Tokens != want || got.Requests != 6 || got.Cost.Micros() != 3978 || len(got.Unpriced()) > 0 {
		t.Errorf("%+v, %d micro-dollars, unpriced %v", got, got.Cost.Micros(), got.Unpriced())
	}
	if err := s.Read("testdata"); err == nil {
		t.Error("a directory is no transcript")
	}
}

// TestAnyOrderAndAnyCopyCountsOnce: lines may come twice, in any order, in copies of the
// file and behind a line that was torn.
func TestAnyOrderAndAnyCopyCountsOnce(t *testing.T) {
	t.Parallel()
	lines := slices.Collect(bytes.Lines(recorded(t)))
	rapid.Check(t, func(t *rapid.T) {
		var text []byte
		for _, i := range rapid.Permutation(indices(len(lines))).Draw(t, "order") {
			for range rapid.IntRange(1, 3).Draw(t, "copies") {
				text = append(text, lines[i]...)
			}
			if rapid.IntRange(0, 9).Draw(t, "torn") == 0 {
				text = append(append(text, lines[i][:len(lines[i])/2]...), '\n')
			}
		}
		s := New()
		if err := s.read(bytes.NewReader(text)); err != nil {
			t.Fatal(err)
		}
		total := usage.Tokens{}
		for m := range s.All() {
			total = total.Plus(m.Tokens)
		}
		if want := (usage.Tokens{Input: 600, Output: 120, CacheWrite5m: 24, CacheWrite1h: 36, CacheRead: 240}); total != want {
			t.Fatalf("%+v, want %+v", total, want)
		}
	})
}

func indices(n int) (all []int) {
	for i := range n {
		all = append(all, i)
	}
	return all
}

// answer is a line of a transcript.
func answer(id, request string, side bool, output int, more string) string {
	return fmt.Sprintf(`{"type":"assistant","sessionId":"s","requestId":%q,"isSidechain":%v,"timestamp":"2026-11-01T10:00:00Z","message":{"id":%q,"model":"claude-opus-4-5","content":[{"type":"tool_use","id":"t%s%d","name":"Edit","input":{"file_path":"/f"}}],"usage":{"input_tokens":1,"output_tokens":%d%s}}}`+"\n",
		request, side, id, id, output, output, more)
}

func TestDuplicates(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		lines    []string
		requests int
		output   int64
		calls    int
	}{
		"two blocks of one answer, the later one complete":  {[]string{answer("m", "r", false, 1, ""), answer("m", "r", false, 9, "")}, 1, 9, 2},
		"the other way round":                               {[]string{answer("m", "r", false, 9, ""), answer("m", "r", false, 1, "")}, 1, 9, 2},
		"two answers":                                       {[]string{answer("m", "r", false, 1, ""), answer("n", "r", false, 9, "")}, 2, 10, 2},
		"the same id under two requests of the main branch": {[]string{answer("m", "r", false, 1, ""), answer("m", "q", false, 9, "")}, 2, 10, 2},
		"repeated by a side conversation":                   {[]string{answer("m", "r", false, 1, ""), answer("m", "q", true, 9, "")}, 1, 1, 2},
		"first seen in the side conversation":               {[]string{answer("m", "q", true, 9, ""), answer("m", "r", false, 1, "")}, 1, 1, 2},
		"a side conversation under the same request":        {[]string{answer("m", "r", true, 9, ""), answer("m", "r", false, 1, "")}, 1, 1, 2},
		"without an id nothing is a duplicate":              {[]string{answer("", "r", false, 1, ""), answer("", "r", false, 1, "")}, 2, 2, 2},
		"an error that the client wrote":                    {[]string{strings.Replace(answer("m", "r", false, 1, ""), "claude-opus-4-5", "<synthetic>", 1)}, 0, 0, 0},
		"a user's line":                                     {[]string{strings.Replace(answer("m", "r", false, 1, ""), `"assistant"`, `"user"`, 1)}, 0, 0, 0},
		"negative":                                          {[]string{answer("m", "r", false, -1, "")}, 0, 0, 0},
		"more than there are":                               {[]string{answer("m", "r", false, 1, `,"cache_read_input_tokens":9000000000000000000`)}, 0, 0, 0},
		"text in place of a number":                         {[]string{answer("m", "r", false, 1, `,"cache_read_input_tokens":"many"`)}, 0, 0, 0},
		"a line that has only half":                         {[]string{answer("m", "r", false, 1, "")[:90] + "\n", answer("n", "r", false, 2, "")}, 1, 2, 1},
	} {
		s := New()
		if err := s.read(strings.NewReader(strings.Join(test.lines, ""))); err != nil {
			t.Fatal(err)
		}
		total, calls := sum(t, s), 0
		for m := range s.All() {
			calls += len(m.Tools)
		}
		if total.Requests != test.requests || total.Output != test.output || calls != test.calls {
			t.Errorf("%s: %d requests, %d tokens out, %d tool calls; want %d, %d and %d", name, total.Requests, total.Output, calls, test.requests, test.output, test.calls)
		}
	}
}

// TestLongLines: a line of 3 MB is read, one of 70 MB is left out, and the lines around
// it count.
func TestLongLines(t *testing.T) {
	t.Parallel()
	pad := func(n int) string { return strings.Repeat("x", n) }
	text := answer("a", "r", false, 1, `,"x":"`+pad(3<<20)+`"`) + answer("b", "r", false, 2, `,"x":"`+pad(70<<20)+`"`) + strings.TrimSuffix(answer("c", "r", false, 4, ""), "\n")
	s := New()
	if err := s.read(strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	if got := sum(t, s); got.Output != 5 {
		t.Errorf("%d tokens out, want 5", got.Output)
	}
}

func TestModelKey(t *testing.T) {
	t.Parallel()
	for model, want := range map[string]string{
		"claude-opus-4-5":                            "claude-opus-4-5",
		"claude-opus-4-5-20251101":                   "claude-opus-4-5",
		"us.anthropic.claude-opus-4-5-20251101-v1:0": "claude-opus-4-5",
		"anthropic/claude-sonnet-4-5":                "claude-sonnet-4-5",
		"claude-sonnet-4-5@20250929":                 "claude-sonnet-4-5",
		"claude-sonnet-4-5-20250929[1m]":             "claude-sonnet-4-5",
		"claude-opus-4-0":                            "claude-opus-4",
		"claude-opus-4-20250514":                     "claude-opus-4",
		"claude-3-5-haiku-20241022":                  "claude-3-5-haiku",
		"claude-opus-99":                             "claude-opus-99",
		"gpt-5":                                      "gpt-5",
	} {
		if got := ModelKey(model); got != want {
			t.Errorf("%s: %s, want %s", model, got, want)
		}
	}
	if _, err := time.Parse(time.DateOnly, PricesAsOf); err != nil {
		t.Error(err)
	}
}

func TestTranscripts(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	for _, name := range []string{"-p-one/a.jsonl", "-p-one/a/subagents/agent-x.jsonl", "-p-one/a/subagents/notes.txt", "-p-one/b.jsonl", "-p-two/c.jsonl"} {
		path := filepath.Join(home, "projects", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct{ project, session, want string }{
		{"", "", "-p-one/a/subagents/agent-x.jsonl -p-one/a.jsonl -p-one/b.jsonl -p-two/c.jsonl"},
		{"/p/one", "", "-p-one/a/subagents/agent-x.jsonl -p-one/a.jsonl -p-one/b.jsonl"},
		{"", "a", "-p-one/a/subagents/agent-x.jsonl -p-one/a.jsonl"},
		{"/p/three", "", ""},
	} {
		paths, err := Transcripts(home, test.project, test.session)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, path := range paths {
			rel, err := filepath.Rel(filepath.Join(home, "projects"), path)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, filepath.ToSlash(rel))
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%+v: %q", test, got)
		}
	}
	if paths, err := Transcripts(filepath.Join(home, "nothing"), "", ""); err != nil || len(paths) > 0 {
		t.Errorf("%v, %v", paths, err)
	}
}

func FuzzParse(f *testing.F) {
	for line := range bytes.Lines(recorded(f)) {
		f.Add(line)
	}
	f.Add([]byte(answer("m", "r", true, 5, `,"speed":"fast"`)))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, ok := Parse(text)
		if ok && (m.Model == "" || m.Tokens.Total() < 0) {
			t.Errorf("%+v", m)
		}
	})
}
