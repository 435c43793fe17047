// Package cli holds the commands that a person types. Hooks do not use it: cmd/bridge
// passes every call with --hook to the router.
package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/cmd/bridge/internal/router"
	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/self"
	"github.com/hookbridge/bridge/internal/settings"
	"github.com/hookbridge/bridge/protocol"
)

// App is the process as the commands see it.
type App struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Getenv         func(string) string
	Now            func() time.Time
	// Dir is the working directory.
	Dir string
	// name is the command that runs this program, as a shell would find it.
	name func() string
}

// env is the environment of a command, resolved once.
func (app *App) env() protocol.Env { return project.Env(app.Getenv, app.Now()) }

// stop is what listers get, from the point of view of the command's session. A
// configuration that cannot be read counts as empty; doctor reports it.
func (app *App) stop() *protocol.Stop {
	env := app.env()
	env.Config, _ = settings.Load(env)
	return project.Request(protocol.Input{Base: protocol.Base{CWD: app.Dir, SessionID: app.Getenv(claude.EnvSessionID)}}, env).Stop()
}

// commands is the table of commands; each has a file of its own.
type commands struct {
	Ralph      ralphCmd      `cmd:"" help:"Start, pause, resume and cancel loops that send the model back to work."`
	Spec       specCmd       `cmd:"" help:"Find and show the specs of ralph-specum, speckit and codex."`
	Mode       modeCmd       `cmd:"" help:"List, start and stop the modes of oh-my-claudecode."`
	Status     statusCmd     `cmd:"" help:"Show every loop and mode of the project."`
	Hooks      hooksCmd      `cmd:"" help:"List the fifteen hook types: events, deadlines, fail policies."`
	Schema     schemaCmd     `cmd:"" help:"Print the JSON schema of a hook's input or output."`
	Check      checkCmd      `cmd:"" help:"Show whether a Bash command would pass without a permission dialog, and why."`
	Explain    explainCmd    `cmd:"" help:"Show how a hook would answer a payload, and why, without changing anything."`
	Log        logCmd        `cmd:"" help:"Show what the hooks decided, and why."`
	Demo       demoCmd       `cmd:"" help:"Run a loop in a temporary project and show what the client would see."`
	Install    installCmd    `cmd:"" help:"Add bridge's hooks to the settings of Claude Code."`
	Uninstall  uninstallCmd  `cmd:"" help:"Remove bridge's hooks from the settings."`
	Replay     replayCmd     `cmd:"" help:"Replay recorded calls and compare the answers."`
	Usage      usageCmd      `cmd:"" help:"Show the tokens and the cost of this project's sessions."`
	Stats      statsCmd      `cmd:"" help:"Show how often hooks ran and how long they took."`
	Doctor     doctorCmd     `cmd:"" help:"Diagnose problems, and fix them with --fix."`
	Help       helpCmd       `cmd:"" help:"Explain a topic: loops, modes, permissions, kill-switches, configuration, troubleshooting."`
	Completion completionCmd `cmd:"" help:"Print a script that completes commands in bash, zsh, fish or PowerShell."`
	Complete   completeCmd   `cmd:"" hidden:""`
	Manual     manualCmd     `cmd:"" hidden:""`
	Version    versionCmd    `cmd:"" help:"Print the version."`

	// PrintVersion is what many people try first.
	PrintVersion versionFlag `name:"version" help:"Print the version."`
}

// ralphCmd groups the commands about loops.
type ralphCmd struct {
	Loop   loopCmd        `cmd:"" passthrough:"" help:"Start a ralph loop: ${bridge} ralph loop \"PROMPT\" [--max-iterations N] [--completion-promise TEXT]."`
	Smart  smartCmd       `cmd:"" help:"Work through a task file in any format: ${bridge} ralph smart tasks.md."`
	Config configCmd      `cmd:"" help:"Show or change the configuration of smart ralph."`
	Status ralphStatusCmd `cmd:"" help:"Show the loops of the project."`
	Pause  pauseCmd       `cmd:"" help:"Pause the loop: it allows stops until you resume it."`
	Resume resumeCmd      `cmd:"" help:"Continue a paused, ended or abandoned loop."`
	Check  ralphCheckCmd  `cmd:"" help:"Show what is wrong in a state file of smart ralph that you edited, by line."`
	Cancel cancelCmd      `cmd:"" help:"End the loop. Its state is kept, so that you can continue it."`
	Clean  cleanCmd       `cmd:"" help:"Delete the files that smart ralph keeps in the project."`
}

const description = `bridge handles every hook of Claude Code.

Claude Code runs it as "` + display.Bridge + ` --hook=stop" (or another hook type). It then reads one JSON object on stdin and prints at most one on stdout. The commands below are for people.

Examples:
  ` + display.Bridge + ` demo
  ` + display.Bridge + ` ralph loop "Fix the failing tests" --max-iterations 5
  ` + display.Bridge + ` status`

// exitError ends a command with a code and without a message.
type exitError int

func (e exitError) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// hintError is an error with a line that says what to do.
type hintError struct {
	err  error
	hint string
}

func (e hintError) Error() string { return e.err.Error() }
func (e hintError) Unwrap() error { return e.err }

// hinted adds a line that says what to do.
func hinted(err error, format string, args ...any) error {
	return hintError{err, fmt.Sprintf(format, args...)}
}

// Main runs one command and returns the exit code: 0, or 1 after an error, unless
// a command has codes of its own.
func Main(app *App, args []string) int {
	out := &watched{Writer: app.Stdout}
	app = app.naming(out)
	err := run(app, args)
	var code exitError
	switch {
	case out.err != nil && (err == nil || errors.As(err, &code) || errors.Is(err, out.err)):
		// A script must not take an output that is cut off for the whole answer.
		err = hinted(fmt.Errorf("the output could not be written: %w", out.err), "The command itself is done; only its output is missing. Check the disk, or the program that reads the output.")
	case err == nil:
		return 0
	case errors.As(err, &code):
		return int(code)
	}
	app.complain("bridge: %s\n", withoutCalls(err))
	var hint hintError
	if errors.As(err, &hint) {
		fmt.Fprintln(app.Stderr, hint.hint)
	}
	return 1
}

// withoutCalls is the text of an error, in which a file that is not there is not the result
// of a system call.
func withoutCalls(err error) string {
	text := display.Error(err)
	var missing *fs.PathError
	if errors.As(err, &missing) && errors.Is(missing.Err, fs.ErrNotExist) {
		text = strings.Replace(text, missing.Error(), "the file "+missing.Path+" does not exist", 1)
	}
	return text
}

func run(app *App, args []string) (err error) {
	var cmds commands
	// After --help, kong calls Exit; a panic brings control back here.
	defer func() {
		if p := recover(); p != nil {
			code, ok := p.(exitError)
			if !ok {
				panic(p)
			}
			err = nil
			if code != 0 {
				err = code
			}
		}
	}()
	parser, err := kong.New(&cmds,
		kong.Name(display.Bridge),
		kong.Vars{"bridge": display.Bridge},
		kong.Description(description),
		kong.Writers(app.Stdout, app.Stderr),
		kong.Exit(func(code int) { panic(exitError(code)) }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoExpandSubcommands: true}),
		kong.Help(app.printHelp),
		kong.Bind(app),
	)
	if err != nil {
		return fmt.Errorf("build the commands: %w", err)
	}
	describe(parser.Model.Node)
	if isGroup(parser.Model.Node, args) {
		args = append(slices.Clone(args), "--help")
	}
	if args, err = withStdin(app, args); err != nil {
		return err
	}
	ctx, err := parser.Parse(joinNegative(args))
	if err != nil {
		return mistake(parser.Model.Node, args, err)
	}
	return ctx.Run(app)
}

// process is a call of a hook with a payload.
func (app *App) process(hook string, payload []byte, stdout io.Writer) router.Process {
	return router.Process{
		Args: []string{"bridge", "--hook=" + hook}, Stdin: bytes.NewReader(payload), Stdout: stdout, Stderr: app.Stderr,
		Getenv: app.Getenv, Now: app.Now, Version: self.Version,
	}
}

// isGroup reports whether the words name commands, and none of them.
func isGroup(node *kong.Node, args []string) bool {
	for _, arg := range args {
		at := slices.IndexFunc(node.Children, func(c *kong.Node) bool { return c.Name == arg })
		if at < 0 {
			return false
		}
		node = node.Children[at]
	}
	return len(node.Children) > 0
}

// commandOf returns the command that the words before the first option name, or "".
func commandOf(node *kong.Node, args []string) string {
	var words []string
	for _, arg := range args {
		at := slices.IndexFunc(node.Children, func(c *kong.Node) bool { return c.Name == arg })
		if at < 0 {
			break
		}
		node, words = node.Children[at], append(words, arg)
	}
	return strings.Join(words, " ")
}
