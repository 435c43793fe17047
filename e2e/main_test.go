package e2e

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	// The client starts this binary again as a hook.
	if len(os.Args) == 4 && os.Args[1] == probeArgument {
		if err := probe(os.Args[2], os.Args[3]); err != nil {
			fmt.Fprintln(os.Stderr, "probe:", err)
			os.Exit(1)
		}
		return
	}
	if len(os.Args) == 6 && os.Args[1] == killerArgument {
		if err := killMain(os.Args[2:]); err != nil {
			fmt.Fprintln(os.Stderr, "killer:", err)
			os.Exit(1)
		}
		return
	}
	code := m.Run()
	if dir := buildDir(); dir != "" {
		_ = os.RemoveAll(dir) // if this fails, the files stay in the temporary directory
	}
	os.Exit(code)
}

const probeArgument = "-probe-hook"

// probeHook is a hook that stores each payload in dir and, as "block", keeps the session going.
func probeHook(t *testing.T, mode, dir string) Hook {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Exec(self, probeArgument, mode, dir)
}

func probe(mode, dir string) error {
	b, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	name := strconv.FormatInt(time.Now().UnixNano(), 10) + ".json"
	if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
		return err
	}
	if mode == "block" {
		return json.NewEncoder(os.Stdout).Encode(object{"decision": "block", "reason": "probe says go on"})
	}
	return nil
}

// built holds the binary under test: one build for all tests.
var built struct {
	once sync.Once
	dir  string
	err  error
}

func buildDir() string {
	if built.err != nil {
		return ""
	}
	return built.dir
}

// bridge builds ./cmd/bridge once and returns its path. BRIDGE_TEST_BINARY names another program, for example an older
// one, to show which tests it fails.
func bridge(t *testing.T) string {
	t.Helper()
	if path := os.Getenv("BRIDGE_TEST_BINARY"); path != "" {
		return path
	}
	built.once.Do(func() {
		if built.dir, built.err = os.MkdirTemp("", "e2e-bridge-"); built.err != nil {
			return
		}
		cmd := exec.Command("go", "build", "-ldflags=-s -w", "-o", built.dir+string(filepath.Separator), "./cmd/bridge")
		cmd.Dir = ".."
		if out, err := cmd.CombinedOutput(); err != nil {
			built.err = errors.Join(fmt.Errorf("go build: %w: %s", err, out), os.RemoveAll(built.dir))
		}
	})
	if built.err != nil {
		t.Fatal(built.err)
	}
	found, err := filepath.Glob(filepath.Join(built.dir, "bridge*"))
	if err != nil || len(found) != 1 {
		t.Fatalf("built %q, %v", found, err)
	}
	return found[0]
}

func clientPath(t *testing.T) string {
	t.Helper()
	path := os.Getenv(ClientVariable)
	if path == "" {
		t.Skipf("%s names no Claude Code executable; e2e/install-client.sh installs one and prints its path", ClientVariable)
	}
	return path
}
