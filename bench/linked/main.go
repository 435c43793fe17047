// Command linked links the libraries of a hook and calls none of them. Its start-up time shows what they cost before
// bridge does anything: the linker leaves out their code, but not their initialisation.
package main

import (
	_ "context"
	_ "crypto/sha256"
	_ "os/signal"

	_ "github.com/alecthomas/kong"
	_ "github.com/go-json-experiment/json"
	_ "github.com/gofrs/flock"
	_ "github.com/tailscale/hujson"
	_ "go.uber.org/zap/zapcore"
	_ "mvdan.cc/sh/v3/syntax"
)

func main() {}
