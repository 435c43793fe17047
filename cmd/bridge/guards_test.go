//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
)

// guarded sends a tool call through pre-tool-use, in a payload with every member that
// the client sends, and returns the decision and the rule, or "".
func (s *scene) guarded(tool string, input any) (decision, rule string) {
	s.t.Helper()
	payload, err := json.Marshal(map[string]any{
		"session_id": sessionID, "transcript_path": filepath.Join(s.home, "transcript.jsonl"), "cwd": s.project, "prompt_id": "40edba7f-d087-4000-b9f1-a26c0d6c5f0d",
		"permission_mode": "acceptEdits", "effort": map[string]string{"level": "high"}, "hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": input, "tool_use_id": "toolu_67ac43097c264f70a101",
	})
	if err != nil {
		s.t.Fatal(err)
	}
	a := s.hook("pre-tool-use", string(payload))
	if a.stdout == "" {
		return "", ""
	}
	var out struct {
		Specific struct {
			Decision string `json:"permissionDecision"`
			Reason   string `json:"permissionDecisionReason"`
		} `json:"hookSpecificOutput"`
	}
	if err := json.Unmarshal([]byte(a.stdout), &out); err != nil {
		s.t.Fatal(err)
	}
	_, rest, _ := strings.Cut(out.Specific.Reason, "(")
	rule, _, _ = strings.Cut(rest, ")")
	return out.Specific.Decision, rule
}

// wantGuarded checks that a command gets an answer by a rule; "" is no answer.
func (s *scene) wantGuarded(tool string, input any, decision, rule string) {
	s.t.Helper()
	if text, ok := input.(string); ok {
		input = map[string]string{"command": text, "description": "x"}
	}
	if d, r := s.guarded(tool, input); d != decision || r != rule {
		s.t.Errorf("%s %.300v: %q by %q, want %q by %q", tool, input, d, r, decision, rule)
	}
}

// guardScene is a scene on a branch.
func guardScene(t *testing.T, branch string) *scene {
	t.Helper()
	s := newScene(t)
	s.put(filepath.Join(s.project, ".git", "HEAD"), "ref: refs/heads/"+branch+"\n")
	return s
}

// TestUnknownDeadlineIsAnError: a misspelt hook type in deadlines_ms is an error like any
// other unknown key, and the message names it and the closest one at its beginning.
func TestUnknownDeadlineIsAnError(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.config(`{"deadlines_ms": {"permision-request": 2000}}`)
	a := s.hook("permission-request", s.toolInput("PermissionRequest", ""))
	if !strings.Contains(a.stdout, `"behavior": "deny"`) {
		t.Errorf("%q", a.stdout)
	}
	for _, part := range []string{`bridge denied this call: unknown key \"deadlines_ms.permision-request\" (did you mean \"deadlines_ms.permission-request\"?)`} {
		if !strings.Contains(a.stdout, part) {
			t.Errorf("no %s in %q", part, a.stdout)
		}
	}
}

// TestGuardKnowsTheBranchOfALinkedWorkTree: in a work tree .git is a file that names
// the directory with its HEAD. The branch is that of the tree from which the push
// runs, wherever the session stands.
func TestGuardKnowsTheBranchOfALinkedWorkTree(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is needed to make a work tree")
	}
	s := newScene(t)
	if err := os.RemoveAll(filepath.Join(s.project, ".git")); err != nil {
		t.Fatal(err)
	}
	onMain, onFeature := filepath.Join(s.home, "on-main"), filepath.Join(s.home, "on-feature")
	for _, args := range [][]string{{"init", "-qb", "trunk"}, {"commit", "-q", "--allow-empty", "-m", "x"}, {"worktree", "add", "-qb", "main", onMain}, {"worktree", "add", "-qb", "feature", onFeature}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = s.project
		cmd.Env = append(s.env, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v %s", args, err, out)
		}
	}
	pushes := []string{"git push --force origin HEAD", "git push -f origin @", "git push --force-with-lease origin +HEAD", "git push -f", "git push -f origin $(git branch --show-current)"}
	main := s.project
	s.project = onMain
	for _, push := range pushes {
		s.wantGuarded("Bash", push, "deny", "force-push")
		s.wantGuarded("Bash", "cd "+onFeature+" && "+push, "", "")
	}
	s.wantGuarded("Bash", "git -C ../on-feature push --force", "", "")
	s.project = onFeature
	for _, push := range pushes {
		s.wantGuarded("Bash", push, "", "")
		s.wantGuarded("Bash", "cd "+onMain+" && "+push, "deny", "force-push")
		s.wantGuarded("Bash", "cd "+main+" && "+push, "", "")
	}
	s.wantGuarded("Bash", "git -C ../on-main push --force", "deny", "force-push")
	s.wantGuarded("Bash", "env -C ../on-main git push --force", "deny", "force-push")
}

// TestGuardReadsRefspecs: a pattern, matching branches, a mirror and a substituted
// branch name rewrite a protected branch as much as its name does.
func TestGuardReadsRefspecs(t *testing.T) {
	t.Parallel()
	s := guardScene(t, "main")
	for _, push := range []string{
		"git push origin +:", "git push -f origin :", "git push -f origin 'refs/heads/*:refs/heads/*'", "git push origin '+refs/heads/*'", "git push origin +refs/*:refs/*", "git push -f origin 'm*'",
		"git push -f origin $(git branch --show-current)", "git push -f origin \"$(git rev-parse --abbrev-ref HEAD)\"", "git push -f origin `git branch --show-current`", "git push -f origin HEAD:$(git branch --show-current)",
		"git -c remote.origin.mirror=true push", "git -c remote.origin.mirror=true push origin", "git -c remote.origin.push=+refs/heads/main push origin", "git -c push.default=matching push -f",
		"git push -f origin {main,feature}", "b=main; git push -f origin $b", "git push -o ci.skip -f origin", "for b in feature main; do git push -f origin $b; done", "sudo --user me git push -f origin main",
		"git push --prune origin 'refs/heads/*'", "git send-pack --force origin main", "git-push -f origin main", "git -c remote.origin.push=+HEAD push", "git -c alias.x='push --force' -c alias.y=x y", "git -c 'alias.x=!git push -f origin \"$@\"' x main", "git push -f origin ${b:-main}", "b=$(echo main); git push -f origin $b", "git rebase -x 'git push -f' main",
	} {
		s.wantGuarded("Bash", push, "deny", "force-push")
	}
	s = guardScene(t, "feature")
	for _, push := range []string{"git push -f origin $branch", "git push origin +\"$(cat branch)\""} {
		s.wantGuarded("Bash", push, "ask", "force-push")
	}
	for _, push := range []string{"git push -f origin \"feature/$x\"", "git push -f origin HEAD:topic/$(date +%F)", "git branch | xargs git push origin --delete", "git push --prune origin 'refs/tags/*'"} {
		s.wantGuarded("Bash", push, "", "")
	}
}

// TestGuardKnowsTheBranchThatTheLineEnters: a line may check the protected branch out
// before it pushes.
func TestGuardKnowsTheBranchThatTheLineEnters(t *testing.T) {
	t.Parallel()
	s := guardScene(t, "feature")
	for _, line := range []string{"git checkout main && git push -f", "git switch main; git merge --squash feature && git push --force origin HEAD", "git checkout -B main && git push -f", "git switch -C main feature\ngit push -f", "git -C . checkout -q main && git push -f"} {
		s.wantGuarded("Bash", line, "deny", "force-push")
	}
	for _, line := range []string{"git checkout other && git push -f", "git checkout main && git push", "git checkout main -- a.txt && git push -f", "git checkout -- main && git push -f", "git checkout -b other main && git push -f"} {
		s.wantGuarded("Bash", line, "", "")
	}
}

// TestGuardLooksBehindWrappers: an option of a wrapper may have its value in the next
// word, name the directory to run in, or hold the command line.
func TestGuardLooksBehindWrappers(t *testing.T) {
	t.Parallel()
	s := guardScene(t, "main")
	for _, command := range []string{
		"sudo --user root rm -rf /", "sudo -uroot rm -rf /", "sudo --chdir / rm -rf .", "sudo -D / rm -rf *", "env --chdir / rm -rf .", "env -C / rm -rf .", "env --unset A --chdir=/ rm -rf .", "timeout --signal KILL 10 rm -rf /",
		"timeout --kill-after 5 --signal KILL 10 rm -rf /", "flock l -c 'rm -rf /'", "flock --timeout 5 l -c 'rm -rf /'", "flock l --command='rm -rf /'", "nice --adjustment 5 rm -rf /", "ionice --class 3 rm -rf /", "stdbuf --output L rm -rf /",
		"chroot --userspec 0:0 /mnt rm -rf /", "xargs --max-args 1 rm -rf / < list", "setpriv --reuid 0 rm -rf /", "systemd-run --unit x rm -rf /", "runuser -u root rm -rf /", "su -c 'rm -rf /'", "script -c 'rm -rf /' log", "gtimeout -s KILL 5 rm -rf /",
		"unshare --wd / rm -rf .", "parallel 'rm -rf /' ::: 1", "numactl -N 0 rm -rf /", "env - rm -rf /", "pkexec --user root rm -rf /",
		"env -S 'rm -rf /'", "env -iS 'rm -rf /'", "env --split-string 'rm -rf /'", "env -S rm -rf /", "env A=1 sh -c 'rm -rf /'", "cpulimit -l 50 -- rm -rf /", "fakeroot rm -rf /", "xvfb-run -a rm -rf /", "valgrind rm -rf /", "systemd-inhibit --what sleep rm -rf /", "gosu root rm -rf /", "perf stat -e cycles rm -rf /",
		"sg docker -c 'rm -rf /'", "uv run -- rm -rf /", "poetry run rm -rf /", "bundle exec rm -rf /", "npm exec -- rm -rf /", "npx -c 'rm -rf /'", "mise exec node@20 -- rm -rf /", "direnv exec . rm -rf /", "conda run -n x rm -rf /", "watchexec -e go 'rm -rf /'", "hyperfine -w 3 'rm -rf /'", "ls | entr -r rm -rf /", "tmux new -d 'rm -rf /'", "screen -dmS x rm -rf /",
		"bash -c 'rm -rf \"$@\"' x /", "bash -c 'rm -rf $1' _ /", "sh -c 'rm -rf \"$0\"' /", "csh -c 'rm -rf /'", "pwsh -NoProfile -Command 'Remove-Item -Recurse -Force /'", "powershell.exe -c \"Remove-Item -Recurse ~\"",
		"git -c 'alias.x=!rm -rf /' x", "git submodule foreach --recursive 'rm -rf /'", "git rebase --exec 'rm -rf /' main", "git rebase -x 'rm -rf /' main", "git bisect run rm -rf /", "git filter-branch --tree-filter 'rm -rf /' HEAD", "git difftool --extcmd='rm -rf /'",
		"grm -rf /", "npx rimraf /", "rimraf .",
	} {
		s.wantGuarded("Bash", command, "deny", "recursive-delete")
	}
}

// TestGuardFillsInVariablesAndPatterns: a variable that the same line assigns has
// that value, and a pattern that matches everything is the directory.
func TestGuardFillsInVariablesAndPatterns(t *testing.T) {
	t.Parallel()
	s := guardScene(t, "main")
	for _, command := range []string{
		"x=/; rm -rf $x", "x=/; rm -rf \"${x}\"", "export x=/ && rm -rf ${x:?}", "x=; rm -rf $x/*", "x=$HOME; rm -rf \"$x\"", "x=/home y=$x/..; rm -rf $y", "for d in build /; do rm -rf $d; done", "a=(build /); rm -rf \"${a[@]}\"", "o=-rf; rm $o /", "c='rm -rf /'; $c",
		"x=/; x+=; rm -rf $x", "export x=/; bash -c 'rm -rf $x'", "declare x=~; rm -rf $x",
		"rm -rf ???*", "rm -rf ?*", "rm -rf [!.]*", "rm -rf [a-z]*", "rm -rf [[:alnum:]]*", "rm -rf ./*/", "rm -rf /*/*", "rm -rf ~/???*", "rm -rf {.,}*", "rm -rf ~/{*,.*}", "rm -rf {build,/}", "cd $(git rev-parse --show-toplevel) && rm -rf *",
		"(cd build && make); rm -rf *", "x=$(cd build && pwd); rm -rf ./*", "f() { cd build; }; rm -rf *", "print ${(f)x}; rm -rf /", "eval 'cd /'; rm -rf *",
		"find / -type f -delete", "find . -type f -delete", "find -L / -delete", "find ~ -name '*' -delete", "find . -type f -exec rm {} +", "find . -print -delete",
		"find . ! -name keep -delete", "find . -type f -not -path './keep/*' -delete", "rm -rf \"${PWD:?}\"", "rm -rf \"${PWD:?}\"/*",
		"rm -rf ${HOME%/}", "rm -rf ${HOME:-/root}", "rm -rf \"${CLAUDE_PROJECT_DIR:?}\"/*", "rm -rf ~+/*", "rm -rf ~home", "rm -r ${x:-/}", "rm -rf \"${x:=$HOME}\"", "rm -rf \"${DIR:-/}\"/*", "x=/ bash -c 'rm -rf $x'", "set -- /; rm -rf \"$1\"", "set -- *; rm -rf \"$@\"",
		"rm -rf $(ls -A)", "rm -rf $(echo /)", "x=$(realpath .); rm -rf $x", "rm -rf \"$(dirname \"$PWD\")\"", "$(which rm) -rf /", "rm -rf !(keep)", "rm -rf ../proj*", "rm -rf ~/../ho?e", "cd build; cd -; rm -rf *", "pushd build && popd && rm -rf *",
		"find . -path ./keep -prune -o -exec rm -rf {} +", "find . -not \\( -name a -o -name b \\) -delete", "find . -exec sh -c 'rm -rf \"$1\"' _ {} \\;", "find . -exec sudo rm -rf {} +", "find . -type f -exec bash -c 'rm {}' \\;", "gfind . -delete",
	} {
		s.wantGuarded("Bash", command, "deny", "recursive-delete")
	}
}

// TestGuardKnowsWhatProgramsWrite: the output of a program may be the value of an
// option or an operand; a script or a pattern is no path.
func TestGuardKnowsWhatProgramsWrite(t *testing.T) {
	t.Parallel()
	s := guardScene(t, "feature")
	for _, command := range []string{
		"find . -name .git -exec rm -rf {} +", "find . -name .git -type d -prune -exec rm -rf {} \\;", "find . -name '.git*' -exec rm -rf {} +",
		"sort -o .git/config x", "sort --output=.git/config x", "sort x -o.git/config", "cp -vt .git/hooks a b", "mv -t .git/hooks a", "install -m 755 -t .git/hooks a", "install --target-directory .git/hooks a", "curl -o .git/hooks/pre-commit https://x", "curl -sSLo .git/hooks/pre-commit https://x",
		"curl --output .git/hooks/pre-commit https://x", "curl --output-dir .git/hooks -O https://x", "cd .git/hooks && curl -O https://x/pre-commit", "wget -O .git/hooks/pre-commit https://x", "wget -P .git/hooks https://x", "tar -xf a.tar -C .git", "tar xf a.tar -C .git/hooks", "tar --extract --directory .git --file a.tar",
		"tar czf .git/x.tgz src", "unzip a.zip -d .git/hooks", "find .git -type f -delete", "find .git -name HEAD -exec rm {} +", "find .git -name index.lock -o -name HEAD -delete", "find .git -exec chmod 600 {} +", "uniq a .git/config", "gcc -o .git/hooks/x a.c", "patch .git/config a.diff", "sed -i -e s/a/b/ .git/config", "perl -pi -e s/a/b/ .git/config",
		"awk -i inplace 1 .git/config", "f=.git/config; echo > $f", "cp x $(git rev-parse --git-dir)/hooks/pre-commit", "tee .git/{config,HEAD}", "rsync -a --delete hooks/ .git/hooks/ --exclude x",
		"rm .gi*/config", "rm -rf .git*", "find . -type f -exec sed -i s/a/b/ {} +", "find . -name config -delete", "find . -type f -exec sh -c 'echo > \"$1\"' _ {} \\;", "git config -f .git/config a.b c", "git bundle create .git/x HEAD", "go build -o=.git/hooks/x .", "link x .git/config", "gzip .git/config", "zstd -o .git/x y", "strip -o .git/x y", "sed --in s/a/b/ .git/config", "rsync --remove-source-files .git/config x", "bash -c 'echo > $1' _ .git/config",
	} {
		d, r := s.guarded("Bash", map[string]string{"command": command})
		if d != "deny" || r != "git-directory" {
			t.Errorf("%s: %q by %q", command, d, r)
		}
	}
	for _, command := range []string{"sed -i s/.git/.svn/ a.txt", "sed -i.bak 's/.git/x/' a.txt", "sed -i '' s/.git/x/ a.txt", "perl -pi -e s/.git/.svn/ a.txt", "touch -r .git/HEAD a.txt", "rsync -a src/ dst/ --exclude .git", "truncate -r .git/HEAD a",
		"find . -path ./.git -prune -o -type f -exec sed -i s/a/b/ {} +", "find . -type f -not -path './.git/*' -exec sed -i s/a/b/ {} +", "find . -name '*.go' -exec sed -i s/a/b/ {} +", "find src -type f -exec sed -i s/a/b/ {} +", "find . -maxdepth 1 -type f -exec sed -i s/a/b/ {} +", "find . -type f -exec chmod 644 {} +", "find . -path './build/*' -delete", "rm -f .gitattributes", "rm -f *.config", "git config -f .git/config --get a.b x"} {
		s.wantGuarded("Bash", command, "", "")
	}
}

// TestGuardReadsLongLines: what stands behind a long comment or many commands is
// read; where a line is too long for that the person is asked, and a command that is
// refused is refused all the same.
func TestGuardReadsLongLines(t *testing.T) {
	t.Parallel()
	s := guardScene(t, "main")
	for _, before := range []string{"# " + strings.Repeat("x", 70<<10) + "\n", strings.Repeat("true\n", 2000), strings.Repeat("(true)\n", 500), "cat > a.json <<'E'\n" + strings.Repeat("{\"a\": [{}]}\n", 2000) + "E\n"} {
		s.wantGuarded("Bash", before+"rm -rf /", "deny", "recursive-delete")
	}
	for _, command := range []string{"# " + strings.Repeat("x", 300<<10) + "\nrm -rf /", strings.Repeat("true\n", 6000) + "rm -rf /", strings.Repeat("{ ", 500) + "rm -rf /;" + strings.Repeat(" }", 500), "sudo env nice nohup setsid time rm -rf /"} {
		s.wantGuarded("Bash", command, "ask", "over-limit")
		s.wantGuarded("Bash", "rm -rf ~\n"+command, "deny", "recursive-delete")
	}
}

// installed is a scene in which bridge is in the user's settings, as install
// writes it, beside another hook and settings of the user.
func installed(t *testing.T) (s *scene, settings, program string) {
	t.Helper()
	s = guardScene(t, "feature")
	settings = filepath.Join(s.home, ".claude", "settings.json")
	s.put(settings, "{\n  // mine\n  \"model\": \"opus\",\n  \"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"say done\"}]}]}\n}\n")
	cmd := exec.Command(binary, "install")
	cmd.Dir, cmd.Env = s.project, s.env
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("install: %v %s", err, out)
	}
	return s, settings, filepath.Join(s.home, ".local", "share", "bridge", "bin", "bridge")
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestGuardProtectsBridgeItself: its program, its configuration and its state are not
// removed, moved or written by a tool, whichever tool or command it is.
func TestGuardProtectsBridgeItself(t *testing.T) {
	longer(t)
	t.Parallel()
	s, _, program := installed(t)
	s.config("{}")
	config, state := filepath.Join(s.home, ".config", "bridge", "config.json"), filepath.Join(s.home, ".local", "state", "bridge")
	link := filepath.Join(s.home, "bin", "bridge")
	if err := os.MkdirAll(filepath.Dir(link), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(binary, link); err != nil {
		t.Fatal(err)
	}
	paths := []string{program, config, binary, link, filepath.Join(state, "ledger", "x.jsonl")}
	if testing.Short() {
		paths = paths[:2] // each starts 27 processes
	}
	for _, path := range paths {
		for _, command := range []string{
			"rm PATH", "rm -f PATH", "cp x PATH", "mv PATH /tmp/x", "mv x PATH", "sed -i s/a/b/ PATH", "echo x | tee PATH", "echo x > PATH", "echo x >> PATH", "dd if=/dev/null of=PATH", "ln -sf /bin/true PATH", "truncate -s 0 PATH", "install -m 755 x PATH",
			"chmod -x PATH", "unlink PATH", "shred PATH", "sort -o PATH x", "curl -o PATH https://x", "sudo --user root rm PATH", "p=PATH; rm $p", "find PATH -delete",
		} {
			s.wantGuarded("Bash", strings.ReplaceAll(command, "PATH", path), "deny", "own-directory")
		}
		s.wantGuarded("Write", map[string]string{"file_path": path, "content": "x"}, "deny", "own-directory")
		s.wantGuarded("Edit", map[string]any{"file_path": path, "old_string": "a", "new_string": "b", "replace_all": false}, "deny", "own-directory")
		s.wantGuarded("MultiEdit", map[string]any{"file_path": path, "edits": []any{}}, "deny", "own-directory")
		s.wantGuarded("NotebookEdit", map[string]any{"notebook_path": path, "new_source": "x"}, "deny", "own-directory")
		s.wantGuarded("Read", map[string]string{"file_path": path}, "", "")
		s.wantGuarded("Bash", "cp "+path+" /tmp/x; ls -l "+path+"; sha256sum "+path, "", "")
	}
	for _, command := range []string{"rm -rf ~/.local/share/bridge", "mv ~/.local/share ~/x", "rm -rf ~/.local", "mv ~/.config /tmp", "rsync -a --delete empty/ ~/.config/", "rsync -a --delete-after empty/ ~/.config/"} {
		s.wantGuarded("Bash", command, "deny", "own-directory")
	}
	rules := filepath.Join(s.project, ".claude", "bridge.json")
	s.wantGuarded("Write", map[string]string{"file_path": rules, "content": "{}"}, "", "")
	s.wantGuarded("Bash", "rm -rf .claude", "", "")
	s.put(rules, `{"permissions": {"deny": ["Bash(npm publish*)"]}}`)
	s.wantGuarded("Write", map[string]string{"file_path": rules, "content": "{}"}, "ask", "project-rules")
	for _, command := range []string{"rm .claude/bridge.json", "rm -rf .claude", "mv .claude x", "cp x .claude/bridge.json", "echo {} > .claude/bridge.json"} {
		s.wantGuarded("Bash", command, "ask", "project-rules")
	}
}

// TestGuardKeepsTheHookLines: whoever edits the client's settings keeps bridge in
// them, or is asked; everything else in the file may change.
func TestGuardKeepsTheHookLines(t *testing.T) {
	longer(t)
	t.Parallel()
	s, file, program := installed(t)
	text := read(t, file)
	edit := func(old, text string) map[string]any {
		return map[string]any{"file_path": file, "old_string": old, "new_string": text, "replace_all": false}
	}
	stop := `"args":["--hook=stop"]`
	if !strings.Contains(text, stop) {
		stop = `"args": ["--hook=stop"]`
	}
	if strings.Count(text, stop) != 1 {
		t.Fatalf("the line at Stop is not as expected: %s", text)
	}
	before, _, _ := strings.Cut(text, stop)
	line := before[strings.LastIndex(before, "{"):] + stop
	for what, change := range map[string]map[string]any{
		"another type":    edit(line, strings.Replace(line, `"command"`, `"prompt"`, 1)),
		"another program": edit(line, strings.Replace(line, program, "/bin/true", 1)),
		"another hook":    edit(stop, strings.Replace(stop, "stop", "session-start", 1)),
		"no hook":         edit(stop, `"args": []`),
		"a condition":     edit(stop, stop+`, "if": "Bash(x)"`),
		"all hooks off":   edit(`"model"`, `"disableAllHooks": true, "model"`),
		"no JSON":         edit(`"model"`, `model`),
		"everywhere":      {"file_path": file, "old_string": "--hook=", "new_string": "--kook=", "replace_all": true},
	} {
		if d, r := s.guarded("Edit", change); d != "ask" || r != "unhook" {
			t.Errorf("%s: %q by %q", what, d, r)
		}
	}
	for what, change := range map[string]map[string]any{
		"the model":            edit("opus", "sonnet"),
		"another hook":         edit("say done", "say ready"),
		"bridge elsewhere":     {"file_path": file, "old_string": program, "new_string": "/opt/bridge/bridge", "replace_all": true},
		"what is not there":    edit("absent", "x"),
		"hooks expressly on":   edit(`"model"`, `"disableAllHooks": false, "model"`),
		"what stands there":    {"file_path": file, "old_string": `"type"`, "new_string": "x"},
		"a new hook of others": edit("{\"type\": \"command\", \"command\": \"say done\"}", "{\"type\": \"command\", \"command\": \"say done\"}, {\"type\": \"command\", \"command\": \"x --hook=y\"}"),
	} {
		if d, r := s.guarded("Edit", change); d != "" {
			t.Errorf("%s: %q by %q", what, d, r)
		}
	}
	s.wantGuarded("MultiEdit", map[string]any{"file_path": file, "edits": []any{map[string]string{"old_string": "opus", "new_string": "sonnet"}, map[string]string{"old_string": stop, "new_string": `"args": []`}}}, "ask", "unhook")
	s.wantGuarded("MultiEdit", map[string]any{"file_path": file, "edits": []any{map[string]string{"old_string": "opus", "new_string": "sonnet"}}}, "", "")
	s.wantGuarded("Write", map[string]string{"file_path": file, "content": text}, "", "")
	s.wantGuarded("Write", map[string]string{"file_path": file, "content": strings.Replace(text, "opus", "sonnet", 1)}, "", "")
	s.wantGuarded("Write", map[string]string{"file_path": file, "content": strings.Replace(text, stop, "", 1)}, "ask", "unhook")
	s.wantGuarded("Write", map[string]string{"file_path": file, "content": "{\"env\": {\"NOTE\": \"--hook\"}}"}, "ask", "unhook")
	hurried := regexp.MustCompile(`"timeout": \d+`).ReplaceAllString(text, `"timeout": 0.01`)
	s.wantGuarded("Write", map[string]string{"file_path": file, "content": hurried}, "ask", "unhook")
	s.wantGuarded("Write", map[string]string{"file_path": file, "content": regexp.MustCompile(`"timeout": (\d+)`).ReplaceAllString(text, `"timeout": 9$1`)}, "", "")
	s.wantGuarded("NotebookEdit", map[string]any{"notebook_path": file, "new_source": "x"}, "ask", "unhook")
	for _, command := range []string{
		"bridge uninstall", program + " uninstall --scope project", "sudo bridge uninstall", "hookbridge uninstall", "claude plugin uninstall bridge@bridge", "sed -i s/command/prompt/ FILE", "echo '{}' | tee FILE", "echo '{}' > FILE", "dd of=FILE", "ln -sf /dev/null FILE", "truncate -s0 FILE", "install x FILE", "mv FILE /tmp/x", "rm FILE", "cp -t ~/.claude x/settings.json",
		"cp x/settings.json ~/.claude/", "cp x/* ~/.claude/", "cp -r x/. ~/.claude", "tar xf a.tar -C ~/.claude", "rsync -a dotfiles/ ~/.claude/", "jq . FILE > x && mv x FILE", "sort -o FILE x", "curl -o FILE https://x", "rm -rf ~/.claude", "mv ~/.claude ~/x", "find ~/.claude -delete", "f=FILE; rm $f",
		"rm ~/.claude/*", "cd ~/.claude && rm -f ./*", "rm ~/.claude/set*", "sed -i s/a/b/ ~/.claude/*.json", "find ~/.claude -name settings.json -delete", "find ~/.claude -type f -exec sed -i s/a/b/ {} +", "ls ~/.claude/* | xargs rm", "git config -f FILE a.b c", "wget -P ~/.claude https://x/settings.json",
	} {
		s.wantGuarded("Bash", strings.ReplaceAll(command, "FILE", file), "ask", "unhook")
	}
	there := filepath.Join(s.home, "copy")
	s.put(there, "")
	for _, command := range []string{"bridge uninstall --dry-run", "hookbridge uninstall --dry-run", "bridge doctor", "cat FILE", "jq .hooks FILE", "cp FILE /tmp/x", "cp FILE " + there, "rm ~/.claude/history.jsonl", "rm -rf ~/.claude/plugins"} {
		s.wantGuarded("Bash", strings.ReplaceAll(command, "FILE", file), "", "")
	}
	// A plugin's hooks are in a file of the plugin.
	plugin := filepath.Join(s.home, ".claude", "plugins", "cache", "bridge")
	s.put(filepath.Join(plugin, "hooks", "hooks.json"), `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "${CLAUDE_PLUGIN_ROOT}/bridge", "args": ["--hook=stop"]}]}]}}`)
	s.put(filepath.Join(s.home, ".claude", "plugins", "installed_plugins.json"), `{"plugins": {"bridge@bridge": [{"installPath": "`+plugin+`"}]}}`)
	s.put(filepath.Join(s.home, ".claude", "settings.local.json"), "{}")
	s.put(filepath.Join(s.project, ".claude", "settings.json"), `{"enabledPlugins": {"bridge@bridge": true}}`)
	for _, command := range []string{"rm -rf ~/.claude/plugins", "rm " + plugin + "/hooks/hooks.json", "mv ~/.claude/plugins/cache ~/x"} {
		s.wantGuarded("Bash", command, "ask", "unhook")
	}
}
