package router

import (
	"io"
	"time"
)

// accepts always returns true: Windows cannot say in advance whether a write would succeed.
func accepts(io.Writer, time.Duration) bool { return true }
