//go:build unix

package statefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestAFIFOIsNotWaitedFor: if a FIFO without a writer replaces a file after the check, reading does not block.
func TestAFIFOIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	regular := func(string) (fs.FileInfo, error) { return os.Stat(os.Args[0]) }
	if f, _, err := openRegular(path, regular, os.OpenFile); !errors.Is(err, ErrNotRegular) || f != nil {
		t.Errorf("%v, %v", f, err)
	}
}
