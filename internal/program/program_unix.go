//go:build unix

package program

import (
	"os"
	"syscall"
)

func shell(command string) []string { return []string{"/bin/sh", "-c", command} }

// ownGroup lets what a program starts be ended with it.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

func killGroup(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }
