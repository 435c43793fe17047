package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The limits of a file and of a function outside tests.
const (
	maxLines      = 450
	maxComplexity = 25
)

// floors are the top folders from the lowest layer up. An import stays in its layer or
// goes down.
var floors = [][]string{
	{"protocol"}, {"client", "normalize", "internal"}, {"moderegistry", "schemas"}, {"hooks"}, {"cmd"}, {"bench", "e2e", "release"},
}

// TestHouse checks the order of the folders, the size of files and functions, and that no
// package has an init function or state that it changes.
func TestHouse(t *testing.T) {
	t.Parallel()
	found := map[string]int{}
	dirs := map[string]bool{}
	err := fs.WalkDir(os.DirFS(".."), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != "." && (entry.Name() == "testdata" || entry.Name()[0] == '.'):
			return fs.SkipDir
		case path.Ext(name) == ".go":
			dirs[path.Dir(name)] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(dirs) < 40 {
		t.Fatalf("only %d packages were found", len(dirs))
	}
	for dir := range dirs {
		if err := inspect(dir, found); err != nil {
			t.Fatal(err)
		}
	}
	for finding, n := range found {
		t.Errorf("%q: %d", finding, n)
	}
}

// TestHouseSeesViolations: each rule finds what it forbids.
func TestHouseSeesViolations(t *testing.T) {
	t.Parallel()
	source := "package p\n\nimport \"github.com/hookbridge/bridge/release\"\n\nvar a, b, c, d = 1, []int{1}, struct{ n int }{}, release.X\n\nfunc init() {}\n\nfunc f(a int) {\n\ta = 1\n\tb[0]++\n\tc.n += a\n" +
		strings.Repeat("\tif a > 1 && a < 9 {\n\t}\n", 13) + strings.Repeat("\n", maxLines) + "}\n"
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "internal/p/p.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]int{}
	judge(files, "internal/p", map[string]*ast.File{"p.go": file}, found)
	want := map[string]int{
		"import: internal/p -> release": 1, "init: internal/p/p.go": 1, "assigned: internal/p/p.go b": 1, "assigned: internal/p/p.go c": 1,
		"complexity: internal/p/p.go f": 27, "lines: internal/p/p.go": 489,
	}
	if fmt.Sprint(found) != fmt.Sprint(want) {
		t.Errorf("found %v, want %v", found, want)
	}
}

func floor(name string) int {
	top, _, _ := strings.Cut(name, "/")
	return slices.IndexFunc(floors, func(floor []string) bool { return slices.Contains(floor, top) })
}

// tool reports whether a folder holds tools for the repository, which may import anything.
func tool(dir string) bool {
	return strings.HasPrefix(dir, "schemas/")
}

// inspect parses and judges the files of a folder, including those for other systems.
func inspect(dir string, found map[string]int) error {
	names, err := filepath.Glob(filepath.Join("..", filepath.FromSlash(dir), "*.go"))
	if err != nil {
		return err
	}
	files, parsed := token.NewFileSet(), map[string]*ast.File{}
	for _, name := range names {
		if parsed[filepath.Base(name)], err = parser.ParseFile(files, name, nil, 0); err != nil {
			return err
		}
	}
	judge(files, dir, parsed, found)
	return nil
}

// judge adds what is wrong with the files of one folder to found.
func judge(files *token.FileSet, dir string, parsed map[string]*ast.File, found map[string]int) {
	own := dir
	var sources []*ast.File
	for name, file := range parsed {
		where := path.Join(dir, name)
		for _, spec := range file.Imports {
			imported, _ := strconv.Unquote(spec.Path.Value)
			if imported, ok := strings.CutPrefix(imported, "github.com/hookbridge/bridge/"); ok {
				if to := imported; !tool(own) && !tool(to) && floor(to) > floor(own) {
					found["import: "+own+" -> "+to]++
				}
			}
		}
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		sources = append(sources, file)
		if floor(own) < 0 {
			found["no floor: "+own]++
		}
		if lines := files.File(file.Pos()).LineCount(); lines > maxLines {
			found["lines: "+where] = lines
		}
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if f.Name.Name == "init" && f.Recv == nil {
				found["init: "+where]++
			}
			if n := complexity(f); n > maxComplexity {
				found["complexity: "+where+" "+f.Name.Name] = n
			}
		}
	}
	for _, v := range assigned(files, sources) {
		where := path.Join(dir, filepath.Base(files.Position(v.Pos()).Filename))
		found["assigned: "+where+" "+v.Name()]++
	}
}

// complexity is the cyclomatic complexity: one, plus one for each branch of the function.
func complexity(f *ast.FuncDecl) int {
	n := 1
	ast.Inspect(f, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt:
			n++
		case *ast.CaseClause:
			if node.List != nil {
				n++
			}
		case *ast.CommClause:
			if node.Comm != nil {
				n++
			}
		case *ast.BinaryExpr:
			if node.Op == token.LAND || node.Op == token.LOR {
				n++
			}
		}
		return true
	})
	return n
}

// assigned returns the package variables to which functions of the package assign, as a whole or in part. Imports are
// not resolved, so errors about them are ignored.
func assigned(files *token.FileSet, sources []*ast.File) (vars []*types.Var) {
	info := types.Info{Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Error: func(error) {}, FakeImportC: true}
	pkg, _ := config.Check("p", files, sources, &info)
	note := func(target ast.Expr) {
		for {
			switch e := target.(type) {
			case *ast.IndexExpr:
				target = e.X
			case *ast.SelectorExpr:
				target = e.X
			case *ast.StarExpr:
				target = e.X
			case *ast.ParenExpr:
				target = e.X
			case *ast.Ident:
				if v, ok := info.Uses[e].(*types.Var); ok && v.Parent() == pkg.Scope() && !slices.Contains(vars, v) {
					vars = append(vars, v)
				}
				return
			default:
				return
			}
		}
	}
	for _, file := range sources {
		ast.Inspect(file, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.AssignStmt:
				for _, target := range node.Lhs {
					note(target)
				}
			case *ast.IncDecStmt:
				note(node.X)
			case *ast.RangeStmt:
				note(node.Key)
				note(node.Value)
			}
			return true
		})
	}
	return vars
}
