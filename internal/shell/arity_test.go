//go:build unix

package shell

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// arityOdd are options for which the installed program contradicts the table, with the reason why the table is right.
var arityOdd = map[string]string{
	"file -v": ends, "uptime -s": ends, "egrep -F": other, "egrep -G": other, "egrep -P": other, "fgrep -E": other, "fgrep -G": other, "fgrep -P": other,
	"git branch --contains": last, "git branch --no-contains": last, "git tag --contains": last, "git tag --no-contains": last, "git tag --points-at": last, "git branch --points-at": last, "ps -t": last,
	"git stash list -n": empty, "git stash list --date": empty, "git stash list --max-count": empty,
}

const (
	ends  = "the program ends before it reads on"
	other = "the program stops because it has another of these options"
	last  = "the last word may go without its value"
	empty = "without a stash nothing is read"
)

// TestAritiesOfPrograms asks the installed programs themselves how each option of the
// tables takes its value.
func TestAritiesOfPrograms(t *testing.T) {
	if os.Getenv(everything) == "" {
		t.Skip("left out without " + everything + ": runs thousands of programs")
	}
	t.Parallel()
	root := t.TempDir()
	project, home := filepath.Join(root, "project"), filepath.Join(root, "home")
	scratch(t, project, home)
	asked, unknown := 0, []string{}
	for _, row := range Table() {
		program, _, _ := strings.Cut(row.Command, " ")
		if row.Network || row.Raw || !installed([][]string{{program}}) || HasWord("npm npx pip pip3 java javac cargo rustc go type command", program) {
			continue
		}
		p := prober{t, project, home, strings.Fields(row.Command)}
		// The words with which programs reject an option that they do not know.
		getopt := strings.Contains(p.says("--bridge-knows-no-such-option"), "unrecognized option '--bridge")
		for _, o := range row.Options {
			arity, known := p.arity(o.Name, getopt)
			asked++
			switch {
			case !known:
				unknown = append(unknown, row.Command+" "+o.Name)
			case arity != o.Arity && arity >= 0 && arityOdd[row.Command+" "+o.Name] == "":
				t.Errorf("%s %s: the table says %d, the program %d", row.Command, o.Name, o.Arity, arity)
			case arity < 0 && o.Arity == RequiredValue && p.code(o.Name) == 0 && arityOdd[row.Command+" "+o.Name] == "":
				t.Errorf("%s %s: the table says that it needs a value, the program does without", row.Command, o.Name)
			}
		}
	}
	t.Logf("%d options; not known to the installed version: %s", asked, strings.Join(unknown, ", "))
}

type prober struct {
	t             *testing.T
	project, home string
	argv          []string
}

func (p prober) run(args ...string) (string, int) {
	ctx, cancel := context.WithTimeout(p.t.Context(), 10*time.Second)
	defer cancel()
	all := append(p.argv[1:len(p.argv):len(p.argv)], args...)
	path := p.argv[0]
	for _, dir := range filepath.SplitList(oraclePath) {
		if _, err := os.Stat(filepath.Join(dir, path)); err == nil {
			path = filepath.Join(dir, path)
			break
		}
	}
	cmd := exec.CommandContext(ctx, path, all...)
	cmd.Dir, cmd.Env = p.project, environment(p.home)
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	if err != nil {
		return string(out), 1
	}
	return string(out[:min(len(out), 4000)]), 0
}

func (p prober) says(args ...string) string { out, _ := p.run(args...); return out }

func (p prober) code(args ...string) int { _, code := p.run(args...); return code }

// arity is the number of values according to the program's messages; -1 means that they do not say.
func (p prober) arity(name string, getopt bool) (a Arity, known bool) {
	alone := p.says(name)
	bare := strings.TrimLeft(name, "-")
	has := func(text string, parts ...string) bool {
		for _, part := range parts {
			if strings.Contains(text, part) {
				return true
			}
		}
		return false
	}
	if len(name) == 2 {
		switch {
		case has(alone, "requires an argument -- '"+bare+"'", "switch `"+bare+"' requires a value"):
			return RequiredValue, true
		case has(alone, "invalid option -- '"+bare+"'", "unknown switch `"+bare+"'"):
			return 0, false
		}
		attached := p.says(name + "~")
		switch {
		case has(attached, "invalid option -- '~'", "unknown switch `~'"):
			return NoValue, true
		case getopt:
			return OptionalValue, true
		}
		return -1, true
	}
	switch {
	case has(alone, "unrecognized option '"+name, "unknown option `"+bare, "unrecognized argument: "+name, "is ambiguous"):
		return 0, false
	case has(alone, "'"+name+"' requires an argument", "option `"+bare+"' requires a value"):
		return RequiredValue, true
	}
	attached := p.says(name + "=~")
	switch {
	case has(attached, "'"+name+"' doesn't allow an argument", "option `"+bare+"' takes no value"):
		return NoValue, true
	case getopt:
		return OptionalValue, true
	}
	return -1, true
}
