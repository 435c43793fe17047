//go:build unix

package shell

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// everything is the variable with which the oracles run all of their programs, as a
// step of .ci/run does; without it each takes a sample.
const everything = "BRIDGE_ORACLE"

// TestBashOracle runs the approved local commands of the table in a scratch
// project in real bash and requires that nothing in it changes. Commands of one batch
// run after each other in one shell; if a batch changes something, its commands
// run again one by one to name the culprit.
func TestBashOracle(t *testing.T) {
	if testing.Short() {
		t.Skip("left out with -short: runs a hundred programs")
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed")
	}
	t.Parallel()
	var run []string
	missing := 0
	for _, e := range examples(t) {
		// The table's absolute paths do not exist in the scratch project.
		if r, ok := approved(e.command, Options{}); !ok || strings.Contains(e.command, projectDir) {
			continue
		} else if !installed(r.Commands) {
			missing++
			continue
		}
		run = append(run, e.command)
	}
	if len(run) < 300 {
		t.Errorf("only %d commands can be run", len(run))
	}
	if os.Getenv(everything) == "" {
		sample := run[:0]
		for i := 0; i < len(run); i += 10 {
			sample = append(sample, run[i])
		}
		run = sample
	}
	const size = 60
	var wg sync.WaitGroup
	slots := make(chan struct{}, 2)
	for from := 0; from < len(run); from += size {
		batch := run[from:min(from+size, len(run))]
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			if !changes(t, bash, batch, quick) {
				return
			}
			// On a busy machine a program that was killed may have left its lock.
			named := false
			for _, command := range batch {
				if changes(t, bash, []string{command}, patient) {
					t.Errorf("%q is approved and changes its directory", command)
					named = true
				}
			}
			if !named && changes(t, bash, batch, patient) {
				t.Errorf("the batch that begins with %q changes its directory, no command alone does", batch[0])
			}
		})
	}
	wg.Wait()
	t.Logf("%d approved commands run in bash, %d skipped because a program is not installed", len(run), missing)
}

// The oracle must see each kind of change, or it proves nothing.
func TestBashOracleSeesChanges(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed")
	}
	t.Parallel()
	for _, command := range []string{"echo x > f", "rm a.txt", "mkdir d", "echo >> a.txt", "chmod +x a.txt", "git branch other", "git config a.b c", "ln -sf b.txt link"} {
		if !changes(t, bash, []string{command}, patient) {
			t.Errorf("%q changes nothing that the oracle sees", command)
		}
	}
	if changes(t, bash, []string{"cat a.txt"}, patient) {
		t.Error("the oracle sees a change where there is none")
	}
}

const oraclePath = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"

// installed reports whether every program exists on the oracle's path. Programs that talk to a daemon or the machine's
// services are left out: their effects are not visible in a directory.
func installed(commands [][]string) bool {
	for _, argv := range commands {
		switch argv[0] {
		case "docker", "kubectl", "gh", "helm", "systemctl", "journalctl", "cd":
			return false
		case "echo", "printf", "true", "false", "test", "[", "pwd", "type", "command":
			continue
		}
		found := false
		for _, dir := range filepath.SplitList(oraclePath) {
			if info, err := os.Stat(filepath.Join(dir, argv[0])); err == nil && info.Mode()&0o111 != 0 {
				found = true
			}
		}
		if !found {
			return false
		}
	}
	return true
}

// How many seconds a command may take. Some never end by themselves, so the first run is short.
const (
	quick   = 5
	patient = 60
)

// changes runs commands in a fresh project and reports whether its content
// differs afterwards. Each is killed after so many seconds.
func changes(t *testing.T, bash string, commands []string, seconds int) bool {
	root, err := os.MkdirTemp(t.TempDir(), "oracle")
	if err != nil {
		t.Error(err)
		return false
	}
	project, home := filepath.Join(root, "project"), filepath.Join(root, "home")
	scratch(t, project, home)
	before := fingerprint(t, project)

	// Each command runs in its own shell, so that a syntax error or an exit
	// ends only itself; the script comes from stdin, never from a file.
	var script strings.Builder
	for _, command := range commands {
		fmt.Fprintf(&script, "timeout -s KILL %d bash -c %s </dev/null\n", seconds, "'"+strings.ReplaceAll(command, "'", `'\''`)+"'")
	}
	// Twice what the commands may take together: only a shell that hangs needs it.
	ctx, cancel := context.WithTimeout(t.Context(), time.Duration(2*seconds*(len(commands)+1))*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, bash, "-s")
	cmd.Dir = project
	cmd.Stdin = strings.NewReader(script.String())
	cmd.Env = environment(home)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	if err := cmd.Run(); ctx.Err() != nil {
		t.Errorf("the batch that begins with %q did not end: %v", commands[0], err)
	}
	return fingerprint(t, project) != before
}

func environment(home string) []string {
	return []string{
		"PATH=" + oraclePath, "HOME=" + home, "TMPDIR=" + home, "LC_ALL=C", "GIT_CONFIG_NOSYSTEM=1",
		// No network: every request goes to a closed port.
		"http_proxy=http://127.0.0.1:9", "https_proxy=http://127.0.0.1:9", "HTTP_PROXY=http://127.0.0.1:9", "HTTPS_PROXY=http://127.0.0.1:9",
		"GOPROXY=off", "GOTOOLCHAIN=local", "GIT_ALLOW_PROTOCOL=file", "npm_config_offline=true", "PIP_NO_INDEX=1", "CARGO_NET_OFFLINE=true",
	}
}

// scratch makes a small project with history, links and the files that the
// table's commands name.
func scratch(t *testing.T, project, home string) {
	files := map[string]string{
		"a.txt": "foo 1\nbar 2\nfoo 3\n", "b.txt": "foo 1\nbaz 4\n", "nums.txt": "3\n1\n2\n", "data.csv": "n,v\na,1\nb,2\n", "data.tsv": "n\tv\n",
		"a.json": `[{"name":"x","x":2}]`, "b.json": `{}`, "package.json": `{"name":"p","version":"1.0.0","scripts":{"t":"true"},"dependencies":{}}`,
		"README.md": "# title\nfoo\n", "log.txt": "ERROR one\n", "requirements.txt": "", "my dir/x": "x\n", "file with space.txt": "y\n",
		"src/main.go": "package main\n\nfunc main() {}\n", "src/run.sh": "true\n", "src/a.ts": "interface A {}\n", "tests/t_test.go": "package t\n", "docs/a.md": "a\n", "docs/b.md": "b\n",
	}
	for name, content := range files {
		full := filepath.Join(project, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Error(err)
		}
		if err := os.WriteFile(full, []byte(content), 0o644); err != nil {
			t.Error(err)
		}
		// An old time, so that git has no reason to refresh its index.
		old := time.Now().Add(-time.Hour)
		if err := os.Chtimes(full, old, old); err != nil {
			t.Error(err)
		}
	}
	if err := os.MkdirAll(home, 0o755); err != nil {
		t.Error(err)
	}
	setup := exec.Command("bash", "-c", `ln -s a.txt link
tar cf a.tar a.txt && tar czf a.tar.gz a.txt; gzip -c a.txt > a.gz
command -v git >/dev/null || exit 0
git init -q -b main . && git config user.name n && git config user.email e@example.com
git add a.txt src README.md package.json && git commit -qm one && git branch feature && git tag v1.0
git add b.txt docs && git commit -qm two
git config remote.origin.url ./nowhere`)
	setup.Dir = project
	setup.Env = environment(home)
	if out, err := setup.CombinedOutput(); err != nil {
		t.Errorf("the scratch project could not be made: %v\n%s", err, out)
	}
}

// fingerprint hashes names, modes, link targets and contents below dir.
func fingerprint(t *testing.T, dir string) string {
	h := sha256.New()
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		var content []byte
		switch {
		case d.Type().IsRegular():
			content, err = os.ReadFile(name)
		case d.Type()&fs.ModeSymlink != 0:
			var target string
			target, err = os.Readlink(name)
			content = []byte(target)
		}
		fmt.Fprintf(h, "%s %v %d\n%s\n", name, info.Mode(), len(content), content)
		return err
	})
	if err != nil {
		t.Error(err)
	}
	return hex.EncodeToString(h.Sum(nil))
}
