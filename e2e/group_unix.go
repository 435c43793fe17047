//go:build unix

package e2e

import (
	"os/exec"
	"syscall"
)

// endWithGroup makes cmd the leader of a process group, and kills the whole group when the context ends: if only the
// client were killed, its children would continue to run.
func endWithGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

// endGroup kills the remaining processes in the group of a client that has ended.
func endGroup(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // ESRCH: nothing was left
	}
}
