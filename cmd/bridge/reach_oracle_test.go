//go:build unix

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/bridge/hooks/permission"
)

// maze is a project of random directories, files, secrets and links, with the
// treasure outside of it and in its secrets.
type maze struct {
	*trap
	rand *rand.Rand
	dirs []string
}

func (m *maze) pick(from ...string) string { return from[m.rand.IntN(len(from))] }

// newMaze is a trap without a repository: nothing but names counts here.
func newMaze(t *testing.T, seed uint64) *maze {
	t.Helper()
	s := newSceneIn(t, memoryDir(t))
	tr := &trap{scene: s, outside: filepath.Join(filepath.Dir(s.project), "outside")}
	m := &maze{trap: tr, rand: rand.New(rand.NewPCG(seed, 1)), dirs: []string{"."}}
	for _, name := range []string{"x", "d/x", "d/e/x", "a"} {
		tr.put("../outside/"+name, treasure+"\n")
	}
	for range 4 {
		dir := filepath.Join(m.pick(m.dirs...), m.pick("a", "b", "sub", "deep"))
		if err := os.MkdirAll(filepath.Join(s.project, dir), 0o700); err == nil {
			m.dirs = append(m.dirs, dir)
		}
	}
	for range 8 {
		dir := m.pick(m.dirs...)
		if m.rand.IntN(3) == 0 {
			m.plant(filepath.Join(dir, m.pick(".env", "id_rsa", "a.key", "x.env", "secrets", "prod.tfvars", ".ssh/x")), treasure)
		} else {
			m.plant(filepath.Join(dir, m.pick("x", "x.txt", "main.go", "a.env.go", "rsa")), "plain")
		}
	}
	for range 6 {
		to := filepath.Join(s.project, m.pick(m.dirs...), m.pick("", "", "x", ".env", "id_rsa", "l", "../.."))
		if m.rand.IntN(3) == 0 {
			to = filepath.Join(tr.outside, m.pick("", "x", "d", "d/e"))
		}
		from := filepath.Join(s.project, m.pick(m.dirs...), m.pick("l", "link", "lx", "notes.txt", ".env", "s"))
		if m.rand.IntN(2) == 0 {
			if rel, err := filepath.Rel(filepath.Dir(from), to); err == nil {
				to = rel
			}
		}
		_ = os.Symlink(to, from) // what is there already stays
	}
	if m.rand.IntN(2) == 0 {
		m.plant(".env", treasure)
		m.plant(m.pick(".ignore", "../.ignore", "a/.rgignore"), m.pick("!.env", "!.e*", "!*", "!.ssh", "*.go", "!.env.example")+"\n")
	}
	return m
}

// plant writes a file, if its place is free.
func (m *maze) plant(name, text string) {
	full := filepath.Join(m.project, name)
	if os.MkdirAll(filepath.Dir(full), 0o700) != nil {
		return
	}
	if f, err := os.OpenFile(full, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600); err == nil {
		_, _ = f.WriteString(text + "\n")
		_ = f.Close()
	}
}

// word is a random path.
func (m *maze) word() string {
	var parts []string
	for range 1 + m.rand.IntN(4) {
		parts = append(parts, m.pick("a", "b", "sub", "deep", "l", "link", "lx", "s", "x", "x.txt", "notes.txt", ".env", "..", "..", ".", "*", "*", "?*", "l*", "s?b", "[a-z]*", "*.e?v", "*x*", "a.key", "d", "outside"))
	}
	word := strings.Join(parts, "/")
	switch m.rand.IntN(12) {
	case 0:
		return m.project + "/" + word
	case 1:
		return "./" + word + "/"
	}
	return word
}

// line is a random command line that reads.
func (m *maze) line() string {
	line := m.pick("cat W", "cat W W", "head -5 W", "sed -n p W", "cat < W", "grep -h S3 W W", "grep -rh S3 W", "grep -rh S3", "grep -Rh S3 W", "grep -Rh S3 . --exclude-dir=sub", "grep -rh S3 W --include='*.go'", "diff -r W W", "diff -rN W W",
		"rg --no-config S3 W", "rg --no-config S3", "rg --no-config -L S3 W", "rg --no-config --hidden S3 W", "rg --no-config -t go S3", "rg --no-config -g '*.go' S3 W", "rg --no-config -g '!sub' S3", "awk '{print}' W", "sort W", "ls W && cat W", "strings W", "base64 -d W || cat W")
	for range m.rand.IntN(3) {
		line = "cd " + m.pick("./", "../", "/") + "D && " + line
	}
	for strings.Contains(line, "cd /D") {
		line = strings.Replace(line, "cd /D", "cd "+m.project+"/"+m.pick("a", "l", "sub/..", "link"), 1)
	}
	for strings.Contains(line, "D &&") {
		line = strings.Replace(line, "D &&", m.pick("a", "b", "sub", "l", "link", "l/..", "link/../a", "a/b", "project")+" &&", 1)
	}
	for strings.Contains(line, "W") {
		line = strings.Replace(line, "W", m.word(), 1)
	}
	return line
}

// show runs lines one after the other in a shell and returns what each printed.
func (m *maze) show(shell string, lines []string) []string {
	m.t.Helper()
	const mark = "--next--"
	var script strings.Builder
	for _, line := range lines {
		fmt.Fprintf(&script, "(\n%s\n) 2>&1 </dev/null\necho; echo %s\n", line, mark)
	}
	ctx, cancel := context.WithTimeout(m.t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, shell)
	cmd.Dir, cmd.Env, cmd.Stdin = m.project, append(m.env, "PWD="+m.project), strings.NewReader(script.String())
	out, err := cmd.Output()
	shown := strings.Split(string(out), mark+"\n")
	if len(shown) != len(lines)+1 {
		m.t.Fatalf("%s: %v: %d answers to %d lines", shell, err, len(shown)-1, len(lines))
	}
	return shown
}

// holds judges random lines and runs those that are approved: none shows the treasure.
func (m *maze) holds(tries int) (approved int) {
	m.t.Helper()
	var lines []string
	for range tries {
		if line := m.line(); m.judge(m.project, line).Kind == permission.Allow {
			lines = append(lines, line)
		}
	}
	if len(lines) == 0 {
		return 0
	}
	for _, shell := range []string{"bash", "zsh"} {
		if _, err := exec.LookPath(shell); err != nil {
			m.t.Logf("%s is not installed", shell)
			continue
		}
		for i, text := range m.show(shell, lines)[:len(lines)] {
			if strings.Contains(text, treasure) {
				tree, _ := exec.Command("find", m.project, "-printf", "%P %l\n").Output()
				m.t.Errorf("%q is approved and shows %q in %s, in\n%s", lines[i], text, shell, tree)
			}
		}
	}
	return len(lines)
}

// TestRandomPaths: whatever path an approved line names, in whatever project of links
// and secrets, it shows nothing of what lies outside or is secret.
func TestRandomPaths(t *testing.T) {
	longer(t)
	t.Parallel()
	mazes, lines := uint64(25), 60
	switch {
	case os.Getenv("BRIDGE_ORACLE") != "":
		mazes = 1500
	case testing.Short():
		mazes = 4
	}
	approved := 0
	for seed := range mazes {
		approved += newMaze(t, seed).holds(lines)
	}
	t.Logf("%d of %d random lines were approved and run", approved, int(mazes)*lines)
	if approved < int(mazes)*lines/5 {
		t.Errorf("only %d of %d random lines were approved", approved, int(mazes)*lines)
	}
}

// FuzzRandomPaths draws other projects than TestRandomPaths.
func FuzzRandomPaths(f *testing.F) {
	f.Add(uint64(1 << 20))
	f.Fuzz(func(t *testing.T, seed uint64) { newMaze(t, seed).holds(40) })
}
