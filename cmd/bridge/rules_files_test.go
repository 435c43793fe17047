//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestEditRulesCoverAllWritingTools: a rule Edit(path) covers every tool that changes
// files, as it does for the client, and a deny or ask rule Read(path) every one that reads
// or searches them. A rule for another tool, or one without a path, is about that tool.
func TestEditRulesCoverAllWritingTools(t *testing.T) {
	longer(t)
	t.Parallel()
	s := newScene(t)
	s.commit("src/x.go", "x")
	s.commit("keep/x.go", "x")
	at := func(name string) string { return filepath.Join(s.project, name) }
	writes := map[string]func(string) any{
		"Write":        func(p string) any { return file(p) },
		"Edit":         func(p string) any { return map[string]string{"file_path": p, "old_string": "x", "new_string": "y"} },
		"MultiEdit":    func(p string) any { return map[string]any{"file_path": p, "edits": []any{}} },
		"NotebookEdit": func(p string) any { return map[string]string{"notebook_path": p, "new_source": "x"} },
	}
	reads := map[string]func(string) any{
		"Read":         func(p string) any { return map[string]string{"file_path": p} },
		"NotebookRead": func(p string) any { return map[string]string{"notebook_path": p} },
		"Grep":         func(p string) any { return map[string]string{"pattern": "x", "path": p} },
		"Glob":         func(p string) any { return map[string]string{"pattern": "x", "path": p} },
		"LS":           func(p string) any { return map[string]string{"path": p} },
	}
	for tool, input := range writes {
		s.rules("allow", "Edit(src/**)")
		s.wantDialog(tool, input(at("src/x.go")), "allow")
		s.wantDialog(tool, input(at("keep/x.go")), "")
		s.rules("deny", "Edit(keep/**)")
		s.wantDialog(tool, input(at("keep/x.go")), "deny")
		s.wantGuarded(tool, input(at("keep/x.go")), "deny", "deny-rule")
		s.wantGuarded(tool, input(at("src/x.go")), "", "")
	}
	for tool, input := range reads {
		s.rules("deny", "Read(keep/**)", "Edit(src/**)")
		s.wantDialog(tool, input(at("keep")), "deny")
		s.wantGuarded(tool, input(at("keep/x.go")), "deny", "deny-rule")
		s.wantDialog(tool, input(at("src")), "allow")
	}
	s.rules("deny", "Write(keep/**)", "Edit")
	s.wantGuarded("NotebookEdit", writes["NotebookEdit"](at("keep/x.go")), "", "")
	s.rules("allow", "Write(src/**)")
	s.wantDialog("Edit", writes["Edit"](at("src/x.go")), "")
	// An allow rule for reading a path does not allow a search below it.
	away := filepath.Join(filepath.Dir(s.project), "away")
	s.put(filepath.Join(away, "x"), "")
	s.rules("allow", "Read("+away+"/**)")
	s.wantDialog("Read", reads["Read"](filepath.Join(away, "x")), "allow")
	s.wantDialog("Grep", reads["Grep"](away), "")
}

// TestDenyRulesForFilesCatch: a deny rule is about a directory with all that is in it,
// however it is written and whichever link leads there.
func TestDenyRulesForFilesCatch(t *testing.T) {
	longer(t)
	t.Parallel()
	s := newScene(t)
	s.commit("keep/deep/x", "x")
	s.commit(`a\b/x`, "x")
	s.commit("other/x", "x")
	for link, to := range map[string]string{"link": "keep", `a\b/in`: "../keep/deep", "file": "keep/deep/x"} {
		if err := os.Symlink(to, filepath.Join(s.project, link)); err != nil {
			t.Fatal(err)
		}
	}
	names := []string{"keep/deep/x", "keep/new", "KEEP/deep/x", "Keep/Deep/X", "link/deep/x", "file", "other/../keep/x", "./keep//deep/x", `a\b/in/x`, `a\b/in/new`}
	for _, rule := range []string{"Edit(keep/**)", "Edit(keep)", "Edit(./keep)", "Edit(k?ep)", "Edit(Keep/**)", "Edit(" + s.project + "/keep)", "Edit(/" + s.project + "/keep/**)"} {
		s.rules("deny", rule)
		for _, name := range names {
			s.wantGuarded("Write", file(s.project+"/"+name), "deny", "deny-rule")
		}
		for _, name := range []string{"other/x", "kept/x", "keeper", `a\b/x`} {
			s.wantGuarded("Write", file(s.project+"/"+name), "", "")
		}
	}
	// An allow rule is about what it says.
	s.rules("allow", "Edit(keep)", "Edit(OTHER/**)", "Edit(a*/**)")
	for _, name := range []string{"keep/deep/x", "other/x", "link/deep/x", `a\b/in/x`, `a\b/x`} {
		s.wantDialog("Write", file(s.project+"/"+name), "")
	}
}

// TestReadRulesHoldForCommands: bridge approves no command or search that reads a file
// covered by a deny or ask rule.
func TestReadRulesHoldForCommands(t *testing.T) {
	longer(t)
	t.Parallel()
	tr := newTrap(t)
	tr.put("priv/x", treasure+"\n")
	tr.put("priv/y.go", treasure+"\n")
	tr.bash("ln -s priv/x note && mkdir in && ln -s ../priv in/more && git add . && git commit -qm two")
	reading := []string{
		"cat priv/x", "cat pr*/x", "cd ./priv && cat x", "cat note", "cat < priv/x", "head -1 PRIV/x", "grep -rh S3 .", "grep -rh S3 priv", "rg --hidden S3", "rg S3 -g '*.go'", "grep -Rh S3 in", "git grep -h S3", "diff -r priv sub", "sed -n p ./sub/../priv/x", "awk 1 note",
	}
	ordinary := []string{"cat a.txt", "grep -rh foo sub", "ls priv", "find . -name x", "rg foo -g '*.md'", "git status"}
	for _, list := range []string{"deny", "ask"} {
		for _, rule := range []string{"Read(priv/**)", "Read(priv)", "Read(/" + tr.project + "/priv/**)"} {
			tr.rules(list, rule)
			for _, command := range reading {
				tr.dialog(command)
			}
			for _, command := range ordinary {
				if a := tr.ask(command); !a.approves() {
					t.Errorf("%s %s: %q: %q %q", list, rule, command, a.stdout, a.stderr)
				}
			}
			for _, input := range []map[string]string{{"pattern": "S3"}, {"pattern": "S3", "glob": "*.go"}} {
				if a := tr.tool("Grep", input); a.approves() {
					t.Errorf("%s %s: Grep %v: %q", list, rule, input, a.stdout)
				}
			}
			if a := tr.tool("Grep", map[string]string{"pattern": "S3", "glob": "*.md"}); !a.approves() {
				t.Errorf("%s %s: a search for *.md: %q %q", list, rule, a.stdout, a.stderr)
			}
		}
	}
	tr.rules("deny", "Read(priv/**)")
	if out := unwrapped(tr.cli("", "check", "cat note").stdout); !strings.Contains(out, "the rule Read(priv/**) in ") {
		t.Errorf("check does not name the rule: %s", out)
	}
}
