//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// rules puts rules into the user's configuration.
func (s *scene) rules(list string, rules ...string) {
	s.t.Helper()
	text, err := json.Marshal(map[string]any{"permissions": map[string]any{list: rules}})
	if err != nil {
		s.t.Fatal(err)
	}
	s.config(string(text))
}

// wantDialog checks the answer to a dialog: allow, deny or, with "", none.
func (s *scene) wantDialog(tool string, input any, behavior string) {
	s.t.Helper()
	if text, ok := input.(string); ok {
		input = map[string]string{"command": text}
	}
	text, err := json.Marshal(input)
	if err != nil {
		s.t.Fatal(err)
	}
	a := s.hook("permission-request", s.dialogWith(tool, string(text)))
	if behavior == "" && a.stdout != "" || behavior != "" && !strings.Contains(a.stdout, `"behavior": "`+behavior+`"`) {
		s.t.Errorf("%s %s: %q %q, want %q", tool, text, a.stdout, a.stderr, behavior)
	}
}

func file(path string) map[string]string { return map[string]string{"file_path": path, "content": "x"} }

// TestPowerShellRulesMatchOnePlainCommand: bridge cannot parse a shell other than Bash, so
// an allow rule covers nothing but one command without signs of the shell; a deny rule
// covers any part of the line.
func TestPowerShellRulesMatchOnePlainCommand(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.rules("allow", "PowerShell(git status)", "PowerShell(git log *)")
	for _, command := range []string{"git status", " git  status", "git log --oneline -5", "git log"} {
		s.wantDialog("PowerShell", command, "allow")
	}
	for _, command := range []string{
		"git status; Remove-Item x", "git status\nRemove-Item x", "git log | Remove-Item", "git log & calc", "git log && calc", "git log $(calc)", "git log (calc)", "git log {calc}", "git log > x", "git log `\ncalc",
		"git log \"$x\"", "git log 'a'", "git log @x", "git log %x", "git log #", "git log --% x", "git log \u2013p; x", "git log a\u201cb", "Git Status", "git stash",
	} {
		s.wantDialog("PowerShell", command, "")
	}
	s.wantDialog("Bash", "git status; touch x", "")
	s.rules("deny", "PowerShell(Remove-Item *)", "PowerShell(git push *)")
	for _, command := range []string{"Remove-Item x", "remove-item x", "git status; Remove-Item x", "git status | Remove-Item", "if ($x) { Remove-Item x }", "& { Remove-Item x }", "x; & git push", "$null = Remove-Item x", "$x=Remove-Item y", "$a.b += $c = remove-item y", "& 'Remove-Item' x", "&\"Remove-Item\" x", "Remove`-Item x", ". Remove-Item x", "return Remove-Item x", "git -C . push", "C:\\Git\\bin\\git.exe push",
		"ri x", "del x", "rd x", "RM x", "erase x", "rmdir x", "git status; ri -Force x", "ls | ri", "$null = del x", "& 'ri' x", "Microsoft.PowerShell.Management\\Remove-Item x"} {
		s.wantDialog("PowerShell", command, "deny")
		s.wantGuarded("PowerShell", command, "deny", "deny-rule")
	}
	s.rules("deny", "PowerShell(del *)", "PowerShell(iex:*)", "PowerShell(cpi)")
	for _, command := range []string{"del x", "Remove-Item x", "ri x", "Invoke-Expression x", "iex", "x | iex", "Copy-Item", "copy"} {
		s.wantDialog("PowerShell", command, "deny")
	}
	for _, command := range []string{"Get-Item x", "cpi x", "iexplore x"} {
		s.wantGuarded("PowerShell", command, "", "")
	}
	// An alias widens no allow rule, and Bash has none of these.
	s.rules("allow", "PowerShell(Get-ChildItem *)", "PowerShell(gci *)", "PowerShell(Get-Content x)")
	for _, command := range []string{"dir x", "ls x", "gc x", "cat x"} {
		s.wantDialog("PowerShell", command, "")
	}
	s.rules("deny", "Bash(Remove-Item *)")
	s.wantGuarded("Bash", "ri x", "", "")
}

// TestWriteRulesJudgeTheTarget: an allow rule covers the file that is written in the end,
// whatever the links on the way; a deny rule covers the name as well as the target.
func TestWriteRulesJudgeTheTarget(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	outside := filepath.Join(filepath.Dir(s.project), "outside")
	s.put(filepath.Join(outside, "deep", "x"), "x")
	s.commit("src/a/x.go", "x")
	s.commit("other/x.go", "x")
	for link, to := range map[string]string{
		"src/out": outside, "src/up": "../other", "src/file": filepath.Join(outside, "deep", "x"), "src/nowhere": filepath.Join(outside, "new"), "src/twice": "out", "in": "src/a", "src/deep": filepath.Join(outside, "deep"), "src/loop": "loop",
	} {
		if err := os.Symlink(to, filepath.Join(s.project, link)); err != nil {
			t.Fatal(err)
		}
	}
	s.rules("allow", "Write(src/**)", "Edit(src/**)", "Write(~/notes/**)", "Write("+filepath.Dir(s.project)+"/away/**)")
	// Where a directory outside of the project is a link, that is the user's choice.
	s.put(filepath.Join(filepath.Dir(s.project), "real", "x"), "")
	if err := os.Symlink("real", filepath.Join(filepath.Dir(s.project), "away")); err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(s.project, name) }
	for _, path := range []string{at("src/a/x.go"), at("src/new/deep/x.go"), at("in/x.go"), at("src/a/../b.go"), at("other/../src/b.go"), filepath.Join(s.home, "notes", "x"), filepath.Join(filepath.Dir(s.project), "away", "x"), "src/x.go"} {
		s.wantDialog("Write", file(path), "allow")
	}
	for _, path := range []string{
		at("src/out/x"), at("src/out/new/deep/x"), at("src/up/x.go"), at("src/file"), at("src/nowhere"), at("src/nowhere/x"), at("src/twice/x"), at("src/loop/x"), at("src/../other/x.go"), at("other/x.go"),
		s.project + "/src/deep/../x", s.project + "/src/up/../../outside/x", "src/out/x",
	} {
		s.wantDialog("Write", file(path), "")
	}
	s.wantDialog("Edit", map[string]any{"file_path": at("src/file"), "old_string": "a", "new_string": "b"}, "")
	s.rules("deny", "Write(secret/**)", "Write(src/up/**)")
	if err := os.Symlink("../secret", at("src/s")); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{at("secret/x"), at("src/s/x"), at("src/s/new/deep/x"), at("src/up/x.go")} {
		s.wantDialog("Write", file(path), "deny")
		s.wantGuarded("Write", file(path), "deny", "deny-rule")
	}
}

// TestDenyRulesSeeThroughPathsAndOptions: a rule names a program and its subcommand; where
// the program lies and which options stand before the subcommand do not matter. An allow
// rule is about the words as they are.
func TestDenyRulesSeeThroughPathsAndOptions(t *testing.T) {
	longer(t)
	t.Parallel()
	s := newScene(t)
	s.rules("deny", "Bash(curl *)", "Bash(git push *)", "Bash(docker rm *)", "Bash(kubectl delete *)", "Bash(npm publish*)", "Bash(cargo publish *)", "Bash(go clean *)", "Bash(systemctl stop *)")
	for _, command := range []string{
		"curl x", "/usr/bin/curl x", "./curl x", "../bin/curl x", "~/bin/curl x", "\\curl x", "'curl' x", "sudo /usr/bin/curl x", "env A=b /usr/bin/curl x", "A=b curl x", "x=$(/usr/bin/curl x)", "true && (/opt/curl x)", "c=/usr/bin/curl; $c x", "curl.exe x", "echo 'curl x' | bash", "echo x | xargs /usr/bin/curl",
		"git push", "git -C . push", "git -C. push", "git --no-pager push", "git -c a.b=c push origin", "git --git-dir=.git --work-tree . push", "git --git-dir .git push", "git -p --namespace x push", "/usr/bin/git -C . push", "git --literal-pathspecs push -f", "sudo --user me git -C /x push",
		"docker --context x rm y", "docker -H tcp://x rm y", "kubectl -n prod delete pod x", "kubectl --context=a --namespace b delete pod x", "npm --prefix sub publish", "npm -w a publish", "cargo +nightly publish", "cargo -q --color never publish", "go -C sub clean -cache", "systemctl --user stop x", "systemctl -H host stop x",
	} {
		s.wantDialog("Bash", command, "deny")
		s.wantGuarded("Bash", command, "deny", "deny-rule")
	}
	for _, command := range []string{"git pull", "git -C push status", "git -c push.default=x status", "echo curl x", "curlx y", "kubectl -n delete get pods", "docker ps"} {
		s.wantGuarded("Bash", command, "", "")
	}
	s.rules("ask", "Bash(git push *)")
	s.wantGuarded("Bash", "/usr/bin/git --no-pager push", "ask", "ask-rule")
	s.rules("allow", "Bash(make *)", "Bash(git fetch *)")
	s.wantDialog("Bash", "make test", "allow")
	for _, command := range []string{"./make test", "/tmp/make test", "git -C /elsewhere fetch", "git -c core.sshCommand=x fetch"} {
		s.wantDialog("Bash", command, "")
	}
}

// TestRulesThatNeverMatchAreReported: check and doctor name a rule that protects
// nothing, and say what to write instead. They do not name a rule that can match.
func TestRulesThatNeverMatchAreReported(t *testing.T) {
	longer(t)
	t.Parallel()
	for rule, want := range map[string]struct{ list, why, do string }{
		"bash(ls)":                       {"deny", "case-sensitive", "Write Bash."},
		"webfetch":                       {"ask", "case-sensitive", "Write WebFetch."},
		"Bsah(ls)":                       {"deny", "knows no tool of that name", "mcp__server__tool"},
		"Bash( ls)":                      {"deny", "without blanks around them", "Remove the blanks"},
		"Bash(ls && pwd)":                {"allow", "one command at a time", "one rule for each"},
		"Bash(ls > x)":                   {"allow", "one command at a time", "one rule for each"},
		"Bash(A=b make)":                 {"allow", "variable assignment", "Remove the assignment"},
		"Bas*(ls)":                       {"allow", "without a star", "Write Bash(ls)."},
		"Write(src/)":                    {"deny", "not end with a slash", "src/**"},
		"Write(../x)":                    {"deny", "without . and ..", "begins with / or ~/"},
		"Write(!src/**)":                 {"deny", "does not negate a pattern", "Name the files that the rule applies to"},
		"Read(a//b)":                     {"deny", "doubled slashes", "without them"},
		"Edit([a)":                       {"deny", "brackets do not match", "Close them"},
		"Write(~root/x)":                 {"deny", "home directory", "an absolute path"},
		"WebFetch(https://example.com)":  {"deny", "begins with domain:", "WebFetch(domain:example.com)"},
		"WebFetch(domain:*.example.com)": {"deny", "its subdomains match", "domain:example.com"},
		"Agent(Explore)":                 {"deny", "does not read the input", "parentheses out"},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			s.rules(want.list, rule)
			check := s.cli("", "check", "cat a.txt")
			doctor := s.cli("", "doctor")
			for what, out := range map[string]string{"check": unwrapped(check.stdout), "doctor": doctor.stdout} {
				for _, part := range []string{"the " + want.list + " rule " + rule, want.why, want.do, filepath.Join(s.home, ".config", "bridge", "config.json")} {
					if !strings.Contains(out, part) {
						t.Errorf("bridge %s does not say %q: %s", what, part, out)
					}
				}
			}
			var answer struct{ Problems []string }
			if err := json.Unmarshal([]byte(s.cli("", "check", "--json", "cat a.txt").stdout), &answer); err != nil || len(answer.Problems) != 1 {
				t.Errorf("%v %q", err, answer.Problems)
			}
		})
	}
	s := newScene(t)
	for _, list := range []string{"deny", "ask", "allow"} {
		s.rules(list, "Bash", "Bash(ls)", "Bash(git push:*)", "Bash(* --force)", "PowerShell(git status)", "Write(src/**)", "Read(/etc/**)", "Read(//etc/**)", "Edit(~/x)", "Write(.env)", "Write(./a/b)", "WebFetch(domain:example.com)", "WebSearch",
			"mcp__github", "mcp__github__*", "mcp__*", "mcp__github__create_issue", "*", "Task", "Agent", "AskUserQuestion", "Notebook*")
		if a := s.cli("", "check", "cat a.txt"); strings.Contains(a.stdout, "note") {
			t.Errorf("%s", a.stdout)
		}
	}
	// A repository's rules count as well.
	s.config("{}")
	s.commit(".claude/bridge.json", `{"permissions": {"deny": ["bash(rm *)"]}}`)
	if a := s.cli("", "check", "cat a.txt"); !strings.Contains(unwrapped(a.stdout), "the deny rule bash(rm *) in "+filepath.Join(s.project, ".claude", "bridge.json")+" can never match") {
		t.Errorf("%s", a.stdout)
	}
}

// TestServerRules: the name of an MCP server stands for all of its tools, as it does for
// the client.
func TestServerRules(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.rules("deny", "mcp__db")
	s.wantGuarded("mcp__db__drop", map[string]int{}, "deny", "deny-rule")
	s.wantGuarded("mcp__dbx__drop", map[string]int{}, "", "")
}

// TestCheckShowsGuards: check says what both hooks would answer, and what refuses comes
// first.
func TestCheckShowsGuards(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.rules("allow", "Bash(bridge uninstall)", "Bash(rm *)")
	s.commit("a.txt", "x")
	for _, test := range []struct {
		command, verdict, rule, other string
		code                          int
	}{
		{"rm -rf /", "deny", "recursive-delete", "permission-request says ask", 1},
		{"cat a.txt && rm -rf ~", "deny", "recursive-delete", "permission-request says", 1},
		{"bridge uninstall", "ask", "unhook", "permission-request says ask", 2},
		{"cat a.txt", "allow", "cat", "no objection", 0},
		{"make", "ask", "unknown-subcommand", "no objection", 2},
	} {
		a := s.cli("", "check", test.command)
		if a.code != test.code || !strings.HasPrefix(a.stdout, test.verdict+"\n") || !strings.Contains(a.stdout, "\n  rule   "+test.rule+" (") || !strings.Contains(a.stdout, "\n  also   ") || !strings.Contains(a.stdout, test.other) {
			t.Errorf("%s: exit code %d, %s", test.command, a.code, a.stdout)
		}
		var answer struct {
			Verdict, Rule string
			Dialog        struct{ Verdict string }       `json:"permission_request"`
			Guards        struct{ Verdict, Rule string } `json:"pre_tool_use"`
		}
		a = s.cli("", "check", "--json", test.command)
		if err := json.Unmarshal([]byte(a.stdout), &answer); err != nil || answer.Verdict != test.verdict || a.code != test.code || answer.Dialog.Verdict == "" || answer.Guards.Verdict == "" {
			t.Errorf("%s: %v, exit code %d, %s", test.command, err, a.code, a.stdout)
		}
	}
}

// TestAllowRulesDoNotAnswerForGuards: what a guard asks about or refuses is a dialog,
// whatever an allow rule says.
func TestAllowRulesDoNotAnswerForGuards(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.rules("allow", "Bash(git push *)", "Bash(bridge *)", "Bash(rm *)", "Bash(pkill *)", "Write", "mcp__fs")
	s.commit(".claude/bridge.json", "{}")
	for _, command := range []string{"git push -f origin", "git push origin +main", "bridge uninstall", "rm -rf /", "rm -rf ~ && ls", "pkill -f node", "rm .claude/bridge.json"} {
		s.wantDialog("Bash", command, "")
	}
	s.wantDialog("Write", file(filepath.Join(s.project, ".claude", "bridge.json")), "")
	s.wantDialog("Write", file(filepath.Join(s.project, ".git", "hooks", "x")), "")
	s.wantDialog("mcp__fs__write_file", map[string]string{"path": filepath.Join(s.home, ".config", "bridge", "config.json")}, "")
	for _, command := range []string{"git push origin feature", "bridge doctor", "rm -rf build", "rm -rf build && ls", "pkill node"} {
		s.wantDialog("Bash", command, "allow")
	}
	s.wantDialog("Write", file(filepath.Join(s.project, "a.txt")), "allow")
	s.wantDialog("mcp__fs__write_file", map[string]string{"path": filepath.Join(s.project, "a.txt")}, "allow")
}

// TestNullIsNoOffer: an invalid suggestion counts as none, so a rule of the user may
// have caused the dialog.
func TestNullIsNoOffer(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.commit("a.txt", "x")
	with := func(suggestions string) string {
		return fmt.Sprintf(`{"session_id":%q,"cwd":%q,"hook_event_name":"PermissionRequest","permission_mode":"default","tool_name":"Bash","tool_input":{"command":"cat a.txt"},"permission_suggestions":%s}`, sessionID, s.project, suggestions)
	}
	for _, none := range []string{`[null]`, `[]`, `[{}]`, `["x"]`, `[1]`, `[[]]`, `[{"type":null}]`, `[{"type":""}]`, `[null,null]`} {
		if a := s.hook("permission-request", with(none)); a.approves() {
			t.Errorf("%s: %q", none, a.stdout)
		}
	}
	for _, some := range []string{`[{"type":"setMode","mode":"acceptEdits","destination":"session"}]`, `[null,{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"cat a.txt"}],"behavior":"allow","destination":"localSettings"}]`} {
		if a := s.hook("permission-request", with(some)); !a.approves() {
			t.Errorf("%s: %q %q", some, a.stdout, a.stderr)
		}
	}
}

// TestNullIsNoConfiguration: a configuration or a part of one that is null is broken, and
// not one without rules.
func TestNullIsNoConfiguration(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"null", " null // x\n", `{"permissions": null}`, `{"permissions": {"deny": null}}`, `{"permissions": {"deny": [null]}}`, `{"deadlines_ms": null}`, `{"smart": {"clamp": {"auto_approve": null}}}`} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			s.commit("a.txt", "x")
			s.config(text)
			if a := s.hook("permission-request", s.dialogAbout("cat a.txt")); !a.refuses() || !strings.Contains(a.stderr, "null") {
				t.Errorf("%q %q", a.stdout, a.stderr)
			}
			if a := s.hook("pre-tool-use", s.aboutToRun("rm -rf /")); !a.refuses() {
				t.Errorf("%q %q", a.stdout, a.stderr)
			}
			if a := s.cli("", "doctor"); a.code != 1 || !strings.Contains(a.stdout, "configuration-broken") {
				t.Errorf("doctor: exit code %d, %s", a.code, a.stdout)
			}
			s.config("{}")
			if strings.Contains(text, "null") && (strings.Contains(text, "permissions") || !strings.Contains(text, "{")) {
				s.commit(".claude/bridge.json", text)
				if a := s.hook("permission-request", s.dialogAbout("cat a.txt")); !a.refuses() || !strings.Contains(a.stderr, "bridge.json") {
					t.Errorf("the repository's: %q %q", a.stdout, a.stderr)
				}
			}
		})
	}
}

// unwrapped is a text without the line ends that make it fit a screen.
func unwrapped(text string) string { return strings.Join(strings.Fields(text), " ") }
