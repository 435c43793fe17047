//go:build unix

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestFirstHour types every command of the README, and then of docs/install.md, as a new
// user would: on a PATH with nothing but a shell, Go, git and iproute2's bridge, which
// comes first. Once in a clone, once in an unpacked release without Go. In between, the
// real client stops, and bridge, as it was installed, blocks that stop.
func TestFirstHour(t *testing.T) {
	clientPath(t)
	for _, from := range []string{"clone", "release"} {
		t.Run(from, func(t *testing.T) {
			s := newStage(t, Turns(Say("One part is done."), Say("All parts are done. <promise>REFACTOR DONE</promise>")))
			u := newcomer{t: t, home: s.Home, path: bareSystem(t, from == "clone")}
			began := time.Now()
			if from == "clone" {
				u.dir = clone(t)
			} else {
				u.dir = unpackRelease(t)
				began = time.Now()
			}
			u.types("README.md")
			// After the commands, there is a loop that no session owns yet.
			r := s.run(Client{
				Prompt: "Go on.", SessionID: sessionID(), Dir: u.dir,
				Env: map[string]string{"PATH": u.path}, PermissionMode: "acceptEdits",
			})
			wantBlocks(t, r, 1, "Refactor the auth module.")
			t.Logf("from the %s to the end of a loop on the real client: %.1f s", from, time.Since(began).Seconds())
			u.types("docs/install.md")
			settings, err := os.ReadFile(filepath.Join(s.ConfigDir(), "settings.json"))
			if err == nil && strings.Contains(string(settings), "--hook=") {
				t.Errorf("the last command of docs/install.md removes bridge, but the settings are\n%s", settings)
			}
		})
	}
}

// newcomer types commands in dir.
type newcomer struct {
	t               *testing.T
	dir, home, path string
}

// types runs the commands of a document in order.
func (u newcomer) types(document string) {
	u.t.Helper()
	text, err := os.ReadFile(filepath.Join(u.dir, filepath.FromSlash(document)))
	if err != nil {
		u.t.Fatal(err)
	}
	commands, inside := 0, false
	for line := range strings.SplitSeq(string(text), "\n") {
		if strings.HasPrefix(line, "```") {
			inside = line == "```console"
			continue
		}
		command, ok := strings.CutPrefix(line, "$ ")
		if !inside || !ok || command == "go test ./..." {
			continue // that command would run this test
		}
		if _, err := exec.LookPath(filepath.Join(u.path, "go")); err != nil && strings.HasPrefix(command, "go ") {
			continue // a release contains the program
		}
		commands++
		u.run(command)
	}
	if commands < 4 {
		u.t.Errorf("%s has only %d commands", document, commands)
	}
}

func (u newcomer) run(command string) {
	u.t.Helper()
	cmd := exec.CommandContext(u.t.Context(), "/bin/sh", "-c", command)
	cmd.Dir = u.dir
	cmd.Env = []string{"HOME=" + u.home, "PATH=" + u.path, "GOPROXY=off"}
	for _, name := range []string{"GOCACHE", "GOMODCACHE"} {
		out, err := exec.CommandContext(u.t.Context(), "go", "env", name).Output()
		if err != nil {
			u.t.Fatal(err)
		}
		cmd.Env = append(cmd.Env, name+"="+strings.TrimSpace(string(out)))
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		u.t.Errorf("%s: %v\n%s", command, err, out)
	}
}

// bareSystem is a directory for the PATH that contains only a few programs, and another program called bridge.
func bareSystem(t *testing.T, withGo bool) string {
	t.Helper()
	dir := t.TempDir()
	names := []string{"sh", "git", "cat", "ls", "mkdir"}
	if withGo {
		names = append(names, "go")
	}
	for _, name := range names {
		path, err := exec.LookPath(name)
		if err != nil {
			t.Fatal(err)
		}
		link(t, path, filepath.Join(dir, name))
	}
	for _, path := range []string{"/sbin/bridge", "/usr/sbin/bridge", "/bin/bridge"} {
		if _, err := os.Stat(path); err == nil {
			link(t, path, filepath.Join(dir, "bridge"))
			return dir
		}
	}
	other := "#!/bin/sh\necho 'Usage: bridge [ OPTIONS ] OBJECT { COMMAND | help }' >&2\nexit 255\n"
	if err := os.WriteFile(filepath.Join(dir, "bridge"), []byte(other), 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

func link(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Symlink(from, to); err != nil {
		t.Fatal(err)
	}
}

// clone copies the repository's files into a new repository.
func clone(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "bridge")
	shell(t, "..", `mkdir "$1" && git ls-files -z --cached --others --exclude-standard | tar --null -T - --ignore-failed-read -cf - | tar -xf - -C "$1" && git init -q "$1"`, dir)
	return dir
}

// unpackRelease builds the archive for this system and unpacks it.
func unpackRelease(t *testing.T) string {
	t.Helper()
	out, dir := t.TempDir(), t.TempDir()
	shell(t, "..", `go run ./release -only "$1" -out "$2"`, runtime.GOOS+"/"+runtime.GOARCH, out)
	shell(t, dir, `tar -xzf "$1"/*.tar.gz && git init -q *`, out)
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Fatalf("the archive holds %v, %v", entries, err)
	}
	return filepath.Join(dir, entries[0].Name())
}

func shell(t *testing.T, dir, script string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh", append([]string{"-c", script, "sh"}, args...)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", script, err, out)
	}
}
