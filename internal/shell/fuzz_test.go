package shell

import (
	"slices"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"
)

// FuzzAnalyse holds, for any text: nothing panics; an approved line has only
// approved kinds of syntax, every one of its calls was visited, and a harmful
// tail takes the approval away.
func FuzzAnalyse(f *testing.F) {
	for _, e := range examples(f) {
		if len(e.command) < 2000 {
			f.Add(e.command)
		}
	}
	f.Fuzz(func(t *testing.T, command string) {
		Walk(command)
		opts := Options{NetworkReads: true}
		r := Analyse(command, opts)
		if r.Rule == "" || r.Why == "" {
			t.Fatalf("%q has no explanation", command)
		}
		if r.Verdict != Allow {
			return
		}
		file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(command), "")
		if err != nil {
			t.Fatalf("%q is approved and not bash: %v", command, err)
		}
		syntax.Walk(file, func(n syntax.Node) bool {
			switch n := n.(type) {
			case nil, *syntax.File, *syntax.BinaryCmd, *syntax.Word, *syntax.Lit, *syntax.SglQuoted, *syntax.DblQuoted, *syntax.Redirect, *syntax.Comment:
			case *syntax.Stmt:
				if n.Background || n.Negated || n.Coprocess || n.Disown {
					t.Fatalf("%q is approved with a modified statement", command)
				}
			case *syntax.CallExpr:
				if len(n.Assigns) > 0 {
					t.Fatalf("%q is approved with an assignment", command)
				}
			default:
				t.Fatalf("%q is approved with a %T", command, n)
			}
			return true
		})
		if !slices.EqualFunc(argvs(command), r.Commands, slices.Equal) {
			t.Fatalf("%q: the tree has %q, the analysis visited %q", command, argvs(command), r.Commands)
		}
		for _, argv := range r.Commands {
			if strings.Contains(argv[0], "/") || slices.Contains([]string{"rm", "sh", "bash -c", "eval", "xargs", "tee", "sudo", "env", "source", "."}, argv[0]) {
				t.Fatalf("%q is approved with the program %s", command, argv[0])
			}
			for _, a := range argv[1:] {
				if argv[0] != "echo" && argv[0] != "grep" && argv[0] != "rg" && (strings.HasPrefix(a, "--output=") || a == "-delete" && argv[0] == "find" && !slices.Contains(argv, "-name")) {
					t.Fatalf("%q is approved with %s", command, a)
				}
			}
		}
		for _, tail := range []string{"\nrm x", "\n$(rm x)", "\nls > f"} {
			if again := Analyse(command+tail, opts); again.Verdict == Allow {
				t.Fatalf("%q is approved with the tail %q", command, tail)
			}
		}
	})
}
