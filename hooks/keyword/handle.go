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
		if !fromUser(req.Input) {
			return protocol.Outcome{Trace: protocol.Trace{Rule: "not-the-user"}}, nil
		}
		if worker := req.Env.Getenv("OMC_TEAM_WORKER"); worker != "" {
			trace := protocol.Trace{Rule: "not-the-user"}
			trace.Add("OMC_TEAM_WORKER", worker)
			return protocol.Outcome{Trace: trace}, nil
		}
		prompt := req.Input.Prompt.Text()
		d := Detect(prompt, nil)
		if d.Found() && !d.Cancel {
			if disabled := req.Env.Config.Keywords.Disabled; len(disabled) > 0 {
				d = Detect(prompt, disabled)
			}
		}
		if !d.Found() {
			trace := protocol.Trace{Rule: "no-keyword"}
			for _, near := range d.Near {
				trace.Rule = "only-mentioned"
				trace.Add(near.Trigger, string(near.Why))
			}
			return protocol.Outcome{Trace: trace}, nil
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

// fromUser reports whether the user, or a program of the user, sent the prompt, and not a subagent, a schedule or a
// report.
func fromUser(in protocol.Input) bool {
	switch in.Prompt.Source {
	case "", "user", "sdk":
		return in.AgentID == ""
	}
	return false
}

// end ends the session's active loops and modes: all of them, or those that are named.
func end(ctx context.Context, stop *protocol.Stop, d Detection, list protocol.Lister) (protocol.Outcome, error) {
	all, err := list(stop)
	if err != nil {
		return protocol.Outcome{}, fmt.Errorf("list what to cancel: %w", err)
	}
	outcome := protocol.Outcome{Trace: protocol.Trace{Rule: "cancelled"}}
	var ended, kinds []string
	lang := protocol.Chinese
	for _, l := range all {
		st := l.Status
		if l.Cancel == nil || st.SessionID != stop.Input.SessionID || st.State != protocol.LoopActive && st.State != protocol.LoopPaused || !meant(st.Kind, d.Modes) {
			continue
		}
		ended, kinds = append(ended, st.Label), append(kinds, st.Kind)
		if st.Lang != protocol.Chinese {
			lang = protocol.English
		}
		outcome.Writes = append(outcome.Writes, protocol.Write{What: "cancel " + st.Label, Do: func() error {
			_, err := l.Cancel()
			return err
		}})
	}
	if len(ended) == 0 {
		outcome.Trace.Rule = "nothing-to-cancel"
		outcome.Output = forModel("[bridge] The user wants to cancel, but no loop or mode is active for this session, so nothing was ended.")
		return outcome, nil
	}
	outcome.Trace.Loop = strings.Join(kinds, ",")
	// Each command takes the lock itself, and must get it within the time that is left.
	unlock, err := project.Lock(ctx, stop.Env, stop.Root, project.LockWait(ctx))
	if err != nil {
		return notNow("cancel "+strings.Join(ended, ", "), err, display.Bridge+" mode stop, or "+display.Bridge+" ralph cancel"), nil
	}
	unlock()
	outcome.Output = forModel(fmt.Sprintf(lang.In("[bridge] 用户取消了: %s 已经结束, 不再阻止停止。不要继续它。", "[bridge] The user cancelled: %s ended and blocks no more stops. Do not continue with it. "), strings.Join(ended, ", ")) + wayBack(lang, kinds))
	outcome.OnWriteError = func(err error) protocol.Output {
		return protocol.Notice(fmt.Sprintf("bridge could not cancel: %v. In a terminal: "+display.Bridge+" mode stop, or "+display.Bridge+" ralph cancel.", err))
	}
	return outcome, nil
}

// wayBack names the commands that resume what was cancelled. A session of smart ralph is
// in its history.
func wayBack(lang protocol.Lang, kinds []string) string {
	if !slices.ContainsFunc(kinds, func(kind string) bool { return kind != "smart" }) {
		return fmt.Sprintf(lang.In("`%s` 会列出它, 加上 `--restore ID` 就恢复它。", "`%s` lists it, and `--restore ID` restores it."), display.Bridge+" ralph resume --history")
	}
	return "`" + display.Bridge + " ralph resume` and `" + display.Bridge + " mode start MODE --resume` resume it."
}

// notNow tells the user that bridge could not do what the prompt asked for, because it did
// not get the lock. A prompt without effect must not look like one with an effect.
func notNow(what string, err error, command string) protocol.Outcome {
	return protocol.Outcome{
		Trace:  protocol.Trace{Rule: "locked"},
		Output: protocol.Notice(fmt.Sprintf("bridge could not %s: %v. Send the prompt again, or run this in a terminal: %s.", what, err, command)),
	}
}

// meant reports whether a cancel includes this kind of loop or mode. The name ralph
// includes the loops of all dialects.
func meant(kind string, modes []moderegistry.Mode) bool {
	if len(modes) == 0 {
		return true
	}
	if _, err := moderegistry.Parse(kind); err != nil {
		return slices.Contains(modes, moderegistry.Ralph)
	}
	return slices.Contains(modes, moderegistry.Mode(kind))
}

// begin starts the modes that a prompt asks for. If a mode must not start, the model is
// told why.
func begin(ctx context.Context, stop *protocol.Stop, d Detection, prompt string) (protocol.Outcome, error) {
	registry := moderegistry.Open(stop)
	unlock, err := registry.Lock(ctx, project.LockWait(ctx))
	if err != nil {
		return notNow("start "+names(d.Modes), err, display.Bridge+" mode start MODE PROMPT"), nil
	}
	outcome := protocol.Outcome{Close: unlock, Trace: protocol.Trace{Rule: "started"}}
	ending := registry.Ending()
	var lines, kinds, shown []string
	for _, mode := range d.Modes {
		writes, err := registry.PlanStart(moderegistry.StartOptions{Mode: mode, Prompt: prompt})
		var active *moderegistry.ActiveError
		var conflict *moderegistry.ConflictError
		switch {
		case err == nil:
			outcome.Writes = append(outcome.Writes, writes...)
			lines, kinds, shown = append(lines, started(mode, ending)), append(kinds, moderegistry.Kind(mode)), append(shown, startedShown(mode, ending))
		case errors.As(err, &active):
			lines = append(lines, fmt.Sprintf("%s is already active for this session and stays as it is.", mode))
		case errors.As(err, &conflict):
			outcome.Trace.Rule = "refused"
			lines, shown = append(lines, err.Error()+". Tell the user."), append(shown, fmt.Sprintf("[bridge] %v.", err))
		case errors.Is(err, moderegistry.ErrBadSession):
			unlock()
			return protocol.Outcome{
				Trace:  protocol.Trace{Rule: "bad-session"},
				Output: protocol.Notice(fmt.Sprintf("bridge could not %v. The prompt continues without it.", err)),
			}, nil
		default:
			unlock()
			return protocol.Outcome{}, fmt.Errorf("start %s: %w", mode, err)
		}
	}
	for _, mode := range d.Dropped {
		lines = append(lines, fmt.Sprintf("%s was not started, because it cannot run together with another mode that the prompt asks for.", mode))
	}
	outcome.Trace.Loop = strings.Join(kinds, ",")
	outcome.Output = forModel("[bridge] The user asked for " + names(d.Modes) + ".\n" + strings.Join(lines, "\n"))
	outcome.Output.SystemMessage = strings.Join(shown, "\n")
	outcome.OnWriteError = func(err error) protocol.Output {
		return protocol.Notice(fmt.Sprintf("bridge could not start %s: %v. The prompt continues without it.", names(d.Modes), err))
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

// forModel is an output that only the model reads.
func forModel(text string) protocol.Output {
	return protocol.Context(protocol.EventUserPromptSubmit, text)
}
