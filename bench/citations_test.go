package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// cites reports whether a file may contain citations: sources, pages, scripts, schemas
// and the programs that run the tests.
func cites(name string) bool {
	switch path.Ext(name) {
	case ".go", ".md", ".txtar", ".yml":
		return true
	}
	return name == "Makefile" || path.Dir(name) == ".ci" || path.Base(name) == "turns.txt" || strings.HasSuffix(name, ".schema.json")
}

// TestCitations: every link, and every page and anchor of docs that a comment or script cites, exists. Nothing cites a
// document outside of the repository.
func TestCitations(t *testing.T) {
	t.Parallel()
	repository := os.DirFS("..")
	files := 0
	err := fs.WalkDir(repository, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == ".git" || entry.Name() == "node_modules"):
			return fs.SkipDir
		case entry.IsDir() || !cites(name):
			return nil
		}
		text, err := fs.ReadFile(repository, name)
		if err != nil {
			return err
		}
		files++
		parts, err := partsOf(name, text)
		if err != nil {
			return err
		}
		for _, p := range parts {
			for _, problem := range append(broken(repository, name, p), unclear(name, p)...) {
				t.Errorf("%s:%d: %s", name, p.line, problem)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 400 {
		t.Errorf("only %d files were read", files)
	}
}

// TestCitationsSeesViolations: each rule finds exactly what it forbids.
func TestCitationsSeesViolations(t *testing.T) {
	t.Parallel()
	repository := os.DirFS("..")
	for _, test := range []struct {
		name, text string
		problems   int
	}{
		{"a.go", "// See docs/design.md#ownership, docs/adr/0004-backup.md and owner/repo#12.\npackage a\n", 0},
		{"a.go", "// See docs/design.md#nothing.\npackage a\n", 1},
		{"a.go", "// See docs/nothing.md.\npackage a\n", 1},
		{"a.go", "// It is design\n// decision 9.\npackage a\n", 1},
		{"a.go", "// It is seed 004,\n// section 2.1.\npackage a\n", 2},
		{"a.go", "// It is in spec/modes.md, (#12), plugins#13 and D-05.\npackage a\n", 4},
		{"a.go", "package a\n\nvar s = \"#12 is a text\"\n", 0},
		{"a_test.go", "package a\n\nvar s = \"#12 is a case\"\n", 1},
		{"hooks/a.go", "// It holds R3-48 and R3-49.\npackage a\n", 1},
		{"a.md", "[a](docs/design.md#house), [b](docs/adr/README.md), [c](https://example.com/#x), `row 5`\n", 1},
		{"docs/threads.md", "[a](design.md#hous), [b](adr/none.md), [c](#here)\n\n## Here\n", 2},
		{"docs/reference/modes.md", "row 5, D-05 [a](#at)\n\n<a id=\"at\"></a>\n", 0},
		{"a.txtar", "# Seed 001 is here.\nexec seed 001\n", 1},
	} {
		parts, err := partsOf(test.name, []byte(test.text))
		if err != nil {
			t.Fatal(err)
		}
		var problems []string
		for _, p := range parts {
			if strings.Contains(p.text, "](#") {
				repository = overlay{repository, test.name, test.text}
			}
			problems = append(append(problems, broken(repository, test.name, p)...), unclear(test.name, p)...)
		}
		if len(problems) != test.problems {
			t.Errorf("%s %q: %q, want %d problems", test.name, test.text, problems, test.problems)
		}
	}
}

// overlay is a file system with one additional file.
type overlay struct {
	fs.FS
	name, text string
}

func (o overlay) ReadFile(name string) ([]byte, error) {
	if name == o.name {
		return []byte(o.text), nil
	}
	return fs.ReadFile(o.FS, name)
}

// part is a text of a file.
type part struct {
	kind kind
	line int
	text string
}

type kind int

const (
	// prose is a comment, or a line of a page or script.
	prose kind = iota
	// label is a one-line text in a test, such as the name of a case.
	label
	// message is a text of the program.
	message
)

// partsOf splits a file into the parts that a person reads.
func partsOf(name string, text []byte) (parts []part, err error) {
	if path.Ext(name) != ".go" {
		for i, line := range strings.Split(string(text), "\n") {
			if path.Ext(name) != ".txtar" || strings.HasPrefix(line, "#") {
				parts = append(parts, part{prose, i + 1, line})
			}
		}
		return parts, nil
	}
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, text, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	for _, group := range file.Comments {
		parts = append(parts, part{prose, files.Position(group.Pos()).Line, strings.Join(strings.Fields(group.Text()), " ")})
	}
	of := message
	if strings.HasSuffix(name, "_test.go") {
		of = label
	}
	ast.Inspect(file, func(node ast.Node) bool {
		if literal, ok := node.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			if text, err := strconv.Unquote(literal.Value); err == nil && (of == message || !strings.Contains(text, "\n")) {
				parts = append(parts, part{of, files.Position(literal.Pos()).Line, text})
			}
		}
		return true
	})
	return parts, nil
}

var (
	link = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	page = regexp.MustCompile(`\bdocs/[\w./-]+\.md(#[\w-]+)?`)
)

// broken lists the citations of a part that do not exist.
func broken(repository fs.FS, name string, p part) (problems []string) {
	check := func(target, from string) {
		file, anchor, _ := strings.Cut(target, "#")
		if file == "" {
			file = name
		} else {
			file = path.Join(from, file)
		}
		if err := leads(repository, file, anchor); err != nil {
			problems = append(problems, fmt.Sprintf("%s: %v", target, err))
		}
	}
	text := p.text
	if path.Ext(name) == ".md" {
		for _, match := range link.FindAllStringSubmatch(text, -1) {
			if !strings.Contains(match[1], "://") {
				check(match[1], path.Dir(name))
			}
		}
		text = link.ReplaceAllString(text, "")
	}
	for _, target := range page.FindAllString(text, -1) {
		// Tests may cite their own pages.
		if p.kind != label || strings.Contains(target, "#") {
			check(target, ".")
		}
	}
	return problems
}

// leads returns the reason why a file, or an anchor in it, does not exist.
func leads(repository fs.FS, file, anchor string) error {
	if anchor == "" {
		_, err := fs.Stat(repository, file)
		return err
	}
	text, err := fs.ReadFile(repository, file)
	if err != nil {
		return err
	}
	if !slices.Contains(anchors(string(text)), anchor) {
		return errors.New("there is no such anchor")
	}
	return nil
}

var (
	named   = regexp.MustCompile(`<a id="([^"]+)"></a>`)
	markup  = regexp.MustCompile(`<[^>]*>|\]\([^)]*\)`)
	removed = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// anchors lists the anchors that a page defines, and those that GitHub creates for its headings.
func anchors(text string) (all []string) {
	code := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "```") {
			code = !code
		}
		for _, match := range named.FindAllStringSubmatch(line, -1) {
			all = append(all, match[1])
		}
		if heading := strings.TrimLeft(line, "#"); !code && heading != line {
			slug := removed.ReplaceAllString(markup.ReplaceAllString(strings.ToLower(strings.TrimSpace(heading)), ""), "")
			all = append(all, strings.ReplaceAll(slug, " ", "-"))
		}
	}
	return all
}

// rule is a form of citation that a reader cannot follow.
type rule struct {
	form *regexp.Regexp
	what string
}

var (
	everywhere = []rule{
		{regexp.MustCompile(`(?i)\bseeds? 0\d\d|\bthe seed's\b|\b(by|in|of|than) the seed\b`), "link the page"},
		{regexp.MustCompile(`(?i)\bdesign (decision|section)|\bdecisions? \d`), "link the page"},
		{regexp.MustCompile(`(?:^|[^\w/-])spec/[\w-]+\.md|(?i)\bspec section|\b(hook contract|prior art), section`), "link the page"},
		{regexp.MustCompile(`\bBUG-\d|(?i)\bissue \d|\.\./shared\b`), "name what it is about"},
	}
	comments = []rule{
		{regexp.MustCompile(`(?i)\bsections? \d`), "link the page"},
	}
	outside = []rule{
		{regexp.MustCompile(`\bD-0\d`), "link the page"},
	}
	users = []rule{
		{regexp.MustCompile(`(?i)\b(rows?|defects?) \d|\bR3-\d`), "is for the reference"},
	}
	number      = regexp.MustCompile(`([\w.-]+/)?([\w.-]*)#(\d+)\b`)
	requirement = regexp.MustCompile(`\bR3-(\d+)\b`)
)

// requirements is how many requirements docs/reference/smart-ralph.md lists.
const requirements = 48

// unclear lists the citations of a part that a reader cannot follow.
func unclear(name string, p part) (problems []string) {
	if p.kind == message {
		return nil
	}
	markdown, reference := path.Ext(name) == ".md", strings.HasPrefix(name, "docs/reference/")
	rules := everywhere
	if p.kind == prose {
		rules = append(slices.Clip(rules), comments...)
	}
	if !reference {
		rules = append(slices.Clip(rules), outside...)
	}
	if markdown && !reference {
		rules = append(slices.Clip(rules), users...)
	}
	for _, r := range rules {
		for _, match := range r.form.FindAllString(p.text, -1) {
			problems = append(problems, fmt.Sprintf("%q: %s", match, r.what))
		}
	}
	for _, match := range number.FindAllStringSubmatch(p.text, -1) {
		if match[1] == "" && len(match[3]) > 1 {
			problems = append(problems, fmt.Sprintf("%q: write owner/repo#number", match[0]))
		}
	}
	for _, match := range requirement.FindAllStringSubmatch(p.text, -1) {
		if n, err := strconv.Atoi(match[1]); err != nil || n < 1 || n > requirements {
			problems = append(problems, match[0]+": there is no such requirement")
		}
	}
	return problems
}
