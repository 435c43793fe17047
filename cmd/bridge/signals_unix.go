//go:build unix

package main

import (
	"os/signal"
	"syscall"
)

// survive keeps two signals from killing a hook, because a killed hook is an
// error to the client: SIGPIPE when the client closed our stdout, SIGXFSZ when a
// limit on file sizes is reached. The write then fails, and that is handled.
func survive() { signal.Ignore(syscall.SIGPIPE, syscall.SIGXFSZ) }
