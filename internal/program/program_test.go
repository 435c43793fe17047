//go:build unix

package program_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/bridge/internal/program"
)

func TestShell(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	code, out, err := program.Shell(dir, "pwd; echo wrong >&2; exit 3", 10*time.Second)
	resolved, _ := filepath.EvalSymlinks(dir)
	if code != 3 || err != nil || !strings.HasPrefix(out, resolved) || !strings.HasSuffix(out, "wrong") {
		t.Errorf("code %d, %q, %v", code, out, err)
	}
}

// TestTimeoutEndsEverything: what a program started in the background goes with it.
func TestTimeoutEndsEverything(t *testing.T) {
	t.Parallel()
	mark := filepath.Join(t.TempDir(), "mark")
	start := time.Now()
	_, _, err := program.Shell(t.TempDir(), "(sleep 1; touch '"+mark+"') & sleep 60", 100*time.Millisecond)
	if !errors.Is(err, program.ErrTimeout) || time.Since(start) > 10*time.Second {
		t.Errorf("%v after %v", err, time.Since(start))
	}
	time.Sleep(1500 * time.Millisecond)
	if _, err := os.Stat(mark); !os.IsNotExist(err) {
		t.Errorf("a child lived on (%v)", err)
	}
	if _, _, err := program.Shell("/", "true", 0); !errors.Is(err, program.ErrTimeout) {
		t.Errorf("no time left: %v", err)
	}
}

func TestOutputIsBounded(t *testing.T) {
	t.Parallel()
	for tail, want := range map[bool]string{true: "yz", false: "ab"} {
		code, out, err := program.Run(t.TempDir(), []string{"/bin/sh", "-c", "printf abcdefghijklmnopqrstuvwxyz"}, 10*time.Second, 2, tail)
		if code != 0 || err != nil || out != want {
			t.Errorf("tail %v: code %d, %q, %v", tail, code, out, err)
		}
	}
}
