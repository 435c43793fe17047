package main

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// claimPages are the pages on which every claim must name the test that proves it.
func claimPages() []string { return []string{"docs/permissions.md", "docs/security.md"} }

// explanation marks a heading whose section makes no claim that a test could prove.
const explanation = "<!-- explanation -->"

// TestClaimsNameTests: on the pages about permissions and security each paragraph, list item and table row names a test
// that exists, or is under a heading that is marked as explanation.
func TestClaimsNameTests(t *testing.T) {
	t.Parallel()
	tests, err := testNames(os.DirFS(".."))
	if err != nil {
		t.Fatal(err)
	}
	if len(tests) < 900 {
		t.Errorf("only %d tests were found", len(tests))
	}
	for _, name := range claimPages() {
		text, err := os.ReadFile(path.Join("..", name))
		if err != nil {
			t.Fatal(err)
		}
		for _, problem := range unproven(string(text), tests) {
			t.Errorf("%s:%s", name, problem)
		}
	}
}

// TestClaimsSeesViolations: the check finds exactly the claims without a test, and the tests that do not exist.
func TestClaimsSeesViolations(t *testing.T) {
	t.Parallel()
	tests := map[string]bool{"TestA": true, "FuzzB": true}
	for text, problems := range map[string]int{
		"A claim (`TestA`).\n":                        0,
		"A claim\nof two lines,\nshown by `FuzzB`.\n": 0,
		"A claim.\n":                                                              1,
		"A claim (`TestGone`).\n":                                                 2,
		"A claim (`TestA`, `TestGone`).\n":                                        1,
		"A claim (`TestA`).\n\nAnother one.\n":                                    1,
		"- a (`TestA`)\n- b\n  in two lines (`FuzzB`)\n":                          0,
		"- a (`TestA`)\n- b\n  in two lines\n- c\n":                               2,
		"1. a (`TestA`)\n2. b\n":                                                  1,
		"These apply:\n\nA claim.\n":                                              2,
		"These apply:\n\n- a (`TestA`)\n":                                         0,
		"These apply. They do:\n\n- a (`TestA`)\n":                                0,
		"| a | test |\n|---|---|\n| x | `TestA` |\n| y | `FuzzB` |\n":             0,
		"| a | test |\n|---|---|\n| x | `TestA` |\n| y | |\n":                     1,
		"| a |\n|---|\n| x |\n| y |\n":                                            2,
		"| a |\n|---|\n| x |\n| y |\n\nTests of this table: `TestA`.\n":           0,
		"| a |\n|---|\n| x |\n| y |\n\nTests of this table: none.\n":              3,
		"- a\n- b\n\nTests of this list: `TestA`, `FuzzB`.\n":                     0,
		"- a\n- b\n\nA claim (`TestA`).\n\n- c\n\nTests of this list: `TestA`.\n": 2,
		"A claim.\n\n- a\n- b\n\nTests of this list: `TestA`.\n":                  1,
		"# A\n<!-- explanation -->\n\nWords.\n\n- a\n\n| a |\n|---|\n| b |\n":     0,
		"# A\n<!-- explanation -->\n\nWords with `TestGone`.\n":                   1,
		"# A\n<!-- explanation -->\n\n## B\n\nA claim.\n":                         1,
		"```console\n$ bridge check x\n\nA text.\n```\n":                          0,
		"```console\n$ bridge check x\n```\nA claim.\n":                           1,
	} {
		if got := unproven(text, tests); len(got) != problems {
			t.Errorf("%q: %q, want %d problems", text, got, problems)
		}
	}
}

var testName = regexp.MustCompile(`\b(?:Test|Fuzz)[A-Z]\w*`)

// testNames finds the tests and fuzz targets of the module.
func testNames(repository fs.FS) (map[string]bool, error) {
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)[A-Z]\w*)\(\w+ \*testing\.[TF]\)`)
	all := map[string]bool{}
	err := fs.WalkDir(repository, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == ".git" || entry.Name() == "testdata") {
			return fs.SkipDir
		}
		if !strings.HasSuffix(name, "_test.go") {
			return nil
		}
		text, err := fs.ReadFile(repository, name)
		if err != nil {
			return err
		}
		for _, match := range declared.FindAllSubmatch(text, -1) {
			all[string(match[1])] = true
		}
		return nil
	})
	return all, err
}

// claim is a paragraph, an item of a list or a row of a table.
type claim struct {
	line int
	text string
	// shape is '|' for a row, '-' for an item and ' ' for a paragraph.
	shape byte
	// free says that it needs no test.
	free bool
}

// introduces matches a paragraph that ends in the middle of a sentence.
var introduces = regexp.MustCompile(`[a-z:]$`)

var item = regexp.MustCompile(`^(?:[-*]|\d+\.) `)

// unproven lists the claims of a page without a test, and the tests that do not exist.
func unproven(text string, tests map[string]bool) (problems []string) {
	var open []claim
	all := claims(text)
	for i, c := range all {
		shown := c.free
		for _, name := range testName.FindAllString(c.text, -1) {
			if tests[name] {
				shown = true
			} else {
				problems = append(problems, fmt.Sprintf("%d: there is no %s", c.line, name))
			}
		}
		switch {
		case c.shape == ' ' && strings.HasPrefix(c.text, "Tests of this ") && shown:
			// It belongs to the table or list right above.
			first := i
			for first > 0 && all[first-1].shape != ' ' {
				first--
			}
			open = slices.DeleteFunc(open, func(o claim) bool { return first < i && o.line >= all[first].line })
		case !shown && !(c.shape == ' ' && introduces.MatchString(c.text) && i+1 < len(all) && all[i+1].shape != ' '):
			open = append(open, c)
		}
	}
	for _, c := range open {
		problems = append(problems, fmt.Sprintf("%d: no test is named for %.60q", c.line, c.text))
	}
	return problems
}

// claims splits a page. It leaves out sections that are marked as explanation, apart from the names of tests in them.
func claims(text string) (all []claim) {
	var code, free, table bool
	add := func(line int, text string, shape byte) {
		if free {
			text = strings.Join(testName.FindAllString(text, -1), " ")
		}
		if text != "" {
			all = append(all, claim{line, text, shape, free})
		}
	}
	var current claim
	end := func() {
		if current.text != "" {
			add(current.line, current.text, current.shape)
		}
		current = claim{}
	}
	for i, line := range strings.Split(text, "\n") {
		switch {
		case strings.HasPrefix(line, "```"):
			end()
			code = !code
		case code:
		case strings.HasPrefix(line, "#"):
			end()
			free = false
		case line == explanation:
			free = true
		case strings.TrimSpace(markup.ReplaceAllString(line, "")) == "":
			end()
			table = false
		case strings.HasPrefix(line, "|"):
			if !table || strings.HasPrefix(line, "|-") {
				// The header row of a table makes no claim.
				table = true
				continue
			}
			add(i+1, line, '|')
		case item.MatchString(line):
			end()
			current = claim{line: i + 1, text: line, shape: '-'}
		case current.text == "":
			current = claim{line: i + 1, text: line, shape: ' '}
		default:
			current.text += " " + strings.TrimSpace(line)
		}
	}
	end()
	return all
}
