// Command hang is bridge with handlers that never come back: each opens the FIFO
// that HANG_FIFO names, and nobody writes to it. The process tests of the
// deadlines run it.
package main

import (
	"context"
	"os"
	"time"

	"github.com/hookbridge/bridge/cmd/bridge/internal/router"
	"github.com/hookbridge/bridge/protocol"
)

func main() {
	value, extra, _ := router.HookArgument(os.Args[1:])
	os.Exit(router.Run(router.Process{
		Args: os.Args, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv, Now: time.Now, Version: "hang", Exit: os.Exit,
		Handler: func(protocol.Type) protocol.Handler { return hang },
	}, value, extra))
}

// hang blocks in a system call that no context ends.
func hang(context.Context, protocol.Request) (protocol.Outcome, error) {
	_, err := os.ReadFile(os.Getenv("HANG_FIFO"))
	return protocol.Outcome{Output: protocol.Notice("the handler came back")}, err
}
