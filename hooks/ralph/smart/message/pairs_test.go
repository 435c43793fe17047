package message_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// TestEachTextHasBothLanguages reads the sources that hold texts about smart ralph: every
// pair has a Chinese and an English text, in this order and with the same values, and no
// sentence stands outside of a pair.
func TestEachTextHasBothLanguages(t *testing.T) {
	t.Parallel()
	pairs := 0
	for _, dir := range []string{".", "../config", "../taskfile", "../../../stop", "../../../lifecycle", "../../../../internal/session", "../../../../cmd/bridge/internal/cli"} {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, entry := range entries {
			if !strings.HasSuffix(entry.Name(), ".go") || strings.HasSuffix(entry.Name(), "_test.go") || entry.Name() == "spec.go" {
				continue
			}
			source, err := os.ReadFile(filepath.Join(dir, entry.Name()))
			if err != nil {
				t.Fatal(err)
			}
			n, wrong := wrongPairs(t, string(source), dir == ".")
			for _, what := range wrong {
				t.Errorf("%s: %s", entry.Name(), what)
			}
			pairs += n
		}
	}
	if pairs < 100 {
		t.Errorf("only %d pairs were found", pairs)
	}
}

// TestWrongPairsAreFound: the check finds wrong pairs.
func TestWrongPairsAreFound(t *testing.T) {
	t.Parallel()
	for body, bad := range map[string]bool{
		`l.in("完成", "done")`:               false,
		`l.in("done", "完成")`:               true,
		`l.in("done", "done")`:             true,
		`l.in("完成", "完成")`:                 true,
		`l.f("第 %d 个", "number %d", 1)`:    false,
		`l.f("第 %d 个", "number %s", 1)`:    true,
		`l.f("第 个", "number %d", 1)`:       true,
		`use("The loop was not found")`:    true,
		`use("没有找到")`:                      true,
		`use("%d. [%s]")`:                  false,
		`l.in("在 "+X+" 里", "in "+X)`:       false,
		`l.in("在 "+X+" 里", "the "+"状态 x")`: true,
	} {
		if _, wrong := wrongPairs(t, "package p\nfunc f() { "+body+" }\n", true); (len(wrong) > 0) != bad {
			t.Errorf("%s: %q", body, wrong)
		}
	}
}

// wrongPairs checks the pairs of a source and returns their number. alone says that a
// text outside of a pair is wrong, too.
func wrongPairs(t *testing.T, source string, alone bool) (pairs int, wrong []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	paired := map[ast.Node]bool{}
	ast.Inspect(file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.ImportSpec, *ast.CaseClause:
			if c, ok := node.(*ast.CaseClause); ok {
				for _, e := range c.List {
					paired[e] = true
				}
				return true
			}
			return false
		case *ast.AssignStmt:
			// Here the English text is the text of an error.
			if to, ok := node.Lhs[0].(*ast.Ident); ok && to.Name == "chinese" {
				ast.Inspect(node, func(part ast.Node) bool { paired[part] = true; return true })
			}
		case *ast.CallExpr:
			name := ""
			switch fun := node.Fun.(type) {
			case *ast.SelectorExpr:
				name = fun.Sel.Name
			case *ast.Ident:
				// A function inside the function that describes the state.
				name = fun.Name
			}
			if len(node.Args) < 2 || !slices.Contains([]string{"in", "In", "f", "say", "add", "note", "tell", "line"}, name) {
				return true
			}
			chinese, known := literal(node.Args[0], paired)
			english, also := literal(node.Args[1], paired)
			if !known || !also {
				return true
			}
			pairs++
			switch {
			case !isChinese(chinese) && chinese != "" && strings.ContainsFunc(chinese, unicode.IsLetter) && len(words.FindAllString(chinese, -1)) > 0:
				wrong = append(wrong, strconv.Quote(chinese)+" is not Chinese")
			case isChinese(english):
				wrong = append(wrong, strconv.Quote(english)+" is not English")
			case values(chinese) != values(english) && !strings.Contains(chinese+english, "%["):
				wrong = append(wrong, strconv.Quote(english)+" has other values than the Chinese text")
			}
		case *ast.BasicLit:
			if node.Kind != token.STRING || paired[node] || !alone {
				return true
			}
			text, _ := strconv.Unquote(node.Value)
			if isChinese(text) || !strings.HasPrefix(text, "<") && len(words.FindAllString(text, -1)) > 2 {
				wrong = append(wrong, strconv.Quote(text)+" stands in one language only")
			}
		}
		return true
	})
	return pairs, wrong
}

var (
	words = regexp.MustCompile(`[A-Za-z]{2,}`)
	verbs = regexp.MustCompile(`%[+.\d]*[a-z]`)
)

func isChinese(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}

func values(text string) string {
	return strings.Join(verbs.FindAllString(strings.ReplaceAll(text, "%%", ""), -1), " ")
}

// literal is the text of an expression, as far as it is known without running it.
func literal(e ast.Expr, paired map[ast.Node]bool) (text string, ok bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		paired[e] = true
		text, err := strconv.Unquote(e.Value)
		return text, err == nil
	case *ast.BinaryExpr:
		left, first := literal(e.X, paired)
		right, second := literal(e.Y, paired)
		return left + right, first || second
	}
	return "", false
}
