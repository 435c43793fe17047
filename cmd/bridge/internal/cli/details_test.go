package cli_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/hookbridge/bridge/cmd/bridge/internal/cli"
)

// TestDetailsOfCommands: each command shows an example below its usage, and no details
// belong to a command that is not there.
func TestDetailsOfCommands(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("details.txt")
	if err != nil {
		t.Fatal(err)
	}
	run := func(words ...string) string {
		app := newApp(t)
		var out bytes.Buffer
		app.Stdout, app.Stderr = &out, &out
		cli.Main(app, words)
		return out.String()
	}
	commands := 0
	var visit func(words []string)
	visit = func(words []string) {
		inner := strings.Fields(run(append([]string{"complete", "--"}, append(words, "")...)...))
		help := run(append(words, "--help")...)
		if strings.Contains(help, "\nCommands:\n") {
			for _, word := range inner {
				visit(append(words[:len(words):len(words)], word))
			}
			return
		}
		// One of them parses its own options, one has nothing to explain.
		switch name := strings.Join(words, " "); {
		case name == "ralph loop", name == "version":
		case strings.Count(help, " "+name) < 2 || !strings.Contains("\n"+string(text), "\n== "+name+"\n"):
			t.Errorf("%s has no details:\n%s", name, help)
		default:
			commands++
		}
	}
	visit(nil)
	if sections := strings.Count("\n"+string(text), "\n== "); commands != sections || commands < 20 {
		t.Errorf("details for %d commands, and %d of them are there", sections, commands)
	}
}
