//go:build unix

package subprocess

import (
	"os"
	"syscall"
)

func shell(command string) ([]string, *syscall.SysProcAttr) {
	return []string{"/bin/sh", "-c", command}, ownGroup()
}

// ownGroup lets what a program starts be ended with it.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// groupOf returns what ends a process with all that it started.
func groupOf(p *os.Process) (kill func()) {
	return func() { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }
}
