package router

import (
	"io"
	"time"
)

// accepts always says yes: Windows does not tell, so the write will show the result.
func accepts(io.Writer, time.Duration) bool { return true }
