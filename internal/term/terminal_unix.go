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

// Size is how many columns and rows a terminal has; 0 is unknown.
func Size(f *os.File) (columns, rows int) {
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0, 0
	}
	return int(size.Col), int(size.Row)
}

// Escapes makes a terminal obey escape sequences, and reports whether it does.
func Escapes(*os.File) bool { return true }
