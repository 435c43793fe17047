//go:build unix

package subprocess_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/hookbridge/bridge/internal/subprocess"
)

func TestShell(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	code, out, err := subprocess.Shell(dir, "pwd; echo wrong >&2; exit 3", 10*time.Second)
	resolved, _ := filepath.EvalSymlinks(dir)
	if code != 3 || err != nil || !strings.HasPrefix(out, resolved) || !strings.HasSuffix(out, "wrong") {
		t.Errorf("code %d, %q, %v", code, out, err)
	}
}

// TestTimeoutEndsEverything: processes that a program started in the background end with
// it.
func TestTimeoutEndsEverything(t *testing.T) {
	t.Parallel()
	// Every living process keeps the FIFO open for writing; its end shows that all are
	// gone.
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	held, err := os.OpenFile(fifo, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	_, _, err = subprocess.Shell(t.TempDir(), "exec 3>'"+fifo+"'; sleep 600 & sleep 600", time.Second)
	if !errors.Is(err, subprocess.ErrTimeout) {
		t.Error(err)
	}
	if err := held.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	if n, err := held.Read(make([]byte, 1)); n != 0 || !errors.Is(err, io.EOF) {
		t.Errorf("a child lived on (%d, %v)", n, err)
	}
	if _, _, err := subprocess.Shell("/", "true", 0); !errors.Is(err, subprocess.ErrTimeout) {
		t.Errorf("no time left: %v", err)
	}
}

func TestOutputIsBounded(t *testing.T) {
	t.Parallel()
	for tail, want := range map[bool]string{true: "yz", false: "ab"} {
		code, out, err := subprocess.Run(t.TempDir(), []string{"/bin/sh", "-c", "printf abcdefghijklmnopqrstuvwxyz"}, 10*time.Second, 2, tail)
		if code != 0 || err != nil || out != want {
			t.Errorf("tail %v: code %d, %q, %v", tail, code, out, err)
		}
	}
}
