package shell

import (
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"
	"time"
)

// A package that decides only computes.
func TestImportsArePure(t *testing.T) {
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), e.Name(), nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, imp := range f.Imports {
			switch imp.Path.Value {
			case `"strings"`, `"strconv"`, `"slices"`, `"maps"`, `"path"`, `"unicode/utf8"`, `"mvdan.cc/sh/v3/syntax"`:
			default:
				t.Errorf("%s imports %s", e.Name(), imp.Path.Value)
			}
		}
	}
}

func TestLimits(t *testing.T) {
	for _, tc := range []struct{ name, command, rule string }{
		{"size", "echo " + strings.Repeat("a", 40<<10), "too-long"},
		{"brackets", strings.Repeat("(", 10000) + "ls" + strings.Repeat(")", 10000), "too-deep"},
		{"substitutions", "ls " + strings.Repeat("$(", 8000) + strings.Repeat(")", 8000), "too-deep"},
		{"commands", strings.Repeat("ls;", 200), "too-many-commands"},
		{"depth", strings.Repeat("ls|", 200) + "ls", "too-deep"},
		{"empty", " \n\t", "empty"},
		{"comment", "# ls", "empty"},
		{"NUL", "ls\x00", "bad-character"},
		{"carriage return", "ls\r\n", "bad-character"},
		{"no-break space", "ls\u00a0-la", "bad-character"},
		{"invalid UTF-8", "ls \xff", "bad-character"},
		{"bidi", "ls \u202e", "bad-character"},
		{"zero width", "l\u200bs", "bad-character"},
	} {
		start := time.Now()
		r := Analyse(tc.command, Options{})
		if r.Verdict != NoOpinion || r.Rule != tc.rule {
			t.Errorf("%s: %v by %s, want no opinion by %s", tc.name, r.Verdict, r.Rule, tc.rule)
		}
		Walk(tc.command)
		if d := time.Since(start); d > 2*time.Second {
			t.Errorf("%s: took %v", tc.name, d)
		}
	}
}

func TestWalkMarksWhatItCanNotKnow(t *testing.T) {
	line := Walk(`sudo -u x env A=b rm -rf "$DIR" > .git/config 2>&1; echo {a,b}`)
	var names []string
	for _, c := range line.Commands {
		names = append(names, c.Args[0].Text)
	}
	if got := strings.Join(names, " "); got != "sudo env rm echo" {
		t.Fatalf("commands are %s", got)
	}
	rm := line.Commands[2]
	if last := rm.Args[2]; last.Known || last.Text != "$DIR" {
		t.Errorf("the expanded operand is %+v", last)
	}
	if got := strings.Join(rm.Via, " "); got != "sudo env" {
		t.Errorf("the wrappers are %s", got)
	}
	if len(line.Writes) != 1 || line.Writes[0] != (Arg{".git/config", true}) {
		t.Errorf("the writes are %+v", line.Writes)
	}
	if !line.Complete || Walk("ls (").Complete || Walk(strings.Repeat("(", 1000)).Complete {
		t.Error("Complete does not tell a parsed line from a broken one")
	}
}

func TestPathsAndConditions(t *testing.T) {
	r := Analyse("cd ./sub && grep -f pat x a.txt ../b && git status && wc -l < c", Options{})
	if r.Verdict != Allow || r.Dir != "./sub" {
		t.Fatalf("%+v", r)
	}
	var got []string
	for _, p := range r.Paths {
		got = append(got, p.Dir+":"+p.Name)
	}
	if s := strings.Join(got, " "); s != ":./sub ./sub:pat ./sub:x ./sub:a.txt ./sub:../b ./sub:c" {
		t.Errorf("paths are %s", s)
	}
	if len(r.Conditions) != 1 || r.Conditions[0] != GitConfig {
		t.Errorf("conditions are %v", r.Conditions)
	}
	if r := Analyse("cargo --version && npm ls && go version", Options{}); len(r.Conditions) != 4 {
		t.Errorf("conditions are %v", r.Conditions)
	}
}

// Several cds at the beginning count as one; no other cd is approved.
func TestSeveralDirectories(t *testing.T) {
	for command, want := range map[string]string{
		"cd ./a && cd ../b && cat x":    "./a/../b",
		"cd ./a && cd /b && cat x | wc": "/b",
		"cd ./a && cd ./b":              "./a/./b",
	} {
		if r := Analyse(command, Options{}); r.Verdict != Allow || r.Dir != want || r.Paths[0].Dir != "" || r.Paths[1].Dir != "./a" {
			t.Errorf("%q: %+v", command, r)
		}
	}
	for _, command := range []string{"cd ./a && ls && cd ./b && cat x", "cd ./a && ls | wc && cd ./b", "cd ./a && cd ./b || ls", "cd ./a && cd ./b; ls", "cd ./a && (cd ./b) && ls", "cd ./a && cd ./b | ls"} {
		if r := Analyse(command, Options{}); r.Verdict != NoOpinion {
			t.Errorf("%q: %+v", command, r)
		}
	}
}

// The paths also say what a command reads below a directory.
func TestBelow(t *testing.T) {
	for command, want := range map[string]string{
		"grep -rn foo src": "src contents",
		"grep -r foo":      ". contents",
		"grep foo a.txt":   "a.txt",
		"cat a.txt":        "a.txt",
		"ls src":           "src names",
		"stat a.txt":       "a.txt names",
		"[ -f a.txt ]":     "a.txt names",
		"du -sh src":       "src names",
		"du -X a.txt src":  "a.txt",
		"cd ./src && ls":   "./src names",
		"rg --files src":   "src names visible ignores",
		"rg --files -f x":  "x visible ignores",
		"grep -R foo . --exclude-dir=a --include=*.b": ". contents links only=*.b skip=a",
		"grep -r foo . --include=*.b --exclude=a.b":   ". contents",
		"grep --directories=recurse -e foo":           ". contents",
		"rg foo":                                      ". contents visible ignores",
		"rg -L foo src":                               "src contents links",
		"rg --hidden foo":                             ". contents ignores",
		"rg --no-ignore foo":                          ". contents visible",
		"rg -uu foo":                                  ". contents",
		"rg -n. foo":                                  ". contents ignores",
		"rg -t go foo":                                ". contents ignores only=*.go",
		"rg -tgo --type=py foo":                       ". contents ignores only=*.go,*.py,*.pyi",
		"rg -t go -t sh foo":                          ". contents ignores",
		"rg --ignore-file x foo src":                  "x contents",
		"rg --files":                                  ". names visible ignores",
		"rg -g '!vendor' foo":                         ". contents visible ignores skip=vendor",
		"rg -g '!vendor' -g '*.go' foo":               ". contents only=*.go",
		"find -L src -name x":                         "src names links",
		"find . -follow":                              ". names links",
		"fd -L foo":                                   ". names links",
		"tree -l":                                     ". names links",
		"ls -LR":                                      ". names links",
		"ls -R src":                                   "src names",
		"diff a b":                                    "a contents links",
		"git diff --no-index a b":                     "a contents",
	} {
		r := Analyse(command, Options{})
		if r.Verdict != Allow || len(r.Paths) == 0 {
			t.Errorf("%q: %+v", command, r)
			continue
		}
		p := r.Paths[0]
		got := p.Name
		if p.Names {
			got += " names"
		}
		if p.Contents {
			got += " contents"
		}
		if p.Links {
			got += " links"
		}
		if p.Visible {
			got += " visible"
		}
		if p.Ignores {
			got += " ignores"
		}
		if len(p.Only) > 0 {
			got += " only=" + strings.Join(p.Only, ",")
		}
		if len(p.Skip) > 0 {
			got += " skip=" + strings.Join(p.Skip, ",")
		}
		if got != want {
			t.Errorf("%q reads %q, want %q", command, got, want)
		}
	}
}

func BenchmarkAnalyse(b *testing.B) {
	for b.Loop() {
		Analyse("git log --oneline | head -5 && grep -rn foo src", Options{})
	}
}
