package shell

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"
	"pgregory.net/rapid"
)

// allowed returns the commands of the table that the analysis approves.
func allowed(t testing.TB) []string {
	var out []string
	for _, e := range examples(t) {
		if Analyse(e.command, Options{NetworkReads: true}).Verdict == Allow {
			out = append(out, e.command)
		}
	}
	return out
}

var harmful = []string{
	"; rm x", ";rm x", " && rm x", "&&rm x", " || rm x", " | sh", "|sh", " |& sh", "\nrm x", "\n\nrm x\n", " & rm x", " &", "&",
	" > f", ">f", " >> f", " >| f", " &> f", " 2> f", " <> f", " >& f", " > $(rm x)", " $(rm x)", " `rm x`", " \"$(rm x)\"", " <(rm x)", " >(rm x)",
	" $x", " ${x}", " $((a[$(rm x)]))", " | xargs rm", " | tee f", "; eval rm", "; A=b", "; A=b ls", "; f() { rm x; }", " && (rm x)", " && { rm x; }", "; [[ -v a ]]",
	"\r\nrm x", "\u00a0rm x", "\u2028rm x", "\x00", "; ./ls", "; if true; then rm x; fi", " <<EOF\n$(rm x)\nEOF", "; exec rm x", "; . x", "; cd -",
}

func TestHarmfulTailIsNeverAllowed(t *testing.T) {
	if testing.Short() {
		t.Skip("left out with -short: combines all rows")
	}
	for _, command := range allowed(t) {
		for _, tail := range harmful {
			line := strings.TrimRight(command, "\n") + tail
			if strings.Contains(command, "#") && !strings.Contains(tail, "\n") && isComment(command, line) {
				continue
			}
			if r := Analyse(line, Options{NetworkReads: true}); r.Verdict == Allow {
				t.Errorf("%q is approved by %s", line, r.Rule)
			}
		}
	}
}

// isComment reports whether what follows command in line is only a comment.
func isComment(command, line string) bool {
	return slices.EqualFunc(argvs(command), argvs(line), slices.Equal)
}

// argvs lists the argv of every call of the syntax tree, found independently of
// the analysis.
func argvs(command string) [][]string {
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(command), "")
	if err != nil {
		return nil
	}
	var out [][]string
	syntax.Walk(file, func(n syntax.Node) bool {
		if c, ok := n.(*syntax.CallExpr); ok {
			var argv []string
			for _, arg := range c.Args {
				w, r := unquote(arg, "")
				if r != nil {
					return true
				}
				argv = append(argv, w.text)
			}
			out = append(out, argv)
		}
		return true
	})
	return out
}

func TestEveryCallWasVisited(t *testing.T) {
	for _, command := range allowed(t) {
		r := Analyse(command, Options{NetworkReads: true})
		if want := argvs(command); !slices.EqualFunc(want, r.Commands, slices.Equal) {
			t.Errorf("%q: the tree has %v, the analysis visited %v", command, want, r.Commands)
		}
	}
}

func TestReprintingKeepsTheVerdict(t *testing.T) {
	for _, e := range examples(t) {
		file, err := syntax.NewParser(syntax.Variant(syntax.LangBash), syntax.KeepComments(true)).Parse(strings.NewReader(e.command), "")
		if err != nil || screen(e.command) != nil || strings.Contains(e.command, "\r") {
			continue
		}
		var b bytes.Buffer
		if err := syntax.NewPrinter().Print(&b, file); err != nil {
			continue // zsh-only syntax and the like
		}
		opts := Options{NetworkReads: true}
		first, again := Analyse(e.command, opts), Analyse(b.String(), opts)
		if first.Verdict != again.Verdict || first.Verdict == Allow && first.Rule != again.Rule {
			t.Errorf("line %d: %q is %v (%s), printed as %q it is %v (%s)", e.line, e.command, first.Verdict, first.Rule, b.String(), again.Verdict, again.Rule)
		}
	}
}

// quoted writes a word in one of the forms that mean the same in bash and zsh.
func quoted(t *rapid.T, s string) string {
	escape := func(s, set string) string {
		var b strings.Builder
		for _, r := range s {
			if strings.ContainsRune(set, r) {
				b.WriteByte('\\')
			}
			b.WriteRune(r)
		}
		return b.String()
	}
	switch rapid.IntRange(0, 3).Draw(t, "quotes") {
	case 0:
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	case 1:
		return `"` + escape(s, "\"\\$`") + `"`
	case 2:
		if s == "" || strings.Contains(s, "\n") {
			return `"` + escape(s, "\"\\$`") + `"`
		}
		var b strings.Builder
		for _, r := range s {
			if r < 0x80 && !identifier(byte(r)) {
				b.WriteByte('\\')
			}
			b.WriteRune(r)
		}
		return b.String()
	default:
		if len(s) < 2 || strings.ContainsAny(s, "'\"\\$`") {
			return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
		}
		i := rapid.IntRange(1, len(s)-1).Draw(t, "split")
		return "'" + s[:i] + `'"` + s[i:] + `"`
	}
}

func TestQuotingVariantsAgree(t *testing.T) {
	var simple [][]string
	var want []Verdict
	for _, e := range examples(t) {
		calls := argvs(e.command)
		r := Analyse(e.command, Options{NetworkReads: true})
		// One call, no redirection, and no glob that quoting would turn off.
		if len(calls) != 1 || len(calls[0]) == 0 || r.Rule == "cd" || len(r.Commands) != 1 || slices.ContainsFunc(r.Paths, func(p Path) bool { return p.Glob }) {
			continue
		}
		bare := make([]string, len(calls[0]))
		for i, s := range calls[0] {
			bare[i] = "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
		}
		simple = append(simple, calls[0])
		want = append(want, Analyse(strings.Join(bare, " "), Options{NetworkReads: true}).Verdict)
	}
	rapid.Check(t, func(t *rapid.T) {
		i := rapid.IntRange(0, len(simple)-1).Draw(t, "row")
		words := make([]string, len(simple[i]))
		for j, s := range simple[i] {
			words[j] = quoted(t, s)
		}
		line := strings.Join(words, " ")
		if r := Analyse(line, Options{NetworkReads: true}); r.Verdict != want[i] {
			t.Fatalf("%q is %v (%s), another spelling of %q is %v", line, r.Verdict, r.Rule, simple[i], want[i])
		}
	})
}

// A line built from arbitrary pieces is approved only if every piece is, when
// the pieces are joined by what the analysis accepts.
func TestListsAreAllowedOnlyIfEveryPartIs(t *testing.T) {
	all := examples(t)
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.IntRange(0, len(all)-1), 2, 4).Draw(t, "parts")
		sep := rapid.SampledFrom([]string{" && ", " || ", "; ", " | ", "\n"}).Draw(t, "separator")
		var lines []string
		every := true
		for _, i := range parts {
			lines = append(lines, all[i].command)
			every = every && Analyse(all[i].command, Options{}).Verdict == Allow
		}
		line := strings.Join(lines, sep)
		if r := Analyse(line, Options{}); r.Verdict == Allow && !every && !strings.Contains(line, "\\\n") && !strings.Contains(line, "#") && !quotesOpen(lines) {
			t.Fatalf("%q is approved by %s although a part is not", line, r.Rule)
		}
	})
}

// quotesOpen reports a part that is not a complete command, because its quotes end in the next part.
func quotesOpen(lines []string) bool {
	return slices.ContainsFunc(lines, func(s string) bool {
		_, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(s), "")
		return err != nil
	})
}

// No spelling of a row's dangerous options may be in its list of options.
func TestDangerousOptionsAreNotListed(t *testing.T) {
	for _, rows := range tables() {
		for _, row := range rows {
			for _, d := range row.danger {
				for name := range strings.FieldsSeq(d.options) {
					if long, ok := strings.CutPrefix(name, "--"); ok {
						if _, listed := longKind(row.long, long); listed {
							if long == "no-index" && row.name == "git diff" {
								continue // explained for the others
							}
							t.Errorf("%s lists --%s, which %s", row.name, long, d.why)
						}
					} else if _, listed := shortKind(row.short, name[1]); listed && len(name) == 2 {
						t.Errorf("%s lists %s, which %s", row.name, name, d.why)
					}
				}
			}
		}
	}
}

func TestRowsAreWellFormed(t *testing.T) {
	seen := map[string]bool{}
	for _, rows := range tables() {
		for _, spelled := range spelledRows(rows) {
			row := spelled.row
			if seen[spelled.name] {
				t.Errorf("%s has two rows", spelled.name)
			}
			seen[spelled.name] = true
			letters := map[byte]bool{}
			for i := 0; i < len(row.short); i++ {
				c := row.short[i]
				if c == required || c == optional || c == pathname {
					continue
				}
				if letters[c] {
					t.Errorf("%s lists -%c twice", row.name, c)
				}
				letters[c] = true
			}
			names := map[string]bool{}
			for entry := range strings.FieldsSeq(row.long) {
				name := strings.TrimRight(entry, "=?@")
				if names[name] {
					t.Errorf("%s lists --%s twice", row.name, name)
				}
				names[name] = true
			}
			if row.raw && row.check == nil {
				t.Errorf("%s has neither options nor a check", row.name)
			}
		}
	}
}
