//go:build linux || darwin

package taskfile

import "golang.org/x/sys/unix"

// Free returns how many bytes the user may still write on the disk of dir.
func Free(dir string) (free uint64, ok bool) {
	var s unix.Statfs_t
	if unix.Statfs(dir, &s) != nil || s.Bsize <= 0 {
		return 0, false
	}
	return s.Bavail * uint64(s.Bsize), true
}
