package permission

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/hookbridge/bridge/client"
	"github.com/hookbridge/bridge/hooks/guard"
	"github.com/hookbridge/bridge/internal/home"
	"github.com/hookbridge/bridge/internal/policy"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/protocol"
)

// ErrNoPlace means that neither the working directory nor the project exists, so
// that nothing can be said about what a call reads.
var ErrNoPlace = errors.New("the working directory does not exist")

// Handle answers one permission dialog. Any error ends in a deny.
func Handle(_ context.Context, req protocol.Request) (protocol.Outcome, error) {
	v, err := Judge(req)
	outcome := protocol.Outcome{Trace: protocol.Trace{Rule: v.Rule}}
	if err != nil {
		return outcome, err
	}
	outcome.Trace.Add("matched", v.Token)
	outcome.Trace.Add("why", v.Why)
	for _, name := range req.Audit {
		outcome.Trace.Add("dropped field", name)
	}
	switch v.Kind {
	case Allow:
		echo := req.Input.Tool.ToolInput
		if !v.Echo {
			echo = nil
		}
		outcome.Output = protocol.AllowPermission(echo)
	case Deny:
		outcome.Output = protocol.DenyPermission(fmt.Sprintf("bridge denied this %s call: %s (%s). Do it another way, or ask the user to change that rule.", req.Input.Tool.ToolName, v.Why, v.Token))
	case Ask:
	}
	return outcome, nil
}

// Judge decides a call for the hook, for bridge check and for bridge explain. The error
// means that the call cannot be judged safely.
func Judge(req protocol.Request) (Verdict, error) {
	in, env, places := req.Input, req.Env, req.Places()
	if places.Root == "" {
		return Verdict{Rule: "no-place"}, ErrNoPlace
	}
	rules, err := policy.Load(env, places.Search)
	if err != nil {
		return Verdict{Rule: "configuration"}, err
	}
	cwd, err := filepath.EvalSymlinks(in.CWD)
	if err != nil || !filepath.IsAbs(cwd) {
		return Verdict{Rule: "no-place"}, ErrNoPlace
	}
	call, err := policy.NewCall(in.Tool.ToolName, in.Tool.ToolInput, cwd, places.Root, env.Getenv)
	if err != nil {
		return Verdict{Rule: "tool-input"}, err
	}
	rules.Follow(call)
	facts := Facts{Call: call, Policy: rules}
	facts.Suggestions, facts.Offered = offers(in.Permission.Suggestions)
	v := Decide(facts)
	if facts.Call.Tool = client.Meant(in.Client, call.Tool); facts.Call.Tool != "" {
		if other := Decide(facts); other.Kind == Deny {
			v = other
		}
	}
	if v.Kind == Allow {
		if why := unclear(in.Tool.ToolName, in.Tool.ToolInput); why != "" {
			v = Verdict{Kind: Ask, Rule: "tool-input", Token: in.Tool.ToolName, Why: why}
		}
	}
	if v.Kind == Allow && (env.ConfigHome == "" || home.Dir(env.Getenv) == "") {
		v = Verdict{Kind: Ask, Rule: "no-home", Token: in.Tool.ToolName, Why: "The home directory is not known, so your own rules cannot be read."}
	}
	v = vet(v, call, place{cwd: cwd, given: in.CWD, root: places.Root, settings: project.SettingsDirs(places, cwd, env.Getenv), secrets: rules.Options.Secrets, unread: rules.Unread(call.Root, call.Home), getenv: env.Getenv})
	return guarded(v, req)
}

// guarded leaves a call to the dialog if an allow rule covers it but the guards of pre-tool-use object: a guard asks a
// person, and no rule may answer in that person's place. The guards do not concern read-only calls.
func guarded(v Verdict, req protocol.Request) (Verdict, error) {
	if v.Kind != Allow || !strings.Contains(v.Rule, allowRule) {
		return v, nil
	}
	req.Input.HookEventName = protocol.EventPreToolUse
	g, _, err := guard.Judge(req)
	if err != nil || g.Decision == guard.None {
		return v, err
	}
	return Verdict{Kind: Ask, Rule: "guard-" + g.Rule, Token: g.Token, By: g.By, Why: "a rule of yours allows it, but " + g.Reason}, nil
}
