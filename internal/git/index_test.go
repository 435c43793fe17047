package git

import (
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// index writes a git index of a version by hand.
func index(version uint32, paths ...string) []byte {
	out := binary.BigEndian.AppendUint32([]byte("DIRC"), version)
	out = binary.BigEndian.AppendUint32(out, uint32(len(paths)))
	previous := ""
	for _, path := range paths {
		entry := make([]byte, 62)
		if version < 4 {
			entry = append(entry, path...)
			for entry = append(entry, 0); len(entry)%8 != 0; {
				entry = append(entry, 0)
			}
		} else {
			common := 0
			for common < len(path) && common < len(previous) && path[common] == previous[common] {
				common++
			}
			entry = append(entry, byte(len(previous)-common))
			entry = append(append(entry, path[common:]...), 0)
			previous = path
		}
		out = append(out, entry...)
	}
	return out
}

func TestIndexLists(t *testing.T) {
	t.Parallel()
	const state = ".claude/ralph-loop.local.md"
	for _, version := range []uint32{2, 3, 4} {
		with := index(version, ".claude/a", state, "main.go")
		if !indexLists(with, state) || !indexLists(with, "main.go") {
			t.Errorf("version %d does not list what is there", version)
		}
		if indexLists(with, ".claude/ralph") || indexLists(with, "other") {
			t.Errorf("version %d lists what is not there", version)
		}
		// An index that cannot be understood counts as listing the file.
		if !indexLists(with[:len(with)-30], "other") {
			t.Errorf("version %d: a cut index is trusted", version)
		}
	}
	for name, text := range map[string][]byte{"empty": nil, "no index": []byte("something else"), "version 9": index(9)} {
		if !indexLists(text, state) {
			t.Errorf("%s is trusted", name)
		}
	}
}

// TestTracked uses real repositories, including a linked work tree.
func TestTracked(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is needed to make a repository")
	}
	root := t.TempDir()
	git := func(dir string, args ...string) {
		t.Helper()
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "HOME="+root, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v %s", args, err, out)
		}
	}
	repo, tree := filepath.Join(root, "repo"), filepath.Join(root, "tree")
	for _, path := range []string{"sub/listed", "sub/other"} {
		file := filepath.Join(repo, path)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	git(repo, "init", "-q")
	if Tracked(filepath.Join(repo, "sub/listed")) {
		t.Error("an empty repository lists it")
	}
	git(repo, "add", "sub/listed")
	git(repo, "commit", "-qm", "x")
	git(repo, "worktree", "add", "-q", tree)
	for dir, want := range map[string]bool{filepath.Join(repo, "sub/listed"): true, filepath.Join(repo, "sub/other"): false, filepath.Join(tree, "sub/listed"): true, filepath.Join(tree, "sub/other"): false, filepath.Join(root, "elsewhere"): false} {
		if got := Tracked(dir); got != want {
			t.Errorf("%s: %v, want %v", dir, got, want)
		}
	}
	// A repository can hold the state under another name and link to it, or write
	// its name in another case.
	if err := os.Symlink("sub", filepath.Join(repo, ".claude")); err != nil {
		t.Fatal(err)
	}
	if !Tracked(filepath.Join(repo, ".claude/listed")) || Tracked(filepath.Join(repo, ".claude/other")) {
		t.Error("through a link")
	}
	if !indexListsIn(t, repo, "Sub/LISTED") {
		t.Error("another case")
	}
	git(repo, "update-index", "--index-version", "4")
	if !Tracked(filepath.Join(repo, "sub/listed")) || Tracked(filepath.Join(repo, "sub/other")) {
		t.Error("index of version 4")
	}
	// The entries of a split index are in another file.
	git(repo, "update-index", "--split-index")
	if !Tracked(filepath.Join(repo, "sub/listed")) {
		t.Error("split index")
	}
}

func indexListsIn(t *testing.T, repo, name string) bool {
	t.Helper()
	index, err := os.ReadFile(filepath.Join(repo, ".git", "index"))
	if err != nil {
		t.Fatal(err)
	}
	return indexLists(index, name)
}

// TestSparseIndex: a directory that is not checked out is one entry.
func TestSparseIndex(t *testing.T) {
	t.Parallel()
	sparse := index(3, ".claude/", "main.go")
	if !indexLists(sparse, ".claude/ralph-loop.local.md") || indexLists(sparse, ".claude2/x") {
		t.Error("the directory entry was misread")
	}
}

// FuzzIndexLists: no index causes a panic.
func FuzzIndexLists(f *testing.F) {
	for _, version := range []uint32{2, 3, 4} {
		f.Add(index(version, ".claude/a", "main.go"), "main.go")
	}
	f.Fuzz(func(t *testing.T, data []byte, name string) {
		if len(data) < 12 && !indexLists(data, name) {
			t.Error("half a header is trusted")
		}
		indexLists(data, name)
	})
}

// indexLists judges an index as Tracked does: if the answer is unknown, the file counts as listed.
func indexLists(index []byte, name string) bool {
	found, known := lookUp(index, name)
	return found || !known
}
