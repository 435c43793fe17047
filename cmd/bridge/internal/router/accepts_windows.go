package router

import (
	"io"
	"time"
)

// accepts: Windows does not tell; the write will.
func accepts(io.Writer, time.Duration) bool { return true }
