package main

import "syscall"

// syscallMount puts a file system of 64 KiB over dir.
func syscallMount(dir string) error {
	return syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=64k,mode=700")
}

func syscallUnmount(dir string) { _ = syscall.Unmount(dir, 0) }
