package cli_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/hookbridge/bridge/cmd/bridge/internal/cli"
)

// TestMessagesNameThisProgramByItsCommand: a text that tells somebody to run bridge
// takes the command from display.Bridge (in struct tags ${bridge}, in topics {bridge}),
// because another program may have the name.
func TestMessagesNameThisProgramByItsCommand(t *testing.T) {
	t.Parallel()
	app := newApp(t)
	var commands bytes.Buffer
	app.Stdout = &commands
	cli.Main(app, []string{"complete", "--", ""})
	verbs := strings.Fields(commands.String())
	if len(verbs) < 15 {
		t.Fatalf("the commands are %v", verbs)
	}
	literal := regexp.MustCompile(`(^|[^\pL\d./\[-])bridge (` + strings.Join(verbs, "|") + `|%s|--\w+)\b`)
	files := 0
	for _, top := range []string{"cmd", "hooks", "internal", "moderegistry", "normalize"} {
		err := filepath.WalkDir(filepath.Join(repository, top), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
				return err
			}
			files++
			set := token.NewFileSet()
			file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
					if text, err := strconv.Unquote(l.Value); err != nil || literal.MatchString(text) {
						t.Errorf("%s: %s (%v)", set.Position(l.Pos()), l.Value, err)
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 200 {
		t.Errorf("looked at only %d files", files)
	}
}
