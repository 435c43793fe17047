package main

import (
	"fmt"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"syscall"
)

// maxRSS runs the row once and returns the largest resident memory of the process in
// bytes. The number that wait returns is useless here: it includes the memory of the
// bench, which the process shares until it executes the program. So the process is
// stopped just before its end and its memory is read then.
func (r row) maxRSS(n int) (int64, error) {
	// All requests to a traced process must come from the thread that started it.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cmd, stdout, err := r.command(n)
	if err != nil {
		return 0, err
	}
	defer stdout.Close()
	cmd.SysProcAttr = &syscall.SysProcAttr{Ptrace: true}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	pid := cmd.Process.Pid
	// This collects the process in every case; its exit state is already known.
	defer func() { _ = cmd.Wait() }()
	var status syscall.WaitStatus
	if _, err := syscall.Wait4(pid, &status, 0, nil); err != nil {
		return 0, err
	}
	if err := syscall.PtraceSetOptions(pid, syscall.PTRACE_O_TRACEEXIT); err != nil {
		return 0, err
	}
	for signal := 0; ; {
		if err := syscall.PtraceCont(pid, signal); err != nil {
			return 0, err
		}
		if _, err := syscall.Wait4(pid, &status, 0, nil); err != nil {
			return 0, err
		}
		switch {
		case status.Exited() || status.Signaled():
			return 0, fmt.Errorf("%s: ended before its memory was read", r.title)
		case status.TrapCause() == syscall.PTRACE_EVENT_EXIT:
			peak, err := peakMemory(pid)
			if detached := syscall.PtraceDetach(pid); err == nil {
				err = detached
			}
			return peak, err
		}
		signal = int(status.StopSignal())
	}
}

func peakMemory(pid int) (int64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	m := regexp.MustCompile(`(?m)^VmHWM:\s*(\d+) kB$`).FindSubmatch(status)
	if m == nil {
		return 0, fmt.Errorf("the system does not tell the memory of a process")
	}
	kib, err := strconv.ParseInt(string(m[1]), 10, 64)
	return kib << 10, err
}
