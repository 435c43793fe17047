//go:build unix

package subprocess

import (
	"os"
	"syscall"
)

func shell(command string) ([]string, *syscall.SysProcAttr) {
	return []string{"/bin/sh", "-c", command}, ownGroup()
}

// ownGroup puts a program into its own process group, so that it can be ended with everything that it starts.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// groupOf returns a function that ends a process with everything that it started.
func groupOf(p *os.Process) (kill func()) {
	return func() { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }
}
