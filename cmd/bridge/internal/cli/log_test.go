package cli_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/bridge/cmd/bridge/internal/cli"
)

// TestLogOfASessionReadsOnlyItsLines: the lines of other sessions are not parsed, so
// the log of a session costs what reading the files does.
func TestLogOfASessionReadsOnlyItsLines(t *testing.T) {
	home := t.TempDir()
	dir := filepath.Join(home, "bridge", "ledger")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	const lines = 10_000
	line := `{"time":"2026-11-20T12:00:00.123456Z","session":"1d5b1db1","type":"ralph","event":"Stop","decision":"block","rule":"continue","pid":1}` + "\n"
	for day := range 3 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("2026-11-%d.jsonl", 10+day)), []byte(strings.Repeat(line, lines)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	app := &cli.App{Stdout: io.Discard, Stderr: io.Discard, Now: time.Now, Dir: home, Getenv: func(name string) string {
		return map[string]string{"HOME": home, "XDG_STATE_HOME": home, "LOCALAPPDATA": home}[name]
	}}
	allocations := testing.AllocsPerRun(1, func() {
		if code := cli.Main(app, []string{"log", "--session", "nobody"}); code != 1 {
			t.Errorf("exit code %d", code)
		}
	})
	if allocations > 2*lines {
		t.Errorf("%v allocations for three files without a line of the session", allocations)
	}
}
