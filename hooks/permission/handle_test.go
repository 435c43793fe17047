package permission_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/hooks/permission"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/settings"
	"github.com/hookbridge/bridge/protocol"
	"github.com/hookbridge/bridge/schemas/schematest"
)

// world is a home and a project with a plain repository.
type world struct {
	t             testing.TB
	home, project string
}

// ordinary is a typical configuration.
const ordinary = `[core]
	repositoryformatversion = 0
	filemode = true
	bare = false
	logallrefupdates = true
[remote "origin"]
	url = git@example.org:a/b.git
	fetch = +refs/heads/*:refs/remotes/origin/*
[branch "feature/a.b"]
	remote = origin
	merge = refs/heads/main
	vscode-merge-base = origin/main
# mine
[user]
	name = A. Person ; really
	email = a@example.org
[pull]
	rebase = true
[push]
	autoSetupRemote = true
[color]
	ui = auto
[init]
	defaultBranch = main
[rebase]
	autoStash = true
[merge]
	conflictStyle = zdiff3
`

func newWorld(t *testing.T) *world {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, home: filepath.Join(root, "home"), project: filepath.Join(root, "project")}
	w.write(filepath.Join(w.project, ".git", "config"), ordinary)
	w.write(filepath.Join(w.project, ".git", "HEAD"), "ref: refs/heads/main\n")
	for _, dir := range []string{"objects", "refs"} {
		if err := os.MkdirAll(filepath.Join(w.project, ".git", dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

func (w *world) write(path, text string) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) configure(text string) {
	w.write(filepath.Join(w.home, ".config", "bridge", "config.json"), text)
}

func (w *world) getenv(name string) string {
	if name == "HOME" || name == "USERPROFILE" || name == "LOCALAPPDATA" {
		return w.home
	}
	return ""
}

// input is a dialog about a tool.
func (w *world) input(tool string, toolInput any) protocol.Input {
	w.t.Helper()
	text, err := json.Marshal(toolInput)
	if err != nil {
		w.t.Fatal(err)
	}
	in := protocol.Input{Base: protocol.Base{SessionID: "s1", CWD: w.project, HookEventName: protocol.EventPermissionRequest}}
	in.Tool.ToolName, in.Tool.ToolInput = tool, text
	in.Permission.Suggestions = []jsontext.Value{jsontext.Value(`{"type":"setMode"}`)}
	return in
}

func (w *world) bash(command string) protocol.Input {
	in := w.input("Bash", map[string]string{"command": command})
	in.Permission.Suggestions = permission.OfferAll(command)
	return in
}

// request is a call with an input.
func (w *world) request(in protocol.Input) protocol.Request {
	w.t.Helper()
	env := project.Env(w.getenv, time.Time{})
	var err error
	if env.Config, err = settings.Load(env); err != nil {
		w.t.Fatal(err)
	}
	return project.Request(in, env)
}

func (w *world) judge(in protocol.Input) (permission.Verdict, error) {
	env := project.Env(w.getenv, time.Time{})
	var err error
	if env.Config, err = settings.Load(env); err != nil {
		return permission.Verdict{}, err
	}
	return permission.Judge(project.Request(in, env))
}

// want judges an input and compares the kind and the rule.
func (w *world) want(in protocol.Input, kind permission.Kind, rule string) {
	w.t.Helper()
	v, err := w.judge(in)
	if err != nil {
		w.t.Errorf("%s %s: %v", in.Tool.ToolName, in.Tool.ToolInput, err)
		return
	}
	if v.Kind != kind || rule != "" && v.Rule != rule {
		w.t.Errorf("%s %s: %s by %s (%s), want %s by %s", in.Tool.ToolName, in.Tool.ToolInput, v.Kind, v.Rule, v.Why, kind, rule)
	}
	if v.Rule == "" || v.Why == "" {
		w.t.Errorf("%s: a verdict without a reason: %+v", in.Tool.ToolInput, v)
	}
}

// decode reads the notation of the table of command lines.
func decode(t *testing.T, text string) string {
	text = strings.NewReplacer("⏎", "\n", "␍", "\r", "⇥", "\t").Replace(text)
	for {
		before, rest, ok := strings.Cut(text, "⟨")
		if !ok {
			return text
		}
		hex, after, ok := strings.Cut(rest, "⟩")
		if !ok {
			return text
		}
		var raw []byte
		for i := 0; i+1 < len(hex); i += 2 {
			b, err := strconv.ParseUint(hex[i:i+2], 16, 8)
			if err != nil {
				t.Fatalf("%q: %v", hex, err)
			}
			raw = append(raw, byte(b))
		}
		text = before + string(raw) + after
	}
}

// TestTable judges every command line in the table of the shell analysis, in the form in which the client would ask:
// only reading lines pass, and most of them do.
func TestTable(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "..", "internal", "shell", "testdata", "commands.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t)
	reads, allowed, others := 0, 0, 0
	for line := range strings.Lines(string(text)) {
		fields := strings.SplitN(strings.TrimRight(line, "\n"), "\t", 3)
		if strings.HasPrefix(line, "#") || len(fields) != 3 {
			continue
		}
		expected, tag, command := fields[0], fields[1], decode(t, fields[2])
		if !utf8.ValidString(command) {
			// normalize rejects such an input before it gets here.
			continue
		}
		v, err := w.judge(w.bash(command))
		if expected != "allow" {
			others++
			if err == nil && v.Kind == permission.Allow {
				t.Errorf("allowed: %q", command)
			}
			continue
		}
		if tag == "net" || tag == "path" {
			if tag == "net" && err == nil && v.Kind == permission.Allow {
				t.Errorf("a network read passed without the setting: %q", command)
			}
			continue
		}
		reads++
		if err == nil && v.Kind == permission.Allow {
			allowed++
		}
	}
	if reads < 900 || others < 1500 {
		t.Fatalf("only %d and %d rows", reads, others)
	}
	t.Logf("%d of %d local reads allowed (%.1f %%), none of %d others", allowed, reads, 100*float64(allowed)/float64(reads), others)
	if allowed*100 < reads*85 {
		t.Errorf("only %d of %d local reads are allowed", allowed, reads)
	}
}

// TestOrder: deny rules, ask rules, the client's own ask, allow rules, reading.
func TestOrder(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.configure(`{"permissions": {"deny": ["Bash(curl *)", "Bash(git log *)", "Read(secret/**)", "mcp__db__*"], "ask": ["Bash(git diff*)"], "allow": ["Bash(npm test)", "Bash(git log *)", "mcp__db__read", "mcp__docs__*", "ExitPlanMode", "Write(out/**)"]}}`)
	w.want(w.bash("git log --oneline"), permission.Deny, "deny-rule")
	w.want(w.bash("ls && sudo curl example.org"), permission.Deny, "deny-rule")
	w.want(w.bash("git diff"), permission.Ask, "ask-rule")
	w.want(w.bash("git status"), permission.Allow, "git-status")
	w.want(w.bash("npm test"), permission.Allow, "allow-rule")
	w.want(w.bash("npm test && ls"), permission.Allow, "")
	w.want(w.bash("npm test && rm x"), permission.Ask, "")
	w.want(w.bash("npm test > out"), permission.Ask, "redirect")
	w.want(w.bash("npm test $(id)"), permission.Ask, "")
	w.want(w.bash("npm tests"), permission.Ask, "")
	w.want(w.input("mcp__db__read", map[string]int{}), permission.Deny, "deny-rule")
	w.want(w.input("mcp__docs__read", map[string]int{}), permission.Allow, "allow-rule")
	w.want(w.input("mcp__other__read", map[string]int{}), permission.Ask, "no-rule")
	w.want(w.input("Read", map[string]string{"file_path": w.project + "/secret/a"}), permission.Deny, "deny-rule")
	w.want(w.input("Read", map[string]string{"file_path": w.project + "/main.go"}), permission.Allow, "read-only-tool")
	w.want(w.input("Write", map[string]string{"file_path": w.project + "/out/a"}), permission.Allow, "allow-rule")
	w.want(w.input("Write", map[string]string{"file_path": w.project + "/main.go"}), permission.Ask, "no-rule")
	w.want(w.input("AskUserQuestion", map[string]int{}), permission.Ask, "no-rule")

	in := w.bash("git status")
	in.Permission.Suggestions = nil
	w.want(in, permission.Ask, "no-suggestions")
	in = w.bash("git log")
	in.Permission.Suggestions = nil
	w.want(in, permission.Deny, "deny-rule")
}

// TestContained: what a command reads must be inside the project after links are followed, and must hold no secrets.
func TestContained(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(filepath.Join(w.home, "notes"), "x")
	w.write(filepath.Join(w.project, "main.go"), "x")
	if err := os.Symlink(filepath.Join(w.home, "notes"), filepath.Join(w.project, "link")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(w.home, filepath.Join(w.project, "dir")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/nonexistent/x", filepath.Join(w.project, "dangling")); err != nil {
		t.Fatal(err)
	}
	for command, kind := range map[string]permission.Kind{
		"cat main.go":             permission.Allow,
		"cat ./main.go missing":   permission.Allow,
		"cat link":                permission.Ask,
		"cat dir/notes":           permission.Ask,
		"cat dangling":            permission.Ask,
		"cat /etc/passwd":         permission.Ask,
		"cat ../home/notes":       permission.Ask,
		"cat .env":                permission.Ask,
		"cat .env.production":     permission.Ask,
		"cat .ssh/id_rsa":         permission.Ask,
		"cat server.pem":          permission.Ask,
		"cat < /etc/passwd":       permission.Ask,
		"cd / && ls":              permission.Ask,
		"cd ./sub && git status":  permission.Allow,
		"ls dir/*":                permission.Ask,
		"grep -r x . 2>/dev/null": permission.Allow,
	} {
		w.want(w.bash(command), kind, "")
	}
	for path, kind := range map[string]permission.Kind{
		"main.go": permission.Allow, "link": permission.Ask, ".env": permission.Ask, "/etc/passwd": permission.Ask,
	} {
		if !filepath.IsAbs(path) {
			path = filepath.Join(w.project, path)
		}
		w.want(w.input("Read", map[string]string{"file_path": path}), kind, "")
	}
}

// TestGitConfiguration: keys of the repository's own configuration that make a reading git command run a program
// (QwenLM/qwen-code#10201).
func TestGitConfiguration(t *testing.T) {
	t.Parallel()
	for config, kind := range map[string]permission.Kind{
		"":                                             permission.Allow,
		"[core]\n\tfilemode = true\n":                  permission.Allow,
		"[user]\n\tname = fsmonitor\n":                 permission.Allow,
		"[core]\n\tfsmonitor = /tmp/evil\n":            permission.Ask,
		"[CORE]\n\tFSMonitor=/tmp/evil\n":              permission.Ask,
		"[core] fsmonitor = /tmp/evil\n":               permission.Ask,
		"[diff]\n\texternal = x\n":                     permission.Ask,
		"[diff \"pdf\"]\n\ttextconv = x\n":             permission.Ask,
		"[filter \"a.b\"]\n\tclean = x\n":              permission.Ask,
		"[include]\n\tpath = ../evil\n":                permission.Ask,
		"[includeIf \"gitdir:/\"]\n\tpath = ../evil\n": permission.Ask,
		"[pager]\n\tlog = x\n":                         permission.Ask,
		"[gpg]\n\tprogram = x\n":                       permission.Ask,
		"[core\n":                                      permission.Ask,
		ordinary:                                       permission.Allow,
		strings.ReplaceAll(ordinary, "\n", "\r\n"):     permission.Allow,
		"[core][core]fsmonitor = x\n":                  permission.Ask,
		"[diff\t\"x\"]\n\ttextconv = x\n":              permission.Ask,
		"[diff \"];\"] textconv = x\n":                 permission.Ask,
		"[user]\n\tname = a \\\n[core]\n":              permission.Ask,
		"[user]\n\tname = a \\\r\n[core]\n":            permission.Ask,
		"[user]\n\tname = a\x00b\n":                    permission.Ask,
		"[user.x]\n\tname = a\n":                       permission.Ask,
		"[user \"x\"]\n\tname = a\n":                   permission.Ask,
		"[core]\n\tbare\n":                             permission.Ask,
		"bare = false\n":                               permission.Ask,
		"\ufeff[core]\n":                               permission.Ask,
		"[core]\n\tnobody.knows = 1\n":                 permission.Ask,
		"[submodule \"x\"]\n\tactive = true\n":         permission.Allow,
		"[submodule \"x\"]\n\tupdate = !x\n":           permission.Ask,
		"[submodule]\n\trecurse = true\n":              permission.Ask,
		"[core]\n\tfsmonitor = false\n":                permission.Allow,
		"[core]\n\tfsmonitor = \"false\"\n":            permission.Ask,
		"[core]\n\tworktree = ..\n":                    permission.Ask,
		"[core]\n\thooksPath = .husky\n":               permission.Allow,
		"[core]\n\thooksPath = ~/x\n":                  permission.Ask,
		"[core]\n\tsshCommand = ssh -i x\n":            permission.Allow,
		"[core]\n\tattributesFile = ../x\n":            permission.Ask,
		"[branch]\n\tsort = signature\n":               permission.Ask,
		"[merge \"x\"]\n\tdriver = x\n":                permission.Ask,
		"[diff]\n\tsubmodule = log\n":                  permission.Ask,
		"[alias]\n\tlfs = !x\n":                        permission.Ask,
		"[extensions]\n\tpartialClone = origin\n":      permission.Ask,
		"[remote \"x\"]\n\tuploadpack = x\n":           permission.Ask,
		"[log]\n\tshowSignature = true\n":              permission.Ask,
		"[core] bare = false\n":                        permission.Ask,
		"[branch \"a]b#;\"]\n\tmerge = a # \"b\"\n":    permission.Allow,
	} {
		w := newWorld(t)
		w.write(filepath.Join(w.project, ".git", "config"), config)
		w.want(w.bash("git status"), kind, "")
		w.want(w.bash("ls"), permission.Allow, "")
	}
	// A bare repository in a sub-directory could bring any configuration along.
	w := newWorld(t)
	for _, name := range []string{"HEAD", "objects/x", "refs/x"} {
		w.write(filepath.Join(w.project, "sub", name), "")
	}
	w.write(filepath.Join(w.project, "sub", "config"), "[core]\n\tfsmonitor = x\n")
	w.want(w.bash("cd ./sub && git status"), permission.Ask, "git-config")
}

// TestGitDirectory: git and bridge are sure to use the same git directory only if it is the plain one of a work tree.
func TestGitDirectory(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(w *world, git string) error{
		"no HEAD":        func(_ *world, git string) error { return os.Remove(filepath.Join(git, "HEAD")) },
		"another HEAD":   func(_ *world, git string) error { return os.WriteFile(filepath.Join(git, "HEAD"), []byte("x"), 0o600) },
		"no objects":     func(_ *world, git string) error { return os.Remove(filepath.Join(git, "objects")) },
		"no refs":        func(_ *world, git string) error { return os.Remove(filepath.Join(git, "refs")) },
		"a broken index": func(_ *world, git string) error { return os.WriteFile(filepath.Join(git, "index"), []byte("x"), 0o600) },
		"a hook of reads": func(w *world, git string) error {
			w.write(filepath.Join(git, "hooks", "post-index-change"), "")
			return nil
		},
		"a configuration of the work tree": func(w *world, git string) error {
			w.write(filepath.Join(git, "config.worktree"), "[core]\n\tfsmonitor = x\n")
			return nil
		},
		"a link in its place": func(_ *world, git string) error {
			return errors.Join(os.Rename(git, git+".moved"), os.Symlink(git+".moved", git))
		},
		"a file in its place": func(_ *world, git string) error {
			return errors.Join(os.Rename(git, git+".moved"), os.WriteFile(git, []byte("gitdir: .git.moved\n"), 0o600))
		},
	} {
		w := newWorld(t)
		w.want(w.bash("git status"), permission.Allow, "")
		if err := change(w, filepath.Join(w.project, ".git")); err != nil {
			t.Fatal(err)
		}
		if v, err := w.judge(w.bash("git status")); err != nil || v.Kind != permission.Ask || v.Rule != "git-config" {
			t.Errorf("%s: %+v, %v", name, v, err)
		}
	}
}

// TestDirectoryNamedByLink: a shell takes the parent of such a directory from its name.
func TestDirectoryNamedByLink(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(filepath.Join(w.project, "a", "b", "x"), "")
	w.write(filepath.Join(w.project, "a", "x"), "")
	link := filepath.Join(w.project, "link")
	if err := os.Symlink(filepath.Join("a", "b"), link); err != nil {
		t.Fatal(err)
	}
	for command, kind := range map[string]permission.Kind{"cat x": permission.Allow, "cd .. && cat x": permission.Ask, "git status": permission.Ask, "cargo --version": permission.Ask} {
		in := w.bash(command)
		in.CWD = link
		w.want(in, kind, "")
	}
}

// TestClientAskRulesWin: a hook's allow would override them
// (docs/reference/claude-code.md#allow-beats-ask).
func TestClientAskRulesWin(t *testing.T) {
	t.Parallel()
	for rule, kind := range map[string]permission.Kind{
		"Bash": permission.Ask, "Bash(git status)": permission.Ask, "Bash(git:*)": permission.Ask, "Bash(git *)": permission.Ask, "Bash(*)": permission.Ask,
		"Bash(*status)": permission.Ask, "*": permission.Ask, "Read(./.env)": permission.Ask, "Bash(npm *)": permission.Allow, "WebFetch": permission.Allow, "mcp__x": permission.Allow,
	} {
		for _, file := range []string{"home/.claude/settings.json", "project/.claude/settings.json", "project/.claude/settings.local.json"} {
			w := newWorld(t)
			w.write(filepath.Join(filepath.Dir(w.home), file), fmt.Sprintf("{\"permissions\": {\"ask\": [%q]}, // mine\n}", rule))
			w.want(w.bash("git status"), kind, "")
		}
	}
	w := newWorld(t)
	w.write(filepath.Join(w.project, ".claude", "settings.json"), "{broken")
	w.want(w.bash("git status"), permission.Ask, "client-settings-unreadable")
	w = newWorld(t)
	req := w.request(w.bash("git status"))
	req.Env.Getenv = func(name string) string {
		if name == "CLAUDE_CONFIG_DIR" {
			return "somewhere"
		}
		return w.getenv(name)
	}
	if v, err := permission.Judge(req); err != nil || v.Kind != permission.Ask || v.Rule != "client-settings-unreadable" {
		t.Errorf("%+v, %v", v, err)
	}
}

// TestUnofferedPart: in a line of several commands the client offers rules only for those that need an answer. It does
// so with or without an ask rule about the others, so an ask rule from --settings may apply to any command without an
// offer.
func TestUnofferedPart(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	offer := func(command string, rules ...string) protocol.Input {
		in := w.bash(command)
		var all []map[string]string
		for _, rule := range rules {
			all = append(all, map[string]string{"toolName": "Bash", "ruleContent": rule})
		}
		text, err := json.Marshal(map[string]any{"type": "addRules", "rules": all, "behavior": "allow", "destination": "localSettings"})
		if err != nil {
			t.Fatal(err)
		}
		in.Permission.Suggestions = []jsontext.Value{jsontext.Value(`{"type":"setMode","mode":"acceptEdits"}`), text}
		return in
	}
	for _, test := range []struct {
		in   protocol.Input
		kind permission.Kind
	}{
		{offer("awk 'NR==1' a | wc -l", "awk 'NR==1' a"), permission.Ask},
		{offer("awk 'NR==1' a | wc -l", "wc -l"), permission.Ask},
		{offer("awk 'NR==1' a | wc -l"), permission.Ask},
		{offer("awk 'NR==1' a | wc -l", "awk 'NR==1' a", "wc -l"), permission.Allow},
		{offer("awk 'NR==1' a | wc -l", "awk *", "wc:*"), permission.Allow},
		// Quotes and white space do not change a command.
		{offer("awk  'NR==1'  a && wc -l a", `awk "NR==1" a`, "wc -l a"), permission.Allow},
		// One prefix is offered for one command.
		{offer("awk 'NR==1' a && awk 'NR==2' a", "awk *"), permission.Ask},
		{offer("awk 'NR==1' a && awk 'NR==2' a", "awk *", "awk *"), permission.Allow},
		{offer("awk 'NR==1' a && awk 'NR==1' a", "awk 'NR==1' a"), permission.Allow},
		{offer("awk 'NR==1' a && awk 'NR==2' a", "awk 'NR==2' a", "awk *"), permission.Allow},
		{offer("cat a && catalog b", "cat *"), permission.Ask},
		// A rule for everything, or for the whole line, is not an offer for a part of the line.
		{offer("awk 'NR==1' a | wc -l", "awk 'NR==1' a | wc -l"), permission.Ask},
		{offer("awk 'NR==1' a | wc -l", "*"), permission.Ask},
		{offer("awk 'NR==1' a | wc -l", ""), permission.Ask},
		// A single command is offered or not.
		{w.input("Bash", map[string]string{"command": "awk 'NR==1' a"}), permission.Allow},
	} {
		w.want(test.in, test.kind, "")
	}
	w.configure(`{"permissions": {"ask_rules_in_files": true}}`)
	w.want(offer("awk 'NR==1' a | wc -l", "awk 'NR==1' a"), permission.Allow, "")
	w.write(filepath.Join(w.home, ".claude", "remote-settings.json"), `{"permissions": {"ask": ["Bash(wc:*)"]}}`)
	w.want(offer("awk 'NR==1' a | wc -l", "awk 'NR==1' a"), permission.Ask, "client-ask-rule")
}

// TestRepositoryCanNotAllow: its file can deny and ask; its allow rules are ignored.
func TestRepositoryCanNotAllow(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(filepath.Join(w.project, ".claude", "bridge.json"), `{"permissions": {"allow": ["Bash(rm *)", "Bash"], "deny": ["Bash(git status)"], "ask": ["Bash(ls *)"]}}`)
	w.want(w.bash("rm -rf x"), permission.Ask, "")
	w.want(w.bash("git status"), permission.Deny, "deny-rule")
	w.want(w.bash("ls"), permission.Ask, "ask-rule")
}

// TestDoubtIsAnError: the router turns each of these into a deny.
func TestDoubtIsAnError(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for name, in := range map[string]protocol.Input{
		"command of another type": w.input("Bash", map[string]int{"command": 5}),
		"no command":              w.input("Bash", map[string]int{}),
		"input no object":         w.input("Bash", "ls"),
		"input null":              w.input("Bash", nil),
		"path of another type":    w.input("Read", map[string]int{"file_path": 5}),
	} {
		if v, err := w.judge(in); err == nil {
			t.Errorf("%s: %+v", name, v)
		}
	}
	in := w.bash("ls")
	in.CWD = filepath.Join(w.project, "gone")
	if v, err := w.judge(in); err == nil {
		t.Errorf("working directory gone: %+v", v)
	}
	for _, text := range []string{`{"permissions": {"deny": ["Bash("]}}`, `{"permissions": {"allow": "all"}}`} {
		w.configure(text)
		if v, err := w.judge(w.bash("ls")); err == nil {
			t.Errorf("%s: %+v", text, v)
		}
	}
}

// TestOutputs compares what the client gets.
func TestOutputs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.configure(`{"permissions": {"deny": ["Bash(curl *)"], "allow": ["ExitPlanMode"]}}`)
	for want, in := range map[string]protocol.Input{
		`{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}`:                                w.bash("ls"),
		`{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow","updatedInput":{"plan":"a  b"}}}}`: w.input("ExitPlanMode", map[string]string{"plan": "a  b"}),
		`{}`: w.bash("make deploy"),
	} {
		outcome, err := permission.Handle(context.Background(), w.request(in))
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(outcome.Output)
		if err != nil || string(text) != want {
			t.Errorf("%s %v, want %s", text, err, want)
		}
		if want != "{}" {
			schematest.ValidateOutput(t, protocol.EventPermissionRequest, text)
		}
	}
	outcome, err := permission.Handle(context.Background(), w.request(w.bash("curl x")))
	if err != nil {
		t.Fatal(err)
	}
	text, _ := json.Marshal(outcome.Output)
	schematest.ValidateOutput(t, protocol.EventPermissionRequest, text)
	if !strings.Contains(string(text), `"behavior":"deny"`) || !strings.Contains(string(text), "the rule Bash(curl *) in ") {
		t.Errorf("%s", text)
	}
}

// TestNamesThatProgramsComplete: gzip and unzip also try names with a suffix, which may be links, and grep accepts the
// first letters of a value.
func TestNamesThatProgramsComplete(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(filepath.Join(w.home, "elsewhere"), "")
	for _, name := range []string{"x.gz", "y.zip"} {
		if err := os.Symlink(filepath.Join(w.home, "elsewhere"), filepath.Join(w.project, name)); err != nil {
			t.Fatal(err)
		}
	}
	w.write(filepath.Join(w.project, "z.gz"), "")
	w.write(filepath.Join(w.project, "z.zip"), "")
	w.write(filepath.Join(w.project, "sub", ".env"), "")
	for command, kind := range map[string]permission.Kind{
		"zcat x": permission.Ask, "zcat z": permission.Allow, "zcat z.gz": permission.Allow,
		"unzip -l y": permission.Ask, "zipinfo y": permission.Ask, "unzip -l z": permission.Allow, "zipinfo z.zip": permission.Allow,
		"grep --directories=rec x sub": permission.Ask, "grep --directories r x": permission.Ask, "grep --directories=read x z.gz": permission.Allow, "grep --directories=skip x sub": permission.Allow,
	} {
		w.want(w.bash(command), kind, "")
	}
}

// TestLinkInGitDirectory: git shows the lines of its own files that it cannot read.
func TestLinkInGitDirectory(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"packed-refs", "shallow", "info/grafts", "worktrees/a/gitdir", "rebase-merge/done"} {
		w := newWorld(t)
		w.write(filepath.Join(w.home, ".netrc"), "")
		link := filepath.Join(w.project, ".git", filepath.FromSlash(name))
		w.write(filepath.Join(filepath.Dir(link), "x"), "")
		w.want(w.bash("git log"), permission.Allow, "")
		if err := os.Symlink(filepath.Join(w.home, ".netrc"), link); err != nil {
			t.Fatal(err)
		}
		w.want(w.bash("git log"), permission.Ask, "git-config")
	}
}

// TestPasswordInAddress: a remote's address may hold a credential.
func TestPasswordInAddress(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.want(w.bash("grep -r x ."), permission.Allow, "")
	w.write(filepath.Join(w.project, ".git", "config"), ordinary+"[remote \"up\"]\n\turl = https://me:x@example.org/a\n")
	w.want(w.bash("grep -r x ."), permission.Ask, "path")
}

// TestEnvFilesOfAnyEnding: a copy or variant of .env counts as a secret.
func TestEnvFilesOfAnyEnding(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for name, kind := range map[string]permission.Kind{".env~": permission.Ask, ".env-prod": permission.Ask, ".env_local": permission.Ask, ".env2": permission.Ask, ".environment": permission.Allow, ".env.example": permission.Allow} {
		w.want(w.bash("cat '"+name+"'"), kind, "")
	}
}

// TestGlobElsewhere: the client searches where an absolute pattern begins.
func TestGlobElsewhere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for pattern, kind := range map[string]permission.Kind{
		"**/*.go": permission.Allow, filepath.Join(w.project, "*", "x"): permission.Allow, filepath.Join(w.project, "{a,b}"): permission.Allow,
		filepath.Join(w.home, "**"): permission.Ask, w.project + "x/*": permission.Ask, w.project + "/../*": permission.Ask, filepath.Dir(w.project) + "/pr*": permission.Ask,
	} {
		w.want(w.input("Glob", map[string]string{"pattern": pattern}), kind, "")
	}
}

// TestPathsAsTheClientReadsThem: the client removes blanks at the ends and expands the home directory.
func TestPathsAsTheClientReadsThem(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(filepath.Join(w.home, "notes"), "")
	w.write(filepath.Join(w.project, "a"), "")
	for path, kind := range map[string]permission.Kind{
		"~/notes": permission.Ask, "~": permission.Ask, " ~/notes": permission.Ask, " " + filepath.Join(w.home, "notes"): permission.Ask, "\t/": permission.Ask,
		"a": permission.Allow, " a ": permission.Allow, "a~": permission.Allow, "~a": permission.Allow,
	} {
		w.want(w.input("Read", map[string]string{"file_path": path}), kind, "")
		w.want(w.input("Grep", map[string]string{"pattern": "x", "path": path}), kind, "")
	}
}
