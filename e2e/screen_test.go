package e2e

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

var updateScreens = flag.Bool("update", false, "write the golden screens; look at them before you commit them")

// TestLoopOnASmallScreen: what the user sees of a loop in a terminal of 80 by 24. The
// golden screens are those of the two clients; times and the client's random words are
// replaced.
func TestLoopOnASmallScreen(t *testing.T) {
	s := newStage(t, Slowly(think, Turns(Say("Sum works. TestMean still fails."), Say("All tests pass. <promise>DONE</promise>"))))
	id := sessionID()
	s.startLoop(loop{Session: id, Max: 5, Promise: "DONE", Prompt: "Fix the failing tests"})
	term := openTerminal(t, Client{
		Path: s.client, Workspace: s.Workspace, Model: s.model, Settings: wired(t),
		SessionID: id, PermissionMode: "default", Prompt: "Fix the failing tests", Columns: 80, Rows: 24,
	})
	defer closeTerminal(t, term)
	if _, err := term.WaitFor(t.Context(), "ralph-loop.local.md.bak"); err != nil {
		t.Fatal(err)
	}
	version, err := Version(t.Context(), s.client)
	if err != nil {
		t.Fatal(err)
	}
	version, _, _ = strings.Cut(version, " ")
	golden := filepath.Join("testdata", "loop-80x24-"+version+".txt")
	var screen string
	// The client draws the line about the end of the turn a moment later.
	for began := time.Now(); time.Since(began) < 20*time.Second; time.Sleep(200 * time.Millisecond) {
		if screen, err = term.Screen(t.Context()); err != nil {
			t.Fatal(err)
		}
		screen = settled(screen)
		if want, err := os.ReadFile(golden); err == nil && screen == string(want) {
			return
		}
	}
	if *updateScreens {
		if err := os.WriteFile(golden, []byte(screen), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, _ := os.ReadFile(golden)
	t.Errorf("the screen is\n%s\nand not that of %s:\n%s", screen, golden, want)
}

// settled replaces the parts of a screen that differ from run to run.
func settled(screen string) string {
	for pattern, with := range map[string]string{
		`(?m) +$`:                 "",
		`\d+ (s|min)\)`:           "TIME)",
		`(?m)^[✻✶✳✢·✽] .*$`:       "✻ WORD for TIME",
		`(?m)^( *\S+) v2\.1\.\d+`: "$1 VERSION",
	} {
		screen = regexp.MustCompile(pattern).ReplaceAllString(screen, with)
	}
	return strings.TrimRight(screen, "\n") + "\n"
}
