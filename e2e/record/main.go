// Command record drives a client through every hook event that can be provoked and writes its payloads, normalised, as JSON files:
//
//	go run ./e2e/record -client "$(e2e/install-client.sh)" -out normalize/testdata/recorded
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"time"

	"github.com/hookbridge/bridge/e2e"
)

func main() {
	// The client starts this program again as its hook.
	if len(os.Args) == 3 && os.Args[1] == dumpArgument {
		if err := dump(os.Args[2], os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, "record:", err)
			os.Exit(1)
		}
		return
	}
	if len(os.Args) == 2 && os.Args[1] == serverArgument {
		if err := serve(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, "record:", err)
		}
		return
	}
	os.Exit(run())
}

func run() int {
	client := flag.String("client", os.Getenv(e2e.ClientVariable), "Claude Code `executable`, default $"+e2e.ClientVariable)
	out := flag.String("out", "", "`directory` for the payloads; its *.json files are replaced")
	flag.Parse()
	if *client == "" || *out == "" || flag.NArg() > 0 {
		flag.Usage()
		return 2
	}
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt)
	defer cancel()
	ctx, cancel = context.WithTimeout(ctx, 3*time.Minute)
	defer cancel()
	names, err := record(ctx, *client, *out)
	if err != nil {
		fmt.Fprintln(os.Stderr, "record:", err)
		return 1
	}
	fmt.Printf("%d payloads in %s\n", len(names), *out)
	return 0
}

const dumpArgument = "-dump-payload"

// dump stores one payload under a name that sorts by arrival.
func dump(dir string, r io.Reader, w io.Writer) error {
	b, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	if bytes.Contains(b, []byte(`"hook_event_name":"WorktreeCreate"`)) {
		// The answer is the path of the work tree.
		path := filepath.Join(filepath.Dir(dir), "worktree")
		if err := os.MkdirAll(path, 0o700); err != nil {
			return err
		}
		fmt.Fprintln(w, path)
	}
	name := strconv.FormatInt(time.Now().UnixNano(), 10) + "-" + strconv.Itoa(os.Getpid()) + ".json"
	return os.WriteFile(filepath.Join(dir, name), b, 0o600)
}
