package statefile

import (
	"errors"

	"golang.org/x/sys/unix"
)

// exchange swaps the two names in one step: without RENAME_EXCHANGE a file that
// was cancelled between the last look and the rename would come back.
func (d *Dir) exchange(temp, name string, base File) (swapped bool, err error) {
	dir, err := d.root.Open(".")
	if err != nil {
		return false, err
	}
	defer dir.Close()
	fd := int(dir.Fd())
	err = unix.Renameat2(fd, temp, fd, name, unix.RENAME_EXCHANGE)
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EOPNOTSUPP) {
		return false, d.renameOver(temp, name, base)
	}
	return err == nil, err
}
