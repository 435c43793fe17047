//go:build unix

package main

import (
	"os/signal"
	"syscall"
)

// survive keeps two signals from killing a hook, because the client reports a killed hook
// as an error: SIGPIPE, if the client closed our stdout, and SIGXFSZ, if a limit on file
// sizes is reached. The write then fails, and that is handled.
func survive() { signal.Ignore(syscall.SIGPIPE, syscall.SIGXFSZ) }
