package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/bridge/cmd/bridge/internal/cli"
)

// TestTaskFiles holds what a person is told about a task file that cannot be used: an
// error of its own with what to do, exit code 1, and nothing written
// (docs/reference/smart-ralph.md#r3-6). Holds R3-6.
func TestTaskFiles(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		data  string
		mode  os.FileMode
		code  int
		wants []string
	}{
		"12 MiB":        {strings.Repeat("x", 12<<20), 0o600, 1, []string{"is larger than 10 MiB", "Put the tasks into a smaller file"}},
		"over 1 MiB":    {"1. a\n" + strings.Repeat("x", 1<<20), 0o600, 0, []string{"warning: the task file has 1.0 MiB"}},
		"UTF-16":        {"\xff\xfe1\x00.\x00", 0o600, 1, []string{"the first bad byte is at offset 0; it looks like UTF-16LE", "iconv -f UTF-16LE"}},
		"blank":         {"\ufeff \n\n", 0o600, 1, []string{"is empty", "Write the tasks into it"}},
		"unreadable":    {"1. a", 0, 1, []string{"cannot be read", "permissions"}},
		"a normal file": {"1. a", 0o600, 0, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if c.mode == 0 && (os.Geteuid() == 0 || runtime.GOOS == "windows") {
				t.Skip("this user may read everything")
			}
			home, dir := t.TempDir(), t.TempDir()
			path := filepath.Join(dir, "tasks.md")
			if err := os.WriteFile(path, []byte(c.data), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(path, c.mode); err != nil {
				t.Fatal(err)
			}
			wireStop(t, home)
			var stdout, stderr bytes.Buffer
			code := cli.Main(&cli.App{
				Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr, Now: time.Now, Dir: dir,
				Getenv: func(name string) string {
					switch name {
					case "HOME", "USERPROFILE", "LOCALAPPDATA":
						return home
					case "CLAUDE_CODE_SESSION_ID":
						return "s1"
					}
					return ""
				},
			}, []string{"ralph", "smart", "tasks.md"})
			if code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
			for _, want := range c.wants {
				if !strings.Contains(stderr.String(), want) {
					t.Errorf("stderr lacks %q:\n%s", want, stderr.String())
				}
			}
			if len(c.wants) == 0 && stderr.Len() > 0 {
				t.Errorf("stderr: %s", stderr.String())
			}
			entries, err := os.ReadDir(dir)
			if err != nil {
				t.Fatal(err)
			}
			if started := len(entries) == 2; started != (c.code == 0) {
				t.Errorf("%d entries in the project", len(entries))
			}
			// A large file is read by the model itself, not put into the prompt.
			if c.code == 0 && (len(c.data) > 64<<10) != strings.Contains(stdout.String(), "Read the task file tasks.md with the Read tool") {
				t.Errorf("the prompt:\n%.500s", stdout.String())
			}
		})
	}
}

// wireStop writes settings in which bridge handles Stop.
func wireStop(t *testing.T, home string) {
	t.Helper()
	dir := filepath.Join(home, ".claude")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	const line = `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "bridge --hook=stop"}]}]}}`
	if err := os.WriteFile(filepath.Join(dir, "settings.json"), []byte(line), 0o600); err != nil {
		t.Fatal(err)
	}
}
