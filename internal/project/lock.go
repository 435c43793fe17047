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

// ErrLocked means that other processes held the project's lock for the whole
// wait.
var ErrLocked = errors.New("the project's lock is held by another process")

// LocksDir is the directory of the lock files below our own state directory.
const LocksDir = "locks"

const (
	// maxLockWait is the longest that a hook waits for a lock. A hundred stops of
	// one project that come at once are through in a third of it.
	maxLockWait = 2 * time.Second
	// lockRest is what a hook keeps of its deadline for the work under the lock.
	lockRest = 500 * time.Millisecond
	// CommandWait is how long a command of a person waits for a lock.
	CommandWait = 5 * time.Second
)

// LockWait is how long a hook may wait for a lock: what its deadline leaves besides
// the work under the lock, and at most 2 s.
func LockWait(ctx context.Context) time.Duration {
	at, ok := ctx.Deadline()
	if !ok {
		return maxLockWait
	}
	left := max(time.Until(at), 0)
	return min(maxLockWait, left-min(lockRest, left/2))
}

// Lock takes the lock of a project. It lies below our own state directory:
// no litter in the project, no network file system, and the system lets go of it
// when a process dies. Without a state directory that can be written, the root
// itself is locked, as it is; a system that can not do that (Windows) has no lock
// then, and replacing a state file detects most lost races by itself. The only
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

// Locked carries out the order of a person under the project's lock and returns what
// it says.
func Locked(env protocol.Env, root string, order func() (string, error)) (string, error) {
	unlock, err := Lock(context.Background(), env, root, CommandWait)
	if err != nil {
		return "", fmt.Errorf("lock the project: %w", err)
	}
	defer unlock()
	return order()
}

// take locks the file at path, which is opened with the given flags. A lock of a
// file that was removed meanwhile excludes nobody who comes later, so such a lock is
// given up for one of the file that stands there now.
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

// queue waits for a lock that somebody holds. The system wakes those who wait in
// the order in which they came; who asks again and again would be overtaken by
// those who came later. A wait that is given up lasts until the process ends or its
// turn comes.
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

// stands reports whether the locked file is still the one at its path.
func stands(lock *flock.Flock) bool {
	locked, err := lock.Stat()
	if err != nil {
		return false
	}
	now, err := os.Stat(lock.Path())
	return err == nil && os.SameFile(locked, now)
}

// RemoveLock removes a lock file that nobody holds; one that is held stays. Who
// waits for it meanwhile finds out by itself and takes the next one.
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
		// A file that is open cannot be removed there, neither by us nor under
		// anybody who has just come.
		lock.Unlock()
	}
	return os.Remove(path)
}

// ID is a short name for a path or a session, safe in a file name.
func ID(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:12])
}
