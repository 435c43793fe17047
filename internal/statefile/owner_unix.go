//go:build unix

package statefile

import (
	"io/fs"
	"os"
	"syscall"
)

// openNonblock keeps opening a FIFO from waiting for a writer, and a terminal from
// becoming our controlling terminal.
const openNonblock = syscall.O_NONBLOCK | syscall.O_NOCTTY

func checkOwner(info fs.FileInfo) error {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if ok && int(stat.Uid) != os.Geteuid() {
		return ErrForeignOwner
	}
	if info.Mode().Perm()&0o002 != 0 {
		return ErrWorldWritable
	}
	return nil
}

func processAlive(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || err == syscall.EPERM
}

func syncDir(f *os.File) error { return f.Sync() }
