//go:build !linux && !darwin && !windows

package statefile

// exchange: this system cannot swap two names, so a removal between the last
// look and the rename is lost.
func (s slot) exchange(temp string, base File) (swapped bool, err error) {
	return false, s.renameOver(temp, base)
}
