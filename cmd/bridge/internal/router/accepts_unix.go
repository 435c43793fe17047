//go:build unix

package router

import (
	"io"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// accepts reports whether w can take a line now or very soon. A pipe that nobody reads
// stays full, and a pipe whose reading end is closed takes nothing.
func accepts(w io.Writer, most time.Duration) bool {
	file, ok := w.(syscall.Conn)
	if !ok {
		return true
	}
	raw, err := file.SyscallConn()
	if err != nil {
		return true
	}
	accepts, until := true, time.Now().Add(most)
	_ = raw.Control(func(fd uintptr) {
		for {
			fds := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLOUT}}
			n, err := unix.Poll(fds, int(max(time.Until(until), 0).Milliseconds()))
			if err == unix.EINTR {
				continue
			}
			// If poll does not support this file, the write will show the result.
			if events := fds[0].Revents; err == nil && events&unix.POLLNVAL == 0 {
				accepts = n > 0 && events&(unix.POLLERR|unix.POLLHUP) == 0
			}
			return
		}
	})
	return accepts
}
