package taskfile

import "golang.org/x/sys/windows"

// Free returns how many bytes the user may still write on the disk of dir.
func Free(dir string) (free uint64, ok bool) {
	name, err := windows.UTF16PtrFromString(dir)
	if err != nil || windows.GetDiskFreeSpaceEx(name, &free, nil, nil) != nil {
		return 0, false
	}
	return free, true
}
