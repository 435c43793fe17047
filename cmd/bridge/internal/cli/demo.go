package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/cmd/bridge/internal/router"
	"github.com/hookbridge/bridge/hooks/ralph/loop"
	"github.com/hookbridge/bridge/internal/display"
)

type demoCmd struct{}

// demoSession is the session id of the recorded payload.
const demoSession = "1d5b1db1-2ee4-4064-bbff-d571cf5b7463"

func (demoCmd) Run(app *App) error {
	home, err := os.MkdirTemp("", "bridge-demo-")
	if err != nil {
		return fmt.Errorf("create a directory for the demo: %w", err)
	}
	defer os.RemoveAll(home)
	dir := filepath.Join(home, "project")
	if err := os.MkdirAll(filepath.Join(dir, ".git"), 0o700); err != nil {
		return fmt.Errorf("create a project for the demo: %w", err)
	}
	inside := *app
	inside.Dir = dir
	inside.Getenv = demoEnv(home, app.Getenv)

	say := func(format string, args ...any) { fmt.Fprintf(app.Stdout, format+"\n", args...) }
	say("1. You start a loop, as /ralph-loop does:\n")
	say("   $ " + display.Bridge + " ralph loop \"Fix it\" --max-iterations 3 --completion-promise DONE\n")
	if err := startQuietly(&inside); err != nil {
		return err
	}
	state := filepath.Join(dir, loop.DirName, loop.FileName)
	if err := showFile(app, state); err != nil {
		return err
	}
	say("2. The model stops. The answer of " + display.Bridge + " --hook=stop keeps it going:\n")
	if err := stopOnce(&inside, "I changed two files.", false); err != nil {
		return err
	}
	say("3. The model stops again and keeps its promise. The loop ends:\n")
	if err := stopOnce(&inside, "All tests pass. <promise>DONE</promise>", true); err != nil {
		return err
	}
	if _, err := os.Stat(state); err == nil {
		return fmt.Errorf("the loop should have ended, but %s is still there", state)
	}
	say("The state file is gone; its prompt is kept in %s.bak.", loop.FileName)
	say("\nNext: " + display.Bridge + " install adds bridge's hooks to the settings of Claude Code.")
	return nil
}

// demoEnv keeps the demo from using the user's files and settings.
func demoEnv(home string, getenv func(string) string) func(string) string {
	return func(name string) string {
		switch name {
		case "HOME", "USERPROFILE":
			return home
		case claude.EnvSessionID:
			return demoSession
		case claude.EnvBlockCap:
			return "0"
		case "PATH":
			return getenv(name)
		}
		return ""
	}
}

func startQuietly(app *App) error {
	quiet := *app
	// It is not to be continued by the hooks of the user, so a warning would mislead.
	quiet.Stdout, quiet.Stderr = new(bytes.Buffer), io.Discard
	return loopCmd{Words: []string{"Fix it", "--max-iterations", "3", "--completion-promise", "DONE"}}.Run(&quiet)
}

// stopOnce sends a Stop payload through the same code path that the client uses.
func stopOnce(app *App, message string, active bool) error {
	payload, err := json.Marshal(map[string]any{
		"session_id": demoSession, "transcript_path": "", "cwd": app.Dir, "prompt_id": "357edadb-1372-42a1-8679-22b32ee96233",
		"permission_mode": "default", "hook_event_name": "Stop", "stop_hook_active": active,
		"last_assistant_message": message, "background_tasks": []any{}, "session_crons": []any{},
	}, json.Deterministic(true))
	if err != nil {
		return fmt.Errorf("write the payload: %w", err)
	}
	var answer bytes.Buffer
	quiet := *app
	quiet.Stderr = io.Discard
	router.Run(quiet.process("stop", payload, &answer), "stop", nil)
	screen := app.screen().fitted()
	screen.line("   model: %s", message)
	screen.wrapped("   hook:  ", "          ", strings.TrimSpace(answer.String()))
	screen.line("")
	return screen.show()
}

func showFile(app *App, path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("show the state file: %w", err)
	}
	for line := range strings.Lines(strings.TrimSpace(string(text))) {
		fmt.Fprintln(app.Stdout, strings.TrimRight("   "+line, " \n"))
	}
	fmt.Fprintln(app.Stdout)
	return nil
}
