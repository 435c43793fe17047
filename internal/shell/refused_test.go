package shell

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"strings"
	"testing"
)

// The first frozenLines lines of testdata/refused.txt may not change: a line that was not approved once must never be
// approved. Add new lines at the end and change both constants.
const (
	frozenLines = 3147
	frozenSum   = "99ddef7086314b3a"
)

func TestRefusedStaysRefused(t *testing.T) {
	raw, err := os.ReadFile("testdata/refused.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(strings.TrimSuffix(string(raw), "\n")+"\n", "\n")
	lines = lines[:len(lines)-1]
	if len(lines) < frozenLines {
		t.Fatalf("refused.txt has %d lines, %d are frozen", len(lines), frozenLines)
	}
	sum := sha256.Sum256([]byte(strings.Join(lines[:frozenLines], "")))
	if hex.EncodeToString(sum[:8]) != frozenSum {
		t.Errorf("the first %d lines of refused.txt were changed: their sum is %x", frozenLines, sum[:8])
	}
	if len(lines) > frozenLines {
		t.Errorf("refused.txt has %d lines; set frozenLines and frozenSum to freeze the new ones", len(lines))
	}
	for i, line := range lines {
		command := decode(t, strings.TrimSuffix(line, "\n"))
		if r, ok := approved(command, Options{NetworkReads: true}); ok {
			t.Errorf("refused.txt:%d: %q is approved by %s", i+1, command, r.Rule)
		}
	}
}
