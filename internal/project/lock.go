package project

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"github.com/gofrs/flock"

	"github.com/hookbridge/bridge/protocol"
)

// ErrLocked means that other processes held the project's lock during the whole wait.
var ErrLocked = errors.New("the project's lock is held by another process")

// LocksDir is the directory of the lock files below our own state directory.
const LocksDir = "locks"

const (
	// maxLockWait is the longest time that a hook waits for a lock. A hundred
	// simultaneous stops of one project take a third of it.
	maxLockWait = 2 * time.Second
	// lockRest is the part of a hook's deadline that is reserved for the work under the
	// lock.
	lockRest = 500 * time.Millisecond
	// CommandWait is how long a command that a person typed waits for a lock.
	CommandWait = 5 * time.Second
)

// LockWait is how long a hook may wait for a lock: its deadline without the time for the
// work under the lock, and at most 2 s.
func LockWait(ctx context.Context) time.Duration {
	at, ok := ctx.Deadline()
	if !ok {
		return maxLockWait
	}
	left := max(time.Until(at), 0)
	return min(maxLockWait, left-min(lockRest, left/2))
}

// Lock takes the lock of a project. The lock file is below our own state directory, so
// that it neither clutters the project nor is on a network file system; the system
// releases the lock when a process dies. If there is no writable state directory, the
// root directory itself is locked. A system that cannot lock a directory (Windows) has no
// lock in that case; replacing a state file detects most lost races by itself. The only
// error is ErrLocked. A dry run takes no lock.
func Lock(ctx context.Context, env protocol.Env, root string, wait time.Duration) (unlock func(), err error) {
	if env.DryRun {
		return func() {}, nil
	}
	if env.StateHome != "" {
		path := filepath.Join(env.StateHome, LocksDir, ID(root))
		unlock, err := take(ctx, path, os.O_CREATE|os.O_RDWR, wait)
		if errors.Is(err, os.ErrNotExist) && os.MkdirAll(filepath.Dir(path), 0o700) == nil {
			unlock, err = take(ctx, path, os.O_CREATE|os.O_RDWR, wait)
		}
		if err == nil || errors.Is(err, ErrLocked) {
			return unlock, err
		}
	}
	unlock, err = take(ctx, root, os.O_RDONLY, wait)
	if err == nil || errors.Is(err, ErrLocked) {
		return unlock, err
	}
	return func() {}, nil
}

// Locked runs do under the project's lock, for a command that a person typed, and returns
// its text.
func Locked(env protocol.Env, root string, order func() (string, error)) (string, error) {
	unlock, err := Lock(context.Background(), env, root, CommandWait)
	if err != nil {
		return "", fmt.Errorf("lock the project: %w", err)
	}
	defer unlock()
	return order()
}

// take locks the file at path, which is opened with the given flags. The lock of a file that was removed in the meantime
// would not keep out later processes, so take then locks the file that is there now instead.
func take(ctx context.Context, path string, flags int, wait time.Duration) (unlock func(), err error) {
	until := time.Now().Add(wait)
	for {
		lock := flock.New(path, flock.SetFlag(flags), flock.SetPermissions(0o600))
		ok, err := lock.TryLock()
		if err != nil {
			return nil, err
		}
		if !ok && !queue(ctx, lock, time.Until(until)) {
			return nil, ErrLocked
		}
		if stands(lock) {
			return func() { lock.Unlock() }, nil
		}
		lock.Unlock()
	}
}

// queue waits for a lock that another process holds. The system wakes waiting processes
// in the order in which they came; a process that polled would be overtaken by later
// ones. If the
// time runs out, a goroutine keeps waiting until the process ends or its turn comes, and
// then releases the lock.
func queue(ctx context.Context, lock *flock.Flock, wait time.Duration) bool {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	if ctx.Err() != nil {
		return false
	}
	got := make(chan error, 1)
	go func() {
		err := lock.Lock()
		for errors.Is(err, syscall.EINTR) {
			err = lock.Lock()
		}
		got <- err
	}()
	select {
	case err := <-got:
		return err == nil
	case <-ctx.Done():
		go func() {
			if <-got == nil {
				lock.Unlock()
			}
		}()
		return false
	}
}

// stands reports whether the file at the path is still the locked one.
func stands(lock *flock.Flock) bool {
	locked, err := lock.Stat()
	if err != nil {
		return false
	}
	now, err := os.Stat(lock.Path())
	return err == nil && os.SameFile(locked, now)
}

// RemoveLock removes a lock file that nobody holds; a held one stays. A process that is waiting for the lock notices
// this and locks the new file.
func RemoveLock(path string) error {
	lock := flock.New(path, flock.SetFlag(os.O_RDWR))
	ok, err := lock.TryLock()
	if errors.Is(err, os.ErrNotExist) || err == nil && !ok {
		return nil
	}
	if err != nil {
		return err
	}
	defer lock.Unlock()
	if !stands(lock) {
		return nil
	}
	if runtime.GOOS == "windows" {
		// Windows does not remove an open file, neither one that we hold nor one that
		// another process has just opened.
		lock.Unlock()
	}
	return os.Remove(path)
}

// ID is a short name for a path or a session that can be used in a file name.
func ID(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:12])
}
