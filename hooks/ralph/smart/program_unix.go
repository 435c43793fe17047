//go:build unix

package smart

import (
	"os"
	"syscall"
)

func gitPaths() []string {
	return []string{"/usr/bin/git", "/usr/local/bin/git", "/opt/homebrew/bin/git", "/opt/local/bin/git"}
}

func shell(command string) []string { return []string{"/bin/sh", "-c", command} }

// ownGroup lets what a program starts be ended with it.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

func killGroup(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }
