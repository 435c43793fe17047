package statefile

import (
	"io/fs"
	"os"
)

// openNonblock is empty: Windows has no FIFOs in the file system.
const openNonblock = 0

// checkOwner leaves access control to the directory's access-control list.
func checkOwner(fs.FileInfo) error { return nil }

func processAlive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	p.Release()
	return true
}

// syncDir does nothing: Windows writes directory entries through.
func syncDir(*os.File) error { return nil }
