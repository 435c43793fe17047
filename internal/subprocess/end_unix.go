//go:build unix

package subprocess

import (
	"os"
	"syscall"
)

func shell(command string) ([]string, *syscall.SysProcAttr) {
	return []string{"/bin/sh", "-c", command}, ownGroup()
}

// ownGroup makes it possible to end a program together with everything that it starts.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// groupOf returns a function that ends a process and everything that it started.
func groupOf(p *os.Process) (kill func()) {
	return func() { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }
}
