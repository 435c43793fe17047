package main

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

const canDropPages = true

// dropPages removes a file from the page cache.
func dropPages(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := unix.Fadvise(int(file.Fd()), 0, 0, unix.FADV_DONTNEED); err != nil {
		return fmt.Errorf("take %s out of the page cache: %w", path, err)
	}
	return nil
}
