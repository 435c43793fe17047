//go:build unix

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/hookbridge/bridge/hooks/permission"
)

// treasure is a text that an approved command must never show.
const treasure = "S3CRET"

// trap is a project in which a command that looks read-only does more.
type trap struct {
	*scene
	// outside is a directory beside the project that holds the treasure in x; ran is
	// the file that evil makes when it is run.
	outside, ran, evil string
}

func newTrap(t *testing.T) *trap { return newTrapIn(t, t.TempDir()) }

func newTrapIn(t *testing.T, dir string) *trap {
	t.Helper()
	s := newSceneIn(t, dir)
	root := filepath.Dir(s.project)
	tr := &trap{scene: s, outside: filepath.Join(root, "outside"), ran: filepath.Join(root, "ran"), evil: filepath.Join(root, "evil")}
	tr.put("../outside/x", treasure+"\n")
	tr.put("../evil", "#!/bin/sh\n: > '"+tr.ran+"'\n")
	if err := os.Chmod(tr.evil, 0o700); err != nil {
		t.Fatal(err)
	}
	tr.put("a.txt", "foo\nfoo\n")
	tr.put("README.md", "# title\n")
	tr.put("sub/main.go", "package main\n")
	tr.bash("git init -q -b main . && git config user.name n && git config user.email e@example.org && git add . && git commit -qm one")
	return tr
}

// put writes a file below the project.
func (tr *trap) put(name, text string) {
	tr.t.Helper()
	path := filepath.Join(tr.project, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		tr.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		tr.t.Fatal(err)
	}
}

// configure appends to the repository's git configuration. EVIL is a program.
func (tr *trap) configure(text string) {
	tr.t.Helper()
	path := filepath.Join(tr.project, ".git", "config")
	have, err := os.ReadFile(path)
	if err != nil {
		tr.t.Fatal(err)
	}
	tr.put(".git/config", string(have)+strings.ReplaceAll(text, "EVIL", tr.evil))
}

// run runs a line in the project as the client's shell would.
func (tr *trap) run(line string, env ...string) string {
	tr.t.Helper()
	ctx, cancel := context.WithTimeout(tr.t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash", "-c", line)
	cmd.Dir = tr.project
	cmd.Env = append(append([]string{"GIT_CONFIG_NOSYSTEM=1", "EVIL=" + tr.evil, "GIT_AUTHOR_NAME=n", "GIT_AUTHOR_EMAIL=e@example.org", "GIT_COMMITTER_NAME=n", "GIT_COMMITTER_EMAIL=e@example.org"}, tr.env...), env...)
	out, _ := cmd.CombinedOutput() // the output decides
	return string(out)
}

// bash runs a line that prepares the scene.
func (tr *trap) bash(line string) {
	tr.t.Helper()
	if out := tr.run("set -e\n" + line + "\necho prepared"); !strings.HasSuffix(out, "prepared\n") {
		tr.t.Fatalf("%s: %s", line, out)
	}
}

// ask sends the dialog that the client would show.
func (tr *trap) ask(command string) answer {
	tr.t.Helper()
	suggestions := permission.OfferAll(command)
	input, err := json.Marshal(map[string]any{
		"session_id": sessionID, "transcript_path": "", "cwd": tr.project, "prompt_id": "p", "permission_mode": "default", "hook_event_name": "PermissionRequest",
		"tool_name": "Bash", "tool_input": map[string]string{"command": command}, "permission_suggestions": []json.RawMessage{json.RawMessage(suggestions[0])},
	})
	if err != nil {
		tr.t.Fatal(err)
	}
	return tr.hook("permission-request", string(input))
}

// dialog checks that bridge leaves the command to the permission dialog.
func (tr *trap) dialog(command string) {
	tr.t.Helper()
	if a := tr.ask(command); strings.Contains(a.stdout, "behavior") {
		tr.t.Errorf("%q: %s%s", command, a.stdout, a.stderr)
	}
}

// TestReadingCommandsThatDoMore: each of these commands seems only to read the
// project. The test runs it to show what else it does; if the program is missing,
// the test checks only the answer.
func TestReadingCommandsThatDoMore(t *testing.T) {
	longer(t)
	t.Parallel()
	trapped(t, map[string]trick{
		"a response file of nm":                {command: "nm @OUTSIDE/x"},
		"a response file of readelf":           {command: "readelf -h @OUTSIDE/x"},
		"a response file of objdump":           {command: "objdump -d @OUTSIDE/x"},
		"a response file of size":              {command: "size @OUTSIDE/x"},
		"a response file of strings behind --": {command: "strings -- @OUTSIDE/x"},
		"sources of an object":                 {compile, "objdump -S a.o", "", false},
		"sources of an object, in a cluster":   {compile, "objdump -dS a.o", "", false},
		"an alias for a missing git command":   {func(tr *trap) { tr.configure("[alias]\n\tlfs = !EVIL\n") }, "git lfs version", "", true},
		"a script of git":                      {command: "git submodule status", unshown: true},
		"a section twice on a line":            {func(tr *trap) { tr.configure("[core][core]fsmonitor = EVIL\n") }, "git status", "", false},
		"a tab before the sub-section":         {textconv("[diff\t\"x\"]\n\ttextconv = EVIL\n", "x"), "git diff", "", false},
		"a sub-section with a bracket":         {textconv("[diff \"];\"] textconv = EVIL\n", "];"), "git diff", "", false},
		"a value that goes on":                 {func(tr *trap) { tr.configure("[core]\n\teditor = vi \\\n[user]\n\tfsmonitor = EVIL\n") }, "git status", "", false},
		"an embedded repository":               {embedded, "git status", "", false},
		"an empty git directory on the way":    {func(tr *trap) { tr.configure("[core]\n\tfsmonitor = EVIL\n"); tr.bash("mkdir sub/.git") }, "cd ./sub && git status", "", false},
		"a root that looks like a repository": {func(tr *trap) {
			tr.configure("[core]\n\tfsmonitor = EVIL\n")
			tr.bash("mkdir objects refs && touch HEAD")
		}, "git status", "", false},
		"a repository that borrows its common":  {borrowed, "cd ./sub && git show", "", false},
		"a common directory in its place":       {func(tr *trap) { tr.bash("echo . > .git/commondir") }, "git status", "", true},
		"objects of another repository":         {func(tr *trap) { tr.bash("echo /nowhere > .git/objects/info/alternates") }, "git status", "", true},
		"dots behind a link":                    {func(tr *trap) { tr.bash("mkdir -p a ../outside/d && ln -s ../../outside/d a/link") }, "cat a/link/../x", "", false},
		"three times dots behind a link":        {func(tr *trap) { tr.bash("mkdir -p a ../outside/d/e/f && ln -s ../../outside/d/e/f a/link") }, "cat a/link/../../../x", "", false},
		"dots behind a pattern":                 {command: "cat s*b/../../outside/x"},
		"dots behind a link in a pattern":       {func(tr *trap) { tr.bash("mkdir -p ../outside/d && ln -s ../outside/d link") }, "cat l*k/../x", "", false},
		"a directory behind a link":             {outward, "cd ./link && cat x", "", false},
		"a second directory behind a link":      {outward, "cd ./sub && cd ../link && cat x", "", false},
		"a directory over dots behind a link":   {func(tr *trap) { tr.bash("mkdir -p ../outside/d && ln -s ../outside/d link") }, "cd ./link/.. && cat x", "", true},
		"input from behind a link":              {outward, "cat < link/x", "", false},
		"a link to a secret":                    {secretLink, "cat notes.txt", "", false},
		"a link to a link to a secret":          {func(tr *trap) { secretLink(tr); tr.bash("ln -s notes.txt more.txt") }, "cat more.txt", "", false},
		"a pattern for a link to a secret":      {secretLink, "cat n*.txt", "", false},
		"a secret behind a link named like one": {func(tr *trap) { tr.put("plain", treasure); tr.bash("ln -s plain .env") }, "cat .env", "", false},
		"a secret behind a pattern for a link":  {func(tr *trap) { tr.put("plain/x", treasure); tr.bash("ln -s plain a.env") }, "cat *.env/x", "", false},
		"a secret in capitals":                  {secret("Server.KEY"), "cat Server.KEY", "", false},
		"a history of a shell":                  {secret(".bash_history"), "tail -5 .bash_history", "", false},
		"the login of the agent":                {secret(".claude/.credentials.json"), "cat .claude/.credentials.json", "", false},
		"a token in settings":                   {func(tr *trap) { tr.put(".yarnrc.yml", "npmAuthToken: "+treasure+"\n") }, "cat .yarnrc.yml", "", false},
		"a search that reaches settings":        {func(tr *trap) { tr.put("web/.yarnrc.yml", "npmAuthToken: "+treasure+"\n") }, "grep -rh S3 .", "", false},
		"a search that reaches a submodule's": {func(tr *trap) {
			tr.put(".git/modules/a/b/HEAD", "")
			tr.put(".git/modules/a/b/config", "url = https://me:"+treasure+"@example.org\n")
		}, "grep -rh S3 .", "", false},
		"a search in a submodule's": {func(tr *trap) {
			tr.put(".git/modules/logs/HEAD", "")
			tr.put(".git/modules/logs/config", "url = https://me:"+treasure+"@example.org\n")
		}, "grep -rh S3 .git/modules/logs", "", false},
		"a search over a submodule's": {func(tr *trap) {
			tr.put(".git/modules/logs/HEAD", "")
			tr.put(".git/modules/logs/config.worktree", "[http]\n\textraHeader = "+treasure+"\n")
		}, "grep -rh S3", "", false},
		"a search that reaches a store of git's": {secret(".git/credentials"), "grep -rh S3 .git", "", false},
		"a search that reaches the agent's": {func(tr *trap) {
			tr.put(".claude/settings.local.json", `{"env": {"ANTHROPIC_API_KEY": "`+treasure+`"}}`)
		}, "grep -rh S3 .claude", "", false},
		"a token in the start of a shell":        {func(tr *trap) { tr.put("dot/.zshrc", "export GITHUB_TOKEN="+treasure+"\n") }, "cat dot/.zshrc", "", false},
		"a search that follows to a secret":      {func(tr *trap) { secretLink(tr); tr.bash("mkdir in && ln -s ../.env in/a") }, "grep -Rh S3 in", "", false},
		"a search that follows past a gap":       {func(tr *trap) { secret("keys/id_rsa")(tr); tr.bash("ln -s keys open") }, "grep -Rh S3 . --exclude-dir=keys", "", false},
		"a search of types":                      {secret(".env"), "rg --type-not go --hidden S3", "", false},
		"a hidden secret that comes back":        {func(tr *trap) { secret(".env")(tr); tr.put(".ignore", "!.env\n") }, "rg S3", "", false},
		"a hidden secret that comes back, above": {func(tr *trap) { secret(".env")(tr); tr.put("../.ignore", "!.e*\n") }, "rg S3", "", false},
		"a hidden secret that git brings back":   {func(tr *trap) { secret("a/.env")(tr); tr.put(".git/info/exclude", "!**\n") }, "rg S3", "", false},
		"a hidden secret that the user searches": {func(tr *trap) { secret(".env")(tr); tr.put("../home/.config/git/ignore", "!.env") }, "rg S3", "", false},
		"a hidden directory behind a link":       {func(tr *trap) { secret(".hid/id_rsa")(tr); tr.bash("ln -s .hid open") }, "rg -L S3", "", false},
		"an ignored secret that comes back": {func(tr *trap) {
			secret("build/id_rsa")(tr)
			tr.put(".gitignore", "build\n")
			tr.put(".ignore", "!build\n")
		}, "rg S3", "", false},
		"a secret in what comes back": {func(tr *trap) {
			secret("build/in/.hid/id_rsa")(tr)
			tr.put(".gitignore", "build/\n")
			tr.put(".ignore", "!build\n!.hid\n")
		}, "rg S3", "", false},
		"a secret of another repository":     {func(tr *trap) { secret("lib/.env")(tr); tr.put(".gitignore", ".env\n"); tr.bash("git init -q lib") }, "rg --hidden S3", "", false},
		"an ignored secret, asked for":       {func(tr *trap) { secret("build/id_rsa")(tr); tr.put(".gitignore", "build\n") }, "rg S3 build", "", false},
		"an ignored secret without ignoring": {func(tr *trap) { secret("build/id_rsa")(tr); tr.put(".gitignore", "build\n") }, "rg --no-ignore-vcs S3", "", false},
		"an ignored secret behind a link": {func(tr *trap) {
			secret("build/id_rsa")(tr)
			tr.put(".gitignore", "build\n")
			tr.bash("ln -s build open")
		}, "rg -L S3", "", false},
		"a tracked directory that is a link now": {func(tr *trap) {
			tr.bash("mkdir -p t/d && cp a.txt t/d/x && git add t && git commit -qm t && rm -r t/d && ln -s ../../outside t/d")
		}, "git grep -h S3", "", false},
		"an ignored secret behind half a character": {func(tr *trap) { secret("build/id_rsa")(tr); tr.put(".gitignore", "\xff\nbuild\n") }, "rg S3", "", false},
		"an ignored secret behind a long pattern": {func(tr *trap) {
			secret("build/id_rsa")(tr)
			tr.put(".gitignore", strings.Repeat("?", 300_000)+"\nbuild\n")
		}, "rg S3", "", false},
		"an ignored secret that braces bring back": {func(tr *trap) {
			secret("build/id_rsa")(tr)
			tr.put(".gitignore", "build\n")
			tr.put(".ignore", "!{x/y,build}\n")
		}, "rg S3", "", false},
		"an ignored secret of a dangling repository": {func(tr *trap) {
			secret("build/id_rsa")(tr)
			tr.put(".gitignore", "build\n")
			tr.bash("rm -rf .git && ln -s nowhere .git")
		}, "rg S3", "", false},
		"a secret ignored in one place only":  {func(tr *trap) { secret("web/build/id_rsa")(tr); tr.put(".gitignore", "/build\n") }, "rg S3", "", false},
		"a secret that no repository ignores": {func(tr *trap) { secret("id_rsa")(tr); tr.put(".gitignore", "id_rsa\n"); tr.bash("rm -rf .git") }, "rg S3", "", false},
		"a name that the user added": {func(tr *trap) {
			secret("a.vault")(tr)
			tr.put("../home/.config/bridge/config.json", `{"permissions": {"secrets": ["*.vault"]}}`)
		}, "grep -rh S3 .", "", false},
		"more dots behind a link":                {func(tr *trap) { tr.bash("mkdir -p b/a ../outside/d/e/f && ln -s ../../../outside/d/e/f b/a/link") }, "cat b/a/link/../../../x", "", false},
		"a link in a pattern":                    {outward, "sed -n p l*k/x", "", false},
		"a link in a pattern for jq":             {outward, "jq -R . l*/x", "", false},
		"a link that a pattern matches":          {func(tr *trap) { tr.bash("ln -s ../outside/x link.txt") }, "cat l*.txt", "", false},
		"names behind a link in a pattern":       {func(tr *trap) { outward(tr); tr.put("../outside/"+treasure, "") }, "echo l*k/*", "", false},
		"a pattern for everything":               {secret("id_rsa"), "cat *", "", false},
		"a pattern for a key":                    {secret("id_rsa"), "cat id_rs*", "", false},
		"a pattern for a key below":              {secret("keys/id_rsa"), "head -5 k*/i?_[r]sa", "", false},
		"a pattern for an environment":           {secret("prod.env"), "cat *.e?v", "", false},
		"a pattern of zsh":                       {secret("id_rsa"), "cat id_rs#a", "", true},
		"names that a pattern prints":            {func(tr *trap) { outward(tr); tr.put("../outside/"+treasure, "") }, "basename -a l*k/*", "", false},
		"a comparison outside of a repository":   {func(tr *trap) { secret("sub/.env")(tr); tr.bash("mkdir other && rm -rf .git") }, "git diff sub other", "", false},
		"a recursive search":                     {secret(".env"), `grep -r "" .`, "", false},
		"a recursive search without a directory": {secret("deep/er/server.pem"), "grep -rh S3", "", false},
		"a recursive search of some names":       {secret(".env"), "grep -rh S3 --include='*.e*' .", "", false},
		"a recursive search that follows links":  {outward, "grep -Rh S3 .", "", false},
		"a search of hidden files":               {secret(".env"), "rg --hidden S .", "", true},
		"a search by rg":                         {secret("id_rsa"), "rg S", "", true},
		"a search of tracked files":              {func(tr *trap) { secret("id_rsa")(tr); tr.bash("git add id_rsa") }, "git grep -h S3", "", false},
		"names behind a link":                    {func(tr *trap) { outward(tr); tr.put("../outside/"+treasure, "") }, "find -L . -name 'S3*'", "", false},
		"a comparison of directories":            {secret("sub/.env"), "diff -rN sub nowhere", "", false},
		"a comparison of directories by git":     {func(tr *trap) { secret("sub/.env")(tr); tr.bash("mkdir other") }, "git diff --no-index sub other", "", false},
		"a key in a revision":                    {func(tr *trap) { secret("id_rsa")(tr); tr.bash("git add id_rsa && git commit -qm two") }, "git show HEAD:id_rsa", "", false},
		"a printf that assigns":                  {func(tr *trap) { tr.bash("mkdir 0 && cp ../evil 0/ls") }, "printf %n PATH && ls", "", false},
		"a printf that assigns, with flags":      {func(tr *trap) { tr.bash("mkdir 0 && cp ../evil 0/ls") }, "printf %-5ln PATH && ls", "", false},
		"a printf that computes in zsh":          {command: "printf %d PATH=5 && ls", unshown: true},
		"environments by ps":                     {command: "ps -eux", env: "A=" + treasure},
		"environments by ps, another spelling":   {command: "ps -efux", env: "A=" + treasure},
		"a listing of git's configuration":       {token, "git config -l", "", false},
		"a listing, spelled out":                 {token, "git config --list --show-origin", "", false},
		"a listing by pattern":                   {token, "git config --get-regexp '^http'", "", false},
		"a search that reaches git's file":       {token, "grep -rhi extraheader .", "", false},
		"a search that an escape hides":          {secret("id_rsa"), `grep -rh S3 --include='\id_rsa' .`, "", false},
		"a search that a class hides":            {secret("id_rsa"), `grep -rh S3 --include='id*[/a]' .`, "", false},
		"the file of git's configuration":        {token, "cat .git/config", "", false},
		"an optional value":                      {command: "git diff --no-index --unified OUTSIDE/x README.md"},
		"a toolchain behind a link":              {toolchain, "cd ./link && cargo --version", "", true},
		"a script where an operand was":          {nil, "sed 'w OUTSIDE/../ran' -e p a.txt", "POSIXLY_CORRECT=1", false},
		"an output file where an option was":     {func(tr *trap) { tr.bash("ln -s ../ran ./-c") }, "uniq a.txt -c", "POSIXLY_CORRECT=1", false},
		"a file where an option was":             {func(tr *trap) { tr.put("-k", "") }, "sort a.txt -k OUTSIDE/x", "POSIXLY_CORRECT=1", false},
		"a file where a separator was":           {func(tr *trap) { tr.put("-F", "") }, "awk '{print}' -F OUTSIDE/x", "POSIXLY_CORRECT=1", false},
		"a file where a pattern was":             {nil, "grep -h S3 a.txt -e OUTSIDE/x", "POSIXLY_CORRECT=1", false},
	})
}

// trick is a command that does more than it seems to do.
type trick struct {
	set     func(*trap)
	command string
	env     string
	unshown bool // what it does depends on a program that may be missing
}

// trapped checks that each command goes to the dialog, and that it does more than
// read the project.
func trapped(t *testing.T, tricks map[string]trick) {
	t.Helper()
	for name, test := range tricks {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tr := newTrap(t)
			if test.set != nil {
				test.set(tr)
			}
			command := strings.ReplaceAll(test.command, "OUTSIDE", tr.outside)
			tr.dialog(command)
			out := tr.run(command, test.env)
			if _, err := os.Lstat(tr.ran); err == nil || strings.Contains(out, treasure) {
				return
			}
			if program := strings.Fields(command)[0]; test.unshown {
				t.Logf("%q did nothing here", command)
			} else if _, err := exec.LookPath(program); err != nil {
				t.Logf("%s is not installed", program)
			} else {
				t.Errorf("%q does nothing that must be asked about: %s", command, out)
			}
		})
	}
}

// compile makes an object whose source holds the treasure.
func compile(tr *trap) {
	tr.put("../outside/x.c", "int f(int a)\n{\n\treturn a + 1; /* "+treasure+" */\n}\n")
	if _, err := exec.LookPath("gcc"); err != nil {
		tr.t.Skip("gcc is not installed")
	}
	tr.bash("gcc -g -c '" + tr.outside + "/x.c' -o a.o")
}

// textconv configures a program that shows a.txt in a diff.
func textconv(config, driver string) func(*trap) {
	return func(tr *trap) {
		tr.configure(config)
		tr.put(".gitattributes", "a.txt diff="+driver+"\n")
		tr.put("a.txt", "changed\n")
	}
}

// embedded puts a repository with a configuration of its own into the index.
func embedded(tr *trap) {
	tr.bash(`git init -q lib && cd lib && git config user.name n && git config user.email e@example.org && git commit -q --allow-empty -m one
git config core.fsmonitor '` + tr.evil + `' && cd .. && git -c advice.addEmbeddedRepo=false add lib && rm -f '` + tr.ran + `'`)
}

// borrowed makes sub a bare repository whose parts lie elsewhere.
func borrowed(tr *trap) {
	tr.bash(`cp -r .git common && echo ../common > sub/commondir && cp .git/HEAD sub && git config -f common/config diff.x.textconv '` + tr.evil + `'
git config -f common/config core.bare true && mkdir -p common/info && echo '* diff=x' > common/info/attributes`)
}

// outward links out of the project.
func outward(tr *trap) { tr.bash("ln -s ../outside link") }

func secret(name string) func(*trap) {
	return func(tr *trap) { tr.put(name, treasure+"\n") }
}

// secretLink gives a secret a harmless name.
func secretLink(tr *trap) {
	tr.put(".env", treasure+"\n")
	tr.bash("ln -s .env notes.txt")
}

func token(tr *trap) { tr.configure("[http]\n\textraHeader = " + treasure + "\n") }

// toolchain puts a toolchain file above the directory that a link leads to.
func toolchain(tr *trap) {
	tr.bash("mkdir -p other/dir ../tc/bin && ln -s other/dir link && cp ../evil ../tc/bin/cargo && cp ../evil ../tc/bin/rustc")
	tr.put("other/rust-toolchain.toml", "[toolchain]\npath = \""+filepath.Join(filepath.Dir(tr.outside), "tc")+"\"\n")
}

// TestPlainReadingIsApproved: in an ordinary project, the same programs need no dialog if
// they are used plainly.
func TestPlainReadingIsApproved(t *testing.T) {
	t.Parallel()
	tr := newTrap(t)
	tr.configure("[remote \"origin\"]\n\turl = git@example.org:a/b.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n[branch \"main\"]\n\tremote = origin\n\tmerge = refs/heads/main\n[pull]\n\trebase = true\n")
	outward(tr)
	tr.put(".env.example", "A=\n")
	for _, command := range []string{
		"git status", "git log --oneline -5", "git diff --stat HEAD", "git diff --unified=5", "git grep -n foo", "git config --get user.name", "git show HEAD:a.txt", "cd ./sub && git status",
		"cat *.txt", "cat a.txt sub/../README.md", "wc -l sub/*.go", "grep -rn foo .", "grep -rn foo --include='*.go' sub", "rg foo", "find . -name '*.go'", "diff -u a.txt README.md",
		"sed -n 1,5p a.txt", "sort -u a.txt", "uniq -c a.txt", "awk '{print $1}' a.txt", `printf '%s\n' a && ls`, "ps -ef", "ps aux", "ps -eo pid,ppid,cmd --sort=-%mem", "objdump -d a.o",
	} {
		if a := tr.ask(command); !strings.Contains(a.stdout, `"behavior": "allow"`) {
			t.Errorf("%q: %s%s", command, a.stdout, a.stderr)
		}
	}
	// A secret in a place that the command does not read is no reason to ask.
	tr.put("keys/server.pem", "")
	for _, command := range []string{"grep -rn foo sub", "grep -rn foo --include='*.go' .", "grep -rn foo . --exclude-dir=keys"} {
		tr.approved(command)
	}
}

// approved holds that bridge lets a command pass.
func (tr *trap) approved(command string) {
	tr.t.Helper()
	if a := tr.ask(command); !strings.Contains(a.stdout, `"behavior": "allow"`) {
		check := exec.Command(binary, "check", command)
		check.Dir, check.Env = tr.project, tr.env
		why, _ := check.Output()
		tr.t.Errorf("%q: %s%s\n%s", command, a.stdout, a.stderr, why)
	}
}

// TestAllowedCommandMovesTheRest: a command that the user allows may change the
// directory for which the other commands were judged.
func TestAllowedCommandMovesTheRest(t *testing.T) {
	t.Parallel()
	tr := newTrap(t)
	tr.put("../home/.config/bridge/config.json", `{"permissions": {"allow": ["Bash(cd *)", "Bash(make *)", "Bash(pushd *)"]}}`)
	for _, command := range []string{"ls && cd ../outside && cat x", "pushd ../outside && cat x"} {
		tr.dialog(command)
		if out := tr.run(command); !strings.Contains(out, treasure) {
			t.Errorf("%q: %s", command, out)
		}
	}
	for _, command := range []string{"make test && cat a.txt", "make test && cd sub && make test", "cd ./sub && make test"} {
		if a := tr.ask(command); !strings.Contains(a.stdout, `"behavior": "allow"`) {
			t.Errorf("%q: %s%s", command, a.stdout, a.stderr)
		}
	}
}

// TestSearchOfManyFiles: all of them are checked.
func TestSearchOfManyFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("left out with -short: makes 12,000 files")
	}
	t.Parallel()
	tr := newTrapIn(t, memoryDir(t))
	for i := range 12 {
		dir := filepath.Join(tr.project, "many", fmt.Sprint(i))
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		for j := range 1000 {
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(j)), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	tr.approved("grep -rn foo .")
	tr.approved("ls many/1/*9")
	tr.dialog("ls many/*/*") // more than 2,000 matches
	tr.put("many/7/deep/er/server.p12", "")
	tr.dialog("grep -rn foo .")
	tr.approved("grep -rn foo many/6 a.txt")
}

// TestGitFilesThatCannotBeRead: the dialog comes in time, in bridge check too, and no
// exit code blocks the tool.
func TestGitFilesThatCannotBeRead(t *testing.T) {
	longer(t)
	t.Parallel()
	fifo := func(path string) error {
		if err := os.RemoveAll(path); err != nil {
			return err
		}
		return syscall.Mkfifo(path, 0o600)
	}
	sparse := func(path string) error {
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o600)
		if err != nil {
			return err
		}
		defer f.Close()
		return f.Truncate(1 << 40)
	}
	huge := func(path string) error {
		return os.WriteFile(path, []byte(strings.Repeat("# nothing\n", 1<<20)), 0o600)
	}
	for name, test := range map[string]struct {
		file string
		make func(string) error
	}{
		"a configuration that is a FIFO": {"config", fifo}, "a sparse configuration": {"config", sparse}, "a huge configuration": {"config", huge},
		"a work tree's configuration that is a FIFO": {"config.worktree", fifo}, "a common directory that is a FIFO": {"commondir", fifo},
		"an index that is a FIFO": {"index", fifo}, "a sparse index": {"index", sparse}, "a HEAD that is a FIFO": {"HEAD", fifo}, "a git directory that is a FIFO": {"", fifo}, "a link": {"config", func(path string) error {
			if err := os.Rename(path, path+".moved"); err != nil {
				return err
			}
			return os.Symlink("config.moved", path)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tr := newTrap(t)
			if err := test.make(filepath.Join(tr.project, ".git", test.file)); err != nil {
				t.Fatal(err)
			}
			tr.dialog("git status")
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			cmd := exec.CommandContext(ctx, binary, "check", "git status")
			cmd.Dir, cmd.Env = tr.project, tr.env
			a, err := execute(cmd)
			// 2 is what check says for a dialog; a crash has that code as well.
			if err != nil || a.code != 2 || !strings.HasPrefix(a.stdout, "ask\n") || a.stderr != "" {
				t.Errorf("bridge check: %v, %+v", err, a)
			}
		})
	}
}
