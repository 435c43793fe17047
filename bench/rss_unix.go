//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// maxRSS returns bytes; the systems other than macOS count in KiB.
func maxRSS(state *os.ProcessState) int64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return int64(usage.Maxrss)
	}
	return int64(usage.Maxrss) << 10
}
