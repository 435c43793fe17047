package cli_test

import (
	"bytes"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/hookbridge/bridge/cmd/bridge/internal/cli"
)

// TestSmartNeedsRoomOnTheDisk starts smart ralph on a file system of 20 MiB: it refuses
// and writes nothing (docs/reference/smart-ralph.md#r3-8).
func TestSmartNeedsRoomOnTheDisk(t *testing.T) {
	dir, home := t.TempDir(), t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=20m,mode=700"); err != nil {
		t.Skipf("no small file system can be mounted here (%v); TestSpace covers the decision", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	var stdout, stderr bytes.Buffer
	code := cli.Main(&cli.App{
		Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr, Now: time.Now, Dir: dir,
		Getenv: func(name string) string { return map[string]string{"HOME": home}[name] },
	}, []string{"ralph", "smart", "--prompt", "Fix the login"})
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if code != 1 || !strings.Contains(stderr.String(), "the project's disk has less than 50 MiB free (20 MiB)") || len(entries) != 0 {
		t.Errorf("code %d, %d entries\n%s", code, len(entries), stderr.String())
	}
}
