// Command picture records a loop in the real client and draws the screen as docs/loop.svg:
//
//	go run ./e2e/picture -client "$(e2e/install-client.sh)" -out docs/loop.svg
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"github.com/hookbridge/bridge/e2e"
)

func main() {
	if err := picture(); err != nil {
		fmt.Fprintln(os.Stderr, "picture:", err)
		os.Exit(1)
	}
}

func picture() error {
	client := flag.String("client", os.Getenv(e2e.ClientVariable), "Claude Code `executable`, default $"+e2e.ClientVariable)
	out := flag.String("out", "", "`file` for the picture")
	flag.Parse()
	if *client == "" || *out == "" || flag.NArg() > 0 {
		flag.Usage()
		return fmt.Errorf("-client and -out are needed")
	}
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt)
	defer cancel()
	ctx, cancel = context.WithTimeout(ctx, 3*time.Minute)
	defer cancel()
	screen, err := record(ctx, *client)
	if err != nil {
		return fmt.Errorf("record a loop: %w", err)
	}
	lines := elide(crop(parse(screen), "bridge ralph loop", "ralph-loop.local.md.bak"), "Ralph loop activated", "Update(sum.go)")
	if len(lines) == 0 {
		return fmt.Errorf("the screen does not show a loop from start to end:\n%s", screen)
	}
	return os.WriteFile(*out, draw(lines, "A loop in Claude Code: two stops are blocked, then the model keeps its promise."), 0o644)
}

// start is what the user types.
const start = `bridge ralph loop "Fix the failing tests" --max-iterations 5 --completion-promise DONE`

// script is what the model does: each turn between two stops repairs one function.
func script(dir string) e2e.Script {
	edit := func(name, from, to string) e2e.Turn {
		return e2e.Call("Edit", map[string]any{"file_path": filepath.Join(dir, name), "old_string": from, "new_string": to})
	}
	read := e2e.Turn{}
	for _, name := range []string{"sum.go", "mean.go"} {
		read.Blocks = append(read.Blocks, e2e.Block{Tool: "Read", Input: map[string]any{"file_path": filepath.Join(dir, name)}})
	}
	return e2e.Slowly(400*time.Millisecond, e2e.Turns(
		read, edit("sum.go", "a - b", "a + b"), e2e.Say("Sum works. TestMean still fails."),
		edit("mean.go", "/ 3", "/ 2"), e2e.CallBash("go test ./..."), e2e.Say("All tests pass. <promise>DONE</promise>"),
	))
}

// files are the project: two functions, both wrong.
func files() map[string]string {
	return map[string]string{
		"go.mod":      "module example.com/sum\n\ngo 1.24\n",
		"sum.go":      "package sum\n\nfunc Sum(a, b float64) float64 { return a - b }\n",
		"mean.go":     "package sum\n\nfunc Mean(a, b float64) float64 { return Sum(a, b) / 3 }\n",
		"sum_test.go": "package sum\n\nimport \"testing\"\n\nfunc TestMean(t *testing.T) {\n\tif Mean(1, 3) != 2 {\n\t\tt.Fatal()\n\t}\n}\n",
	}
}

// record installs bridge in a new home, plays the loop, and returns the screen with its colours.
func record(ctx context.Context, client string) (string, error) {
	root, err := os.MkdirTemp("", "picture-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(root)
	w, err := e2e.NewWorkspace(root)
	if err != nil {
		return "", err
	}
	for name, text := range files() {
		if err := w.Write(name, text); err != nil {
			return "", err
		}
	}
	bin := filepath.Join(root, "bin")
	if err := command(ctx, nil, "go", "build", "-ldflags=-s -w", "-o", filepath.Join(bin, "bridge"), "./cmd/bridge"); err != nil {
		return "", err
	}
	path := bin + string(filepath.ListSeparator) + os.Getenv("PATH")
	if err := command(ctx, []string{"HOME=" + w.Home, "PATH=" + path}, filepath.Join(bin, "bridge"), "install"); err != nil {
		return "", err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	cache = cmp.Or(os.Getenv("GOCACHE"), filepath.Join(cache, "go-build"))
	model := e2e.StartModel(script(w.Project))
	defer model.Close()
	terminal, err := e2e.Client{
		Path: client, Workspace: w, Model: model, PermissionMode: "acceptEdits", Columns: 100, Rows: 90,
		Settings: e2e.Settings{Permissions: &e2e.Permissions{Allow: []string{"Bash(go test *)"}}},
		Env:      map[string]string{"PATH": path, "COLORTERM": "truecolor", "GOCACHE": cache},
	}.OpenTerminal(ctx)
	if err != nil {
		return "", err
	}
	defer terminal.Close()
	if err := terminal.Type(ctx, "! "+start); err != nil {
		return "", err
	}
	// The first return sometimes only closes the client's suggestions.
	if _, err := activated(ctx, terminal); err != nil {
		if err := terminal.Press(ctx, "Enter"); err != nil {
			return "", err
		}
	}
	if _, err := terminal.WaitFor(ctx, "Detected <promise>DONE</promise>"); err != nil {
		return "", err
	}
	return terminal.Colours(ctx)
}

// activated waits a few seconds until the loop starts.
func activated(ctx context.Context, terminal *e2e.Terminal) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	return terminal.WaitFor(ctx, "Ralph loop activated")
}

func command(ctx context.Context, env []string, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	if env != nil {
		cmd.Env = env
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, out)
	}
	return nil
}
