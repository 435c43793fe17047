package taskfile_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/hookbridge/bridge/hooks/ralph/smart/taskfile"
	"github.com/hookbridge/bridge/protocol"
)

// TestUnreadable reads as another user, because root may read everything.
func TestUnreadable(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("TestFaults reads an unreadable file as this user")
	}
	dir, err := os.MkdirTemp("", "taskfile")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "tasks.md")
	for _, err := range []error{os.Chmod(dir, 0o755), os.WriteFile(path, []byte("1. a"), 0o600)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	// The thread keeps the other user for file access and ends with the goroutine.
	done := make(chan error)
	go func() {
		runtime.LockOSThread()
		const nobody = 65534
		if _, err := unix.SetfsuidRetUid(nobody); err != nil {
			done <- err
			return
		}
		_, err := taskfile.Read(path)
		done <- err
	}()
	if err := <-done; !errors.Is(err, taskfile.ErrUnreadable) || taskfile.Hint(protocol.English, err) == "" {
		t.Errorf("%v", err)
	}
}
