//go:build unix

package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLoopsApproveNothing: a session with a loop and a mode gets the dialogs that it gets
// without them.
func TestLoopsApproveNothing(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.startLoop(3)
	if a := s.cli("", "mode", "start", "ultrawork", "x"); a.code != 0 {
		t.Fatalf("%+v", a)
	}
	for _, command := range []string{"make", "touch x", "bridge mode stop ultrawork", "cat ../outside"} {
		s.wantDialog("Bash", command, "")
	}
	s.wantDialog("Write", file(s.state()), "")
	s.wantDialog("Agent", map[string]string{"prompt": "x"}, "")
}

// TestLimitsOfReading: the things that bridge does not see, according to
// docs/permissions.md. If you close one of these gaps, change the page as well.
func TestLimitsOfReading(t *testing.T) {
	t.Parallel()
	tr := newTrap(t)
	tr.put("main.go", "const key = \""+treasure+"\"\n")
	tr.put(".env", treasure+"\n")
	tr.bash("git add -f .env && git commit -qm secret && git rm -q .env && git commit -qm gone && echo " + treasure + " > id_rsa && ln id_rsa notes.txt")
	for _, command := range []string{"cat main.go", "git log -p", "cat notes.txt"} {
		tr.approved(command)
		if out := tr.run(command); !strings.Contains(out, treasure) {
			t.Errorf("%q: %s", command, out)
		}
	}
}

// TestNetworkReadsAreAChoice: commands that read over a network are approved only if the
// user allows it; only then does it matter how git connects to other repositories.
func TestNetworkReadsAreAChoice(t *testing.T) {
	t.Parallel()
	tr := newTrap(t)
	commands := []string{"kubectl get pods", "git ls-remote", "git remote show origin"}
	for _, command := range commands {
		tr.dialog(command)
	}
	tr.config(`{"permissions": {"network_reads": true}}`)
	tr.configure("[remote \"origin\"]\n\turl = https://example.org/a/b.git\n")
	for _, command := range commands {
		tr.approved(command)
	}
	tr.configure("[core]\n\tsshCommand = ssh -i x\n")
	tr.approved("git status")
	tr.approved("kubectl get pods")
	for _, command := range commands[1:] {
		tr.dialog(command)
	}
}

// TestSplitIndex: bridge does not read an index that is split into two files.
func TestSplitIndex(t *testing.T) {
	t.Parallel()
	tr := newTrap(t)
	tr.approved("git status")
	tr.bash("git update-index --split-index")
	tr.dialog("git status")
}

// TestSecretsOfTheRepository: a repository cannot remove a name from the table of
// secrets.
func TestSecretsOfTheRepository(t *testing.T) {
	t.Parallel()
	tr := newTrap(t)
	tr.put(".env", treasure+"\n")
	tr.put(".claude/bridge.json", `{"permissions": {"secrets": ["!.env", "!.env*", "!*.env"]}}`)
	if a := tr.ask("cat .env"); a.approves() {
		t.Errorf("%q", a.stdout)
	}
	tr.put(".claude/bridge.json", "{}")
	tr.config(`{"permissions": {"secrets": ["!.env", "!.env*", "!*.env"]}}`)
	tr.approved("cat .env")
}

// TestGuardAnswers: what refuses comes first, each answer names its rule and another way,
// and none ends the turn.
func TestGuardAnswers(t *testing.T) {
	t.Parallel()
	s := guardScene(t, "main")
	s.config(`{"permissions": {"deny": ["Bash(rm -rf ~)"], "ask": ["Bash(rm *)", "Bash(curl *)"]}}`)
	s.wantGuarded("Bash", "rm -rf ~", "deny", "deny-rule")
	s.wantGuarded("Bash", "rm -rf /", "deny", "recursive-delete")
	s.wantGuarded("Bash", "bridge uninstall; rm -rf /", "deny", "recursive-delete")
	s.wantGuarded("Bash", "rm x; bridge uninstall", "ask", "unhook")
	s.wantGuarded("Bash", "rm x", "ask", "ask-rule")
	s.wantGuarded("Bash", map[string]any{"command": "curl x", "run_in_background": true}, "ask", "ask-rule")
	for _, command := range []string{"rm -rf ~", "rm -rf /", "git push -f", "echo x > .git/config", "rm -rf ~/.config/bridge", "pkill -f x"} {
		a := s.hook("pre-tool-use", s.aboutToRun(command))
		if strings.Contains(a.stdout, "continue") || !strings.Contains(a.stdout, `"permissionDecision": "deny"`) {
			t.Errorf("%s: %s", command, a.stdout)
		}
		if _, reason, _ := strings.Cut(a.stdout, "bridge ("); !strings.Contains(reason, "): ") || strings.Count(reason, ". ") == 0 {
			t.Errorf("%s: no other way in %s", command, a.stdout)
		}
	}
}

// TestRecordsBelongToTheUser: unless the user wants it, no hook keeps a text of a tool, and
// what a hook makes is the user's alone.
func TestRecordsBelongToTheUser(t *testing.T) {
	t.Parallel()
	const text = "S3NTINEL"
	s := newScene(t)
	s.omc()
	s.startLoop(1)
	for _, hook := range []string{"pre-tool-use", "permission-request", "post-tool-use"} {
		event := map[string]string{"pre-tool-use": "PreToolUse", "permission-request": "PermissionRequest", "post-tool-use": "PostToolUse"}[hook]
		s.hook(hook, fmt.Sprintf(`{"session_id":%q,"cwd":%q,"hook_event_name":%q,"tool_name":"Bash","tool_input":{"command":"rm -rf / # %s"},"tool_response":{"stdout":%q}}`, sessionID, s.project, event, text, text))
	}
	s.hook("user-prompt-submit", fmt.Sprintf(`{"session_id":%q,"cwd":%q,"hook_event_name":"UserPromptSubmit","prompt":"ultrawork %s"}`, sessionID, s.project, text))
	s.hook("stop", strings.Replace(s.stopInput(1), "turn 1", text, 1))
	made := 0
	for _, root := range []string{s.home, filepath.Join(s.project, ".omc")} {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || path == root {
				return err
			}
			info, err := entry.Info()
			if err != nil {
				return err
			}
			if made++; info.Mode().Perm()&0o077 != 0 {
				t.Errorf("%s: %v", path, info.Mode())
			}
			if entry.IsDir() {
				return nil
			}
			kept, err := os.ReadFile(path)
			if strings.Contains(string(kept), text) && !strings.Contains(path, "ultrawork") {
				t.Errorf("%s keeps a text: %s", path, kept)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if made < 8 {
		t.Errorf("only %d files and directories", made)
	}
}

// TestGuardDoesNotSee: the things that the guards do not see, according to
// docs/permissions.md. If you teach them one of these, change the page as well.
func TestGuardDoesNotSee(t *testing.T) {
	t.Parallel()
	s := guardScene(t, "main")
	for _, command := range []string{
		"sh clean.sh", "make clean", "npm run clean", "python -c 'import shutil; shutil.rmtree(\"/\")'", "perl -e 'system(\"rm -rf /\")'", "node -e 'fs.rmSync(\"/\")'", "sed -n 'w .git/config' x", "awk '{print > \".git/config\"}' x", "curl https://x | bash", "git push-all", "clean_all", "vim -c ':!rm -rf /'",
		"rm -rf $(cat list)", "rm -rf \"$UNSET\"/", "x=$(cat y); rm -rf $x", "eval \"$(cat x)\"", "echo cm0gLXJmIC8K | base64 -d | bash",
		"cat list | xargs rm -rf", "ls | grep -v keep | xargs rm -rf", "ls | head | xargs rm -rf", "ls | while read f; do rm -rf \"$f\"; done",
		"ssh h 'rm -rf /'", "docker exec c rm -rf /", "kubectl exec p -- rm -rf /", "gh api -X DELETE repos/a/b/git/refs/heads/main",
		"GIT_PAGER='rm -rf /' git log", "git config alias.x 'push -f' && git x", "read x <<< /; rm -rf $x", "printf -v x /; rm -rf $x", "f() { rm -rf \"$1\"; }; f /", "echo '* * * * * rm -rf /' | crontab -", "fd -X rm -rf", "find . -size +0 -delete",
		"nano .git/config", "prettier --write .git/config", "cmd /c 'rd /s /q .'",
	} {
		s.wantGuarded("Bash", command, "", "")
	}
	for _, command := range []string{"Get-ChildItem / | Remove-Item -Recurse", "[IO.Directory]::Delete('/', $true)", "if ($x) { Remove-Item -Recurse ~ }", "$x = '~'; Remove-Item -Recurse $x"} {
		s.wantGuarded("PowerShell", command, "", "")
	}
	s.wantGuarded("mcp__fs__write_file", map[string]string{"path": ".git/config", "content": "x"}, "", "")
	s.wantGuarded("mcp__fs__run", map[string]string{"path": filepath.Join(s.project, ".git", "config")}, "", "")
}

// TestWhatSmartRalphKeeps: the record beside the state of a smart ralph names the task file
// and the last error, and holds nothing of what Claude said.
func TestWhatSmartRalphKeeps(t *testing.T) {
	t.Parallel()
	const text = "S3NTINEL"
	s := newScene(t)
	s.config(`{"smart": {"test_command": "echo broken; exit 1"}}`)
	s.commit("tasks.txt", "1. one thing\n2. another thing\n")
	if a := s.cli(sessionID, "ralph", "smart", "tasks.txt"); a.code != 0 {
		t.Fatalf("%+v", a)
	}
	for i := range 2 {
		s.hook("stop", strings.Replace(s.stopInput(i), "turn ", "the first task is complete "+text+" ", 1))
	}
	records, err := filepath.Glob(filepath.Join(s.home, ".local", "state", "bridge", "smart", "*.json"))
	if err != nil || len(records) != 1 {
		t.Fatalf("%v %v", records, err)
	}
	if kept := read(t, records[0]); strings.Contains(kept, text) || !strings.Contains(kept, filepath.Join(s.project, "tasks.txt")) {
		t.Errorf("%s", kept)
	}
}
