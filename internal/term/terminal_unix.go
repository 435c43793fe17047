//go:build unix

package term

import (
	"os"

	"golang.org/x/sys/unix"
)

// IsTerminal reports whether a person can see or type in the file.
func IsTerminal(f *os.File) bool {
	// Only terminals have a window size; /dev/null is a character device as well.
	_, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	return err == nil
}
