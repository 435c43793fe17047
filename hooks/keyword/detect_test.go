package keyword

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hookbridge/bridge/moderegistry"
)

// FuzzDetect: for any prompt, nothing panics, masking keeps offsets, and only modes of
// the table are detected.
func FuzzDetect(f *testing.F) {
	for _, seed := range []string{"ralph: fix it", "启动“拉尔夫循环”。", "랄프 실행해줘 src/auth.ts", "<a<a<a", "```\nralph", "\x00ralph\xff", strings.Repeat("<a>", 100), "https://x/ralph `ralph` > ralph"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, prompt string) {
		text, quoted := mask(clip(prompt), modes, triggersOf(modes))
		if len(text) != len(clip(prompt)) {
			t.Fatalf("%d bytes became %d", len(clip(prompt)), len(text))
		}
		for _, q := range quoted {
			if q.start < 0 || q.end > len(text) || q.start > q.end {
				t.Fatalf("a quote at %v of %d", q, len(text))
			}
		}
		d := Detect(prompt, nil)
		for _, mode := range append(slices.Clone(d.Modes), d.Dropped...) {
			if _, ok := moderegistry.RowOf(mode); !ok {
				t.Fatalf("%q is no mode", mode)
			}
		}
		off := Detect(prompt, []string{"cancelomc", "stopomc", "cancel"})
		if off.Cancel != d.Cancel {
			t.Fatal("cancel was switched off")
		}
	})
}

// TestLinear: a prompt of twice the length costs twice the work, not four times
// (liangjie559567/ultrapower has a regexp that takes minutes). The work is measured by
// allocations of tokens, which do not depend on a clock.
func TestLinear(t *testing.T) {
	t.Parallel()
	for _, piece := range []string{"<a", "ralph ", "`", "\"ralph\" ", "拉尔夫", "/a/b ", "<a>ralph</a>", "use ralph to ", "> ralph\n", "ralph, "} {
		count := func(n int) int {
			s := newScan(strings.Repeat(piece, n), modes)
			return len(s.tokens) + len(s.sentences) + len(s.mentions) + len(s.quoted)
		}
		small, large := count(2000), count(4000)
		if large > 3*small+100 {
			t.Errorf("%q: %d parts, then %d", piece, small, large)
		}
	}
	long := strings.Repeat("あ", 60_000)
	if got := clip(long); len(got) > maxPrompt || !utf8.ValidString(got) {
		t.Errorf("%d bytes", len(got))
	}
	if d := Detect(strings.Repeat("lorem ipsum ", 5000)+"\nralph: fix the tests", nil); len(d.Modes) != 1 {
		t.Errorf("at the end of 60,000 characters: %+v", d)
	}
}

// TestDisabled: a mode or a single word can be switched off, but cancel cannot.
func TestDisabled(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		prompt, disabled string
		found            bool
	}{
		{"ulw fix the imports", "ulw", false}, {"ultrawork: fix the imports", "ulw", true}, {"ultrawork: fix the imports", "Ultrawork", false},
		{"/ralph go", "ralph", false}, {"cancelomc", "cancelomc", true}, {"cancel ralph", "ralph", true},
	} {
		if d := Detect(test.prompt, []string{test.disabled}); d.Found() != test.found {
			t.Errorf("%q without %s: %+v", test.prompt, test.disabled, d)
		}
	}
}

// TestResolve: which modes of one prompt exclude each other.
func TestResolve(t *testing.T) {
	t.Parallel()
	for asked, want := range map[string]string{
		"autopilot ultrapilot": "ultrapilot", "autopilot team": "team", "autopilot ultrapilot team": "ultrapilot team",
		"ralph ultrawork": "ralph ultrawork", "ralph autopilot": "ralph autopilot", "swarm pipeline": "swarm", "autopilot pipeline ralph": "ralph autopilot",
	} {
		var all []moderegistry.Mode
		for _, name := range strings.Fields(asked) {
			all = append(all, moderegistry.Mode(name))
		}
		if got := names(resolve(modes, all)); strings.ReplaceAll(got, " and ", " ") != want {
			t.Errorf("%s: %s, want %s", asked, got, want)
		}
	}
}

// TestEnvelopes: text that the client wrote does not count as the user's.
func TestEnvelopes(t *testing.T) {
	t.Parallel()
	for _, prompt := range []string{
		"<task-notification>ralph: fix it</task-notification>", "<local-command-stdout>ralph: go</local-command-stdout>", "<system-reminder>\nralph: go",
		"[Request interrupted by user]\nralph: go", "<teammate-message from=\"a\">ralph: go", "  <bash-input>ralph</bash-input>",
	} {
		if d := Detect(prompt, nil); d.Found() {
			t.Errorf("%q: %+v", prompt, d)
		}
	}
}
