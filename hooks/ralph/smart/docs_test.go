package smart_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestEveryRequirementHasItsProof reads the table of
// docs/reference/smart-ralph.md#requirements. Each of the 48 requirements names existing
// tests, and each of these tests says, in its comment or beside the check, which
// requirement it tests. Whether it really does is for a reader to judge.
func TestEveryRequirementHasItsProof(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..", "..")
	text, err := os.ReadFile(filepath.Join(root, "docs", "reference", "smart-ralph.md"))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for line := range strings.SplitSeq(string(text), "\n") {
		cells := strings.Split(line, "|")
		_, id, found := strings.Cut(strings.TrimSpace(cells[min(1, len(cells)-1)]), "></a>")
		if len(cells) != 5 || !found || !strings.HasPrefix(id, "R3-") {
			continue
		}
		file := ""
		for i, proof := range strings.Split(cells[3], "`") {
			if i%2 == 0 {
				continue
			}
			test := proof
			if path, name, found := strings.Cut(proof, ":"); found || strings.Contains(proof, "/") {
				file, test = path, name
			}
			source, err := sourceOf(filepath.Join(root, filepath.FromSlash(file)), test)
			if err != nil {
				t.Errorf("%s: %v", id, err)
				continue
			}
			if !regexp.MustCompile(id + `\b`).MatchString(source) {
				t.Errorf("%s %s does not say that it holds %s", file, test, id)
			}
			seen[id] = true
		}
	}
	for n := range 48 {
		if id := fmt.Sprint("R3-", n+1); !seen[id] {
			t.Errorf("%s has no proof", id)
		}
	}
}

// sourceOf is a script, or the test of a Go file with its comment.
func sourceOf(file, test string) (string, error) {
	text, err := os.ReadFile(file)
	if err != nil || test == "" && filepath.Ext(file) == ".txtar" {
		return string(text), err
	}
	if !strings.HasSuffix(file, "_test.go") {
		return "", fmt.Errorf("%s holds no tests", file)
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), file, text, parser.ParseComments)
	if err != nil {
		return "", err
	}
	for _, decl := range parsed.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == test && (strings.HasPrefix(test, "Test") || strings.HasPrefix(test, "Fuzz")) {
			from := f.Pos()
			if f.Doc != nil {
				from = f.Doc.Pos()
			}
			return string(text[from-parsed.FileStart : f.End()-parsed.FileStart]), nil
		}
	}
	return "", fmt.Errorf("%s has no test %q", file, test)
}
