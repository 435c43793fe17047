package term_test

import (
	"strings"
	"testing"

	"github.com/hookbridge/bridge/internal/term"
)

func TestTable(t *testing.T) {
	t.Parallel()
	table := term.Table{Head: []string{"NAME", "EMPTY", "STATE"}}
	table.Add("loop", "", "active")
	table.Add("界\x1b[31m", "", "x")
	var out strings.Builder
	table.Write(&out)
	got := out.String()
	if strings.Count(got, "\n") != 3 || strings.Contains(got, "EMPTY") || strings.ContainsRune(got, '\x1b') {
		t.Errorf("%q", got)
	}
	lines := strings.Split(got, "\n")
	if at := strings.Index(lines[0], "STATE"); at < 0 || strings.Index(lines[1], "active") != at {
		t.Errorf("the columns do not stand below their heads:\n%s", got)
	}
}
