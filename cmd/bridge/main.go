// A process that lives for a millisecond does not need the limits of its container, and
// reading them costs a thirtieth of a start.
//
//go:debug containermaxprocs=0
//go:debug updatemaxprocs=0

// Command bridge handles every hook of Claude Code. Run bridge --help.
package main

import (
	"os"
	"time"

	"github.com/hookbridge/bridge/cmd/bridge/internal/cli"
	"github.com/hookbridge/bridge/cmd/bridge/internal/router"
	_ "github.com/hookbridge/bridge/internal/growstack"
	"github.com/hookbridge/bridge/internal/self"
)

func main() { os.Exit(run()) }

func run() int {
	if value, extra, called := router.HookArgument(os.Args[1:]); called {
		survive()
		return router.Run(router.Process{
			Args: os.Args, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
			Getenv: os.Getenv, Now: time.Now, Version: self.Version, Exit: os.Exit,
		}, value, extra)
	}
	// If the working directory is gone, each command reports that itself.
	dir, _ := os.Getwd()
	return cli.Main(&cli.App{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv, Now: time.Now, Dir: dir,
	}, os.Args[1:])
}
