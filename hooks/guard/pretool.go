package guard

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/client/claude/settingsfile"
	"github.com/hookbridge/bridge/internal/git"
	"github.com/hookbridge/bridge/internal/policy"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/self"
	"github.com/hookbridge/bridge/internal/shell"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// PreToolUse checks a tool call before it runs. If the check fails, the router lets the
// tool run.
func PreToolUse(_ context.Context, req protocol.Request) (protocol.Outcome, error) {
	outcome := protocol.Outcome{Trace: protocol.Trace{Rule: "no-opinion"}}
	v, rulesErr, err := Judge(req)
	if rulesErr != nil {
		outcome.Diagnostic = fmt.Sprintf("some deny and ask rules do not apply until this is fixed: %v", rulesErr)
	}
	if errors.Is(err, policy.ErrToolInput) {
		// The client itself would reject a call with such an input.
		outcome.Trace.Rule = "tool-input"
		return outcome, nil
	}
	if err != nil || v.Decision == None {
		return outcome, err
	}
	outcome.Trace.Rule = v.Rule
	outcome.Trace.Add("matched", v.Token)
	reason := fmt.Sprintf("bridge (%s): %s.", v.Rule, v.Reason)
	outcome.Output = protocol.DenyTool(reason)
	if v.Decision == Ask {
		outcome.Output = protocol.AskTool(reason)
	}
	return outcome, nil
}

// Judge says what the guards think of a call, for the hook and for bridge check.
// rulesErr says which rules could not be read; the others still apply.
func Judge(req protocol.Request) (v Verdict, rulesErr, err error) {
	in, getenv := req.Input, req.Env.Getenv
	places := req.Places()
	if places.Root == "" || in.Tool.ToolName == "" {
		return Verdict{}, nil, nil
	}
	rules, rulesErr := policy.Load(req.Env, places.Search)
	cwd, err := filepath.EvalSymlinks(in.CWD)
	if err != nil {
		cwd = places.Root
	}
	call, err := policy.NewCall(in.Tool.ToolName, in.Tool.ToolInput, cwd, places.Root, getenv)
	if err != nil {
		return Verdict{}, rulesErr, err
	}
	facts := Facts{
		Call: call, Cwd: filepath.ToSlash(cwd),
		Own:        []string{filepath.ToSlash(req.Env.StateHome), filepath.ToSlash(req.Env.ConfigHome)},
		Background: background(in, req.Env),
	}
	facts.look(in.Tool, getenv)
	return Decide(facts, rules), rulesErr, nil
}

// Decide asks the user's deny rules, the built-in rules, the limit of background
// tasks, and the user's ask rules. It is pure.
func Decide(f Facts, rules policy.Policy) Verdict {
	if r, token, ok := policy.Match(rules.Deny, f.Call); ok {
		return Verdict{Deny, "deny-rule", token, fmt.Sprintf("the rule %s in %s forbids %s. Do it another way, or ask the user to change that rule", r.Text, r.Source, f.Call.Tool), []policy.Rule{r}}
	}
	if v := builtin(f); v.Decision != None {
		return v
	}
	if v := f.Background.verdict(); v.Decision != None {
		return v
	}
	if r, token, ok := policy.Match(rules.Ask, f.Call); ok {
		return Verdict{Ask, "ask-rule", token, fmt.Sprintf("the rule %s in %s asks before %s", r.Text, r.Source, f.Call.Tool), []policy.Rule{r}}
	}
	return Verdict{}
}

// look reads what the built-in rules need to know about the files that the call names. It reads no other file.
func (f *Facts) look(tool protocol.ToolFields, getenv func(string) string) {
	f.eachPush(func(_ shell.Simple, _ gitCall, dir, _ string) {
		if _, known := f.Branches[dir]; known || dir == "" {
			return
		}
		if name := branch(dir, getenv); name != "" {
			if f.Branches == nil {
				f.Branches = map[string]string{}
			}
			f.Branches[dir] = name
		}
	})
	f.foreign = foreignChanges(tool, f.Call.Home)
	f.changes = f.changed()
	if len(f.changes) == 0 {
		return
	}
	f.follow(getenv)
	f.Own = append(f.Own, programs(f.changes, getenv)...)
	for _, w := range f.changes {
		for _, file := range f.settingsFiles(w, getenv) {
			f.Unhooks = f.Unhooks || unhooks(tool, file)
		}
		f.ProjectRules = f.ProjectRules || f.projectRules(w)
	}
}

// branch reads the branch that is checked out around a directory, or "".
func branch(dir string, getenv func(string) string) string {
	gitDir := git.Dir(project.Find(filepath.FromSlash(dir), getenv).Root)
	if gitDir == "" {
		return ""
	}
	file, err := statefile.ReadIn(gitDir, "HEAD")
	if err != nil {
		return ""
	}
	ref, _ := git.Head(file.Data)
	name, ok := strings.CutPrefix(ref, "refs/heads/")
	// A repository that stores its branches in another format has a placeholder there.
	if !ok || name == ".invalid" {
		return ""
	}
	return name
}

// programs returns the paths of bridge's program: where it is installed, where it runs
// from, and those of the written files that are links to it.
func programs(written []change, getenv func(string) string) []string {
	all := []string{filepath.ToSlash(project.BinaryPath(getenv))}
	if bin := path.Dir(all[0]); path.Base(bin) == "bin" && path.Base(path.Dir(bin)) == "bridge" {
		// The directory contains nothing else.
		all = append(all, path.Dir(bin))
	}
	running, err := os.Executable()
	if err != nil {
		return all
	}
	all = append(all, filepath.ToSlash(running))
	for _, w := range written {
		if !self.Named(path.Base(w.path)) {
			continue
		}
		if resolved, err := filepath.EvalSymlinks(filepath.FromSlash(w.path)); err == nil && resolved == running {
			all = append(all, w.path)
		}
	}
	return all
}

// settingsFiles are the files with hook lines that a change may affect: the path itself, or the files below a directory
// that is removed.
func (f *Facts) settingsFiles(w change, getenv func(string) string) (all []string) {
	if w.several() {
		for _, source := range settingsfile.Files([]string{f.Call.Root}, getenv) {
			if file := filepath.ToSlash(source.Path); w.reaches(file) || w.effect >= moves && w.covers(file) {
				all = append(all, file)
			}
		}
		for _, file := range f.linked {
			if w.reaches(file) {
				all = append(all, file)
			}
		}
	}
	if settingsfile.Named(w.path) || slices.Contains(f.linked, w.path) {
		return []string{w.path}
	}
	if strings.EqualFold(path.Base(w.path), claude.Dir) && w.effect >= fills {
		all = append(all, w.path+"/settings.json", w.path+"/settings.local.json")
	}
	if w.effect < moves {
		return all
	}
	for _, source := range settingsfile.Files([]string{f.Call.Root}, getenv) {
		if file := filepath.ToSlash(source.Path); within(file, w.path) {
			all = append(all, file)
		}
	}
	for _, file := range f.linked {
		if within(file, w.path) {
			all = append(all, file)
		}
	}
	plugins := filepath.ToSlash(claude.Home(getenv)) + "/plugins"
	if within(plugins, w.path) || within(w.path, plugins) {
		for _, source := range settingsfile.Sources(f.Call.Root, getenv) {
			if file := filepath.ToSlash(source.Path); source.Plugin != "" && within(file, w.path) {
				all = append(all, file)
			}
		}
	}
	return all
}

// projectRules reports whether a change affects existing rules of a repository.
func (f *Facts) projectRules(w change) bool {
	file := w.path
	switch rules := f.Call.Root + "/" + claude.Dir + "/" + policy.ProjectFile; {
	case w.several() && (w.reaches(rules) || w.effect >= moves && w.covers(rules)):
		file = rules
	case path.Base(file) == policy.ProjectFile && path.Base(path.Dir(file)) == claude.Dir:
	case w.effect >= fills && path.Base(file) == claude.Dir:
		file += "/" + policy.ProjectFile
	case w.effect >= moves && within(f.Call.Root, file):
		file = f.Call.Root + "/" + claude.Dir + "/" + policy.ProjectFile
	default:
		return false
	}
	_, err := os.Lstat(filepath.FromSlash(file))
	return err == nil
}
