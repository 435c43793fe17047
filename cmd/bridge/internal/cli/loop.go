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

// loopCmd takes its words unparsed: everything that is not an option is the prompt.
type loopCmd struct {
	Words []string `arg:"" optional:""`
}

const loopHelp = `Usage: ` + display.Bridge + ` ralph loop [OPTIONS] [--] "PROMPT" [OPTIONS]

Starts a ralph loop: each time the model stops, it gets the prompt again, until it
says <promise>TEXT</promise> or has run the prompt N times. Without --max-iterations
and --completion-promise, it ends only after ten stops in a row with the same message
and no tool call, or with ` + display.Bridge + ` ralph cancel.

  --max-iterations N         stop after N runs of the prompt; 0 is unlimited
  --completion-promise TEXT  the text that the model says when it is done
  --prompt-file FILE         read the prompt from a file
  --stdin                    read the prompt and the options from stdin
  --force                    replace this session's loop or, in a terminal, a loop
                             without a session; the old loop is kept as .bak, and
                             an older .bak with another prompt as .bak.1, .bak.2, …
  --                         what follows is the prompt, whatever it contains

Options stand before or after the prompt. A prompt that contains one of them, or one
that is misspelt or lacks its dashes, is refused, because a loop without its limit may
never end.

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
		fmt.Fprint(app.Stdout, app.filled(loopHelp))
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

// readArgs joins the text on stdin with the words on the command line.
func readArgs(app *App, given loopArgs) (loopArgs, error) {
	text, err := io.ReadAll(io.LimitReader(app.Stdin, statefile.MaxSize+1))
	if err != nil {
		return given, fmt.Errorf("read the prompt from stdin: %w", err)
	}
	args, err := parseText(string(text))
	if err != nil {
		return args, err
	}
	for option, value := range given.given {
		if err := args.take(option, value); err != nil {
			return args, err
		}
	}
	args.force, args.odd = args.force || given.force, append(args.odd, given.odd...)
	if given.prompt != "" {
		args.prompt = strings.TrimSpace(given.prompt + " " + args.prompt)
	}
	return args, nil
}

func readPrompt(app *App, args loopArgs) (string, error) {
	if strings.TrimSpace(args.prompt) != "" {
		return "", hinted(errors.New("give the prompt either on the command line or with --prompt-file, not both"), "%s", loopExample)
	}
	text, err := statefile.ReadFile(absolute(app, args.promptFile), maxPromptFile)
	if err != nil {
		return "", fmt.Errorf("read the prompt: %w", err)
	}
	return strings.TrimSpace(strings.TrimPrefix(string(text), "\ufeff")), nil
}

// maxPromptFile is the size in bytes above which a prompt file is not read.
const maxPromptFile = 16 << 20

// maxPrompt leaves room for the front matter, because a state file of more than 1 MiB
// cannot be read again.
const maxPrompt = statefile.MaxSize - 4096

func startLoop(app *App, args loopArgs) error {
	if len(args.prompt) > maxPrompt {
		return hinted(fmt.Errorf("the prompt has %d bytes; at most %d fit into a state file", len(args.prompt), maxPrompt), "Put the details into a file of the project and name it in the prompt.")
	}
	stop := app.stop()
	if stop.Root == "" {
		return errors.New("the working directory does not exist")
	}
	if _, err := app.userConfig(stop); err != nil {
		return err
	}
	unlock, err := project.Lock(context.Background(), stop.Env, stop.Root, project.CommandWait)
	if err != nil {
		return fmt.Errorf("start the loop: %w", err)
	}
	defer unlock()
	dir, err := statefile.MakeDirWithin(filepath.Join(stop.Root, loop.DirName), stop.Root)
	if err != nil {
		return hinted(fmt.Errorf("start the loop: %w", err), "The directory must belong to you and must not be world-writable.")
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
	noteStart(app, "loop", protocol.English)
	announce(app, args, sessionID, loop.DirName+"/"+name)
	return nil
}

// placeFor chooses the state file and archives a loop that may be replaced. An active
// loop is replaced only with force, and only if it is the session's own or, in a
// terminal, if it belongs to nobody: somebody may be waiting for any other loop.
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
			return "", fmt.Errorf("read the existing loop: %w", err)
		}
		there := loop.Parse(file.Data)
		own := there.SessionID == sessionID
		live := there.Problem == "" && session.Lately(file.ModTime, now)
		switch {
		case sessionID != "" && !own && (live || there.SessionID != ""):
			// This session gets its own state file.
			continue
		case live && !own:
			return "", hinted(fmt.Errorf("no loop was started, because it would replace the one of session %s in %s/%s (iteration %d)", display.Text(there.SessionID), loop.DirName, name, there.Iteration),
				"Start the loop from the session that should work on it, or end the other loop: "+display.Bridge+" ralph cancel --session %s; its prompt is kept as .bak.", display.Text(there.SessionID))
		case live && !force:
			return "", hinted(fmt.Errorf("no loop was started, because one is active in %s/%s (iteration %d, session: %s)", loop.DirName, name, there.Iteration, orNone(there.SessionID)),
				"End it with "+display.Bridge+" ralph cancel, or replace it with --force; its prompt is kept as .bak either way.")
		}
		replaced, place = append(replaced, name), cmp.Or(place, name)
	}
	if place == "" {
		return "", hinted(fmt.Errorf("no loop was started, because loops of other sessions use all of its state files (%s)", strings.Join(names, ", ")), display.Bridge+" ralph status lists them; "+display.Bridge+" ralph cancel --session ID ends one.")
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

// announcePerson says the same to a person who has just typed it, in lines that fit.
func announcePerson(app *App, args loopArgs, limit string) {
	out := app.Stdout
	fmt.Fprintln(out, "🔄 Ralph loop activated;\nthe next session that stops in this project takes it over.")
	app.printf("Max iterations: %s\nCompletion promise: %s\n", limit, cmp.Or(args.promise, "none"))
	fmt.Fprintln(out, "To see it: "+display.Bridge+" status. To pause it: "+display.Bridge+" ralph pause.\nTo end it: "+display.Bridge+" ralph cancel.")
	if blockCap(app.stop().Root, app.Getenv) != "0" {
		fmt.Fprintln(out, "Claude Code ends a turn after 8 blocks in a row without a tool call; the loop\nthen continues with your next prompt.")
	}
}

// announce says what was started. If the command runs as a slash command, the model reads
// this text, so it contains the exact promise.
func announce(app *App, args loopArgs, sessionID, path string) {
	out := app.Stdout
	first := "🔄 Ralph loop activated in this session!"
	if sessionID == "" {
		first = "🔄 Ralph loop activated; the next session that stops in this project takes it over."
	}
	if args.maxIterations == 0 && args.promise == "" {
		first += " It has neither a limit nor a promise; to stop it: " + display.Bridge + " ralph cancel"
	}
	limit := "unlimited"
	if args.maxIterations > 0 {
		limit = strconv.Itoa(args.maxIterations)
	} else if _, given := args.given["--max-iterations"]; given {
		limit += " (0 means no limit; 10 would mean ten runs of the prompt)"
	}
	person := app.Getenv(claude.EnvSessionID) == "" && app.terminal() != nil
	if person {
		announcePerson(app, args, limit)
		return
	}
	fmt.Fprintln(out, first)
	promise := "none"
	if args.promise != "" {
		promise = args.promise + " (ONLY output when TRUE - do not lie!)"
	}
	app.printf("\nIteration: 1\nMax iterations: %s\nCompletion promise: %s\nState file: %s\n", limit, promise, path)
	fmt.Fprintln(out, "\nAt each stop the same prompt is sent again; the work of earlier iterations is in the files and in git.")
	fmt.Fprintln(out, "To see it: "+display.Bridge+" status. To pause: "+display.Bridge+" ralph pause. To end it: "+display.Bridge+" ralph cancel.")
	if blockCap(app.stop().Root, app.Getenv) != "0" {
		fmt.Fprintln(out, "Claude Code ends a turn after 8 blocks in a row without a tool call (CLAUDE_CODE_STOP_HOOK_BLOCK_CAP=0 lifts that); the loop then continues with your next prompt.")
	}
	if args.promise != "" {
		app.printf("\nCRITICAL - Ralph Loop Completion Promise\nTo end the loop, output exactly this text:\n  <promise>%s</promise>\nOnly when the statement is completely and truly TRUE. Do not output it to escape the loop, even if you are stuck.\n", args.promise)
	}
	fmt.Fprintf(out, "\n%s\n", args.prompt)
}
