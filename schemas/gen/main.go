// Command gen writes the schemas of package schemas into the directory that is its
// argument.
package main

import (
	"fmt"
	"os"

	"github.com/hookbridge/bridge/schemas/internal/generate"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: gen DIRECTORY")
		os.Exit(2)
	}
	if err := generate.Write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
