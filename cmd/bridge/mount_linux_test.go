package main

import "syscall"

// syscallMount puts a file system of 64 KiB over dir.
func syscallMount(dir string) error {
	return syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=64k,mode=700")
}

// syscallUnmount takes the file system away at once: a process that another test
// is just starting may hold a copy of an open file.
func syscallUnmount(dir string) { _ = syscall.Unmount(dir, syscall.MNT_DETACH) }
