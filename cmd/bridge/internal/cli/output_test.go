package cli_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/hookbridge/bridge/cmd/bridge/internal/cli"
)

var errFull = errors.New("no space left")

// full is a disk or a reader that takes nothing.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

// TestOutputThatCannotBeWritten: a script must not take an output that is cut off for the
// whole answer, and least of all a missing verdict for an allow.
func TestOutputThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	for _, command := range []string{
		"--help", "status --help", "--version", "version", "version --json", "status", "status --json", "ralph status", "log", "log --json",
		"stats", "stats --json", "check ls", "check --json ls", "hooks", "hooks --json", "schema", "schema stop", "help", "help loops", "mode list",
		"spec list --json", "ralph config", "ralph cancel", "doctor", "doctor --json", "demo", "complete -- s", "completion bash",
	} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			app := newApp(t)
			var errs strings.Builder
			app.Stdout, app.Stderr = full{}, &errs
			code := cli.Main(app, strings.Fields(command))
			if code != 1 || !strings.Contains(errs.String(), "bridge: the output could not be written: no space left\n") {
				t.Errorf("exit code %d, %q", code, errs.String())
			}
		})
	}
}
