//go:build !linux && !darwin && !windows

package statefile

// exchange: this system cannot swap two names, so a removal between the last
// look and the rename is lost.
func (d *Dir) exchange(temp, name string, base File) (swapped bool, err error) {
	return false, d.renameOver(temp, name, base)
}
