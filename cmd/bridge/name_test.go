//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestCommandsInMessagesRunThisProgram: a command in a message runs the program that
// printed the message, even beside another program of the same name.
func TestCommandsInMessagesRunThisProgram(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	dir := func(name string) string {
		dir := filepath.Join(s.home, name)
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	foreign, linked, empty, blank, second := dir("foreign"), dir("linked"), dir("empty"), dir("it's mine"), dir("second")
	if err := os.WriteFile(filepath.Join(foreign, "bridge"), []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(binary, filepath.Join(linked, "bridge")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(binary, filepath.Join(second, "hookbridge")); err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(blank, "bridge")
	writeProgram(t, copied, program)
	quoted := "'" + s.home + `/it'\''s mine/bridge'`
	turn := 0
	for name, test := range map[string]struct{ binary, path, want string }{
		"another program comes first":  {binary, foreign + ":" + linked, binary},
		"a link on the PATH":           {binary, empty + ":" + linked + ":" + foreign, "bridge"},
		"under the second name":        {binary, foreign + ":" + second, "hookbridge"},
		"under both names":             {binary, second + ":" + linked, "bridge"},
		"not on the PATH":              {binary, empty, binary},
		"no PATH":                      {binary, "", binary},
		"behind a relative directory":  {binary, "bin:" + linked, binary},
		"a path that has to be quoted": {copied, empty, quoted},
	} {
		turn++
		t.Run(name, func(t *testing.T) {
			run := func(stdin string, args ...string) answer {
				cmd := exec.Command(test.binary, args...)
				cmd.Dir, cmd.Stdin = s.project, strings.NewReader(stdin)
				cmd.Env = []string{"HOME=" + s.home, "PATH=" + test.path}
				a, err := execute(cmd)
				if err != nil {
					t.Fatal(err)
				}
				return a
			}
			broken := "---\nactive: true\niteration: x\nsession_id: " + sessionID + "\nmax_iterations: 0\ncompletion_promise: null\n---\n\nWork on it.\n"
			if err := os.WriteFile(s.state(), []byte(broken), 0o600); err != nil {
				t.Fatal(err)
			}
			inJSON := strings.ReplaceAll(test.want, `\`, `\\`)
			for _, expect := range []struct{ what, text, want string }{
				{"status", run("", "status", "loop").stdout, "  " + test.want + " ralph cancel\n"},
				{"status --json", run("", "status", "--json").stdout, `"stop": "` + inJSON + ` ralph cancel"`},
				{"help", unwrapped(run("", "--help").stdout), `as "` + test.want + ` --hook=stop"`},
				{"help of a command", unwrapped(run("", "ralph", "loop", "--help").stdout), "Usage: " + test.want + " ralph loop"},
				{"help of a topic", run("", "help", "loops").stdout, "  " + test.want + " ralph pause"},
				{"error", run("", "mode", "list", "nonsense").stderr, "\n" + test.want + " mode list shows the modes."},
				{"unknown hook", run("", "--hook=nonsense").stderr, ". " + test.want + " hooks lists the types."},
				{"doctor", run("", "doctor").stdout, "Run " + test.want + " install."},
				{"stop", run(s.stopInput(turn), "--hook=stop").stdout, "and run " + inJSON + " ralph resume"},
			} {
				if !strings.Contains(expect.text, expect.want) {
					t.Errorf("%s says %q; it lacks %q", expect.what, expect.text, expect.want)
				}
			}
		})
	}
}
