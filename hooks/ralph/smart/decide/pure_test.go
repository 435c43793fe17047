package decide_test

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestThePackagesThatDecideArePure checks that their imports neither do I/O nor read
// the clock. Holds R3-48.
func TestThePackagesThatDecideArePure(t *testing.T) {
	t.Parallel()
	for _, dir := range []string{".", "../assess", "../plan", "../message"} {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v, %d files", dir, err, len(files))
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
			for _, spec := range file.Imports {
				path, _ := strconv.Unquote(spec.Path.Value)
				switch path {
				case "os", "os/exec", "io", "io/fs", "net", "time", "math/rand", "path/filepath", "syscall":
					t.Errorf("%s imports %s", name, path)
				}
			}
		}
	}
}
