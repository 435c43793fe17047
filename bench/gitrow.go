package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// trackedFiles is how many files the measured repository tracks.
const trackedFiles = 300

// gitRow is a dialog about git status, which bridge allows after it has read the
// repository's configuration and index.
func gitRow(w *world, bins binaries) (row, error) {
	const id = "permission-git"
	p, err := w.newProject(id, 1<<20)
	if err != nil {
		return row{}, err
	}
	return p.allowedRow(id, "permission-request, git allowed", "git status", w, bins), p.startRepository()
}

// startRepository makes the project a repository like one after git clone: with a remote, a branch that tracks it, and
// sample hooks.
func (p project) startRepository() error {
	for i := range trackedFiles {
		file := filepath.Join(p.dir, "src", fmt.Sprint("part", i%20), fmt.Sprint("file", i, ".go"))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, fmt.Appendf(nil, "package part%d\n", i%20), 0o644); err != nil {
			return err
		}
	}
	for _, args := range [][]string{
		{"init", "--quiet", "--initial-branch=main"},
		{"add", "."},
		{"-c", "user.name=bench", "-c", "user.email=bench@example.com", "commit", "--quiet", "--message=first"},
		{"remote", "add", "origin", "https://example.com/bench.git"},
		{"config", "branch.main.remote", "origin"},
		{"config", "branch.main.merge", "refs/heads/main"},
	} {
		git := exec.Command("git", args...)
		git.Dir = p.dir
		git.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + p.dir, "GIT_CONFIG_NOSYSTEM=1"}
		if out, err := git.CombinedOutput(); err != nil {
			return fmt.Errorf("git %s: %w: %s", args[0], err, out)
		}
	}
	return nil
}
