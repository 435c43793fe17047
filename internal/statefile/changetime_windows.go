package statefile

import (
	"io/fs"
	"os"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// changeTime asks for FILE_BASIC_INFO, which package os does not do. It is untested: no
// test of it ran on Windows.
func changeTime(f *os.File, _ fs.FileInfo) time.Time {
	var info struct {
		creation, access, write, change int64
		attributes, _                   uint32
	}
	if err := windows.GetFileInformationByHandleEx(windows.Handle(f.Fd()), windows.FileBasicInfo, (*byte)(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info))); err != nil {
		return time.Time{}
	}
	change := windows.Filetime{LowDateTime: uint32(info.change), HighDateTime: uint32(info.change >> 32)}
	return time.Unix(0, change.Nanoseconds())
}
