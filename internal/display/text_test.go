package display_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hookbridge/bridge/internal/display"
)

func TestText(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, in, want string }{
		{"plain", "make test && echo ok", "make test && echo ok"},
		{"empty", "", ""},
		{"other scripts stay", "任务 1 — naïve ✅", "任务 1 — naïve ✅"},
		{"variation selector stays", "⚠️", "⚠️"},
		{"escape sequence", "a\x1b[2Jb", `a\u001B[2Jb`},
		{"line end and tab", "a\r\n\tb", `a\u000D\u000A\u0009b`},
		{"nul and del", "\x00\x7f", `\u0000\u007F`},
		{"c1", "\u0085\u009b31m", `\u0085\u009B31m`},
		{"bidi override", "rm \u202etxt.sh", `rm \u202Etxt.sh`},
		{"bidi isolate", "\u2066x\u2069", `\u2066x\u2069`},
		{"arabic letter mark", "\u061c", `\u061C`},
		{"zero width", "a\u200bb\u200dc\ufeffd\u2060", `a\u200Bb\u200Dc\uFEFFd\u2060`},
		{"soft hyphen", "a\u00adb", `a\u00ADb`},
		{"line separator", "a\u2028b", `a\u2028b`},
		{"tag characters", "a\U000e0041", `a\uDB40\uDC41`},
		{"invalid utf-8", "a\xff\xfeb", "a\ufffd\ufffdb"},
		{"raw c1 byte", "a\x9bb", "a\ufffdb"},
		{"real replacement character stays", "a\ufffdb", "a\ufffdb"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if got := display.Text(tc.in); got != tc.want {
				t.Errorf("Text(%q) = %q, want %q", tc.in, got, tc.want)
			}
		})
	}
}

func TestLines(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                             "",
		"plain\n\ttext\r\n":            "plain\n\ttext\r\n",
		"a\x1b\r\n\u009bb\t\u202e\n\n": `a\u001B` + "\r\n" + `\u009Bb` + "\t" + `\u202E` + "\n\n",
		"\x1bover\rwritten\r":          `\u001Bover\u000Dwritten\u000D`,
	} {
		if got := display.Lines(in); got != want {
			t.Errorf("Lines(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestTextLeavesCleanTextUncopied(t *testing.T) {
	s := strings.Repeat("plain text, 任务, ✅ ", 100)
	if n := testing.AllocsPerRun(10, func() { display.Text(s) }); n != 0 {
		t.Errorf("clean text cost %v allocations, want none", n)
	}
}

func FuzzText(f *testing.F) {
	f.Add("a\x1b]0;title\x07")
	f.Add("\u202e\xff\x00")
	f.Add("\xff\xffbridge")
	f.Fuzz(func(t *testing.T, s string) {
		got := display.Text(s)
		if !utf8.ValidString(strings.ReplaceAll(got, display.Bridge, "")) {
			t.Fatalf("Text(%q) is not UTF-8: %q", s, got)
		}
		for _, r := range got {
			if r < ' ' || r >= 0x7f && r <= 0x9f || r == 0x202e || r == 0x200b {
				t.Fatalf("Text(%q) keeps %U", s, r)
			}
		}
		if again := display.Text(got); again != got {
			t.Fatalf("Text is not stable: %q, then %q", got, again)
		}
	})
}
