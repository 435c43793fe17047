package shell

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/bridge/internal/reach"
)

// example is a row of testdata/commands.tsv.
type example struct {
	line     int
	expected string // allow, ask or deny
	tag      string
	command  string
}

func examples(t testing.TB) []example {
	t.Helper()
	f, err := os.Open("testdata/commands.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []example
	seen := map[string]int{}
	in := bufio.NewScanner(f)
	in.Buffer(nil, 1<<20)
	for n := 1; in.Scan(); n++ {
		line := in.Text()
		if line == "" || strings.HasPrefix(line, "# ") {
			continue
		}
		fields := strings.SplitN(line, "\t", 3)
		if len(fields) != 3 || !slices.Contains([]string{"allow", "ask", "deny"}, fields[0]) {
			t.Fatalf("commands.tsv:%d: malformed row", n)
		}
		e := example{n, fields[0], fields[1], decode(t, fields[2])}
		if first, ok := seen[e.command]; ok {
			t.Fatalf("commands.tsv:%d: the command of line %d again", n, first)
		}
		seen[e.command] = n
		out = append(out, e)
	}
	if err := in.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// decode replaces the visible marks in the table with the characters that they mean.
func decode(t testing.TB, s string) string {
	s = strings.NewReplacer("⏎", "\n", "␍", "\r", "⇥", "\t").Replace(s)
	for {
		before, rest, ok := strings.Cut(s, "⟨")
		if !ok {
			return s
		}
		digits, after, _ := strings.Cut(rest, "⟩")
		raw, err := hex.DecodeString(digits)
		if err != nil {
			t.Fatal(err)
		}
		s = before + string(raw) + after
	}
}

// The table's commands run in /work/project.
const projectDir = "/work/project"

// approved is the verdict of a caller that judges paths only by their text.
func approved(command string, opts Options) (Result, bool) {
	r := Analyse(command, opts)
	if r.Verdict != Allow {
		return r, false
	}
	secrets := reach.NewSecrets(nil)
	for _, p := range r.Paths {
		full, base := p.Name, p.Dir
		if !path.IsAbs(base) {
			base = path.Join(projectDir, base)
		}
		if !path.IsAbs(full) {
			full = path.Join(base, full)
		}
		rest, ok := strings.CutPrefix(path.Clean(full), projectDir)
		if !ok || rest != "" && rest[0] != '/' || reach.Strange(p.Name) || !p.Names && secrets.Has(rest) {
			return r, false
		}
	}
	return r, true
}

func TestTable(t *testing.T) {
	all := examples(t)
	if len(all) < 1500 {
		t.Errorf("the table has %d rows, want at least 1500", len(all))
	}
	var local, localAllowed, network, networkAllowed, refused int
	for _, e := range all {
		r, ok := approved(e.command, Options{NetworkReads: true})
		if e.expected != "allow" {
			refused++
			if ok {
				t.Errorf("line %d: %q is approved by %s, want %s", e.line, e.command, r.Rule, e.expected)
			}
			continue
		}
		if e.tag == "net" {
			network++
			if ok {
				networkAllowed++
			}
			if _, without := approved(e.command, Options{}); without {
				t.Errorf("line %d: %q reads over the network and is approved without the setting", e.line, e.command)
			}
			continue
		}
		local++
		if _, ok := approved(e.command, Options{}); ok {
			localAllowed++
		} else if testing.Verbose() {
			r := Analyse(e.command, Options{})
			t.Logf("line %d: %q is not approved: %s %q", e.line, e.command, r.Rule, r.Token)
		}
	}
	recall := float64(localAllowed) / float64(local)
	t.Logf("%d rows: %d of %d local reads approved (%.1f %%), %d of %d network reads with the setting, 0 wanted of %d others",
		len(all), localAllowed, local, 100*recall, networkAllowed, network, refused)
	if recall < 0.85 {
		t.Errorf("recall is %.3f, want at least 0.85", recall)
	}
}

// Rules and reasons are part of the interface of bridge check.
func TestEveryAnswerIsExplained(t *testing.T) {
	for _, e := range examples(t) {
		r := Analyse(e.command, Options{})
		if r.Rule == "" || r.Why == "" || !strings.HasSuffix(r.Why, ".") {
			t.Errorf("line %d: %q: rule %q, why %q", e.line, e.command, r.Rule, r.Why)
		}
		if r.Token != "" && !strings.Contains(e.command, r.Token) {
			// A joined token has no white space between words.
			for part := range strings.FieldsSeq(r.Token) {
				if !strings.Contains(e.command, part) {
					t.Errorf("line %d: %q: the token %q does not occur", e.line, e.command, r.Token)
				}
			}
		}
	}
}

// Every class of known bypasses (docs/reference/shell-bypasses.md#classes) has rows of
// its own in several spellings. The same rows are the seeds of FuzzAnalyse and the
// parts of the property tests.
func TestEveryBypassClassHasRows(t *testing.T) {
	rows := map[string]int{}
	for _, e := range examples(t) {
		rows[e.tag]++
		// The last class is data that only looks like a command.
		if strings.HasPrefix(e.tag, "c") && e.tag != "c11" && e.expected == "allow" {
			t.Errorf("line %d: %q is a bypass and allowed", e.line, e.command)
		}
	}
	for class := 1; class <= 11; class++ {
		if tag := fmt.Sprintf("c%d", class); rows[tag] < 5 {
			t.Errorf("class %s has %d rows, want several", tag, rows[tag])
		}
	}
}

// A guard rule must see every command of the deny rows.
func TestWalkFindsDeniedCommands(t *testing.T) {
	for _, e := range examples(t) {
		if e.expected != "deny" {
			continue
		}
		line := Walk(e.command)
		if !slices.ContainsFunc(line.Commands, forbidden) {
			t.Errorf("line %d: %q: no command of %v is recognised", e.line, e.command, line.Commands)
		}
	}
}

// forbidden is an example of what a guard could test; the caller has the real rules.
func forbidden(c Simple) bool {
	var words []string
	for _, a := range c.Args {
		words = append(words, a.Text)
	}
	if len(words) == 0 {
		return false
	}
	has := func(names ...string) bool {
		return slices.ContainsFunc(words[1:], func(w string) bool { return slices.Contains(names, w) })
	}
	switch path.Base(words[0]) {
	case "rm":
		return has("/", "/*", "~", "~/", "$HOME")
	case "git":
		return has("push") && (has("--force", "-f", "--force-with-lease") || slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, "+") }))
	case "pkill":
		return has("-f")
	}
	return false
}

func TestWalkOfReadOnlyTextFindsNothing(t *testing.T) {
	for _, command := range []string{"echo 'rm -rf /'", "git commit -m 'rm -rf /'", "grep 'git push --force' a.txt", "cat <<'EOF'\nrm -rf /\nEOF"} {
		if line := Walk(command); slices.ContainsFunc(line.Commands, forbidden) {
			t.Errorf("%q: data is taken for a command", command)
		}
	}
}
