//go:build linux || darwin

package statefile

import (
	"errors"

	"golang.org/x/sys/unix"
)

// exchange swaps the two names in one step. With a plain rename, a file that was
// cancelled between the last check and the rename would come back. On a file system that
// cannot swap, it renames.
func (s slot) exchange(temp string, base File) (swapped bool, err error) {
	dir, err := s.dir.Open(".")
	if err != nil {
		return false, err
	}
	defer dir.Close()
	err = swap(int(dir.Fd()), temp, s.base)
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.ENOTSUP) {
		return false, s.renameOver(temp, base)
	}
	return err == nil, err
}
