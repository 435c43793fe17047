package statefile

import (
	"io/fs"
	"os"
	"syscall"
	"time"
)

func changeTime(_ *os.File, info fs.FileInfo) time.Time {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return time.Unix(stat.Ctim.Unix())
	}
	return time.Time{}
}
