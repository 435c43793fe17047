package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/hookbridge/bridge/hooks/ralph/smart"
	"github.com/hookbridge/bridge/hooks/ralph/smart/config"
	"github.com/hookbridge/bridge/hooks/ralph/smart/message"
	"github.com/hookbridge/bridge/hooks/ralph/smart/state"
	"github.com/hookbridge/bridge/internal/term"
	"github.com/hookbridge/bridge/protocol"
)

// decide asks the person in a terminal what to do about an unfinished session. Elsewhere,
// and if a session is running, the error names the options instead.
func (c smartCmd) decide(app *App, scene smart.Scene, conflict smart.Conflict) (message.Answer, error) {
	if conflict.Running || scene.SessionID != "" || !app.interactive() {
		return message.None, refused(conflict)
	}
	fmt.Fprint(app.Stderr, scene.Lang.Choice(conflict.State, conflict.Seen))
	lines := bufio.NewReader(app.Stdin)
	for {
		fmt.Fprint(app.Stderr, scene.Lang.AskChoice())
		line, err := lines.ReadString('\n')
		if answer := message.ParseAnswer(line); answer != message.None {
			return answer, nil
		}
		if err != nil {
			fmt.Fprintln(app.Stderr)
			if !errors.Is(err, io.EOF) {
				return message.None, fmt.Errorf("read the answer: %w", err)
			}
			return message.ChangeNothing, nil
		}
	}
}

// refused is a conflict as an error, with the advice in lines of its own.
func refused(err error) error {
	if !errors.Is(err, smart.ErrConflict) {
		return err
	}
	what, advice, _ := strings.Cut(err.Error(), "\n")
	return hinted(errors.New(what), "%s", advice)
}

// interactive reports whether a person can read a question on stderr and answer it.
func (app *App) interactive() bool {
	in, ok := app.Stdin.(*os.File)
	out := app.Stderr
	if named, is := out.(naming); is {
		out = named.Writer
	}
	file, seen := out.(*os.File)
	return ok && seen && term.IsTerminal(in) && term.IsTerminal(file)
}

// carryOn continues the unfinished session with the values of the command line.
func (c smartCmd) carryOn(app *App, scene smart.Scene, name, path string, given map[config.Key]any, effective config.Effective) error {
	opts := protocol.ResumeOptions{SessionID: scene.SessionID, Force: c.Force, Now: app.Now()}
	change := smart.Change{GitStatus: c.GitStatus}
	if c.TestCommand != "" {
		change.TestCommand = &c.TestCommand
	}
	change.State = func(s *state.State) {
		v := effective.Values
		for key := range given {
			switch key {
			case "max_iterations":
				s.MaxIterations = v.MaxIterations
			case "completion_threshold":
				s.CompletionThreshold = v.CompletionThreshold
			case "auto_approve":
				s.AutoApprove = v.AutoApprove
			case "strict_mode":
				s.StrictMode = v.StrictMode
			case "stall_detection":
				s.StallDetection = v.StallDetection
			case "verbose":
				s.Verbose = v.Verbose
			}
		}
	}
	text, err := smart.Continue(scene, name, path, change, opts)
	if err != nil {
		return err
	}
	noteStart(app, "smart", protocol.Lang(scene.Lang))
	fmt.Fprintln(app.Stdout, text)
	return nil
}
