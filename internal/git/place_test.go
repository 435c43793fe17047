package git

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestPlacesThatGitMakes asks git itself for the git directory of each kind of work tree.
func TestPlacesThatGitMakes(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is needed to make repositories")
	}
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	git := func(dir string, args ...string) string {
		t.Helper()
		cmd := exec.Command("git", args...)
		cmd.Dir = filepath.Join(root, dir)
		cmd.Env = append(os.Environ(), "HOME="+root, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b", "GIT_ALLOW_PROTOCOL=file")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v %s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	git("", "init", "-q", "lib")
	git("lib", "commit", "-q", "--allow-empty", "-m", "x")
	git("", "init", "-q", "main")
	git("main", "submodule", "--quiet", "add", "../lib", "deep/lib")
	git("main", "commit", "-qm", "x")
	git("main", "worktree", "add", "-q", "../tree")
	git("", "clone", "-q", "--bare", "main", "bare.git")
	git("bare.git", "worktree", "add", "-q", "../of-bare")
	write(t, root, map[string]string{"main/sub/x": "", "tree/sub/x": ""})
	for dir, module := range map[string]bool{"main": false, "main/sub": false, "tree": false, "tree/sub": false, "main/deep/lib": true, "of-bare": false} {
		p, err := Find(filepath.Join(root, filepath.FromSlash(dir)))
		if err != nil {
			t.Errorf("%s: %v", dir, err)
			continue
		}
		want := Place{Tree: filepath.FromSlash(git(dir, "rev-parse", "--show-toplevel")), Git: filepath.FromSlash(git(dir, "rev-parse", "--absolute-git-dir")), Module: module}
		want.Common = filepath.FromSlash(git(dir, "rev-parse", "--path-format=absolute", "--git-common-dir"))
		if p != want {
			t.Errorf("%s: %+v, want %+v", dir, p, want)
		}
	}
}

// TestPlacesOfOthers: git never creates any of these forms.
func TestPlacesOfOthers(t *testing.T) {
	t.Parallel()
	text := func(path, text string) func(root string) error {
		return func(root string) error {
			return os.WriteFile(filepath.Join(root, path), []byte(strings.ReplaceAll(text, "ROOT", root)), 0o600)
		}
	}
	for name, test := range map[string]struct {
		dir    string
		change func(root string) error
	}{
		"a copy of a linked work tree":        {"copy", text("copy/.git", "gitdir: ROOT/main/.git/worktrees/tree\n")},
		"another common directory":            {"tree", text("main/.git/worktrees/tree/commondir", "../../../evil\n")},
		"a common directory in .git":          {"main", text("main/.git/commondir", "../evil\n")},
		"a work tree that another one names":  {"tree", text("main/.git/worktrees/tree/gitdir", "ROOT/copy/.git\n")},
		"a link to a git directory":           {"copy", func(root string) error { return os.Symlink(root+"/main/.git", root+"/copy/.git") }},
		"a file that names a link":            {"copy", text("copy/.git", "gitdir: ROOT/link\n")},
		"a file that names a way over a link": {"copy", text("copy/.git", "gitdir: ROOT/link/../.git\n")},
		"a file with more than a line":        {"copy", text("copy/.git", "gitdir: ROOT/main/.git\nx\n")},
		"a file without a blank":              {"copy", text("copy/.git", "gitdir:ROOT/main/.git\n")},
		"an empty directory":                  {"main/sub", func(root string) error { return os.Mkdir(root+"/main/sub/.git", 0o700) }},
		"a HEAD on the way":                   {"main/sub", text("main/sub/HEAD", "")},
		"another HEAD":                        {"main", text("main/.git/HEAD", "x")},
	} {
		root, err := filepath.EvalSymlinks(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		write(t, root, map[string]string{
			"main/.git/HEAD": "ref: refs/heads/main\n", "main/.git/objects/x": "", "main/.git/refs/x": "", "main/.git/worktrees/tree/HEAD": "ref: refs/heads/tree\n", "main/sub/x": "", "copy/x": "",
			"main/.git/worktrees/tree/commondir": "../..\n", "main/.git/worktrees/tree/gitdir": filepath.Join(root, "tree", ".git") + "\n",
			"tree/.git": "gitdir: " + filepath.Join(root, "main", ".git", "worktrees", "tree") + "\n",
		})
		if err := os.Symlink(root+"/main/.git", root+"/link"); err != nil {
			if runtime.GOOS == "windows" {
				t.Skip("links need a privilege")
			}
			t.Fatal(err)
		}
		for _, dir := range []string{"main", "main/sub", "tree"} {
			if _, err := Find(filepath.Join(root, dir)); err != nil {
				t.Fatalf("%s: %v", dir, err)
			}
		}
		if err := test.change(root); err != nil {
			t.Fatal(err)
		}
		if p, err := Find(filepath.Join(root, filepath.FromSlash(test.dir))); err == nil {
			t.Errorf("%s: %+v", name, p)
		}
	}
}
