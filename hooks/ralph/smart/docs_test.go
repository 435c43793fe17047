package smart_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestEveryRequirementHasItsProof reads the table of docs/smart.md: each of the 48
// requirements names tests that are there.
func TestEveryRequirementHasItsProof(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..", "..")
	text, err := os.ReadFile(filepath.Join(root, "docs", "smart.md"))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for line := range strings.SplitSeq(string(text), "\n") {
		cells := strings.Split(line, "|")
		if len(cells) != 5 || !strings.Contains(cells[3], "`") || !strings.Contains(cells[3], "_test.go") && !strings.Contains(cells[3], ".txtar") {
			continue
		}
		seen[strings.TrimSpace(cells[1])] = true
		file := ""
		for i, proof := range strings.Split(cells[3], "`") {
			if i%2 == 0 {
				continue
			}
			path, test, found := strings.Cut(proof, ":")
			switch {
			case found:
				file = path
			case strings.Contains(proof, "/"):
				file, test = proof, ""
			default:
				test = proof
			}
			source, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
			if err != nil {
				t.Errorf("%s: %v", line, err)
				continue
			}
			if test != "" && !strings.Contains(string(source), "\nfunc "+test+"(") {
				t.Errorf("%s has no %s", file, test)
			}
		}
	}
	for n := range 48 {
		if id := fmt.Sprint("R3-", n+1); !seen[id] {
			t.Errorf("%s has no proof", id)
		}
	}
}
