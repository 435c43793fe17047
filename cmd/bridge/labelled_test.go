//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/hooks/permission"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/protocol"
)

// judge decides a command in a directory of the project as the hook does, in this
// process.
func (tr *trap) judge(dir, command string) permission.Verdict {
	tr.t.Helper()
	text, err := json.Marshal(map[string]string{"command": command}, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		tr.t.Fatal(err)
	}
	in := protocol.Input{Base: protocol.Base{SessionID: sessionID, CWD: dir, HookEventName: protocol.EventPermissionRequest}}
	in.Tool.ToolName, in.Tool.ToolInput = "Bash", text
	in.Permission.Suggestions = permission.OfferAll(command)
	v, err := permission.Judge(project.Request(in, project.Env(func(name string) string {
		if name == "HOME" {
			return tr.home
		}
		return ""
	}, time.Time{})))
	if err != nil {
		v.Why = err.Error()
	}
	return v
}

// TestLabelledReads: of the command lines that only read, most need no dialog, in an
// ordinary project and in one with a secret, a submodule and a linked work tree. Of all
// the others none passes in any of them.
func TestLabelledReads(t *testing.T) {
	longer(t)
	t.Parallel()
	table, err := os.ReadFile(filepath.Join("..", "..", "internal", "shell", "testdata", "commands.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	decode := strings.NewReplacer("⏎", "\n", "␍", "\r", "⇥", "\t")
	for _, test := range []struct {
		name string
		dir  string // of the project's, where the session runs
		set  string
		want int // per cent
	}{
		{"an ordinary project", "", "", 92},
		{"with a secret, a submodule and a linked work tree", "", awkward, 85},
		{"in the linked work tree", "../tree", awkward, 85},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			tr := newTrap(t)
			for _, name := range []string{"src/main.go", "src/app.ts", "src/run.sh", "tests/main_test.go", "docs/a.md", "docs/b.md", "package.json", "data.csv", "nums.txt", "b.txt", "log.txt", "node_modules/x/index.js", "dist/x.min.js"} {
				tr.put(name, "text\n")
			}
			tr.put(".gitignore", "node_modules\ndist\n*.log\n.env\n")
			tr.configure("[remote \"origin\"]\n\turl = git@example.org:a/b.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n[branch \"main\"]\n\tremote = origin\n\tmerge = refs/heads/main\n")
			tr.bash("git add . && git commit -qm two\n" + test.set)
			dir := filepath.Join(tr.project, test.dir)
			reads, allowed := 0, 0
			reasons := map[string]int{}
			for line := range strings.Lines(string(table)) {
				fields := strings.SplitN(strings.TrimRight(line, "\n"), "\t", 3)
				if strings.HasPrefix(line, "#") || len(fields) != 3 || strings.Contains(line, "⟨") {
					continue
				}
				command := strings.ReplaceAll(decode.Replace(fields[2]), "/work/project", dir)
				v := tr.judge(dir, command)
				switch {
				case fields[0] != "allow" || fields[1] == "net":
					if v.Kind == permission.Allow {
						t.Errorf("allowed: %q", command)
					}
				case v.Kind == permission.Allow:
					reads++
					allowed++
				default:
					reads++
					reasons[v.Rule]++
					if testing.Verbose() {
						t.Logf("%q: %s, %s", command, v.Rule, v.Why)
					}
				}
			}
			t.Logf("%d of %d local reads are approved (%.1f %%); the others: %s", allowed, reads, 100*float64(allowed)/float64(reads), fmt.Sprint(reasons))
			if reads < 1100 || allowed*100 < reads*test.want {
				t.Errorf("only %d of %d local reads are approved, want %d %%", allowed, reads, test.want)
			}
		})
	}
}

// awkward adds what makes a project less plain.
const awkward = `
git init -q -b main ../lib && cd ../lib && git config user.name n && git config user.email e@example.org && git commit -q --allow-empty -m one && cd ../project
git -c protocol.file.allow=always submodule add -q ../lib lib 2>/dev/null && git commit -qm three
git worktree add -q ../tree -b topic
echo KEY=1 > .env && echo KEY=1 > ../tree/.env
`
