//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
)

func plantedInPrograms() []planted {
	onPath := func(name string, change func([]byte) []byte) func(*patient) {
		return func(p *patient) {
			p.other(filepath.Join(p.home, "first", name), change)
			p.env[1] = "PATH=" + filepath.Join(p.home, "first") + ":/usr/bin:/bin"
		}
	}
	arch := map[bool]string{true: "amd64", false: "arm64"}
	architecture := replaced("GOARCH="+arch[runtime.GOARCH == "amd64"], "GOARCH="+arch[runtime.GOARCH != "amd64"])
	older := replaced("hookbridge version 0.", "hookbridge version 9.")
	of := func(change func([]byte) []byte) func(*patient) {
		return func(p *patient) { p.other(p.program, change) }
	}
	install := inOrder(removed(".local/share/bridge/bin/bridge"), bridgeDo("install"))
	return []planted{
		{name: "program gone", id: "binary-missing", plant: removed(".local/share/bridge/bin/bridge"), repair: bridgeDo("install")},
		{name: "program is a link to nothing", id: "binary-missing", plant: func(p *patient) {
			p.must(os.Remove(p.program))
			p.must(os.Symlink("/nowhere/bridge", p.program))
		}, repair: install, says: "a link to /nowhere/bridge"},
		{name: "program cannot be run", id: "run-bit-missing", plant: func(p *patient) {
			p.other(p.program, func(program []byte) []byte { return program })
			p.must(os.Chmod(p.program, 0o600))
		}},
		{name: "program that everybody may write", id: "program-writable", plant: func(p *patient) {
			p.other(p.program, func(program []byte) []byte { return program })
			p.must(os.Chmod(p.program, 0o777))
		}},
		{name: "no program of that name on the PATH", id: "binary-not-on-path", plant: func(p *patient) {
			inLine("command", "bridge")(p)
			p.env[1] = "PATH=" + p.home
		}, repair: func(p *patient) { p.env[1] = "PATH=" + filepath.Dir(p.program) }},
		{name: "line of another program", id: "foreign-program", plant: of(network), repair: install, says: "iproute2"},
		{name: "program of another processor", id: "wrong-system", plant: of(architecture), repair: install, says: "for " + runtime.GOOS + "/" + arch[runtime.GOARCH != "amd64"]},
		{name: "program of another version", id: "another-binary", plant: of(older), repair: install, says: "bridge 9.1.0 for "},
		{name: "another program first on the PATH", id: "path-foreign", plant: onPath("bridge", network), says: "iproute2", repair: func(p *patient) {
			p.must(os.Symlink(p.program, filepath.Join(p.home, "first", "hookbridge")))
		}},
		{name: "another version first on the PATH", id: "path-another", plant: onPath("bridge", older), says: "bridge 9.1.0 for ", repair: removed("first/bridge")},
		{name: "another processor first on the PATH", id: "path-another", plant: onPath("bridge", architecture), says: "It cannot run here", repair: removed("first/bridge")},
	}
}

func plantedInStates() []planted {
	const head = "---\nactive: true\niteration: 1\n"
	state := func(text string) func(*patient) { return inFile(".claude/ralph-loop.local.md", text) }
	cancel := bridgeDo("ralph", "cancel")
	smart := inFile(".claude/ralph-smart/before.md", "x")
	loop := func(p *patient) {
		before := p.env
		p.env = append(slices.Clip(before), "CLAUDE_CODE_SESSION_ID="+sessionID)
		bridgeDo("ralph", "loop", "Work.", "--max-iterations", "5")(p)
		p.env = before
	}
	return []planted{
		{name: "loop of nobody", id: "state-stale", plant: state(head + "max_iterations: 0\ncompletion_promise: null\n---\n\nWork.\n"), repair: cancel},
		{name: "broken loop", id: "state-broken", plant: state(head + "iteration: x\n---\n"), repair: cancel},
		{name: "state that nobody may read", id: "state-broken", plant: inOrder(state(head+"---\n\nWork.\n"), moded("/.claude/ralph-loop.local.md", 0), (*patient).asUser),
			repair: func(p *patient) { p.must(os.Remove(p.state())) }},
		{name: "records that others can read", id: "records-readable", plant: moded(".local/state/bridge", 0o755)},
		{name: "states that everybody may write", id: "state-unusable", plant: inOrder(inFile(".omc/state/x", "x"), moded("/.omc", 0o777)), repair: moded("/.omc", 0o700)},
		{name: "states that git does not ignore", id: "state-in-git", plant: inOrder(byGit("init", "--quiet"), inFile(".gitignore", "x\n"), inFile(".omc/state/x", "x")), repair: inFile(".gitignore", ".omc/\n")},
		{name: "loop that git does not ignore", id: "state-in-git", plant: inOrder(byGit("init", "--quiet"), inFile(".gitignore", ""), loop), repair: inFile(".gitignore", ".claude/ralph-loop.*\n"), says: ".claude/ralph-loop.*"},
		{name: "smart loop that git does not ignore", id: "state-in-git", plant: inOrder(byGit("init", "--quiet"), inFile(".gitignore", ""), smart), repair: inFile(".git/info/exclude", ".claude/ralph-smart/\n"), says: "the line .claude/ralph-smart/", silent: ".omc"},
		{name: "states of all kinds that git does not ignore", id: "state-in-git", plant: inOrder(byGit("init", "--quiet"), inFile(".gitignore", ""), inFile(".omc/state/x", "x"), inFile(".claude/ralph-loop.1a2b.local.md.bak", "x"), smart),
			repair: inFile(".gitignore", ".claude/ralph-loop.*\n.claude/ralph-smart/\n.omc/\n"), says: "these lines to .gitignore: .claude/ralph-loop.*, .claude/ralph-smart/, .omc/"},
		{name: "configuration of smart loops", id: "state-in-git", plant: inOrder(byGit("init", "--quiet"), inFile(".gitignore", ""), inFile(".claude/ralph-smart/config.json", "{}"), inFile(".omc/state/x", "x")),
			repair: inFile("~/.config/git/ignore", ".omc/\n"), says: ".omc/", silent: "ralph-smart"},
		{name: "smart loop in a commit", id: "state-committed", plant: inOrder(byGit("init", "--quiet"), smart, byGit("add", "-f", ".claude")),
			repair: inOrder(byGit("rm", "-r", "--quiet", "--cached", ".claude"), inFile(".gitignore", ".claude/ralph-smart/\n")), says: "git rm --cached"},
		{name: "states in a commit", id: "state-committed", plant: inOrder(byGit("init", "--quiet"), inFile(".omc/state/autopilot-state.json.old", "{}"), byGit("add", "-f", ".omc")),
			repair: byGit("rm", "-r", "--quiet", "--cached", ".omc"), says: "git rm --cached"},
		{name: "no home", id: "no-home", plant: func(p *patient) {
			p.env = append(p.env, "CLAUDE_CONFIG_DIR="+filepath.Join(p.home, ".claude"))
			withVariable("HOME", "home")(p)
		}, repair: func(p *patient) { withVariable("HOME", p.home)(p) }},
	}
}

func plantedInRules() []planted {
	config := func(text string) func(*patient) { return inFile("~/.config/bridge/config.json", text) }
	fixed := config(`{}`)
	return []planted{
		{name: "key that is misspelt", id: "configuration-broken", plant: config(`{"permisions": {}}`), repair: fixed, says: "permisions"},
		{name: "rule that is none", id: "rules-broken", plant: config(`{"permissions": {"deny": ["Bash("]}}`), repair: fixed, says: "config.json"},
		{name: "broken configuration of the project", id: "rules-broken", plant: inFile(".claude/bridge.json", `{"permissions": `), repair: inFile(".claude/bridge.json", `{}`),
			says: "project/.claude/bridge.json", silent: "config.json"},
		{name: "rule in lower case", id: "rule-never-matches", plant: config(`{"permissions": {"deny": ["bash(ls)"]}}`), repair: fixed},
		{name: "rule of an unknown tool", id: "rule-of-unknown-tool", plant: config(`{"permissions": {"deny": ["Blorp(x)"]}}`), repair: fixed},
		{name: "rules that contradict each other", id: "rule-shadowed", plant: config(`{"permissions": {"deny": ["Bash(git push *)"], "allow": ["Bash(git push *)"]}}`), repair: fixed},
		{name: "rule below a rule for the whole tool", id: "rule-shadowed", plant: inOrder(config(`{"permissions": {"allow": ["WebFetch(domain:example.com)"]}}`), inFile(".claude/bridge.json", `{"permissions": {"deny": ["WebFetch"]}}`)), repair: fixed},
	}
}

// TestAFixThatFails: the other fixes are made all the same.
func TestAFixThatFails(t *testing.T) {
	longer(t)
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can give a file away")
	}
	p := healthy(t)
	p.other(p.program, func(program []byte) []byte { return program })
	inLine("asyncRewake", true)(p)
	p.asUser()
	p.must(os.Chown(p.program, 0, 0))
	p.must(os.Chmod(p.program, 0o777))
	cmd := exec.Command(binary, "doctor", "--fix", "--quick")
	cmd.Dir, cmd.Env, cmd.SysProcAttr = p.project, p.env, &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: p.uid, Gid: p.uid}}
	a, err := execute(cmd)
	p.must(err)
	if a.code != 1 || !strings.Contains(a.stderr, "fix program-writable: ") || !strings.Contains(a.stdout, "fixed    async-rewake") || !strings.Contains(a.stdout, "warning  program-writable") {
		t.Errorf("%+v", a)
	}
}
