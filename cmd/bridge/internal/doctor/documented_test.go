package doctor

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestDocumented: docs/doctor.md lists the ids of all findings, and no other.
func TestDocumented(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`\bID(?:: |(?:, f\.\w+)* = |", )"([a-z-]+)"`).FindAllStringSubmatch(string(text), -1) {
			found[m[1]] = true
		}
		for _, m := range regexp.MustCompile(`e\.writable\("([a-z-]+)"`).FindAllStringSubmatch(string(text), -1) {
			found[m[1]] = true
		}
	}
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "docs", "doctor.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "## What it finds")
	var documented []string
	for line := range strings.Lines(table) {
		cells := strings.Split(line, "|")
		if len(cells) < 3 {
			continue
		}
		for _, m := range regexp.MustCompile("`([a-z-]+)`").FindAllStringSubmatch(cells[1], -1) {
			documented = append(documented, m[1])
			if !found[m[1]] {
				t.Errorf("%s is documented, but no finding has it", m[1])
			}
		}
	}
	for id := range found {
		if !slices.Contains(documented, id) {
			t.Errorf("%s is not documented", id)
		}
	}
	if len(found) < 50 {
		t.Errorf("%d ids", len(found))
	}
}
