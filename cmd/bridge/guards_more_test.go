//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestGuardLooksAtPipes: xargs runs its command with the words that it reads, and a
// shell runs the text that it reads.
func TestGuardLooksAtPipes(t *testing.T) {
	t.Parallel()
	s := guardScene(t, "main")
	for _, command := range []string{
		"echo / | xargs rm -rf", "echo ~ | xargs rm -rf", "printf '%s\\n' / | xargs -n 1 rm -rf", "printf '/\\0' | xargs -0 rm -rf --", "x=/; echo $x | xargs rm -rf", "echo build / | sort | uniq | xargs rm -r", "echo / | sudo xargs rm -rf", "echo / | xargs sudo rm -rf",
		"find . | xargs rm -rf", "find / -type f -print0 | xargs -0 rm", "find ~ -type f | sort | xargs rm -f", "find . | xargs -I {} rm -rf {}", "find . -type f | xargs -i rm {}", "ls | xargs rm -rf", "ls -A | xargs rm -rf", "ls * | xargs rm -rf", "ls ~ | xargs -I{} rm -rf ~/{}", "ls -a / | xargs -I % rm -rf /%",
		"cd / && ls | xargs rm -rf", "echo / | xargs -I{} sh -c 'rm -rf {}'", "ls | xargs --replace rm -rf ./{}",
		"echo 'rm -rf /' | bash", "printf 'rm -rf /' | sudo sh", "echo 'rm -rf /' | tee log | bash", "cat <<'E' | bash\nrm -rf /\nE", "cat <<E | sh -s\nrm -rf ~\nE", "bash <<< 'rm -rf /'", "c='rm -rf /'; bash <<< \"$c\"", "echo 'rm -rf /' |& bash",
		"xargs rm -rf <<< /", "xargs rm -rf <<E\n/\nE", "cat <<E | xargs rm -rf\n/\nE", "xargs rm -rf < <(ls)", "echo 'rm -rf /' | xargs -I{} bash -c '{}'", "echo 'rm -rf /' | xargs -0 bash -c", "dir | xargs rm -rf", "echo rm -rf / | bash", "echo 'rm -rf /' | { bash; }", "echo 'rm -rf /' | (sudo bash)",
		"bash <(echo 'rm -rf /')", "bash < <(echo 'rm -rf /')", "source <(echo 'rm -rf /')", ". /dev/stdin <<< 'rm -rf /'", "su root <<E\nrm -rf /\nE", "at now <<< 'rm -rf /'",
	} {
		s.wantGuarded("Bash", command, "deny", "recursive-delete")
	}
	for command, rule := range map[string]string{
		"echo .git/config | xargs rm": "git-directory", "find .git -type f | xargs rm": "git-directory", "ls .git/hooks/* | xargs chmod +x": "git-directory",
		"find ~/.config/bridge -type f | xargs rm": "own-directory", "echo ~/.config/bridge/config.json | xargs truncate -s 0": "own-directory", "echo main | xargs git push -f origin": "force-push", "echo 'git push -f origin main' | sh": "force-push",
	} {
		s.wantGuarded("Bash", command, "deny", rule)
	}
	for _, command := range []string{
		"find . -name '*.pyc' | xargs rm -f", "find . -type f -name '*.orig' -print0 | xargs -0 rm", "find . -type f | xargs grep -l TODO", "find . -type f | grep '\\.bak$' | xargs rm", "ls | grep old | xargs rm -rf", "ls *.log | xargs rm", "ls -t | tail -n +5 | xargs rm -rf", "ls -d build-* | xargs rm -rf",
		"echo build dist | xargs rm -rf", "git ls-files -z | xargs -0 sed -i 's/a/b/'", "ls | xargs -I {} echo {}", "echo / | xargs ls", "echo 'ls /' | bash", "cat list | xargs rm -rf", "ls build | xargs -I{} rm -rf build/{}", "find build | xargs rm -rf", "find . -type f | xargs wc -l", "echo / | grep xargs rm", "cat <<'E' | bash\nmake\nE",
		"xargs rm -f <<< 'a b'", "cat <<E | xargs rm -f\na b\nE", "echo make | bash", "bash <(echo make)", "rm -rf $(ls build)", "rm -rf $(ls -d build*)", "bash -c 'rm -rf \"$1\"' _ build", "rm -rf ${DIR:-build}/x", "npx rimraf dist",
	} {
		s.wantGuarded("Bash", command, "", "")
	}
}

// TestGuardFollowsLinks: a write or a removal is judged by the place to which links
// lead; but removing a link by its name removes only the link.
func TestGuardFollowsLinks(t *testing.T) {
	longer(t)
	t.Parallel()
	s, settings, program := installed(t)
	s.config("{}")
	at := func(name string) string { return filepath.Join(s.project, name) }
	dotfiles := filepath.Join(s.home, "dotfiles", "claude.json")
	s.put(dotfiles, read(t, settings))
	for link, to := range map[string]string{
		at("to-git"): ".git", at("to-config"): filepath.Join(s.home, ".config", "bridge"), at("to-program"): program, at("to-bin"): filepath.Dir(program), at("to-home"): s.home, at("to-root"): "/", at("to-settings"): settings, at("chain"): "to-git",
	} {
		if err := os.Symlink(to, link); err != nil {
			t.Fatal(err)
		}
	}
	for command, rule := range map[string]string{
		"echo x > to-git/config": "git-directory", "rm to-git/HEAD": "git-directory", "tee chain/hooks/x": "git-directory", "cp x to-git/hooks/": "git-directory", "rm -rf to-git/": "git-directory", "rm -rf to-git/*": "git-directory", "cd to-git && rm HEAD": "git-directory",
		"rm to-config/config.json": "own-directory", "sed -i s/a/b/ to-config/config.json": "own-directory", "echo {} > to-config/config.json": "own-directory", "rm to-bin/bridge": "own-directory", "cp x to-program": "own-directory", "chmod -x to-program": "own-directory", "curl -o to-program https://x": "own-directory", "cp bridge to-bin/": "own-directory",
		"rm -rf to-home/": "recursive-delete", "rm -rf to-home/*": "recursive-delete", "rm -rf to-root/*": "recursive-delete", "cd to-home && rm -rf *": "recursive-delete", "find to-home/ -delete": "recursive-delete", "rm -rf to-home/../home": "recursive-delete",
	} {
		s.wantGuarded("Bash", command, "deny", rule)
	}
	s.wantGuarded("Write", file(at("to-config/config.json")), "deny", "own-directory")
	s.wantGuarded("Write", file(at("to-git/new/deep/x")), "deny", "git-directory")
	s.wantGuarded("Bash", "echo {} > to-settings", "ask", "unhook")
	for _, command := range []string{"rm to-git", "rm -rf to-git to-config to-home to-root to-program", "unlink to-settings", "mv to-home x", "ln -sfn build to-git", "ls to-home/", "cat to-git/HEAD"} {
		s.wantGuarded("Bash", command, "", "")
	}
	// Settings that are a link are protected where they are.
	if err := os.Remove(settings); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(dotfiles, settings); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"rm " + dotfiles, "echo {} > ~/dotfiles/claude.json", "rm -rf ~/dotfiles"} {
		s.wantGuarded("Bash", command, "ask", "unhook")
	}
	s.wantGuarded("Write", map[string]string{"file_path": dotfiles, "content": "{}"}, "ask", "unhook")
	// So is a home directory that is reached by a link.
	real := s.home
	s.home = filepath.Join(filepath.Dir(real), "linked-home")
	if err := os.Symlink(real, s.home); err != nil {
		t.Fatal(err)
	}
	s.env[0] = "HOME=" + s.home
	for _, command := range []string{"rm -rf ~", "rm -rf " + real, "rm -rf " + real + "/*", "cd " + real + " && rm -rf ."} {
		s.wantGuarded("Bash", command, "deny", "recursive-delete")
	}
	s.wantGuarded("Bash", "rm "+real+"/.config/bridge/config.json", "deny", "own-directory")
}

// TestGuardSeesEveryWritingTool: tools of MCP servers and PowerShell write files as well.
func TestGuardSeesEveryWritingTool(t *testing.T) {
	longer(t)
	t.Parallel()
	s, settings, program := installed(t)
	s.config("{}")
	config, hook := filepath.Join(s.home, ".config", "bridge", "config.json"), filepath.Join(s.project, ".git", "hooks", "pre-commit")
	for _, path := range []string{program, config} {
		s.wantGuarded("mcp__filesystem__write_file", map[string]string{"path": path, "content": "x"}, "deny", "own-directory")
		s.wantGuarded("mcp__filesystem__edit_file", map[string]any{"path": path, "edits": []any{}}, "deny", "own-directory")
		s.wantGuarded("mcp__filesystem__move_file", map[string]string{"source": path, "destination": "/tmp/x"}, "deny", "own-directory")
		s.wantGuarded("mcp__filesystem__move_file", map[string]string{"source": "/tmp/x", "destination": path}, "deny", "own-directory")
		s.wantGuarded("mcp__ide__deleteFiles", map[string]any{"paths": []string{"/tmp/x", path}}, "deny", "own-directory")
		s.wantGuarded("mcp__ide__saveDocument", map[string]string{"uri": "file://" + path}, "deny", "own-directory")
		s.wantGuarded("mcp__filesystem__read_file", map[string]string{"path": path}, "", "")
		for _, command := range []string{"Remove-Item PATH", "remove-item -Force PATH", "Set-Content -Path PATH -Value x", "Add-Content PATH x", "Copy-Item x PATH", "Move-Item PATH /tmp/x", "Out-File PATH", "echo x > PATH", "Clear-Content PATH"} {
			s.wantGuarded("PowerShell", strings.ReplaceAll(command, "PATH", path), "deny", "own-directory")
		}
	}
	s.wantGuarded("mcp__filesystem__write_file", map[string]string{"path": "~/.config/bridge/config.json", "content": "x"}, "deny", "own-directory")
	s.wantGuarded("mcp__filesystem__write_file", map[string]string{"path": hook, "content": "x"}, "deny", "git-directory")
	for _, input := range []any{
		map[string]any{"files": []map[string]string{{"path": "/tmp/x"}, {"path": hook, "content": "x"}}}, map[string]any{"input": map[string]string{"absolutePath": hook}}, map[string]string{"target_file": hook}, map[string]any{"edits": []any{map[string]string{"File": hook}}},
	} {
		s.wantGuarded("mcp__x__write_files", input, "deny", "git-directory")
		s.wantGuarded("mcp__x__trash", input, "deny", "git-directory")
		s.wantGuarded("mcp__x__read_files", input, "", "")
	}
	s.wantGuarded("mcp__x__delete_file", map[string]string{"path": s.project + "/a.txt", "cwd": s.project, "content": hook}, "", "")
	s.wantGuarded("mcp__filesystem__delete_directory", map[string]string{"path": s.home}, "deny", "recursive-delete")
	s.wantGuarded("mcp__filesystem__delete_directory", map[string]string{"path": s.project + "/build"}, "", "")
	s.wantGuarded("mcp__filesystem__write_file", map[string]string{"path": settings, "content": "{}"}, "ask", "unhook")
	s.wantGuarded("mcp__filesystem__write_file", map[string]string{"path": s.project + "/a.txt", "content": "x"}, "", "")
	// The path is one in a repository elsewhere.
	s.wantGuarded("mcp__github__create_or_update_file", map[string]string{"path": ".claude/settings.json", "content": "{}"}, "", "")
	for _, command := range []string{"Remove-Item -Recurse -Force ~", "Remove-Item -Recurse $HOME", "remove-item -r /", "Remove-Item -Path ~ -Recurse", "ri -Recurse ~", "rd -r -Force ~", "del -Recurse /", "rm -Recurse -Force ~", "rm -rf ~", "Remove-Item -Recurse $env:USERPROFILE", "Remove-Item -Recurse:$true $pwd", "iex 'Remove-Item -Recurse ~'", "x && ri -r ~", "& ri -r ~"} {
		s.wantGuarded("PowerShell", command, "deny", "recursive-delete")
	}
	s.wantGuarded("PowerShell", "Remove-Item -Recurse build", "", "")
	for _, command := range []string{"Set-Content -Path .git/config -Value x", "sc .git/config x", "ac .git/config x", "cpi x .git/config", "mi x .git/config", "clc .git/config", "ni .git/x", "ren .git/config x",
		"Set-Content .git\\config x", "Remove-Item -Recurse .git\\hooks", "'x' >> .git\\config", "Copy-Item -Destination .git/config -Path x", "iwr https://x -OutFile .git/config", "Expand-Archive x.zip -DestinationPath .git"} {
		s.wantGuarded("PowerShell", command, "deny", "git-directory")
	}
	s.wantGuarded("Bash", "pwsh -Command 'sc .git/config x'", "deny", "git-directory")
	s.wantGuarded("Bash", "sc .git/config x", "", "")
}

// TestGuardKeepsTheSwitches: settings can also switch hooks off by a variable, by a
// member, or by switching the plugin off.
func TestGuardKeepsTheSwitches(t *testing.T) {
	longer(t)
	t.Parallel()
	s, file, _ := installed(t)
	text := read(t, file)
	with := func(member string) map[string]string {
		return map[string]string{"file_path": file, "content": strings.Replace(text, `"model"`, member+`, "model"`, 1)}
	}
	for _, member := range []string{`"env": {"DISABLE_OMC": "1"}`, `"env": {"OMC_SKIP_HOOKS": "stop"}`, `"disableAllHooks": true`, `"enabledPlugins": {"bridge@bridge": false}`, `"enabledPlugins": {"bridge@other": false}`} {
		s.wantGuarded("Write", with(member), "ask", "unhook")
		s.wantGuarded("Edit", map[string]any{"file_path": file, "old_string": `"model"`, "new_string": member + `, "model"`}, "ask", "unhook")
	}
	for _, member := range []string{`"env": {"NO_COLOR": "1"}`, `"disableAllHooks": false`, `"enabledPlugins": {"bridge@bridge": true, "other@x": false}`} {
		s.wantGuarded("Write", with(member), "", "")
	}
	local := filepath.Join(s.project, ".claude", "settings.local.json")
	s.wantGuarded("Write", map[string]string{"file_path": local, "content": `{"disableAllHooks": true}`}, "ask", "unhook")
	s.wantGuarded("Write", map[string]string{"file_path": local, "content": `{"env": {"DISABLE_OMC": "1"}}`}, "ask", "unhook")
	for _, command := range []string{"echo '{\"disableAllHooks\": true}' > .claude/settings.local.json", "printf '{\"env\": {\"DISABLE_OMC\": \"1\"}}' | tee .claude/settings.local.json"} {
		s.wantGuarded("Bash", command, "ask", "unhook")
	}
	s.wantGuarded("Bash", "echo '{}' > .claude/settings.local.json", "", "")
	s.put(local, `{"enabledPlugins": {"bridge@bridge": true}}`)
	s.wantGuarded("Write", map[string]string{"file_path": local, "content": `{}`}, "ask", "unhook")
	s.wantGuarded("Edit", map[string]any{"file_path": local, "old_string": "true", "new_string": "false"}, "ask", "unhook")
}

// TestGuardLeavesLocksOfGit: removing an abandoned lock after a crash is how one repairs a
// repository.
func TestGuardLeavesLocksOfGit(t *testing.T) {
	t.Parallel()
	s := guardScene(t, "main")
	for _, command := range []string{
		"rm .git/index.lock", "rm -f .git/index.lock", "rm -f .git/index.lock && git status", "rm -rf .git/index.lock", "unlink .git/HEAD.lock", "rm -f .git/refs/heads/main.lock .git/packed-refs.lock", "cd .git && rm index.lock", "rm -f \"$(git rev-parse --git-dir)/index.lock\"",
		"find .git -name '*.lock' -delete", "find .git -name index.lock -exec rm {} +", "find .git -type f -name '*.lock' | xargs rm -f", "rm -f ../other/.git/index.lock", "rm -f .git/modules/sub/index.lock",
	} {
		s.wantGuarded("Bash", command, "", "")
	}
	for _, command := range []string{"rm -f .git/index", "rm -f .git/index.lock .git/index", "touch .git/index.lock", "mv .git/index.lock .git/index", "cp x .git/index.lock", "echo > .git/index.lock", "find .git -name '*.lock' -o -name HEAD -delete", "find .git ! -name '*.lock' -delete"} {
		s.wantGuarded("Bash", command, "deny", "git-directory")
	}
}

// TestGuardKnowsAliasesOfTheLine: an alias that the command itself gives stands for what
// it says, and capitals of a program do not count.
func TestGuardKnowsAliasesOfTheLine(t *testing.T) {
	t.Parallel()
	s := guardScene(t, "main")
	for _, command := range []string{"git -c alias.p=push p -f origin main", "git -c 'alias.p=push --force' p origin main", "/usr/bin/git --no-pager push -f origin main", "GIT push -f origin main"} {
		s.wantGuarded("Bash", command, "deny", "force-push")
	}
	s.wantGuarded("Bash", "RM -rf /", "deny", "recursive-delete")
	s.wantGuarded("Bash", "git -c alias.p=push p origin main", "", "")
}
