package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/cmd/bridge/internal/cli"
)

// TestCheckKeepsTheDeadline: what holds the hook up, here the look for the client's
// settings, holds bridge check no longer than the hook.
func TestCheckKeepsTheDeadline(t *testing.T) {
	t.Parallel()
	app := newApp(t)
	getenv, never := app.Getenv, make(chan struct{})
	t.Cleanup(func() { close(never) })
	app.Getenv = func(name string) string {
		if name == claude.EnvConfigDir {
			<-never
		}
		return getenv(name)
	}
	home := getenv("HOME")
	for _, dir := range []string{filepath.Join(home, ".config", "bridge"), filepath.Join(home, "bridge")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "config.json"), []byte(`{"deadlines_ms": {"permission-request": 50}}`), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var out, errs strings.Builder
	app.Stdout, app.Stderr = &out, &errs
	code := cli.Main(app, []string{"check", "cat a.txt"})
	if code != 1 || !strings.HasPrefix(out.String(), "deny\n") || !strings.Contains(strings.Join(strings.Fields(out.String()), " "), "took longer than the deadline of the hook") || errs.Len() > 0 {
		t.Errorf("exit code %d, %q %q", code, out.String(), errs.String())
	}
}
