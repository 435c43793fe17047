package guard

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/hookbridge/bridge/hooks"
	"github.com/hookbridge/bridge/internal/policy"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/settings"
	"github.com/hookbridge/bridge/internal/shell"
	"github.com/hookbridge/bridge/internal/statefile"
)

// PreToolUse looks at a tool call before it runs. A failure is no reason to hold
// the tool: the router then continues.
func PreToolUse(_ context.Context, req hooks.Request) (hooks.Outcome, error) {
	in, getenv := req.Input, req.Env.Getenv
	places := project.Find(in.CWD, getenv)
	outcome := hooks.Outcome{Trace: hooks.Trace{Rule: "no-opinion"}}
	if places.Root == "" || in.Tool.ToolName == "" {
		return outcome, nil
	}
	configHome := project.ConfigHome(getenv)
	// The router told of a broken configuration already. The built-in rules hold
	// all the same.
	config, _ := settings.Load(configHome)
	rules, rulesErr := policy.Load(config, filepath.Join(configHome, settings.FileName), places.Search)
	if rulesErr != nil {
		outcome.Diagnostic = fmt.Sprintf("some deny and ask rules do not hold until this is mended: %v", rulesErr)
	}
	cwd, err := filepath.EvalSymlinks(in.CWD)
	if err != nil {
		cwd = places.Root
	}
	call, err := policy.NewCall(in.Tool.ToolName, in.Tool.ToolInput, cwd, places.Root, getenv)
	if errors.Is(err, policy.ErrToolInput) {
		// The client refuses a call of the wrong shape itself.
		outcome.Trace.Rule = "tool-input"
		return outcome, nil
	}
	if err != nil {
		return outcome, err
	}
	facts := Facts{
		Call: call, Cwd: filepath.ToSlash(cwd), Branch: branch(places.Root),
		Own:        []string{filepath.ToSlash(project.StateHome(getenv)), filepath.ToSlash(configHome)},
		Background: background(in, config.Permissions, getenv, req.Env.Now),
	}
	if call.Text != "" {
		facts.Line = shell.Walk(call.Text)
	}
	facts.Unhooks = unhooks(in.Tool, facts)
	v := Decide(facts, rules)
	if v.Decision == None {
		return outcome, nil
	}
	outcome.Trace.Rule = v.Rule
	outcome.Trace.Add("matched", v.Token)
	reason := fmt.Sprintf("bridge (%s): %s.", v.Rule, v.Reason)
	outcome.Output = hooks.DenyTool(reason)
	if v.Decision == Ask {
		outcome.Output = hooks.AskTool(reason)
	}
	return outcome, nil
}

// Decide asks the user's deny rules, the built-in rules, the limit of background
// tasks, and the user's ask rules. It is pure.
func Decide(f Facts, rules policy.Policy) Verdict {
	if r, token, ok := policy.Match(rules.Deny, f.Call); ok {
		return Verdict{Deny, "deny-rule", token, fmt.Sprintf("the rule %s in %s forbids %s. Do it another way, or ask the user to change that rule", r.Text, r.Source, f.Call.Tool)}
	}
	if v := builtin(f); v.Decision != None {
		return v
	}
	if v := f.Background.verdict(); v.Decision != None {
		return v
	}
	if r, token, ok := policy.Match(rules.Ask, f.Call); ok {
		return Verdict{Ask, "ask-rule", token, fmt.Sprintf("the rule %s in %s asks before %s", r.Text, r.Source, f.Call.Tool)}
	}
	return Verdict{}
}

// branch reads the checked-out branch, or "".
func branch(root string) string {
	dir, err := statefile.OpenDir(filepath.Join(root, ".git"))
	if err != nil {
		return ""
	}
	defer dir.Close()
	file, err := dir.Read("HEAD")
	if err != nil {
		return ""
	}
	name, ok := strings.CutPrefix(strings.TrimSpace(string(file.Data)), "ref: refs/heads/")
	if !ok {
		return ""
	}
	return name
}

// unhooks reports whether a call takes bridge out of a settings file of the
// client, or switches all hooks off there. What a command line would leave in the
// file is not known, so it counts whatever it does to one that names bridge.
func unhooks(tool hooks.ToolFields, f Facts) bool {
	var in struct {
		Content   string `json:"content"`
		OldString string `json:"old_string"`
		NewString string `json:"new_string"`
		Edits     []struct {
			OldString string `json:"old_string"`
			NewString string `json:"new_string"`
		} `json:"edits"`
	}
	for _, w := range f.written() {
		base := path.Base(w.path)
		if f.Line.Commands != nil && base == ".claude" {
			return hooked(w.path+"/settings.json") || hooked(w.path+"/settings.local.json")
		}
		if base != "settings.json" && base != "settings.local.json" {
			continue
		}
		switch tool.ToolName {
		case "Edit", "MultiEdit":
			if json.Unmarshal(tool.ToolInput, &in) != nil {
				return false
			}
			before, after := in.OldString, in.NewString
			for _, edit := range in.Edits {
				before, after = before+edit.OldString, after+edit.NewString
			}
			if strings.Contains(after, allHooksOff) || strings.Contains(before, hookLine) && !strings.Contains(after, hookLine) {
				return true
			}
		case "Write":
			if json.Unmarshal(tool.ToolInput, &in) != nil {
				return false
			}
			if strings.Contains(in.Content, allHooksOff) || !strings.Contains(in.Content, hookLine) && hooked(w.path) {
				return true
			}
		default:
			if hooked(w.path) {
				return true
			}
		}
	}
	return false
}

// What a settings file with bridge in it holds, and one without any hooks.
const (
	hookLine    = "--hook"
	allHooksOff = "disableAllHooks"
)

// hooked reports whether a settings file names a hook of bridge.
func hooked(file string) bool {
	dir, err := statefile.OpenDir(filepath.FromSlash(path.Dir(file)))
	if err != nil {
		return false
	}
	defer dir.Close()
	content, err := dir.Read(path.Base(file))
	return err == nil && strings.Contains(string(content.Data), hookLine)
}
