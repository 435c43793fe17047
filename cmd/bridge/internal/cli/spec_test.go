package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/bridge/cmd/bridge/internal/cli"
)

// TestSpecResolveExitCodes: scripts of the peer tell "none" (1) from "several" (2).
func TestSpecResolveExitCodes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{".git/x", "specs/once/x", "specs/twice/x", "more/twice/x"} {
		path := filepath.Join(dir, "project", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	settings := filepath.Join(dir, "project", ".claude", "ralph-specum.local.md")
	if err := os.MkdirAll(filepath.Dir(settings), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(settings, []byte("---\nspecs_dirs: [./specs, ./more]\n---\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]struct {
		code int
		out  string
	}{
		"once":  {0, "./specs/once"},
		"none":  {1, "ERROR: Spec 'none' not found in any configured directory"},
		"twice": {2, "1. ./specs/twice\n  2. ./more/twice\nSpecify full path: /ralph-specum:switch <path>"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			code := cli.Main(&cli.App{
				Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out, Now: time.Now, Dir: filepath.Join(dir, "project"),
				Getenv: func(name string) string {
					if name == "HOME" || name == "USERPROFILE" {
						return dir
					}
					return ""
				},
			}, []string{"spec", "resolve", name})
			if code != want.code || !strings.Contains(out.String(), want.out) {
				t.Errorf("exit code %d, want %d:\n%s", code, want.code, out.String())
			}
		})
	}
}
