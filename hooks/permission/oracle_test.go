//go:build linux

package permission_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hookbridge/bridge/hooks/permission"
	"github.com/hookbridge/bridge/internal/shell"
)

// everything is the variable with which the oracle runs all of its lines, as a step of
// .ci/run does; without it, it runs a sample of quick ones.
const everything = "BRIDGE_ORACLE"

// oracleLines is how many lines the oracle runs.
const oracleLines = 20_500

// canTrace skips a test if tracing is impossible, unless the oracle was requested explicitly.
func canTrace(t testing.TB) {
	t.Helper()
	if out, err := exec.Command("strace", "-f", "-o", os.DevNull, "true").CombinedOutput(); err != nil {
		if os.Getenv(everything) != "" {
			t.Fatalf("strace is needed: %v %s", err, out)
		}
		t.Skipf("strace is needed: %v %s", err, out)
	}
}

// candidate is an approved line and what it may do.
type candidate struct {
	traced
	programs, effects []string
}

// approve asks bridge about a line, in one of the fixture's directories.
func (g *grounds) approve(line, dir string) (candidate, bool) {
	r := shell.Analyse(line, shell.Options{NetworkReads: true})
	if r.Verdict != shell.Allow {
		return candidate{}, false
	}
	in := g.judge.bash(line)
	in.CWD = dir
	if v, err := g.judge.judge(in); err != nil || v.Kind != permission.Allow {
		return candidate{}, false
	}
	c := candidate{traced: traced{dir: dir, text: line}}
	for _, argv := range r.Commands {
		c.programs = append(c.programs, argv[0])
	}
	for rule := range strings.SplitSeq(r.Rule, "+") {
		c.effects = append(c.effects, strings.Fields(shell.Effects(rule))...)
	}
	return c, true
}

// watch runs lines. For each line that did more than it may, it returns what the line did.
func (g *grounds) watch(lines []candidate) map[int][]string {
	const size = 250
	var batches [][]candidate
	for from := 0; from < len(lines); from += size {
		batches = append(batches, lines[from:min(from+size, len(lines))])
	}
	found := map[int][]string{}
	var lock sync.Mutex
	var wg sync.WaitGroup
	next := make(chan int, len(batches))
	for i := range batches {
		next <- i
	}
	close(next)
	for worker := range 2 {
		scratch := filepath.Join(g.scratch, fmt.Sprint("driver", worker))
		if err := os.MkdirAll(scratch, 0o700); err != nil {
			g.t.Fatal(err)
		}
		wg.Go(func() {
			for i := range next {
				var run []traced
				for _, c := range batches[i] {
					run = append(run, c.traced)
				}
				for _, e := range trace(g.t, scratch, g.env, run) {
					if e.line < 0 {
						continue
					}
					c := batches[i][e.line]
					if why := g.ground.judge(e, c.programs, c.effects); why != "" {
						lock.Lock()
						if at := i*size + e.line; !slices.Contains(found[at], why) {
							found[at] = append(found[at], why)
						}
						lock.Unlock()
					}
				}
			}
		})
	}
	wg.Wait()
	return found
}

// TestOracle runs approved lines of every row under strace, in hostile projects, and requires that they do only what the
// row declares.
func TestOracle(t *testing.T) {
	if testing.Short() {
		t.Skip("left out with -short: runs programs under strace")
	}
	canTrace(t)
	t.Parallel()
	all, want := os.Getenv(everything) != "", oracleLines
	g := newGrounds(t, nil)
	m := &lineMaker{rng: rand.New(rand.NewPCG(7, 17)), outside: g.outside}
	var rows, quick []shell.Listed
	var absent []string
	for _, row := range shell.Table() {
		program, _, _ := strings.Cut(row.Command, " ")
		switch {
		case missing(program):
			if !slices.Contains(absent, program) {
				absent = append(absent, program)
			}
			continue
		case !shell.HasWord(slow, program):
			quick = append(quick, row)
		}
		rows = append(rows, row)
	}
	var lines []candidate
	seen := map[string]bool{}
	add := func(line string, places ...string) bool {
		for _, dir := range places {
			if c, ok := g.approve(line, dir); ok && !seen[line] {
				seen[line] = true
				c.posix = len(lines)%2 == 1
				lines = append(lines, c)
				return true
			}
		}
		return false
	}
	if !all {
		want = 150
		rows = quick
	}
	var unreached []string
	for _, row := range rows {
		if !all {
			break
		}
		if !slices.ContainsFunc(make([]int, 60), func(int) bool { return add(m.command(row, nil), g.places...) }) && !seen[row.Command] {
			unreached = append(unreached, row.Command)
		}
		for _, o := range row.Options {
			if !slices.ContainsFunc(make([]int, 200), func(int) bool { return add(m.command(row, &o), g.places...) }) {
				unreached = append(unreached, row.Command+" "+o.Name)
			}
		}
	}
	options := len(lines)
	for tries := 0; len(lines) < want && tries < 100*want; tries++ {
		from := quick
		if all && tries%400 == 0 {
			from = rows
		}
		row := from[m.rng.IntN(len(from))]
		place := g.places[m.rng.IntN(len(g.places))]
		add(m.line(row, quick, nil), place)
	}
	findings := g.watch(lines)
	for at, what := range findings {
		c := lines[at]
		t.Errorf("%q in %s (POSIXLY_CORRECT %v) is approved and\n\t%s", c.text, filepath.Base(c.dir), c.posix, strings.Join(what[:min(len(what), 4)], "\n\t"))
	}
	for _, name := range []string{"ran", "project/written", "hostile/written"} {
		if _, err := os.Lstat(filepath.Join(g.scratch, name)); err == nil {
			t.Errorf("%s was made", name)
		}
	}
	t.Logf("%d approved lines of %d commands ran, %d of them for an option each; %d with a violation", len(lines), len(rows), options, len(findings))
	if len(lines) < want {
		t.Errorf("only %d lines were approved, want %d", len(lines), want)
	}
	t.Logf("approved and not installed: %s", strings.Join(absent, " "))
	if all {
		for _, name := range unreached {
			if !slices.Contains(neverAlone, name) {
				t.Errorf("no line with %s was approved", name)
			}
		}
		reviewed := byHand(t)
		for _, program := range absent {
			if !slices.Contains(reviewed, program) {
				t.Errorf("%s is approved, not installed, and docs/permissions.md does not say that it was reviewed by hand", program)
			}
		}
	}
}

// neverAlone are options in the tables that no generated line contains.
var neverAlone = []string{}

// byHand are the programs that were reviewed by hand, according to docs/permissions.md.
func byHand(t *testing.T) (programs []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "permissions.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, ok := strings.Cut(string(text), "reviewed by hand:")
	section, _, end := strings.Cut(section, "\n\n")
	if !ok || !end {
		t.Fatal("docs/permissions.md has no list of what was reviewed by hand")
	}
	for _, match := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(section, -1) {
		programs = append(programs, match[1])
	}
	return programs
}

// TestOracleSeesFalseRows adds wrong rows to the table: the lines made from each of them must reveal the mistake.
func TestOracleSeesFalseRows(t *testing.T) {
	if testing.Short() {
		t.Skip("left out with -short: runs programs under strace")
	}
	canTrace(t)
	t.Parallel()
	g := newGrounds(t, nil)
	m := &lineMaker{rng: rand.New(rand.NewPCG(1, 2)), outside: g.outside}
	value := func(name string) []shell.ListedOption {
		return []shell.ListedOption{{Name: name, Arity: shell.RequiredValue}}
	}
	flag := func(name string) []shell.ListedOption { return []shell.ListedOption{{Name: name}} }
	type falseRow struct {
		row         shell.Listed
		place, sign string
	}
	planted := []falseRow{
		{shell.Listed{Command: "sort", Options: value("-o"), Operands: true}, "project", "writes"},
		{shell.Listed{Command: "sed -i p", Operands: true}, "project", "writes"},
		{shell.Listed{Command: "tee", Operands: true}, "project", "writes"},
		{shell.Listed{Command: "touch", Operands: true}, "project", "writes"},
		{shell.Listed{Command: "chmod 600 a.txt", Operands: true}, "project", "writes"},
		{shell.Listed{Command: "mv README.md", Operands: true}, "project", "writes"},
		{shell.Listed{Command: "ln -s", Operands: true}, "project", "writes"},
		{shell.Listed{Command: "mkdir new", Operands: true}, "project", "writes"},
		{shell.Listed{Command: "rm -f docs/a.md"}, "project/within", "writes"},
		{shell.Listed{Command: "truncate -s 0 docs/b.md"}, "project", "writes"},
		{shell.Listed{Command: "env ls"}, "project", "runs"},
		{shell.Listed{Command: "xargs", Operands: true}, "project", "runs"},
		{shell.Listed{Command: "find . -exec true {} +"}, "project", "runs"},
		{shell.Listed{Command: "cat", Operands: true}, "project", "reads"},
		{shell.Listed{Command: "grep -r S3", Operands: true}, "project", "reads"},
		{shell.Listed{Command: "diff --unified", Operands: true, Options: flag("--from-file")}, "project", "reads"},
		{shell.Listed{Command: "git status"}, "hostile", "runs"},
		{shell.Listed{Command: "git diff"}, "hostile", "runs"},
		{shell.Listed{Command: "git lfs version"}, "hostile", "runs"},
		{shell.Listed{Command: "git fetch", Operands: true}, "project", ""},
		{shell.Listed{Command: "git branch", Operands: true}, "project", "writes"},
		{shell.Listed{Command: "git config user.name", Operands: true}, "project", "writes"},
		{shell.Listed{Command: "git ls-remote git://127.0.0.1:9/x"}, "project", "talks"},
		{shell.Listed{Command: "ps -eux"}, "project", "environment"},
		{shell.Listed{Command: "printenv DEPLOY_TOKEN"}, "project", "showed"},
		{shell.Listed{Command: "kill -CONT $$"}, "project", "signals"},
	}
	if !missing("nm") {
		// Before the others write over its files.
		planted = append([]falseRow{{shell.Listed{Command: "nm @resp a.o"}, "project", "writes"}}, planted...)
	}
	var lines []candidate
	var owner []int
	for i, p := range planted {
		for range 12 {
			line := m.command(p.row, nil)
			program, _, _ := strings.Cut(line, " ")
			lines = append(lines, candidate{traced: traced{dir: filepath.Join(g.scratch, "project"), text: line}, programs: []string{program}})
			if p.place != "project" {
				lines[len(lines)-1].dir = filepath.Join(g.scratch, p.place)
			}
			owner = append(owner, i)
			if !p.row.Operands && len(p.row.Options) == 0 {
				break
			}
		}
	}
	signs := make([]string, len(planted))
	for at, what := range g.watch(lines) {
		signs[owner[at]] += strings.Join(what, "\n")
	}
	for i, p := range planted {
		if signs[i] == "" || !strings.Contains(signs[i], p.sign) {
			t.Errorf("the false row %q is not found out (%s): %q", p.row.Command, p.sign, signs[i])
		}
	}
	// A line that only reads has no finding.
	plain := candidate{traced: traced{dir: filepath.Join(g.scratch, "project"), text: "cat a.txt && ls -l sub"}, programs: []string{"cat", "ls"}}
	if found := g.watch([]candidate{plain}); len(found) > 0 {
		t.Errorf("a line that only reads: %v", found)
	}
}

// FuzzLinesUnderStrace makes other lines than TestOracle.
func FuzzLinesUnderStrace(f *testing.F) {
	canTrace(f)
	g := newGrounds(f, nil)
	var rows []shell.Listed
	for _, row := range shell.Table() {
		if program, _, _ := strings.Cut(row.Command, " "); !missing(program) && !shell.HasWord(slow, program) {
			rows = append(rows, row)
		}
	}
	f.Add(uint64(3), uint64(4))
	f.Fuzz(func(t *testing.T, a, b uint64) {
		g.t, g.judge.t = t, t
		m := &lineMaker{rng: rand.New(rand.NewPCG(a, b)), outside: g.outside}
		var lines []candidate
		for range 8 { // a target that takes ten seconds is killed
			row := rows[m.rng.IntN(len(rows))]
			if c, ok := g.approve(m.line(row, rows, nil), g.places[m.rng.IntN(len(g.places))]); ok {
				c.posix = m.chance(50)
				lines = append(lines, c)
			}
		}
		for at, what := range g.watch(lines) {
			t.Errorf("%q in %s (POSIXLY_CORRECT %v) is approved and\n\t%s", lines[at].text, filepath.Base(lines[at].dir), lines[at].posix, strings.Join(what, "\n\t"))
		}
	})
}
