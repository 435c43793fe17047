package term_test

import (
	"strings"
	"testing"

	"github.com/hookbridge/bridge/internal/term"
)

func TestWidth(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"": 0, "abc": 3, "修复所有": 8, "テスト": 6, "한국어": 6, "naïve": 5, "e\u0301": 1, "🔄": 2, "⚡": 2, "✅ ok": 5, "⚠\ufe0f": 1, "ﬀ": 1, "ｆ": 2, "…": 1, "—": 1,
	} {
		if got := term.Width(text); got != want {
			t.Errorf("%q takes %d columns, want %d", text, got, want)
		}
	}
	for _, c := range []struct {
		text    string
		columns int
		want    string
	}{
		{"修复所有的测试", 14, "修复所有的测试"}, {"修复所有的测试", 13, "修复所有的测…"}, {"修复所有的测试", 12, "修复所有的…"}, {"abcdef", 4, "abc…"}, {"abc", 3, "abc"}, {"abc", 1, "…"},
	} {
		if got := term.Clip(c.text, c.columns); got != c.want || term.Width(got) > c.columns {
			t.Errorf("%q in %d columns is %q, want %q", c.text, c.columns, got, c.want)
		}
	}
}

// TestTableFits: columns are clipped in their order, wide characters count twice, and a
// colour takes no column.
func TestTableFits(t *testing.T) {
	t.Parallel()
	table := term.Table{Head: []string{"ID", "STATE", "PROMPT", "PROJECT"}, Width: 40, Clip: []int{2, 3}, Paint: func(column int, _ string) string {
		if column == 1 {
			return "\x1b[32m"
		}
		return ""
	}}
	table.Add("a1", "active", "修复所有的测试，然后再跑一次 lint", "a-project")
	table.Add("b", "", "", "p")
	var out strings.Builder
	table.Write(&out)
	want := "ID  STATE   PROMPT             PROJECT\na1  \x1b[32mactive\x1b[0m  修复所有的测试，…  a-project\nb                              p\n"
	if out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}
