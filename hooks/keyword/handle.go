package keyword

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/moderegistry"
	"github.com/hookbridge/bridge/protocol"
)

// Handle returns the handler of UserPromptSubmit. list finds the loops and modes
// that a cancel ends.
func Handle(list protocol.Lister) protocol.Handler {
	return func(ctx context.Context, req protocol.Request) (protocol.Outcome, error) {
		if !fromUser(req.Input) || req.Env.Getenv("OMC_TEAM_WORKER") != "" {
			return protocol.Outcome{Trace: protocol.Trace{Rule: "not-the-user"}}, nil
		}
		prompt := req.Input.Prompt.Text()
		d := Detect(prompt, nil)
		if d.Found() && !d.Cancel {
			if disabled := req.Env.Config.Keywords.Disabled; len(disabled) > 0 {
				d = Detect(prompt, disabled)
			}
		}
		if !d.Found() {
			return protocol.Outcome{Trace: protocol.Trace{Rule: "no-keyword"}}, nil
		}
		var outcome protocol.Outcome
		var err error
		if d.Cancel {
			outcome, err = end(ctx, req.Stop(), d, list)
		} else {
			outcome, err = begin(ctx, req.Stop(), d, prompt)
		}
		outcome.Trace.Step = "keyword"
		outcome.Trace.Add("form", d.Rule)
		return outcome, err
	}
}

// fromUser reports a prompt that a person or a program of the user's sent: not a
// subagent's, and not one that the client made of a schedule or a report.
func fromUser(in protocol.Input) bool {
	switch in.Prompt.Source {
	case "", "user", "sdk":
		return in.AgentID == ""
	}
	return false
}

// end ends what the session has active: every loop and mode, or the named ones.
func end(ctx context.Context, stop *protocol.Stop, d Detection, list protocol.Lister) (protocol.Outcome, error) {
	all, err := list(stop)
	if err != nil {
		return protocol.Outcome{}, fmt.Errorf("look for what is to be cancelled: %w", err)
	}
	outcome := protocol.Outcome{Trace: protocol.Trace{Rule: "cancelled"}}
	var ended, kinds []string
	for _, l := range all {
		st := l.Status
		if l.Cancel == nil || st.SessionID != stop.Input.SessionID || st.State != protocol.LoopActive && st.State != protocol.LoopPaused || !meant(st.Kind, d.Modes) {
			continue
		}
		ended, kinds = append(ended, st.Label), append(kinds, st.Kind)
		outcome.Writes = append(outcome.Writes, protocol.Write{What: "cancel " + st.Label, Do: func() error {
			_, err := l.Cancel()
			return err
		}})
	}
	if len(ended) == 0 {
		outcome.Trace.Rule = "nothing-to-cancel"
		outcome.Output = forModel("[bridge] The user cancels, but no loop or mode is active for this session. Nothing had to be ended.")
		return outcome, nil
	}
	outcome.Trace.Loop = strings.Join(kinds, ",")
	// Each order takes the lock itself, and has less time for it than there is now.
	unlock, err := project.Lock(ctx, stop.Env, stop.Root, project.LockWait(ctx))
	if err != nil {
		return notNow("cancel "+strings.Join(ended, ", "), err, display.Bridge+" mode stop, or "+display.Bridge+" ralph cancel"), nil
	}
	unlock()
	outcome.Output = forModel(fmt.Sprintf("[bridge] The user cancelled: %s ended, and will not hold the session any more. Do not go on with it. `"+display.Bridge+" ralph resume` and `"+display.Bridge+" mode start MODE --resume` bring it back.", strings.Join(ended, ", ")))
	outcome.OnWriteError = func(err error) protocol.Output {
		return protocol.Notice(fmt.Sprintf("bridge could not cancel: %v. In a terminal: "+display.Bridge+" mode stop, or "+display.Bridge+" ralph cancel.", err))
	}
	return outcome, nil
}

// notNow tells the user that a lock kept bridge from what the prompt asked for. A
// prompt that did nothing must not look like one that did.
func notNow(what string, err error, command string) protocol.Outcome {
	return protocol.Outcome{
		Trace:  protocol.Trace{Rule: "locked"},
		Output: protocol.Notice(fmt.Sprintf("bridge could not %s: %v. Say it again, or in a terminal: %s.", what, err, command)),
	}
}

// meant reports whether a cancel names the kind of a loop or mode. Naming ralph
// means the loops of all its dialects.
func meant(kind string, modes []moderegistry.Mode) bool {
	if len(modes) == 0 {
		return true
	}
	if _, err := moderegistry.Parse(kind); err != nil {
		return slices.Contains(modes, moderegistry.Ralph)
	}
	return slices.Contains(modes, moderegistry.Mode(kind))
}

// begin starts the modes that a prompt asks for. A mode that may not start becomes
// an explanation for the model.
func begin(ctx context.Context, stop *protocol.Stop, d Detection, prompt string) (protocol.Outcome, error) {
	registry := moderegistry.Open(stop)
	unlock, err := registry.Lock(ctx, project.LockWait(ctx))
	if err != nil {
		return notNow("start "+names(d.Modes), err, display.Bridge+" mode start MODE PROMPT"), nil
	}
	outcome := protocol.Outcome{Close: unlock, Trace: protocol.Trace{Rule: "started"}}
	var lines, kinds []string
	for _, mode := range d.Modes {
		writes, err := registry.PlanStart(moderegistry.StartOptions{Mode: mode, Prompt: prompt})
		var active *moderegistry.ActiveError
		var conflict *moderegistry.ConflictError
		switch {
		case err == nil:
			outcome.Writes = append(outcome.Writes, writes...)
			lines, kinds = append(lines, started(mode)), append(kinds, moderegistry.Kind(mode))
		case errors.As(err, &active):
			lines = append(lines, fmt.Sprintf("%s is active for this session already and stays as it is.", mode))
		case errors.As(err, &conflict):
			outcome.Trace.Rule = "refused"
			lines = append(lines, err.Error()+". Tell the user.")
		default:
			unlock()
			return protocol.Outcome{}, fmt.Errorf("start %s: %w", mode, err)
		}
	}
	for _, mode := range d.Dropped {
		lines = append(lines, fmt.Sprintf("%s was not started beside it: the two exclude each other.", mode))
	}
	outcome.Trace.Loop = strings.Join(kinds, ",")
	outcome.Output = forModel("[bridge] The user asked for " + names(d.Modes) + ".\n" + strings.Join(lines, "\n"))
	outcome.OnWriteError = func(err error) protocol.Output {
		return protocol.Notice(fmt.Sprintf("bridge could not start %s: %v. The prompt goes on without it.", names(d.Modes), err))
	}
	return outcome, nil
}

func names(modes []moderegistry.Mode) string {
	var all []string
	for _, mode := range modes {
		all = append(all, string(mode))
	}
	return strings.Join(all, " and ")
}

// forModel is an output for the model.
func forModel(text string) protocol.Output {
	return protocol.Context(protocol.EventUserPromptSubmit, text)
}
