package cli_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/hookbridge/bridge/client/claude/usage"
	"github.com/hookbridge/bridge/cmd/bridge/internal/cli"
	"github.com/hookbridge/bridge/cmd/bridge/internal/router"
	"github.com/hookbridge/bridge/internal/self"
	"github.com/hookbridge/bridge/protocol"
	"github.com/hookbridge/bridge/schemas/schematest"
)

// TestMain makes the program available to the scripts as the command bridge.
func TestMain(m *testing.M) {
	// A program that was built with the race detector sleeps a second before it
	// exits, and the scripts start hundreds.
	if err := os.Setenv(raceOptions, "atexit_sleep_ms=0"); err != nil {
		panic(err)
	}
	testscript.Main(m, map[string]func(){
		"bridge": func() { os.Exit(bridge()) },
	})
}

// bridge is what cmd/bridge runs.
func bridge() int {
	if value, extra, called := router.HookArgument(os.Args[1:]); called {
		var out bytes.Buffer
		code := router.Run(router.Process{
			Args: os.Args, Stdin: os.Stdin, Stdout: &out, Stderr: os.Stderr,
			Getenv: os.Getenv, Now: time.Now, Version: self.Version,
		}, value, extra)
		os.Stdout.Write(out.Bytes())
		// Every output that a script sees must be one that the client accepts.
		if hook, ok := protocol.ParseHook(value); ok {
			if err := schematest.CheckStdout(hook.Row().Events[0], out.Bytes()); err != nil {
				fmt.Fprintln(os.Stderr, err)
				return 3
			}
		}
		return code
	}
	dir, _ := os.Getwd()
	return cli.Main(&cli.App{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv, Now: time.Now, Dir: dir,
	}, os.Args[1:])
}

func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               setup,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"input": writeInput, "pointer": writePointer, "unix2crlf": toCRLF, "age": age, "cmpjson": compareJSON, "append": appendFile},
	})
}

// age is the command age DURATION FILE…: it sets the times of the files back.
func age(ts *testscript.TestScript, neg bool, args []string) {
	by, err := time.ParseDuration(args[0])
	ts.Check(err)
	at, files := time.Now().Add(-by), 0
	for _, pattern := range args[1:] {
		found, err := filepath.Glob(ts.MkAbs(pattern))
		ts.Check(err)
		files += len(found)
		for _, file := range found {
			ts.Check(os.Chtimes(file, at, at))
		}
	}
	if files == 0 {
		ts.Fatalf("age: no file")
	}
}

const raceOptions = "GORACE"

// makeRepository makes what git takes for a work tree.
func makeRepository(project string) error {
	git := filepath.Join(project, ".git")
	return errors.Join(os.MkdirAll(filepath.Join(git, "objects"), 0o700), os.MkdirAll(filepath.Join(git, "refs"), 0o700),
		os.WriteFile(filepath.Join(git, "HEAD"), []byte("ref: refs/heads/main\n"), 0o600))
}

// setup gives each script a home and a project of its own. The project is the
// working directory; $HOME/.local/state/bridge holds the records.
func setup(env *testscript.Env) error {
	home := filepath.Join(env.WorkDir, "home")
	project := filepath.Join(env.WorkDir, "project")
	if err := errors.Join(os.MkdirAll(home, 0o700), makeRepository(project)); err != nil {
		return err
	}
	env.Cd = project
	env.Setenv("HOME", home)
	env.Setenv("USERPROFILE", home)
	env.Setenv("TRANSCRIPTS", filepath.Join(home, ".claude", "projects", usage.Folder(project)))
	env.Setenv("LOCALAPPDATA", filepath.Join(home, "AppData"))
	env.Setenv("PROJECT", project)
	env.Setenv(raceOptions, os.Getenv(raceOptions))
	for _, name := range []string{"XDG_STATE_HOME", "XDG_CONFIG_HOME", "CLAUDE_CODE_SESSION_ID", "CLAUDE_PROJECT_DIR", "DISABLE_OMC", "OMC_SKIP_HOOKS", "BRIDGE_LOG", "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP"} {
		env.Setenv(name, "")
	}
	return nil
}

// compareJSON checks the answer of a command on a loop, on stdout: command, kind, session,
// iteration, limit, state, and a part of the message.
func compareJSON(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 7 {
		ts.Fatalf("usage: cmpjson command kind session iteration limit state message")
	}
	var a struct {
		Command   string `json:"command"`
		Kind      string `json:"kind"`
		SessionID string `json:"session_id"`
		Iteration int    `json:"iteration"`
		Limit     int    `json:"limit"`
		State     string `json:"state"`
		Message   string `json:"message"`
	}
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &a, json.RejectUnknownMembers(true)))
	got := []string{a.Command, a.Kind, a.SessionID, strconv.Itoa(a.Iteration), strconv.Itoa(a.Limit), a.State}
	if !slices.Equal(got, args[:6]) || !strings.Contains(a.Message, args[6]) {
		ts.Fatalf("%q, message %q", got, a.Message)
	}
}
