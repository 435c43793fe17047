//go:build linux

package permission_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// grounds holds two hostile projects. The first contains links out of it, files that are
// named like options, response files, foreign repositories and secrets. The configuration
// of the second names programs.
type grounds struct {
	t testing.TB
	// scratch contains the other directories. places are the directories in which lines run.
	scratch, home, outside string
	places                 []string
	ground                 ground
	env                    []string
	judge                  *world
}

// treasures are files that no approved line may open, below the scratch directory.
var treasures = []string{"outside/x", "outside/deep/y", "home/.ssh/id_rsa", "home/.netrc", "project/.env", "project/keys/id_rsa", "project/prod.env", "project/sub/server.pem", "hostile/.env", "hostile/keys/id_rsa"}

const setup = `set -e
git init -q -b main lib.origin && cd lib.origin && echo lib > lib.txt && git add . && git commit -qm lib && cd ..
cd project
git init -q -b main .
git add a.txt src README.md package.json .gitattributes .mailmap && git commit -qm one && git branch feature && git tag v1.0 && git tag -am note v1.1
git -c protocol.file.allow=always submodule --quiet add ../lib.origin lib
git add b.txt docs nums.txt && git commit -qm two
git notes add -m note HEAD && echo more >> a.txt && git stash -q && echo other >> b.txt
git config remote.origin.url ./nowhere && git config core.hooksPath .husky && git config credential.helper "$EVIL" && git config core.sshCommand "$EVIL"
git worktree add -q ../linked feature
git worktree add -q -b third ./within
mkdir -p .git/info empty/.git && printf '* diff=evil filter=evil merge=evil\n' > .git/info/attributes
for hook in pre-commit post-checkout post-merge pre-auto-gc fsmonitor-watchman reference-transaction; do cp "$EVIL" .git/hooks/$hook; cp "$EVIL" .husky/$hook; done
git init -q nested && git -C nested config core.fsmonitor "$EVIL"
git clone -q --bare . bare.git && git -C bare.git config core.fsmonitor "$EVIL" && git -C bare.git config alias.lfs "!$EVIL" && git -C bare.git config core.bare true
ln -s ../outside link && ln -s ../outside/x link.txt && ln -s ../../outside/deep sub/deep && ln -s /nowhere dangling
tar cf a.tar a.txt b.txt && tar czf a.tar.gz a.txt && gzip -c a.txt > a.gz
cd .. && git init -q -b main remotes && cd remotes && git commit -q --allow-empty -m one && git remote add origin https://127.0.0.1:9/x.git
cd .. && cp -r project hostile && cd hostile
git config core.fsmonitor "$EVIL" && git config diff.evil.textconv "$EVIL" && git config filter.evil.clean "$EVIL" && git config diff.external "$EVIL" && git config core.pager "$EVIL" && git config alias.lfs "!$EVIL"
git config gpg.program "$EVIL" && git config log.showSignature true && git config core.alternateRefsCommand "$EVIL"
`

func newGrounds(t testing.TB, env []string) *grounds {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "bridge-oracle-")
	if err != nil {
		dir = t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		t.Fatal(err)
	}
	g := &grounds{t: t, scratch: dir, home: filepath.Join(dir, "home"), outside: filepath.Join(dir, "outside")}
	evil := "#!/bin/sh\n: > '" + filepath.Join(dir, "ran") + "'\n"
	for name, text := range map[string]string{
		"a.txt": "foo 1\nbar 2\nfoo 3\n", "b.txt": "foo 1\nbaz 4\n", "nums.txt": "3\n1\n2\n", "data.csv": "n,v\na,1\nb,2\n", "a.json": `[{"name":"x","x":2}]`, "sorted.txt": "a\nb\n",
		"package.json": `{"name":"p","version":"1.0.0","scripts":{"preinstall":"../evil"},"dependencies":{}}`, "README.md": "# title\nfoo\n", "with space.txt": "y\n",
		"src/main.go": "package main\n\nfunc main() {}\n", "src/run.sh": "true\n", "docs/a.md": "a\n", "docs/b.md": "b\n", "sub/c.txt": "c\n", ".husky/x": "",
		".gitattributes": "* diff=evil filter=evil\n", ".mailmap": "A <a@example.org> <e@example.com>\n", ".gitignore": "*.log\n", "x.log": "",
		"resp": "--plugin=./evil.so -o written\n", "@resp": "-o written\n", "-k": "", "-o": "", "-F": "", "--output=written": "", "--help": "", "=x": "", "-rf": "",
		".npmrc": "save-exact=true\nfund=false\n", ".cargo/config.toml": "[alias]\nxtask = \"run --package xtask --\"\n", "Cargo.toml": "[package]\nname = \"p\"\nversion = \"0.1.0\"\n", "Cargo.lock": "version = 3\n\n[[package]]\nname = \"p\"\nversion = \"0.1.0\"\n", "src/lib.rs": "",
		".python-version": "3.11.2\n", "Makefile": "x := $(shell ../evil)\n", ".inputrc": "", ".ripgreprc": "--pre=../evil\n", ".jq": "def f: input_filename;\n", "tsconfig.json": "{}\n",
		"ls": evil, "git": evil, "cat": evil, "node_modules/.bin/eslint": evil, "more/d/e/f": "f\n", "test.c": "int f(void) { return 1; }\n",
	} {
		g.write("project/"+name, text)
	}
	for name, text := range map[string]string{
		"evil": evil, "home/.gitconfig": "[user]\n\tname = n\n\temail = e@example.com\n[init]\n\tdefaultBranch = main\n[advice]\n\taddEmbeddedRepo = false\n", "home/.npmrc": "", "home/.config/git/ignore": "", "home/.jq": "",
	} {
		g.write(name, text)
	}
	for _, name := range treasures {
		if !strings.HasPrefix(name, "hostile/") {
			g.write(name, treasure+"\n")
		}
		g.ground.secrets = append(g.ground.secrets, filepath.Join(dir, name))
	}
	for _, name := range []string{"evil", "project/ls", "project/git", "project/cat", "project/node_modules/.bin/eslint"} {
		if err := os.Chmod(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	g.env = append([]string{
		"PATH=" + oraclePath(), "HOME=" + g.home, "TMPDIR=" + filepath.Join(dir, "tmp"), "LC_ALL=C.UTF-8", "GIT_CONFIG_NOSYSTEM=1", "UV_USE_IO_URING=0", "GOTOOLCHAIN=local", "GOFLAGS=", "DEPLOY_TOKEN=" + treasure,
		// No network: every request goes to a closed port.
		"http_proxy=http://127.0.0.1:9", "https_proxy=http://127.0.0.1:9", "HTTP_PROXY=http://127.0.0.1:9", "HTTPS_PROXY=http://127.0.0.1:9", "GOPROXY=http://127.0.0.1:9", "DOCKER_HOST=tcp://127.0.0.1:9",
	}, env...)
	if err := os.Mkdir(filepath.Join(dir, "tmp"), 0o700); err != nil {
		t.Fatal(err)
	}
	g.bash(setup)
	g.plugin()
	g.hostile()
	for _, name := range []string{"project", "linked", "project/lib", "project/within", "hostile", "remotes"} {
		g.places = append(g.places, filepath.Join(dir, name))
	}
	g.ground.home, g.ground.scratch = g.home, dir
	for _, bin := range programDirs() {
		g.ground.programs = append(g.ground.programs, filepath.Dir(bin))
	}
	g.ground.roots = []string{filepath.Join(dir, "project"), filepath.Join(dir, "linked"), filepath.Join(dir, "hostile"), filepath.Join(dir, "remotes")}
	g.judge = &world{t: t, home: g.home, project: filepath.Join(dir, "project")}
	g.judge.configure(`{"permissions": {"network_reads": true}}`)
	return g
}

func (g *grounds) write(name, text string) {
	g.t.Helper()
	path := filepath.Join(g.scratch, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		g.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		g.t.Fatal(err)
	}
}

func (g *grounds) bash(script string) {
	g.t.Helper()
	cmd := exec.Command("bash", "-c", script)
	cmd.Dir, cmd.Env = g.scratch, append(g.env, "EVIL="+filepath.Join(g.scratch, "evil"))
	if out, err := cmd.CombinedOutput(); err != nil {
		g.t.Fatalf("the fixture could not be made: %v\n%s", err, out)
	}
}

// plugin makes an object file, archives, and a library that writes a file when it is loaded, if the machine has the
// programs for that.
func (g *grounds) plugin() {
	g.write("project/evil.c", "#include <fcntl.h>\n__attribute__((constructor)) static void f(void) { open(\""+filepath.Join(g.scratch, "ran")+"\", O_CREAT | O_WRONLY, 0600); }\n")
	g.bash(`cd project
if command -v gcc >/dev/null; then gcc -shared -fPIC -o evil.so evil.c; gcc -g -c test.c -o a.o; else echo > evil.so; echo > a.o; fi
if command -v zip >/dev/null; then zip -q a.zip a.txt b.txt; elif command -v python3 >/dev/null; then python3 -m zipfile -c a.zip a.txt b.txt; else echo > a.zip; fi
cp evil.so a.o a.zip ../hostile/`)
}

// hostile configures every tool of the second project with programs.
func (g *grounds) hostile() {
	for name, text := range map[string]string{
		".npmrc": "onload-script=../evil\nnode-options=--require=./evil.js\n", ".cargo/config.toml": "[build]\nrustc-wrapper = \"../evil\"\n", "rust-toolchain.toml": "[toolchain]\npath = \"../evil\"\n",
		".tool-versions": "node path:../evil\n", "mise.toml": "[env]\n_.source = \"../evil\"\n", "go.mod": "module p\n\ngo 1.99\n", ".python-version": "../../evil\n",
	} {
		g.write("hostile/"+name, text)
	}
}

// oraclePath lists the directories with the programs of the machine. It leaves out shims,
// which would choose another program.
func oraclePath() string {
	return strings.Join(append([]string{"/usr/bin", "/usr/sbin", "/usr/local/bin"}, programDirs()...), ":")
}

// programDirs are the directories of the Go and Rust toolchains.
func programDirs() (dirs []string) {
	if path, err := exec.LookPath("go"); err == nil {
		if path, err = filepath.EvalSymlinks(path); err == nil {
			dirs = append(dirs, filepath.Dir(path))
		}
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return dirs
	}
	rust, _ := filepath.Glob(filepath.Join(home, ".rustup", "toolchains", "*", "bin"))
	return append(dirs, rust...)
}
