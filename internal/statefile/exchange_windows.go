package statefile

import (
	"errors"
	"io/fs"
	"path/filepath"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// exchange calls ReplaceFileW, which fails if the file to be replaced is absent: a plain rename would bring a cancelled
// file back. The replaced content is lost, so it is compared before. This is untested: no test runs on Windows.
func (s slot) exchange(temp string, base File) (swapped bool, err error) {
	if err := s.unchanged(base); err != nil {
		return false, err
	}
	replaced, err := windows.UTF16PtrFromString(filepath.Join(s.path(), s.base))
	if err != nil {
		return false, err
	}
	replacement, err := windows.UTF16PtrFromString(filepath.Join(s.path(), temp))
	if err != nil {
		return false, err
	}
	replaceFile := windows.NewLazySystemDLL("kernel32.dll").NewProc("ReplaceFileW")
	return false, s.replaceBy(time.Sleep, temp, func() error {
		ok, _, errno := replaceFile.Call(uintptr(unsafe.Pointer(replaced)), uintptr(unsafe.Pointer(replacement)), 0, 0, 0, 0)
		switch {
		case ok != 0:
			return nil
		case errors.Is(errno, windows.ERROR_FILE_NOT_FOUND):
			return fs.ErrNotExist
		case errors.Is(errno, windows.ERROR_UNABLE_TO_MOVE_REPLACEMENT), errors.Is(errno, windows.ERROR_UNABLE_TO_MOVE_REPLACEMENT_2):
			return errHalfReplaced
		}
		return errno
	})
}

// path is the path of the slot's directory.
func (s slot) path() string { return filepath.Join(s.root, filepath.FromSlash(s.parent)) }
