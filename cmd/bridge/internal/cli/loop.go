package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/hooks/ralph/loop"
	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// loopCmd takes its words as they are: what is not an option is the prompt.
type loopCmd struct {
	Words []string `arg:"" optional:""`
}

const loopHelp = `Usage: ` + display.Bridge + ` ralph loop "PROMPT" [--max-iterations N] [--completion-promise TEXT]

Starts a ralph loop: at each stop the prompt is fed back to the model, until it
says <promise>TEXT</promise> or has worked N times. Without both the loop ends
only with ` + display.Bridge + ` ralph cancel.

  --max-iterations N         stop after N runs of the prompt; 0 is unlimited
  --completion-promise TEXT  the text that the model says when it is done
  --prompt-file FILE         read the prompt from a file
  --stdin                    read prompt and options from stdin, with any quoting
  --force                    replace the session's own loop, or in a terminal one
                             that no session has; it is kept as .bak

` + loopExample

func (c loopCmd) Run(app *App) error {
	args, err := parseArgs(c.Words)
	if err != nil {
		return err
	}
	if args.fromStdin && !args.help {
		if args, err = readArgs(app, args); err != nil {
			return err
		}
	}
	if args.help {
		fmt.Fprintln(app.Stdout, loopHelp)
		return nil
	}
	if args.promptFile != "" {
		if args.prompt, err = readPrompt(app, args); err != nil {
			return err
		}
	}
	if strings.TrimSpace(args.prompt) == "" {
		return hinted(errNoPrompt, "%s", loopExample)
	}
	for _, word := range args.odd {
		fmt.Fprintf(app.Stderr, "bridge: warning: %q is taken as part of the prompt; the options are --max-iterations, --completion-promise, --prompt-file, --stdin and --force.\n", display.Text(word))
	}
	return startLoop(app, args)
}

// readArgs joins what stands on stdin with what stood on the command line.
func readArgs(app *App, given loopArgs) (loopArgs, error) {
	text, err := io.ReadAll(io.LimitReader(app.Stdin, statefile.MaxSize+1))
	if err != nil {
		return given, fmt.Errorf("read the prompt from stdin: %w", err)
	}
	args, err := parseText(string(text))
	if err != nil {
		return args, err
	}
	if args.maxIterations == 0 {
		args.maxIterations = given.maxIterations
	}
	if args.promise == "" {
		args.promise = given.promise
	}
	args.force = args.force || given.force
	if given.prompt != "" {
		args.prompt = strings.TrimSpace(given.prompt + " " + args.prompt)
	}
	return args, nil
}

func readPrompt(app *App, args loopArgs) (string, error) {
	if strings.TrimSpace(args.prompt) != "" {
		return "", hinted(errors.New("--prompt-file and a prompt on the command line exclude each other"), "%s", loopExample)
	}
	text, err := statefile.ReadFile(absolute(app, args.promptFile), maxPromptFile)
	if err != nil {
		return "", fmt.Errorf("read the prompt: %w", err)
	}
	return strings.TrimSpace(strings.TrimPrefix(string(text), "\ufeff")), nil
}

// maxPromptFile is the size above which a prompt is not read at all.
const maxPromptFile = 16 << 20

// maxPrompt leaves room for the front matter: a state file of over 1 MiB is not
// read again.
const maxPrompt = statefile.MaxSize - 4096

func startLoop(app *App, args loopArgs) error {
	if len(args.prompt) > maxPrompt {
		return hinted(fmt.Errorf("the prompt has %d bytes; at most %d fit into a state file", len(args.prompt), maxPrompt), "Put the details into a file of the project and name it in the prompt.")
	}
	stop := app.stop()
	if stop.Root == "" {
		return errors.New("the working directory does not exist")
	}
	unlock, err := project.Lock(context.Background(), stop.Env, stop.Root, project.CommandWait)
	if err != nil {
		return fmt.Errorf("start the loop: %w", err)
	}
	defer unlock()
	dir, err := statefile.MakeDirWithin(filepath.Join(stop.Root, loop.DirName), stop.Root)
	if err != nil {
		return hinted(fmt.Errorf("start the loop: %w", err), "The directory must belong to you and not be writable for everybody.")
	}
	defer dir.Close()

	sessionID := stop.Input.SessionID
	if !session.ValidID(sessionID) {
		sessionID = ""
	}
	name, err := placeFor(dir, sessionID, args.force, stop.Env.Now)
	if err != nil {
		return err
	}
	if err := dir.Create(name, loop.New(args.prompt, sessionID, args.promise, args.maxIterations, stop.Env.Now), statefile.Durable); err != nil {
		return fmt.Errorf("write the loop: %w", err)
	}
	if sessionID == "" {
		path := filepath.Join(dir.Path(), name)
		if err := session.NewStore(stop.Env.StateHome).AddPending(path); err != nil {
			return fmt.Errorf("remember the loop for the next session: %w", err)
		}
	}
	noteStart(app, "loop")
	announce(app, args, sessionID, loop.DirName+"/"+name)
	return nil
}

// noteStart puts a loop or mode that has just started into the index of projects. The
// first decision about it would do so too.
func noteStart(app *App, kind string) {
	stop := app.stop()
	if err := project.Note(stop.Env.StateHome, protocol.Places{Root: stop.Root, Search: stop.Places}, kind, stop.Env.Now); err != nil {
		app.complain("bridge: %v. The start is not affected; check the disk and the permissions of that place.\n", err)
	}
}

// placeFor chooses the state file and moves what may be replaced out of the way. A
// live loop is replaced only with force, and only where it is the session's own, or
// in a terminal nobody's: somebody may be waiting for any other.
func placeFor(dir *statefile.Dir, sessionID string, force bool, now time.Time) (string, error) {
	names := []string{loop.FileName}
	if sessionID != "" {
		names = append(names, loop.SessionFileName(sessionID))
	}
	place := ""
	var replaced []string
	for _, name := range names {
		file, err := dir.Read(name)
		if errors.Is(err, fs.ErrNotExist) {
			place = cmp.Or(place, name)
			continue
		}
		if err != nil {
			return "", fmt.Errorf("look at the loop that is there: %w", err)
		}
		there := loop.Parse(file.Data)
		own := there.SessionID == sessionID
		live := there.Problem == "" && session.Lately(file.ModTime, now)
		switch {
		case sessionID != "" && !own && (live || there.SessionID != ""):
			// This session gets a file of its own.
			continue
		case live && !own:
			return "", hinted(fmt.Errorf("no loop was started, because it would replace the one of session %s in %s/%s (iteration %d)", display.Text(there.SessionID), loop.DirName, name, there.Iteration),
				"Start the loop from the session that is to work on it, or end the other one: "+display.Bridge+" ralph cancel --session %s; its prompt is kept as .bak.", display.Text(there.SessionID))
		case live && !force:
			return "", hinted(fmt.Errorf("no loop was started, because one is active in %s/%s (iteration %d, session: %s)", loop.DirName, name, there.Iteration, orNone(there.SessionID)),
				"End it with "+display.Bridge+" ralph cancel, or replace it with --force; its prompt is kept as .bak either way.")
		}
		replaced, place = append(replaced, name), cmp.Or(place, name)
	}
	if place == "" {
		return "", hinted(fmt.Errorf("no loop was started, because loops of other sessions hold its places (%s)", strings.Join(names, ", ")), display.Bridge+" ralph status lists them; "+display.Bridge+" ralph cancel --session ID ends one.")
	}
	for _, name := range replaced {
		if err := dir.Archive(name); err != nil {
			return "", fmt.Errorf("keep the old loop as %s: %w", statefile.Backup(name), err)
		}
	}
	return place, nil
}

func orNone(s string) string {
	if s == "" {
		return "none yet"
	}
	return s
}

// announce tells person and model what was started. The model reads this when
// the command runs as a slash command, so it names the promise to the letter.
func announce(app *App, args loopArgs, sessionID, path string) {
	out := app.Stdout
	if sessionID == "" {
		fmt.Fprintln(out, "🔄 Ralph loop activated; the next session of this project that stops takes it.")
	} else {
		fmt.Fprintln(out, "🔄 Ralph loop activated in this session!")
	}
	limit := "unlimited"
	if args.maxIterations > 0 {
		limit = strconv.Itoa(args.maxIterations)
	}
	promise := "none (runs forever)"
	if args.promise != "" {
		promise = args.promise + " (ONLY output when TRUE - do not lie!)"
	}
	app.printf("\nIteration: 1\nMax iterations: %s\nCompletion promise: %s\nState file: %s\n", limit, promise, path)
	fmt.Fprintln(out, "\nAt each stop the same prompt comes back; the work of earlier iterations is in the files and in git.")
	fmt.Fprintln(out, "To look: "+display.Bridge+" status. To pause: "+display.Bridge+" ralph pause. To end it: "+display.Bridge+" ralph cancel.")
	if args.maxIterations == 0 && args.promise == "" {
		fmt.Fprintln(out, "\nThis loop has neither a limit nor a promise: it goes on until "+display.Bridge+" ralph cancel.")
	}
	if cap := app.Getenv(claude.EnvBlockCap); cap != "0" {
		fmt.Fprintln(out, "Claude Code ends a turn after 8 blocks in a row without a tool call (CLAUDE_CODE_STOP_HOOK_BLOCK_CAP=0 lifts that); the loop then goes on with the next prompt.")
	}
	if args.promise != "" {
		app.printf("\nCRITICAL - Ralph Loop Completion Promise\nTo end the loop, output exactly this text:\n  <promise>%s</promise>\nOnly when the statement is completely and truly TRUE. Do not output it to escape the loop, even if you are stuck.\n", args.promise)
	}
	fmt.Fprintf(out, "\n%s\n", args.prompt)
}
