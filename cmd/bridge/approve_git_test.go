//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestReadingCommandsThatRun: what a repository brings along makes each of these run a
// program.
func TestReadingCommandsThatRun(t *testing.T) {
	longer(t)
	t.Parallel()
	trapped(t, map[string]trick{
		"a response file that loads a plugin":    {plugin, "nm @resp a.o", "", false},
		"a plugin for size":                      {plugin, "size @resp a.o", "", true},
		"an alias in a root that looks bare":     {bare, "git lfs version", "", true},
		"an alias for any word":                  {bare, "git anything", "", false},
		"an alias below, in a bare repository":   {func(tr *trap) { bare(tr); tr.bash("mkdir -p bare/sub && mv HEAD config objects refs bare/") }, "cd ./bare/sub && git anything", "", true},
		"a submodule with a configuration":       {submodule(`git config -f .git/modules/lib/config core.fsmonitor "$EVIL"`), "git status", "", false},
		"a submodule with a configuration, diff": {submodule(`git config -f .git/modules/lib/config core.fsmonitor "$EVIL"`), "git diff", "", false},
		"a submodule whose work tree is away":    {submodule(`git config -f .git/modules/lib/config core.worktree ../../../sub`), "git status", "", true},
		"a configuration of one work tree": {func(tr *trap) {
			tr.bash(`git config extensions.worktreeConfig true && git config --worktree core.fsmonitor "$EVIL"`)
		}, "git status", "", false},
		"a hook of reading": {func(tr *trap) { tr.bash(`cp "$EVIL" .git/hooks/post-index-change && touch -d 2001-01-01 a.txt`) }, "git status", "", false},
		"a hook of reading elsewhere": {func(tr *trap) {
			tr.bash(`mkdir h && cp "$EVIL" h/post-index-change && git config core.hooksPath h && touch -d 2001-01-01 a.txt`)
		}, "git status", "", false},
		"a committed common directory": {func(tr *trap) {
			borrowed(tr)
			tr.bash("rm -rf .git && cp sub/HEAD sub/commondir . && sed -i s,../,, commondir")
		}, "git show", "", true},
		"a toolchain for cargo tree": {toolchain, "cd ./link && cargo tree --frozen", "", true},
		"a configuration of cargo behind a link": {func(tr *trap) {
			toolchain(tr)
			tr.put("other/.cargo/config.toml", "[build]\nrustc = \""+tr.evil+"\"\n")
			tr.put("other/dir/Cargo.toml", cargoToml)
			tr.put("other/dir/src/lib.rs", "")
		}, "cd ./link && cargo tree --frozen", "", true},
		"a configuration of cargo": {func(tr *trap) {
			tr.put(".cargo/config.toml", "[build]\nrustc = \""+tr.evil+"\"\n")
			tr.put("Cargo.toml", cargoToml)
			tr.put("Cargo.lock", cargoLock)
			tr.put("src/lib.rs", "")
		}, "cargo tree --frozen", "", true},
		"a file of rg behind an equals sign": {command: "rg --passthru -f=OUTSIDE/x a.txt", unshown: true},
		"a version that is a path":           {func(tr *trap) { tr.put(".python-version", "../../evil\n") }, "python3 --version", "", true},
		"a printf that assigns the home":     {func(tr *trap) { tr.put("0/.gitconfig", "[core]\n\tfsmonitor = "+tr.evil+"\n") }, "printf %n HOME && git status", "", false},
	})
}

// plugin makes a response file with a library that runs the program.
func plugin(tr *trap) {
	compile(tr)
	tr.put("resp", "--plugin=./evil.so\n")
	tr.put("evil.c", "#include <stdlib.h>\n__attribute__((constructor)) static void f(void) { system(\""+tr.evil+"\"); }\n")
	tr.bash("gcc -shared -fPIC -o evil.so evil.c")
}

// bare makes the root itself a bare repository, with an alias for any word.
func bare(tr *trap) {
	tr.bash(`mv .git/HEAD .git/objects .git/refs . && rm -rf .git && printf '[core]\n\tbare = true\n[alias]\n\tanything = !%s\n\tlfs = !%s\n' "$EVIL" "$EVIL" > config`)
}

// submodule adds a real submodule, and does something to it.
func submodule(then string) func(*trap) {
	return func(tr *trap) {
		tr.bash(`git init -q -b main ../lib && git -C ../lib commit -q --allow-empty -m one && git -c protocol.file.allow=always submodule --quiet add ../lib lib && git commit -qm two
` + then)
	}
}

const (
	cargoToml = "[package]\nname = \"p\"\nversion = \"0.1.0\"\n"
	cargoLock = "version = 3\n\n[[package]]\nname = \"p\"\nversion = \"0.1.0\"\n"
)

// TestOrdinaryRepositoriesAreApproved: the forms of repositories that git makes, and
// what people and tools write into their configurations, need no dialog.
func TestOrdinaryRepositoriesAreApproved(t *testing.T) {
	longer(t)
	t.Parallel()
	reads := []string{"git status", "git diff", "git log --oneline -3", "git show HEAD:a.txt", "git grep -n foo", "git branch -a", "cd ./sub && git status"}
	for name, test := range map[string]struct {
		set string
		at  string
	}{
		"a submodule":                         {set: "true"},
		"a submodule with a change":           {set: "echo x > lib/new"},
		"a submodule that is not checked out": {set: "git submodule --quiet deinit -f lib"},
		"in a submodule":                      {set: "mkdir lib/sub && echo foo > lib/a.txt && git -C lib add . && git -C lib commit -qm two", at: "lib"},
		"a linked work tree":                  {set: "git worktree add -q ../linked", at: "../linked"},
		"a linked work tree below":            {set: "git worktree add -q trees/a", at: "trees/a"},
		"a linked work tree of a bare one":    {set: "git clone -q --bare . ../bare.git && git -C ../bare.git worktree add -q ../of-bare feature", at: "../of-bare"},
		"keys of people and tools": {set: `git config core.hooksPath .husky && mkdir .husky && cp "$EVIL" .husky/pre-commit && git config core.sshCommand 'ssh -i ~/.ssh/work' && git config credential.helper store && git config http.proxy http://127.0.0.1:9
git config core.fsmonitor false && git config core.editor "code --wait" && git config branch.sort -committerdate && git config submodule.lib.update rebase && git config blame.ignoreRevsFile .git-blame-ignore-revs && git config merge.tool vimdiff
git config mergetool.x.cmd "$EVIL" && git config gpg.format ssh && git config gitflow.branch.main main && git config lfs.url http://127.0.0.1:9 && git config maintenance.auto false && git config url.git@example.org:.insteadOf https://example.org/`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tr := newTrap(t)
			tr.bash("git branch feature")
			submodule(test.set)(tr)
			s := *tr.scene
			tr.scene, s.project = &s, filepath.Join(tr.project, test.at)
			for _, command := range reads {
				if a := tr.ask(command); !strings.Contains(a.stdout, `"behavior": "allow"`) {
					t.Errorf("%q: %s%s %s", command, a.stdout, a.stderr, tr.run("'"+binary+"' check '"+command+"'"))
				}
				if out := tr.run(command + " && echo well"); !strings.HasSuffix(out, "well\n") && command != "git grep -n foo" {
					t.Errorf("%q: %s", command, out)
				}
			}
			if _, err := os.Lstat(tr.ran); err == nil {
				t.Error("a program of the repository ran")
			}
		})
	}
}

// TestConfigurationOfTools: files that configure a tool count by what is in them.
func TestConfigurationOfTools(t *testing.T) {
	longer(t)
	t.Parallel()
	for name, test := range map[string]struct {
		file, text, command string
		allowed             bool
	}{
		"an alias of cargo":          {".cargo/config.toml", "# ours\n[alias]\nxtask = \"run --package xtask --\"\nlint = [\"clippy\", \"--all\"]\n", "cargo --version", true},
		"an alias for a command":     {".cargo/config.toml", "[alias]\ntree = \"run\"\n", "cargo tree --frozen", false},
		"a linker":                   {".cargo/config.toml", "[target.x86_64-unknown-linux-gnu]\nlinker = \"clang\"\n[profile.dev]\ndebug = 0\n", "cargo tree --frozen", true},
		"a wrapper of rustc":         {".cargo/config", "[build]\nrustc-wrapper = \"x\"\n", "cargo tree --frozen", false},
		"a dotted key":               {".cargo/config.toml", "build.rustc = \"x\"\n", "cargo tree --frozen", false},
		"a quoted key":               {".cargo/config.toml", "[build]\n\"rustc\" = \"x\"\n", "cargo tree --frozen", false},
		"flags that load code":       {".cargo/config.toml", "[build]\nrustflags = [\"-Zcodegen-backend=x\"]\n", "cargo tree --frozen", false},
		"a value over several lines": {".cargo/config.toml", "[alias]\na = \"\"\"\n[build]\nrustc = \"x\"\n", "cargo tree --frozen", false},
		"a toolchain":                {"rust-toolchain.toml", "[toolchain]\nchannel = \"stable\"\n", "cargo --version", false},
		"plain keys of npm":          {".npmrc", "; ours\nsave-exact=true\nfund = false\n//registry.npmjs.org/:_authToken=${TOKEN}\n", "npm ls", true},
		"a script of npm":            {".npmrc", "onload-script=x\n", "npm ls", false},
		"a key of npm in quotes":     {".npmrc", "\"onload-script\"=x\n", "npm ls", false},
		"a key of npm in a variable": {".npmrc", "${A}=x\n", "npm ls", false},
		"a registry":                 {".npmrc", "registry=http://127.0.0.1:9\n", "npm ls", false},
		"a version of Python":        {".python-version", "3.11.2\n", "python3 --version", true},
		"a path of Python":           {".python-version", "../../x\n", "python3 --version", false},
		"a version of node":          {".nvmrc", "v20.1.0\n", "node --version", true},
		"a version of asdf":          {".tool-versions", "node path:x\n", "node --version", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tr := newTrap(t)
			tr.put(test.file, test.text)
			if a := tr.ask(test.command); strings.Contains(a.stdout, `"behavior": "allow"`) != test.allowed {
				t.Errorf("%q: %s%s", test.command, a.stdout, a.stderr)
			}
			tr.put("deep/er/x", "")
			if a := tr.ask("cd ./deep/er && " + test.command); strings.Contains(a.stdout, `"behavior": "allow"`) != test.allowed {
				t.Errorf("%q below: %s%s", test.command, a.stdout, a.stderr)
			}
		})
	}
}
