//go:build !linux && !darwin && !windows

package statefile

// exchange cannot swap two names on this system, so a removal between the last check and
// the rename is undone.
func (s slot) exchange(temp string, base File) (swapped bool, err error) {
	return false, s.renameOver(temp, base)
}
