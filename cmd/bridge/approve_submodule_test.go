//go:build unix

package main

import (
	"crypto/sha1"
	endian "encoding/binary"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSubmodulesInDisguise: an index can describe a submodule in a form that an ordinary
// reader misses or finds in another place. git status runs git in the submodule, and that
// git runs the programs which the submodule's configuration names.
func TestSubmodulesInDisguise(t *testing.T) {
	longer(t)
	t.Parallel()
	trapped(t, map[string]trick{
		"in a directory of a sparse index": {sparseIndex, "git status", "", false},
		"behind longer hashes":             {longHashes, "git status", "", false},
		"in a submodule": {submodule(`git -C lib init -q deep && git -C lib/deep commit -q --allow-empty -m one && git -C lib add deep 2>/dev/null && git -C lib commit -qm two
git -C lib/deep config core.fsmonitor "$EVIL"`), "git status", "", false},
		"in a linked work tree": {submodule(`git worktree add -q ../linked && git init -q ../linked/lib && git -C ../linked/lib commit -q --allow-empty -m x
git -C ../linked/lib config core.fsmonitor "$EVIL" && mv ../linked linked`), "cd ./linked && git status", "", true},
		"with a git directory that is committed": {func(tr *trap) {
			tr.bash(`git init -q lib && git -C lib commit -q --allow-empty -m one && mv lib/.git stored && git config -f stored/config core.worktree ../lib && git config -f stored/config core.fsmonitor "$EVIL"
echo gitdir: ../stored > lib/.git && git update-index --add --cacheinfo 160000,$(git -C lib -c core.fsmonitor=false rev-parse HEAD),lib; rm -f ../ran`)
		}, "git status", "", false},
		"with an inclusion": {submodule(`git config -f more core.fsmonitor "$EVIL" && git config -f .git/modules/lib/config includeIf.gitdir:**.path ../../../more`), "git status", "", false},
		"with a configuration of its work tree": {submodule(`git -C lib config extensions.worktreeConfig true && git -C lib config --worktree core.worktree ../../../lib && git -C lib config --worktree core.fsmonitor "$EVIL"
rm -f ../ran`), "git status", "", false},
	})
}

// TestGitDirectoriesElsewhere: what names the git directory, or the work tree, may be
// part of the repository.
func TestGitDirectoriesElsewhere(t *testing.T) {
	longer(t)
	t.Parallel()
	trapped(t, map[string]trick{
		"a .git file that names a committed directory": {func(tr *trap) {
			tr.bash(`mv .git stored && git config -f stored/config core.fsmonitor "$EVIL" && echo gitdir: stored > .git`)
		}, "git status", "", false},
		"one that names its work tree": {func(tr *trap) {
			tr.bash(`mv .git stored && git config -f stored/config core.worktree .. && git config -f stored/config core.fsmonitor "$EVIL" && echo gitdir: stored > .git`)
		}, "git status", "", false},
		"a work tree above": {func(tr *trap) { tr.bash(`git config core.worktree ../..`) }, "git status", "", true},
		"an inclusion": {func(tr *trap) {
			tr.bash(`git config -f more core.fsmonitor "$EVIL" && git config include.path ../more`)
		}, "git status", "", false},
		"a conditional one": {func(tr *trap) {
			tr.bash(`git config -f more core.fsmonitor "$EVIL" && git config includeIf.onbranch:main.path ../more`)
		}, "git status", "", false},
		"a linked work tree": {func(tr *trap) { tr.bash(`git worktree add -q sub/linked && git config core.fsmonitor "$EVIL"`) }, "cd ./sub/linked && git status", "", false},
		"its own configuration": {func(tr *trap) {
			tr.bash(`git worktree add -q sub/linked && git config extensions.worktreeConfig true && git -C sub/linked config --worktree core.fsmonitor "$EVIL"`)
		}, "cd ./sub/linked && git status", "", false},
		"one that shares another's": {func(tr *trap) {
			tr.bash(`git worktree add -q sub/linked && git init -q evil.git && git -C evil.git config core.fsmonitor "$EVIL" && git -C evil.git commit -q --allow-empty -m x
realpath evil.git/.git > .git/worktrees/linked/commondir; rm -f ../ran`)
		}, "cd ./sub/linked && git status", "", false},
		"an extension of lfs": {func(tr *trap) { tr.configure("[lfs \"extension.x\"]\n\tclean = EVIL\n\tpriority = 0\n") }, "git status", "", true},
	})
}

// sparseIndex puts a directory with a submodule into the index as one entry.
func sparseIndex(tr *trap) {
	tr.bash(`mkdir dir && git init -q dir/lib && git -C dir/lib commit -q --allow-empty -m one && echo x > dir/x && git add dir 2>/dev/null && git commit -qm two
git config core.sparseCheckout true && git config core.sparseCheckoutCone true && git config index.sparse true && printf '/*\n!/*/\n' > .git/info/sparse-checkout
git -C dir/lib config core.fsmonitor "$EVIL"`)
	oid := func(name string) []byte {
		b, err := hex.DecodeString(strings.TrimSpace(tr.run("git rev-parse HEAD:" + name)))
		if err != nil {
			tr.t.Fatal(err)
		}
		return b
	}
	index := endian.BigEndian.AppendUint32([]byte("DIRC\x00\x00\x00\x03"), 2)
	for _, e := range []struct {
		name  string
		mode  uint32
		flags []byte
	}{{"a.txt", 0o100644, []byte{0, 5}}, {"dir/", 0o040000, []byte{0x40, 4, 0x40, 0}}} {
		entry := make([]byte, 40)
		endian.BigEndian.PutUint32(entry[24:], e.mode)
		entry = append(append(append(entry, oid(strings.TrimSuffix(e.name, "/"))...), e.flags...), e.name...)
		index = append(index, append(entry, make([]byte, 8-len(entry)%8)...)...)
	}
	index = append(index, "sdir\x00\x00\x00\x00"...)
	sum := sha1.Sum(index)
	tr.put(".git/index", string(append(index, sum[:]...)))
	if err := os.Remove(tr.ran); err != nil && !os.IsNotExist(err) {
		tr.t.Fatal(err)
	}
}

// longHashes makes a repository in which hashes are longer, so that the names in its index
// begin later. That of the submodule has no zero byte up to its end.
func longHashes(tr *trap) {
	deep := strings.Repeat(strings.Repeat("d", 100)+"/", 3) + "lib"
	tr.bash(`rm -rf .git && git init -q -b main --object-format=sha256 . && git add a.txt && git init -q --object-format=sha256 ` + deep + ` && git -C ` + deep + ` commit -q --allow-empty -m one
git update-index --add --cacheinfo 160000,` + strings.Repeat("ab", 32) + `,` + deep + ` && git commit -qm one && git -C ` + deep + ` config core.fsmonitor "$EVIL"`)
	file := filepath.Join(tr.project, ".git", "index")
	index, err := os.ReadFile(file)
	if err != nil {
		tr.t.Fatal(err)
	}
	// git does not check the hash at the end, which would be taken for an extension.
	tr.put(".git/index", string(index[:len(index)-32])+strings.Repeat("\x00", 32))
}
