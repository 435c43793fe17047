//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hookbridge/bridge/internal/reach"
)

// tool sends the dialog about a tool that reads.
func (tr *trap) tool(name string, input any) answer {
	tr.t.Helper()
	text, err := json.Marshal(map[string]any{
		"session_id": sessionID, "transcript_path": "", "cwd": tr.project, "prompt_id": "p", "permission_mode": "default", "hook_event_name": "PermissionRequest",
		"tool_name": name, "tool_input": input, "permission_suggestions": []map[string]string{{"type": "setMode", "mode": "acceptEdits"}},
	})
	if err != nil {
		tr.t.Fatal(err)
	}
	return tr.hook("permission-request", string(text))
}

// TestToolsThatReadElsewhere: the tools of the client are judged by what they reach,
// as commands are.
func TestToolsThatReadElsewhere(t *testing.T) {
	t.Parallel()
	tr := newTrap(t)
	outward(tr)
	secretLink(tr)
	tr.bash("ln -s sub in && ln -s ../.env sub/hidden && mkdir plain && touch plain/a")
	for _, test := range []struct {
		tool    string
		input   map[string]string
		allowed bool
	}{
		{"Read", map[string]string{"file_path": "a.txt"}, true},
		{"Read", map[string]string{"file_path": "in/main.go"}, true},
		{"Read", map[string]string{"file_path": "link/x"}, false},
		{"Read", map[string]string{"file_path": "notes.txt"}, false},
		{"Read", map[string]string{"file_path": "in/hidden"}, false},
		{"Read", map[string]string{"file_path": ".env"}, false},
		{"Read", map[string]string{"file_path": ".claude.json"}, false},
		{"Read", map[string]string{"file_path": "../outside/x"}, false},
		{"NotebookRead", map[string]string{"notebook_path": "link/x.ipynb"}, false},
		{"Grep", map[string]string{"pattern": "S3", "path": "plain"}, true},
		{"Grep", map[string]string{"pattern": "S3", "path": "in"}, true}, // it follows no links
		{"Grep", map[string]string{"pattern": "S3", "path": "link"}, false},
		{"Grep", map[string]string{"pattern": "S3", "path": "notes.txt"}, false},
		{"Grep", map[string]string{"pattern": "S3"}, false},
		{"Glob", map[string]string{"pattern": "**/*.go"}, true},
		{"Glob", map[string]string{"pattern": "*", "path": "in"}, true},
		{"Glob", map[string]string{"pattern": "*", "path": "link"}, false},
		{"Glob", map[string]string{"pattern": tr.project + "/link/*"}, false},
	} {
		input := map[string]string{}
		for key, value := range test.input {
			if key != "pattern" {
				value = filepath.Join(tr.project, value)
			}
			input[key] = value
		}
		if a := tr.tool(test.tool, input); strings.Contains(a.stdout, `"behavior": "allow"`) != test.allowed || strings.Contains(a.stdout, "deny") {
			t.Errorf("%s %v: %s%s", test.tool, test.input, a.stdout, a.stderr)
		}
	}
}

// TestEveryNameOfASecret: a file with a name of the table is asked about, whether it
// is named, matched by a pattern or reached by a search, and the reason names it.
func TestEveryNameOfASecret(t *testing.T) {
	longer(t)
	t.Parallel()
	tr := newTrap(t)
	n := 0
	for _, class := range reach.Classes() {
		for pattern := range strings.FieldsSeq(class.Names) {
			name := strings.ReplaceAll(pattern, "*", ".x")
			dir := fmt.Sprint("d", n)
			n++
			if testing.Short() && n%10 != 0 {
				continue // each name starts three processes
			}
			tr.put(dir+"/"+name, treasure+"\n")
			tr.dialog("cat '" + dir + "/" + name + "'")
			tr.dialog("cat " + dir + strings.Repeat("/*", 1+strings.Count(name, "/")))
			search := "grep -rh S3 " + dir
			tr.dialog(search)
			if n%10 != 0 {
				continue
			}
			check := exec.Command(binary, "check", search)
			check.Dir, check.Env = tr.project, tr.env
			if out, _ := check.Output(); !strings.HasPrefix(string(out), "ask") || !strings.Contains(string(out), filepath.Join(tr.project, dir)) {
				t.Errorf("%q: %s", search, out)
			}
			tr.approved("ls -la " + dir)
		}
	}
	if n < 150 {
		t.Errorf("only %d names", n)
	}
}

// TestReadingOverLinksInside: a link to another place of the project, a name of a
// secret that is only listed, and a secret that a search leaves out need no dialog.
func TestReadingOverLinksInside(t *testing.T) {
	longer(t)
	t.Parallel()
	tr := newTrap(t)
	tr.bash("ln -s sub in && ln -s in again && ln -s sub/main.go inner.go && ln -s \"$PWD/sub\" abs && mkdir -p deep/er && ln -s ../../sub deep/er/up")
	for _, command := range []string{
		"cat inner.go", "cat in/main.go", "cat again/../a.txt", "sed -n p i*/main.go", "cat *.go", "wc -l < abs/main.go", "cat deep/er/up/../a.txt", "head -5 deep/*/up/*.go",
		"cd ./in && ls", "cd ./again && cat main.go", "cd ./sub && cd ../in && cat main.go", "cd ./deep && cat er/up/main.go", "cat " + tr.project + "/abs/main.go",
		"grep -Rn foo sub deep", "grep -Rn foo .", "grep -rn foo .", "find -L . -name '*.go'", "diff -r sub in", "rg -L foo", "ls *", "du -sh *", "cat *",
	} {
		tr.approved(command)
	}
	// It depends on who asks, or lies outside.
	for _, command := range []string{"cd ./in/.. && ls", "cd ./deep/er/up/.. && ls", "cd ./in && git status", "cd ./in && cargo --version", "ls ../outside/none*"} {
		if command == "cd ./in/.. && ls" {
			tr.approved(command)
			continue
		}
		tr.dialog(command)
	}
	tr.put(".env", treasure)
	tr.put("keys/server.key", treasure)
	tr.put(".gitignore", "*.log\n!keep.log\n!.env.example\n")
	tr.put("../home/.gitconfig", "[core]\n\texcludesFile = ~/.ignored\n")
	tr.put("../home/.ignored", "*~\n!.vscode/settings.json\n")
	for _, command := range []string{
		"ls -la", "stat .env", "test -f .env && echo yes", "[ -e keys/server.key ]", "du -sh *", "find . -name '*.key'", "tree", "ls -R keys", "rg --files", "fd key", "realpath .env", "basename keys/*",
		"rg foo sub", "rg -g '!keys' foo", "rg -t go foo", "grep -rn foo . --include='*.go'", "cat a.txt", "cat s*/*.go", "cat .env.example", "git status", "git grep foo",
	} {
		tr.approved(command)
	}
	for _, command := range []string{"rg foo", "rg --hidden -g '!keys' foo", "cat *", "file .env", "wc -c .env", "md5sum k*/*"} {
		tr.dialog(command)
	}
	tr.put("node_modules/a/test/server.pem", treasure)
	tr.put(".gitignore", "node_modules\n.env\nkeys/\n!keep.log\n!.env.example\n")
	for _, command := range []string{"rg foo", "rg --hidden foo", "rg foo src sub", "rg -t json foo", "cd ./sub && rg foo"} {
		tr.approved(command)
	}
	for _, command := range []string{"rg -uu foo", "rg --no-ignore foo", "grep -rn foo .", "rg foo node_modules", "rg --hidden -g '*' foo"} {
		tr.dialog(command)
	}
	tr.put("../home/.ignored", "!.env\n")
	tr.dialog("rg --hidden foo")
}

// TestSearchToolIsNarrowed: a search with the Grep tool that cannot read a secret is
// approved, and rg, which the client uses, shows none of it.
func TestSearchToolIsNarrowed(t *testing.T) {
	longer(t)
	t.Parallel()
	tr := newTrap(t)
	for _, name := range []string{".env", "deploy.pem", "src/prod.env", "src/key.go/id_rsa", "go/.env"} {
		tr.put(name, treasure+"\n")
	}
	rg, _ := exec.LookPath("rg")
	for _, test := range []struct {
		glob, kind string
		approves   bool
	}{
		{"*.go", "", true},
		{"**/*.go", "", true},
		{"src/**/*.go", "", true},
		{"*.{go,md}", "", true},
		{"file?.{c,h}pp", "", true},
		{"", "go", true},
		{"*.go", "nothing", true},
		{"", "json", false},
		{"", "", false},
		{"*", "go", false},
		{"*.*", "", false},
		{"*.{go,env}", "", false},
		{"*.{go,en?}", "", false},
		{"{src,go}/*", "", false},
		{"*.go,*.env", "", false},
		{"*.go *.env", "", false},
		{"*.{go,md},*", "", false},
		{"!*.go", "", false},
		{"src/**", "", false},
		{"src/", "", false},
		{"**", "", false},
		{"**go", "", false},
		{"*.[eg]*", "", false},
		{"*.PEM", "", false},
		{"*.{go", "", false},
		{"*.e\\nv", "", false},
		{"*.{g{o,e}nv,x}", "", false},
	} {
		input := map[string]string{"pattern": "S3"}
		if test.glob != "" {
			input["glob"] = test.glob
		}
		if test.kind != "" {
			input["type"] = test.kind
		}
		if a := tr.tool("Grep", input); a.approves() != test.approves {
			t.Errorf("glob %q, type %q: %q %q, want approved: %v", test.glob, test.kind, a.stdout, a.stderr, test.approves)
		}
		if !test.approves || rg == "" || test.kind == "nothing" {
			continue
		}
		args := []string{"--hidden", "--no-ignore"}
		if test.glob != "" {
			args = append(args, "--glob", test.glob)
		}
		if test.kind != "" {
			args = append(args, "--type", test.kind)
		}
		cmd := exec.Command(rg, append(args, "S3", ".")...)
		cmd.Dir = tr.project
		if out, _ := cmd.CombinedOutput(); strings.Contains(string(out), treasure) {
			t.Errorf("glob %q, type %q shows a secret: %s", test.glob, test.kind, out)
		}
	}
}
