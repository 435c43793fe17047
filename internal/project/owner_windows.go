package project

import "os"

// ownDirectory leaves access control to the directory's access-control list.
func ownDirectory(dir string) bool {
	info, err := os.Stat(dir)
	return err == nil && info.IsDir()
}
