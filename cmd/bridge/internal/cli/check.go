package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/hooks/guard"
	"github.com/hookbridge/bridge/hooks/permission"
	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/home"
	"github.com/hookbridge/bridge/internal/policy"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/settings"
	"github.com/hookbridge/bridge/protocol"
)

type checkCmd struct {
	Command string `arg:"" help:"The command line, in quotes."`
	JSON    bool   `help:"Print JSON."`
}

// jsonAnswer is the answer of one hook in JSON.
type jsonAnswer struct {
	Verdict permission.Kind `json:"verdict"`
	Rule    string          `json:"rule"`
	Token   string          `json:"token"`
	Why     string          `json:"why"`
	// Sources are the rules of files that decided; it is empty if a built-in rule did.
	Sources []jsonSource `json:"sources"`
}

// jsonSource is a rule of a file. Line is 0 if it is no longer there.
type jsonSource struct {
	Rule string `json:"rule"`
	File string `json:"file"`
	Line int    `json:"line"`
}

// sources looks up the lines of rules.
func sources(rules []policy.Rule) []jsonSource {
	list := make([]jsonSource, 0, len(rules))
	for _, r := range rules {
		list = append(list, jsonSource{r.Text, r.Source, r.Line()})
	}
	return list
}

// jsonVerdict is the answer that counts, what each of the two hooks says, and what is
// wrong with the rules.
type jsonVerdict struct {
	jsonAnswer
	Dialog   jsonAnswer `json:"permission_request"`
	Guards   jsonAnswer `json:"pre_tool_use"`
	Problems []string   `json:"problems"`
}

// noOpinion is what the guards say about most calls.
const noOpinion permission.Kind = "none"

func (c checkCmd) Run(app *App) error {
	input, err := json.Marshal(map[string]string{"command": c.Command})
	if err != nil {
		return hinted(fmt.Errorf("read the command: %w", err), "Example: "+display.Bridge+" check 'git log --oneline | head'")
	}
	in := protocol.Input{Base: protocol.Base{CWD: app.Dir, HookEventName: protocol.EventPermissionRequest}}
	in.Tool.ToolName, in.Tool.ToolInput = claude.ToolBash, input
	// This stands for the client's ordinary dialog, which offers rules to remember.
	in.Permission.Suggestions = permission.OfferAll(c.Command)
	env := app.env()
	v := permission.Verdict{Rule: "configuration"}
	env.Config, err = settings.Load(env)
	req := project.Request(in, env)
	answer := jsonVerdict{Guards: jsonAnswer{Verdict: noOpinion, Rule: "deadline", Why: "they took too long"}}
	if err == nil {
		v, err = inTime(env, protocol.PermissionRequest, func() (permission.Verdict, error) { return permission.Judge(req) })
	}
	if err != nil {
		v.Kind, v.Why = permission.Deny, "it cannot be judged safely: "+err.Error()
	}
	answer.Dialog = jsonAnswer{v.Kind, v.Rule, v.Token, v.Why, sources(v.By)}
	if !errors.Is(err, errTooLate) {
		judged, late := inTime(env, protocol.PreToolUse, func() (jsonVerdict, error) {
			answer := jsonVerdict{Guards: guards(req)}
			rules, _ := policy.Load(req.Env, req.Places().Search)
			for _, p := range rules.Problems() {
				answer.Problems = append(answer.Problems, p.Text())
			}
			return answer, nil
		})
		if late == nil {
			answer.Guards, answer.Problems = judged.Guards, judged.Problems
		}
	}
	hook, other := protocol.PermissionRequest, "the guards of pre-tool-use have no objection"
	answer.jsonAnswer = answer.Dialog
	switch {
	case answer.Guards.Verdict == noOpinion && answer.Guards.Why != "":
		other = fmt.Sprintf("the guards of pre-tool-use say nothing (%s): %s", answer.Guards.Rule, answer.Guards.Why)
	case answer.Guards.Verdict == noOpinion:
	case answer.Guards.Verdict == permission.Deny || v.Kind == permission.Allow || v.Rule == "guard-"+answer.Guards.Rule:
		hook, answer.jsonAnswer = protocol.PreToolUse, answer.Guards
		other = fmt.Sprintf("permission-request says %s (%s): %s", v.Kind, v.Rule, v.Why)
	default:
		other = fmt.Sprintf("pre-tool-use says %s (%s): %s", answer.Guards.Verdict, answer.Guards.Rule, answer.Guards.Why)
	}
	if c.JSON {
		if err := printJSON(app, answer); err != nil {
			return err
		}
	} else if err := answer.show(app, hook, other, c.howToAllow(app, answer)); err != nil {
		return err
	}
	switch answer.Verdict {
	case permission.Allow:
		return nil
	case permission.Deny:
		return exitError(1)
	case permission.Ask:
	}
	return exitError(2)
}

var errTooLate = errors.New("it took longer than the deadline of the hook")

// inTime lets a hook's judgement have the time that the hook has: a disk that does not
// answer must not hold a command for longer.
func inTime[T any](env protocol.Env, hook protocol.Type, judge func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	row, _ := protocol.Lookup(hook)
	done := make(chan result, 1)
	go func() {
		value, err := judge()
		done <- result{value, err}
	}()
	timer := time.NewTimer(env.Config.Deadline(row))
	defer timer.Stop()
	select {
	case r := <-done:
		return r.value, r.err
	case <-timer.C:
		var none T
		return none, errTooLate
	}
}

// show prints the answer for a person: the cause first, the names that other commands and
// files use last.
func (v jsonVerdict) show(app *App, hook protocol.Type, other, allow string) error {
	s := app.screen().fitted()
	row := func(label, text string) { s.wrapped("  "+label+strings.Repeat(" ", 7-len(label)), "         ", text) }
	s.line("%s", string(v.Verdict))
	row("why", v.Why)
	if v.Token != "" {
		s.line("  part   %s", v.Token)
	}
	for _, from := range v.Sources {
		place := home.Short(from.File, app.Getenv)
		if from.Line > 0 {
			place += fmt.Sprintf(", line %d", from.Line)
		}
		row("from", from.Rule+" in "+place)
	}
	if allow != "" {
		row("allow", allow)
	}
	row("hook", string(hook))
	row("rule", v.Rule+" (its name in the log)")
	row("also", other)
	for _, problem := range v.Problems {
		row("note", problem)
	}
	return s.show()
}

// howToAllow says how a command that bridge does not know would pass, if one rule can say
// that: a line of several commands needs a rule for each.
func (c checkCmd) howToAllow(app *App, v jsonVerdict) string {
	command := strings.TrimSpace(c.Command)
	if v.Verdict != permission.Ask || v.Guards.Verdict != noOpinion || !strings.HasPrefix(v.Rule, "unknown-") || strings.ContainsAny(command, "\n;|&<>$`\"'\\(){}*?#~=") {
		return ""
	}
	dir := app.env().ConfigHome
	if dir == "" {
		return ""
	}
	return fmt.Sprintf("If it is safe, add %q to permissions.allow in %s.", "Bash("+command+")", home.Short(filepath.Join(dir, settings.FileName), app.Getenv))
}

// guards asks pre-tool-use.
func guards(req protocol.Request) jsonAnswer {
	req.Input.HookEventName = protocol.EventPreToolUse
	v, rulesErr, err := guard.Judge(req)
	switch {
	case err != nil:
		return jsonAnswer{Verdict: noOpinion, Rule: "error", Why: err.Error()}
	case v.Decision == guard.None && rulesErr != nil:
		return jsonAnswer{Verdict: noOpinion, Rule: "configuration", Why: rulesErr.Error()}
	case v.Decision == guard.None:
		return jsonAnswer{Verdict: noOpinion, Rule: "no-opinion"}
	}
	return jsonAnswer{permission.Kind(v.Decision), v.Rule, v.Token, v.Reason, sources(v.By)}
}
