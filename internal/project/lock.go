package project

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/hookbridge/bridge/hooks"
)

// ErrLocked means that other processes held the project's lock for the whole
// wait.
var ErrLocked = errors.New("the project's lock is held by another process")

// LockWait is how long a hook waits for the lock (design decision 16).
const LockWait = 200 * time.Millisecond

// Lock takes the one lock of a project. It lies below our own state directory:
// no litter in the project, no network file system, and the system lets go of it
// when a process dies. Without a state directory that can be written, the root
// itself is locked, as it is; a system that can not do that (Windows) has no lock
// then, and replacing a state file detects most lost races by itself. The only
// error is ErrLocked.
func Lock(ctx context.Context, stateHome, root string, wait time.Duration) (unlock func(), err error) {
	if hooks.IsLooking(ctx) {
		return func() {}, nil
	}
	if stateHome != "" {
		dir := filepath.Join(stateHome, "locks")
		lock := flock.New(filepath.Join(dir, ID(root)), flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o600))
		ok, err := lock.TryLock()
		if errors.Is(err, os.ErrNotExist) && os.MkdirAll(dir, 0o700) == nil {
			ok, err = lock.TryLock()
		}
		if err == nil {
			return await(ctx, lock, ok, wait)
		}
	}
	lock := flock.New(root, flock.SetFlag(os.O_RDONLY))
	ok, err := lock.TryLock()
	if err != nil {
		return func() {}, nil
	}
	return await(ctx, lock, ok, wait)
}

// await waits for a lock that was not to be had at once.
func await(ctx context.Context, lock *flock.Flock, ok bool, wait time.Duration) (unlock func(), err error) {
	if !ok {
		ctx, cancel := context.WithTimeout(ctx, wait)
		defer cancel()
		if ok, err = lock.TryLockContext(ctx, 2*time.Millisecond); !ok || err != nil {
			return nil, ErrLocked
		}
	}
	return func() { lock.Unlock() }, nil
}

// ID is a short name for a path or a session, safe in a file name.
func ID(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:12])
}
