//go:build unix

package e2e

import (
	"os/exec"
	"syscall"
)

// endWithGroup starts cmd as leader of a process group and makes the end of its context kill all of it: the client's own
// children outlive a kill of the client alone.
func endWithGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

// endGroup kills what a client that has ended left in its group.
func endGroup(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // ESRCH: nothing was left
	}
}
