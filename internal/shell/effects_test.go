package shell

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestEffectsAreDocumented: docs/permissions.md names each program whose approved commands
// write something or connect to something.
func TestEffectsAreDocumented(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "permissions.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## What an approved command may still do\n")
	section, _, ok := strings.Cut(section, "\nThe test machine lacks")
	if !ok {
		t.Fatal("docs/permissions.md has no such section")
	}
	for _, e := range effects {
		if !strings.Contains(e.does, "write:") && !strings.Contains(e.does, "connect:") && !strings.Contains(e.does, "temp") && !strings.Contains(e.does, "index") && !strings.Contains(e.does, "rustc-info") {
			continue
		}
		for name := range strings.SplitSeq(e.commands, ", ") {
			program, _, _ := strings.Cut(name, " ")
			if !strings.Contains(section, "`"+name) && !strings.Contains(section, "`"+program+"`") {
				t.Errorf("%s: %s", name, e.does)
			}
		}
	}
}
