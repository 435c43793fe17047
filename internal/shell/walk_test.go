package shell

import (
	"fmt"
	"strings"
	"testing"
)

// TestWalkFollowsTheShell: a walk gives each command as it runs: with the values of
// variables, without its wrappers, and with the directories that those enter.
func TestWalkFollowsTheShell(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]string{
		"x=a; rm $x":                               "rm a",
		"x='a b'; rm $x \"$x\"":                    "rm a b a b",
		"x=a; x+=b; rm ${x}c":                      "rm abc",
		"x=a; x=$(pwd); rm $x":                     "pwd; rm $(pwd)",
		"x=a; read x; rm $x":                       "read x; rm $x",
		"for x in a b; do rm $x; done":             "rm a; rm b",
		"x=(a b); rm ${x[@]}":                      "rm a; rm b",
		"x=a; rm ${x:-b} ${x:+c} ${#x}":            "rm a ${x:+c} ${#x}",
		"sudo --user root -gwheel rm a":            "sudo --user root -gwheel rm a; rm a",
		"env --chdir d -u A B=c rm a":              "env --chdir d -u A B=c rm a; rm a in d",
		"sudo -D d sh -c 'rm a'":                   "sudo -D d sh -c rm a; sh -c rm a in d; rm a in d",
		"timeout --signal KILL 5 rm a":             "timeout --signal KILL 5 rm a; rm a",
		"flock --timeout 5 l -c 'rm a'":            "flock --timeout 5 l -c rm a; rm a",
		"print ${(f)x}; rm a":                      "print ${(f)x}; rm a",
		strings.Repeat("(", 401) + "rm a":          "",
		"rm a\n#" + strings.Repeat("x", 300<<10):   "rm a",
		"rm a\n" + strings.Repeat("{ ", 500) + "b": "rm a",
	} {
		var got []string
		line := Walk(command)
		for _, c := range line.Commands {
			var words []string
			for _, a := range c.Args {
				words = append(words, a.Text)
			}
			for _, d := range c.Dirs {
				words = append(words, "in "+d.Text)
			}
			got = append(got, strings.Join(words, " "))
		}
		if have := strings.Join(got, "; "); have != want {
			t.Errorf("%.60q: %q, want %q", command, have, want)
		}
		if long := len(command) > 400; line.OverLimit != long || long && line.Complete {
			t.Errorf("%.60q: over the limit is %v, complete %v", command, line.OverLimit, line.Complete)
		}
	}
}

// TestWalkSaysWhereItEnds: if a loop would run more than the limit, the result says so.
func TestWalkSaysWhereItEnds(t *testing.T) {
	t.Parallel()
	for _, body := range []string{strings.Repeat("rm $x;", 10), strings.Repeat(">$x;", 10), strings.Repeat(">$x;", 60_000)} {
		line := Walk("for x in " + strings.Repeat("a ", 900) + "; do " + body + " done")
		if !line.OverLimit || len(line.Commands) > maxWalkCommands || len(line.Writes) > maxWalkCommands {
			t.Errorf("%.20s: %d commands, %d writes, over the limit is %v", body, len(line.Commands), len(line.Writes), line.OverLimit)
		}
	}
}

// TestWalkNumbersSubshells: commands that share a working directory have one number.
func TestWalkNumbersSubshells(t *testing.T) {
	t.Parallel()
	line := Walk("a; (b; $(c)); d; f() { e; }; sh -c g; eval h; i")
	var got []string
	for _, c := range line.Commands {
		got = append(got, fmt.Sprintf("%s%d", c.Args[0].Text, c.Subshell))
	}
	if want := "a0 b1 $(c)1 c2 d0 e3 sh0 g4 eval0 h0 i0"; strings.Join(got, " ") != want || fmt.Sprint(line.Subshells) != "[0 0 1 0 0]" {
		t.Errorf("%v %v, want %s", got, line.Subshells, want)
	}
}
