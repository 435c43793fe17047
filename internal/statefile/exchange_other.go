//go:build !linux && !darwin && !windows

package statefile

// exchange cannot swap two names on this system, so a file that is removed between the last check and the rename comes
// back.
func (s slot) exchange(temp string, base File) (swapped bool, err error) {
	return false, s.renameOver(temp, base)
}
