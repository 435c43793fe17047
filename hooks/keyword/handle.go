package keyword

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hookbridge/bridge/hooks"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/settings"
	"github.com/hookbridge/bridge/moderegistry"
)

// Handle returns the handler of UserPromptSubmit. list finds the loops and modes
// that a cancel ends.
func Handle(list hooks.Lister) hooks.Handler {
	return func(ctx context.Context, req hooks.Request) (hooks.Outcome, error) {
		getenv := req.Env.Getenv
		if !fromUser(req.Input) || getenv("OMC_TEAM_WORKER") != "" {
			return hooks.Outcome{Trace: hooks.Trace{Rule: "not-the-user"}}, nil
		}
		prompt := req.Input.Prompt.Text()
		d := Detect(prompt, nil)
		if d.Found() && !d.Cancel {
			// Most prompts need no configuration. One that is broken switches nothing
			// off; the router tells of it.
			if config, err := settings.Load(project.ConfigHome(getenv)); err == nil && len(config.Keywords.Disabled) > 0 {
				d = Detect(prompt, config.Keywords.Disabled)
			}
		}
		if !d.Found() {
			return hooks.Outcome{Trace: hooks.Trace{Rule: "no-keyword"}}, nil
		}
		places := project.Find(req.Input.CWD, getenv)
		stop := &hooks.Stop{Input: req.Input, Env: req.Env, Places: places.Search, Root: places.Root}
		var outcome hooks.Outcome
		var err error
		if d.Cancel {
			outcome, err = end(stop, d, list)
		} else {
			outcome, err = begin(ctx, stop, d, prompt)
		}
		outcome.Trace.Step = "keyword"
		outcome.Trace.Add("form", d.Rule)
		return outcome, err
	}
}

// fromUser reports a prompt that a person or a program of the user's sent: not a
// subagent's, and not one that the client made of a schedule or a report.
func fromUser(in hooks.Input) bool {
	switch in.Prompt.Source {
	case "", "user", "sdk":
		return in.AgentID == ""
	}
	return false
}

// end ends what the session has active: every loop and mode, or the named ones.
func end(stop *hooks.Stop, d Detection, list hooks.Lister) (hooks.Outcome, error) {
	all, err := list(stop)
	if err != nil {
		return hooks.Outcome{}, fmt.Errorf("look for what is to be cancelled: %w", err)
	}
	outcome := hooks.Outcome{Trace: hooks.Trace{Rule: "cancelled"}}
	var ended []string
	for _, l := range all {
		st := l.Status
		if l.Cancel == nil || st.SessionID != stop.Input.SessionID || st.State != hooks.LoopActive && st.State != hooks.LoopPaused || !meant(st.Kind, d.Modes) {
			continue
		}
		ended = append(ended, st.Label)
		outcome.Writes = append(outcome.Writes, hooks.Write{What: "cancel " + st.Label, Do: func() error {
			_, err := l.Cancel()
			return err
		}})
	}
	if len(ended) == 0 {
		outcome.Trace.Rule = "nothing-to-cancel"
		outcome.Output = forModel("[bridge] The user cancels, but no loop or mode is active for this session. Nothing had to be ended.")
		return outcome, nil
	}
	outcome.Output = forModel(fmt.Sprintf("[bridge] The user cancelled: %s ended, and will not hold the session any more. Do not go on with it. `bridge ralph resume` and `bridge mode start MODE --resume` bring it back.", strings.Join(ended, ", ")))
	outcome.OnWriteError = func(err error) hooks.Output {
		return hooks.Notice(fmt.Sprintf("bridge could not cancel: %v. In a terminal: bridge mode stop, or bridge ralph cancel.", err))
	}
	return outcome, nil
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
func begin(ctx context.Context, stop *hooks.Stop, d Detection, prompt string) (hooks.Outcome, error) {
	registry := moderegistry.Open(stop)
	unlock, err := registry.Lock(ctx, project.LockWait)
	if err != nil {
		return hooks.Outcome{}, fmt.Errorf("start %v: %w", d.Modes, err)
	}
	outcome := hooks.Outcome{Close: unlock, Trace: hooks.Trace{Rule: "started"}}
	var lines []string
	for _, mode := range d.Modes {
		writes, err := registry.PlanStart(moderegistry.StartOptions{Mode: mode, Prompt: prompt})
		var active *moderegistry.ActiveError
		var conflict *moderegistry.ConflictError
		switch {
		case err == nil:
			outcome.Writes = append(outcome.Writes, writes...)
			lines = append(lines, started(mode))
		case errors.As(err, &active):
			lines = append(lines, fmt.Sprintf("%s is active for this session already and stays as it is.", mode))
		case errors.As(err, &conflict):
			outcome.Trace.Rule = "refused"
			lines = append(lines, err.Error()+". Tell the user.")
		default:
			unlock()
			return hooks.Outcome{}, fmt.Errorf("start %s: %w", mode, err)
		}
	}
	for _, mode := range d.Dropped {
		lines = append(lines, fmt.Sprintf("%s was not started beside it: the two exclude each other.", mode))
	}
	outcome.Output = forModel("[bridge] The user asked for " + names(d.Modes) + ".\n" + strings.Join(lines, "\n"))
	outcome.OnWriteError = func(err error) hooks.Output {
		return hooks.Notice(fmt.Sprintf("bridge could not start %s: %v. The prompt goes on without it.", names(d.Modes), err))
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

// started tells the model what a mode that just started means for it.
func started(mode moderegistry.Mode) string {
	end := fmt.Sprintf(" When the user wants to end it: `bridge mode stop %s`.", mode)
	switch mode {
	case moderegistry.Ralph:
		return "ralph is on: each time you stop, you are sent back to the task, until it is done and a reviewer has confirmed it. Work on the task fully." + end
	case moderegistry.Autopilot:
		return "autopilot is on, in its first phase: write a specification of the idea to .omc/autopilot/spec.md. When that is done, end your message with EXPANSION_COMPLETE alone on its line; you are then told the next phase." + end
	case moderegistry.Ultrawork:
		return "ultrawork is on: write the work down as a task list, hand independent parts to subagents that work in parallel, and mark each task as completed when it is checked. You are sent back to work while any is open." + end
	case moderegistry.Ultrapilot, moderegistry.Swarm, moderegistry.Pipeline, moderegistry.Team, moderegistry.Ultraqa:
		return fmt.Sprintf("%s is registered as active for this session; it holds no stop. If there is a skill of that name, use it.", mode) + end
	}
	return ""
}

// forModel is an output for the model.
func forModel(text string) hooks.Output { return hooks.Context(hooks.EventUserPromptSubmit, text) }
