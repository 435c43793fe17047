package guard_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/hookbridge/bridge/cmd/bridge/internal/router"
	"github.com/hookbridge/bridge/protocol"
	"github.com/hookbridge/bridge/schemas/schematest"
)

// world is a home and a project on a branch.
type world struct {
	t             *testing.T
	home, project string
	// transcript is the session's, omcLimit the peer's limit of background tasks.
	transcript, omcLimit string
}

func newWorld(t *testing.T, branch string) *world {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, home: filepath.Join(root, "home"), project: filepath.Join(root, "home", "project")}
	w.write(filepath.Join(w.project, ".git", "HEAD"), "ref: refs/heads/"+branch+"\n")
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

// call runs the hook on a tool call.
func (w *world) call(tool string, input any) (stdout, stderr string) {
	w.t.Helper()
	payload, err := json.Marshal(map[string]any{"session_id": "s1", "cwd": w.project, "hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": input, "transcript_path": w.transcript})
	if err != nil {
		w.t.Fatal(err)
	}
	var out, errs bytes.Buffer
	router.Run(router.Process{
		Args: []string{"bridge", "--hook=pre-tool-use"}, Stdin: bytes.NewReader(payload), Stdout: &out, Stderr: &errs, Now: time.Now,
		Getenv: w.getenv,
	}, "pre-tool-use", nil)
	schematest.ValidateStdout(w.t, protocol.EventPreToolUse, out.Bytes())
	return out.String(), errs.String()
}

// want checks the decision, and checks that a refusal names its rule.
func (w *world) want(tool string, input any, decision, rule string) {
	w.t.Helper()
	out, _ := w.call(tool, input)
	if decision == "" {
		if out != "" {
			w.t.Errorf("%s %v: %s", tool, input, out)
		}
		return
	}
	if !strings.Contains(out, `"permissionDecision": "`+decision+`"`) || !strings.Contains(out, "bridge ("+rule+"): ") {
		w.t.Errorf("%s %v: %q, want %s by %s", tool, input, out, decision, rule)
	}
}

func bash(command string) map[string]string { return map[string]string{"command": command} }

// TestCommands: the guards refuse harmful commands in every spelling, and
// leave commands alone that only look like them.
func TestCommands(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "feature")
	for rule, commands := range map[string][]string{
		"recursive-delete": {
			"rm -rf /", "rm -r -f /", "rm -fr /*", "rm --recursive --force ~", "rm -rf ~/", "rm -rf \"$HOME\"", "rm -rf ${HOME}/*", "sudo rm -rf /",
			"rm -rf .", "rm -rf ./", "rm -rf *", "rm -rf ..", "cd x; rm -Rf " + w.project, "bash -c 'rm -rf ~'", "/bin/rm -rf /", "ls && rm -rf / --no-preserve-root", "rm -rf ../../..",
			"echo $(rm -rf ~)", "rm --rec ~", "rm -rf -- ~", "rm -rf //", "rm -rf /./", "rm -rf \"$HOME\"/", "rm -rf ${HOME}/", "rm -rf ~/.", "rm -rf /home/../", "rm -rf ~/*", "rm -rf ~/.*",
			"rm -rf $PWD", "rm -rf \"$(pwd)\"", "rm -rf \"$CLAUDE_PROJECT_DIR\"", "rm -rf ./*", "rm -rf {*,.*}", "rm -rf build ~", "rm -rf " + filepath.Dir(w.home),
			"cd / && rm -rf *", "cd ~; rm -rf .", "cd && rm -rf *", "cd build && rm -rf ../*", "cd sub/dir && rm -rf ../..",
			"find / -delete", "find ~ -delete", "find . -delete", "find -delete", "find . -mindepth 1 -delete", "find / -exec rm -rf / \\;", "xargs rm -rf ~",
		},
		"force-push": {
			"git push --force origin main", "git push -f origin master", "git push origin +main", "git push origin +HEAD:main", "git -C . push --force origin main",
			"git push --force origin feature:main", "git push -fu origin main", "git push --force origin refs/heads/main", "git push --force-with-lease origin main", "git push --force-if-includes --force-with-lease=main origin main",
			"git push origin :main", "git push --delete origin main", "git push -d origin master", "git push --mirror origin", "git push --all --force", "git push origin +feature:refs/heads/master", "sudo git push -f origin main", "cd x && git push origin main -f",
		},
		"git-directory": {"echo x > .git/config", "rm -rf .git", "tee .git/hooks/pre-commit", "cp x .git/hooks/post-checkout", "mv .git /tmp/x", "echo x >> sub/.git/config", "cd .git && rm config", "cd .git; echo x > config", "sed -i s/a/b/ .git/config", "dd if=x of=.git/index", "cp -t .git/hooks x",
			"cp --target-directory=.git/hooks x", "ln -s x .git/hooks/post-commit", "truncate -s0 .git/HEAD", "chmod +x .git/hooks/pre-commit", "rm .GIT/config", "rm \"$PWD/.git/index\"", "find .git -delete"},
		"own-directory": {"rm -rf ~/.config/bridge", "echo {} > ~/.config/bridge/config.json", "rm ~/.local/state/bridge/ledger/2026-01-01.jsonl", "rm -rf ~/.config", "rm -r ~/.local/state", "mv ~/.config/bridge /tmp", "cd ~/.config && rm -rf bridge",
			"cat x | tee -a ~/.config/bridge/config.json", "sed -i.bak s/deny/allow/ $HOME/.config/bridge/config.json"},
		"pkill-full": {"pkill -f node", "pkill -9 -f claude", "pkill --full x", "sudo pkill -9f x", "pkill -fx 'node server'", "pkill -u me --full node", "/usr/bin/pkill -f x", "bash -c 'pkill -f x'", "true; pkill -nf x"},
	} {
		for _, command := range commands {
			w.want("Bash", bash(command), "deny", rule)
		}
	}
	for _, command := range []string{
		"rm -rf build", "rm -rf ./node_modules", "rm -rf ~/project-old/tmp", "rm file", "rm -f *", "rm -rf \"$DIR\"", "grep 'rm -rf /' notes", "echo rm -rf /", "git commit -m 'rm -rf ~'",
		"git push", "git push origin main", "git push --force", "git push --force origin feature", "git push --force-with-lease origin feature", "git push --force-with-lease", "git push origin :old", "git push -d origin old", "git push -u origin feature",
		"cat .git/config", "git config user.name x", "echo x > .gitignore", "pkill -x node", "pkill node", "pgrep -f node", "ls -la", "",
		"cd build && rm -rf *", "cd \"$DIR\" && rm -rf *", "rm -r build/*", "find . -name '*.tmp' -delete", "find build -delete", "find . -type d -empty -delete", "rm -rf ~/.cache/x", "rm -rf .github", "cp .git/config /tmp/x", "sed -n 1p .git/config",
		"cat ~/.config/bridge/config.json", "rm .claude/settings.local.json", "bridge ralph cancel",
		// Coordinators and cancel commands write and remove these.
		"rm .claude/ralph-loop.local.md", "rm -rf .omc/state", "rm -rf .omc", "rm -rf .claude/ralph-smart", "rm -f .omc/state/sessions/*/ralph-state.json", "mv specs/a/.ralph-state.json specs/a/x", "find .omc -delete", "rm -rf .claude", "echo x > specs/a/.ralph-state.json", "rm -f specs/a/.progress-task-1.md", "echo x >> tasks.md",
	} {
		w.want("Bash", bash(command), "", "")
	}
	w = newWorld(t, "main")
	for _, command := range []string{"git push --force", "git push -f origin HEAD", "git push origin +@", "git push --force-with-lease origin"} {
		w.want("Bash", bash(command), "deny", "force-push")
	}
}

// TestDenyRowsOfTheTable: every deny row of the shared table of command lines is
// refused by a rule.
func TestDenyRowsOfTheTable(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "main")
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "..", "internal", "shell", "testdata", "commands.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(string(text)) {
		fields := strings.SplitN(strings.TrimRight(line, "\n"), "\t", 3)
		if len(fields) != 3 || fields[0] != "deny" {
			continue
		}
		rows++
		command := strings.NewReplacer("⏎", "\n", "␍", "\r", "⇥", "\t").Replace(fields[2])
		if out, _ := w.call("Bash", bash(command)); !strings.Contains(out, `"permissionDecision": "deny"`) {
			t.Errorf("%q: %q", command, out)
		}
	}
	if rows < 70 {
		t.Errorf("the table has only %d deny rows", rows)
	}
}

// TestNoOpinionOnAllowedRows: the guards do not refuse what the permission hook
// allows.
func TestNoOpinionOnAllowedRows(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "main")
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "..", "internal", "shell", "testdata", "commands.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(text)) {
		fields := strings.SplitN(strings.TrimRight(line, "\n"), "\t", 3)
		// Every seventh row is enough, because each one runs a whole hook.
		if len(fields) != 3 || fields[0] != "allow" || strings.Contains(fields[2], "⟨") {
			continue
		}
		if n++; n%7 != 0 {
			continue
		}
		command := strings.NewReplacer("⏎", "\n", "␍", "\r", "⇥", "\t").Replace(fields[2])
		w.want("Bash", bash(command), "", "")
	}
}

func TestFiles(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "main")
	w.want("Write", map[string]string{"file_path": w.project + "/.git/hooks/pre-commit", "content": "x"}, "deny", "git-directory")
	w.want("Edit", map[string]string{"file_path": w.home + "/.config/bridge/config.json", "old_string": "a", "new_string": "b"}, "deny", "own-directory")
	w.want("Write", map[string]string{"file_path": w.project + "/main.go", "content": "x"}, "", "")
	w.want("Read", map[string]string{"file_path": w.project + "/.git/config"}, "", "")
	if err := os.Symlink(filepath.Join(w.project, ".git"), filepath.Join(w.project, "link")); err != nil {
		t.Fatal(err)
	}
	w.want("Write", map[string]string{"file_path": w.project + "/link/config", "content": "x"}, "deny", "git-directory")

	hooked := `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "bridge", "args": ["--hook=stop"]}]}]}}`
	for _, file := range []string{filepath.Join(w.project, ".claude", "settings.json"), filepath.Join(w.home, ".claude", "settings.json")} {
		w.write(file, hooked)
		w.want("Write", map[string]string{"file_path": file, "content": "{}"}, "ask", "unhook")
		w.want("Write", map[string]string{"file_path": file, "content": hooked}, "", "")
		w.want("Edit", map[string]string{"file_path": file, "old_string": `["--hook=stop"]`, "new_string": "[]"}, "ask", "unhook")
		w.want("Edit", map[string]string{"file_path": file, "old_string": "{", "new_string": `{"disableAllHooks": true,`}, "ask", "unhook")
		w.want("Edit", map[string]string{"file_path": file, "old_string": "a", "new_string": "b"}, "", "")
		w.want("MultiEdit", map[string]any{"file_path": file, "edits": []any{map[string]string{"old_string": `["--hook=stop"]`, "new_string": ""}}}, "ask", "unhook")
		for _, command := range []string{"echo {} > " + file, "rm " + file, "sed -i s/bridge/true/ " + file, "jq 'del(.hooks)' x > " + file, "cp x " + file, "rm -rf " + filepath.Dir(file), "cd " + filepath.Dir(file) + " && rm settings.json"} {
			w.want("Bash", bash(command), "ask", "unhook")
		}
		w.want("Bash", bash("cat "+file), "", "")
	}
	w.write(filepath.Join(w.project, ".vscode", "settings.json"), "{}")
	w.want("Bash", bash("rm .vscode/settings.json"), "", "")
}

// TestRules: the user's deny and ask rules apply here too, because in auto mode
// there is no dialog. A repository can add rules.
func TestRules(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "feature")
	w.write(filepath.Join(w.home, ".config", "bridge", "config.json"), `{"permissions": {"deny": ["Bash(npm publish*)", "mcp__db__drop"], "ask": ["Bash(git push *)"], "allow": ["Bash(rm *)"]}}`)
	w.write(filepath.Join(w.project, ".claude", "bridge.json"), `{"permissions": {"ask": ["Write(infra/**)"]}}`)
	w.want("Bash", bash("cd x && npm publish --tag next"), "deny", "deny-rule")
	w.want("mcp__db__drop", map[string]int{}, "deny", "deny-rule")
	w.want("mcp__db__read", map[string]int{}, "", "")
	w.want("Bash", bash("git push origin feature"), "ask", "ask-rule")
	w.want("Bash", bash("git push -f origin main"), "deny", "force-push")
	w.want("Write", map[string]string{"file_path": w.project + "/infra/a/b.tf", "content": ""}, "ask", "ask-rule")
	// An allow rule of the dialog does not lift a built-in rule.
	w.want("Bash", bash("rm -rf ~"), "deny", "recursive-delete")
}

// TestBrokenRulesContinue: broken rules never block a tool, and a message says
// which rules do not apply.
func TestBrokenRulesContinue(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "feature")
	w.write(filepath.Join(w.project, ".claude", "bridge.json"), `{"permissions": {"deny": ["Bash("]}}`)
	out, errs := w.call("Bash", bash("ls"))
	if out != "" || !strings.Contains(errs, "do not apply until this is fixed") {
		t.Errorf("%q %q", out, errs)
	}
	w.want("Bash", bash("rm -rf /"), "deny", "recursive-delete")
	for _, input := range []any{nil, 5, "x", map[string]int{"command": 1}, []string{}} {
		if out, _ := w.call("Bash", input); out != "" {
			t.Errorf("%v: %q", input, out)
		}
	}
	if out, _ := w.call("", nil); out != "" {
		t.Errorf("%q", fmt.Sprint(out))
	}
}

// TestBackgroundLimit holds docs/reference/records.md#background-limit: the sixth
// background task is refused with what to do instead, the user's setting counts, and
// the variable that a repository can set only tightens.
func TestBackgroundLimit(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "feature")
	var transcript strings.Builder
	for i := range 5 {
		fmt.Fprintf(&transcript, `{"type":"user","timestamp":%q,"toolUseResult":{"backgroundTaskId":"b%d"}}`+"\n", time.Now().UTC().Format(time.RFC3339Nano), i)
	}
	w.transcript = filepath.Join(w.home, "transcript.jsonl")
	w.write(w.transcript, transcript.String())
	another := map[string]any{"command": "make watch", "run_in_background": true}
	config := filepath.Join(w.home, ".config", "bridge", "config.json")

	w.want("Bash", another, "deny", "background-limit")
	w.want("Agent", map[string]any{"prompt": "x", "run_in_background": true}, "deny", "background-limit")
	w.want("Task", map[string]any{"prompt": "x", "run_in_background": true}, "deny", "background-limit")
	w.want("Bash", bash("make"), "", "")
	w.want("Agent", map[string]any{"prompt": "x"}, "", "")
	w.want("Bash", map[string]any{"command": "make", "run_in_background": "yes"}, "", "")
	out, _ := w.call("Bash", another)
	for _, part := range []string{"5 background tasks", "without run_in_background", "max_background_tasks"} {
		if !strings.Contains(out, part) {
			t.Errorf("no %q in %q", part, out)
		}
	}
	w.write(config, `{"permissions": {"max_background_tasks": 6}}`)
	w.want("Bash", another, "", "")
	w.omcLimit = "5"
	w.want("Bash", another, "deny", "background-limit")
	w.omcLimit = "50"
	w.write(config, `{"permissions": {"max_background_tasks": 2}}`)
	w.want("Bash", another, "deny", "background-limit")
	w.omcLimit = "none"
	w.write(config, `{"permissions": {"max_background_tasks": -1}}`)
	w.want("Bash", another, "", "")
	w.transcript = filepath.Join(w.home, "absent.jsonl")
	w.write(config, `{}`)
	w.want("Bash", another, "", "")
}
