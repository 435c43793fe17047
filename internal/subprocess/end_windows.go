package subprocess

import (
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/windows"
)

// This file is untested: no test runs on Windows.

// shell asks the system for its directory, because the variable ComSpec may come from a
// repository.
func shell(command string) ([]string, *syscall.SysProcAttr) {
	dir, err := windows.GetSystemDirectory()
	if err != nil {
		dir = `C:\Windows\System32`
	}
	cmd := filepath.Join(dir, "cmd.exe")
	return []string{cmd}, &syscall.SysProcAttr{CmdLine: cmdLine(cmd, command)}
}

func ownGroup() *syscall.SysProcAttr { return nil }

// groupOf puts a process into a job and returns a function that ends the job, with everything that the process started
// after that. If that fails, only the process itself is ended.
func groupOf(p *os.Process) (kill func()) {
	alone := func() { _ = p.Kill() }
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return alone
	}
	process, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(p.Pid))
	if err == nil {
		err = windows.AssignProcessToJobObject(job, process)
		_ = windows.CloseHandle(process)
	}
	if err != nil {
		_ = windows.CloseHandle(job)
		return alone
	}
	return func() {
		_ = windows.TerminateJobObject(job, 1)
		_ = windows.CloseHandle(job)
	}
}
