package guard

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hookbridge/bridge/internal/policy"
	"github.com/hookbridge/bridge/internal/shell"
)

func facts(command string) Facts {
	return Facts{
		Call: policy.Call{Tool: "Bash", Text: command, Line: shell.Walk(command), Root: "/home/u/project", Home: "/home/u"},
		Cwd:  "/home/u/project/sub", Branches: map[string]string{"/home/u/project/sub": "main"},
		Own: []string{"/home/u/.local/state/bridge", "/home/u/.config/bridge"},
	}
}

// FuzzDecide: for any text, nothing panics, and a verdict names its rule and a reason. If
// bridge understands a line completely, it denies that line followed by a harmful one.
func FuzzDecide(f *testing.F) {
	text, err := os.ReadFile(filepath.Join("..", "..", "internal", "shell", "testdata", "commands.tsv"))
	if err != nil {
		f.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if fields := strings.SplitN(strings.TrimSpace(line), "\t", 3); len(fields) == 3 && len(fields[2]) < 1000 {
			f.Add(fields[2])
		}
	}
	f.Fuzz(func(t *testing.T, command string) {
		v := Decide(facts(command), policy.Policy{})
		if (v.Decision != None) != (v.Rule != "" && v.Reason != "") {
			t.Fatalf("%q: %+v", command, v)
		}
		if !shell.Walk(command).Complete {
			return
		}
		whole := facts(command + "\nrm -rf /")
		if len(whole.Call.Line.Commands) <= len(facts(command).Call.Line.Commands) {
			return // the last line belongs to a here-document or a word
		}
		if v := Decide(whole, policy.Policy{}); v.Decision != Deny {
			t.Fatalf("%q and rm -rf / behind it: %+v", command, v)
		}
	})
}
