// Package guard checks a tool call before it runs: against the user's deny and ask rules, and for a few destructive
// calls. In the client's auto mode no permission dialog appears, so this check replaces it
// (docs/reference/claude-code.md#auto-mode). If no rule matches a call, the package has no opinion. After a call it
// counts the call and records a failure (posttool.go). It also records tool hooks that missed their deadline (late.go).
// The tests that drive it are in cmd/bridge/internal/router/guard.
package guard

import (
	"slices"
	"strings"

	"github.com/hookbridge/bridge/internal/policy"
	"github.com/hookbridge/bridge/internal/shell"
)

// Decision is what the guard says about a call; None is no opinion.
type Decision string

// The decisions.
const (
	None Decision = ""
	Deny Decision = "deny"
	Ask  Decision = "ask"
)

// Verdict is a decision and why it was made. Reason also names a safe alternative.
type Verdict struct {
	Decision            Decision
	Rule, Token, Reason string
	// By is the rule of the user or of a repository that decided; it is empty if a
	// built-in rule did.
	By []policy.Rule
}

// Facts are what the built-in rules judge. All paths are absolute, clean and with
// forward slashes.
type Facts struct {
	Call policy.Call
	Cwd  string
	// Branches are the branches that are checked out in the directories from which
	// something is pushed. Unknown branches are absent.
	Branches map[string]string
	// Own are bridge's program and the directories of its state and configuration.
	Own []string
	// Unhooks says that the call removes bridge from a settings file of the client, or switches all hooks off there.
	Unhooks bool
	// ProjectRules says that the call writes or removes the rules of a repository.
	ProjectRules bool
	// Background describes the session's background tasks.
	Background Background
	// Homes are the home directory as HOME names it, and its path without links.
	Homes []string
	// foreign lists what a tool of an MCP server writes or removes.
	foreign []change
	// linked are the targets of those settings files of the client that are links.
	linked []string
	// changes lists what the call writes or removes; nil means not determined yet.
	changes []change
}

// rule is one built-in rule: it returns the part of the call that it matches.
type rule struct {
	id       string
	decision Decision
	reason   string
	match    func(f Facts) (token string, ok bool)
}

// rules are the built-in rules. State files of loops and modes, tasks and
// progress files appear in none of them: coordinators and cancel commands write
// and remove those.
func rules() []rule {
	return []rule{
		{"recursive-delete", Deny, "it would delete everything below the root, the home directory or the project. To delete one directory, name it, for example rm -r ./build", changes(recursiveDelete)},
		{"force-push", Deny, "it would rewrite or remove a protected branch for everybody. Push to another branch, or push without force", func(f Facts) (string, bool) { return f.pushes(Deny) }},
		{"git-directory", Deny, "only git should change files in .git. Use a git command instead", changes(gitDirectory)},
		{"own-directory", Deny, "bridge keeps its program, its records or the user's rules there. Use the bridge commands, or ask the user", changes(ownDirectory)},
		{"pkill-full", Deny, "pkill -f matches whole command lines, and may end this session or the user's other programs. Use pkill -x NAME, or kill with the process id", pkillFull},
		// Rules that deny come before rules that ask.
		{"unhook", Ask, "it removes bridge from the client's settings, or switches all hooks off. Only the user may decide that", unhook},
		{"project-rules", Ask, "it changes the deny and ask rules in .claude/bridge.json. Only the user may decide that", func(f Facts) (string, bool) { return f.Call.Tool, f.ProjectRules }},
		{"force-push", Ask, "it forces a push, and bridge cannot tell which branch it rewrites. Name the branch, or push without force", func(f Facts) (string, bool) { return f.pushes(Ask) }},
		{"over-limit", Ask, "the command line is too long or too deeply nested for a complete check. Split it, or put the long part into a file", func(f Facts) (string, bool) { return f.Call.Tool, f.Call.Line.OverLimit }},
	}
}

// builtin asks the built-in rules in order.
func builtin(f Facts) Verdict {
	if f.changes == nil {
		f.changes = f.changed()
	}
	for _, r := range rules() {
		if token, ok := r.match(f); ok {
			return Verdict{Decision: r.decision, Rule: r.id, Token: token, Reason: r.reason}
		}
	}
	return Verdict{}
}

// program is the name of a command without its directory, in lower case: on some file systems RM is rm.
func program(c shell.Simple) string {
	if len(c.Args) == 0 {
		return ""
	}
	name := strings.ToLower(shell.Program(c.Args[0].Text))
	if shell.HasWord(coreutils, name) {
		return name[1:]
	}
	return name
}

// coreutils are GNU programs under the names that they have on other systems.
const coreutils = "grm gmv gcp gln gtee gdd gtruncate gshred ginstall gtouch gchmod gchown gchgrp gsort gshuf gsplit gunlink grmdir gfind"

// words are the words after a program, divided into options and operands.
type words struct {
	// opts are the options as written, without values in the same word.
	opts     []string
	options  []option // those with a value
	operands []shell.Arg
}

// option is an option with its value.
type option struct {
	name  string
	value shell.Arg
}

// options divides the words after the program as if no option took the next word as its value.
func options(c shell.Simple) words { return split(c.Args[min(1, len(c.Args)):], "", "") }

// split divides words into options and operands; short and long are as in shell.Option.
func split(args []shell.Arg, short, long string) (w words) {
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		switch {
		case arg.Text == "--":
			w.operands = append(w.operands, args...)
			return w
		case len(arg.Text) < 2 || arg.Text[0] != '-':
			w.operands = append(w.operands, arg)
			continue
		}
		text := arg.Text
		name, value, separate := shell.Option(arg, short, long)
		if separate && len(args) > 0 {
			value, args = args[0], args[1:]
		}
		if separate || value.Text != "" {
			w.options = append(w.options, option{name, value})
			// The letters of a value are not options.
			if len(name) == 1 && text[1] != '-' {
				text = text[:strings.IndexAny(text, short)+1]
			}
		}
		w.opts = append(w.opts, text)
	}
	return w
}

// values returns the values of the options with one of the names.
func (w words) values(names string) (all []shell.Arg) {
	for _, o := range w.options {
		if shell.HasWord(names, o.name) {
			all = append(all, o.value)
		}
	}
	return all
}

// has reports whether an option is given, in its long form, abbreviated or in a
// cluster of short ones.
func (w words) has(short byte, long string) bool {
	return slices.ContainsFunc(w.opts, func(o string) bool {
		if name, ok := strings.CutPrefix(o, "--"); ok {
			name, _, _ = strings.Cut(name, "=")
			return len(name) > 1 && strings.HasPrefix(long, name)
		}
		return short != 0 && strings.IndexByte(o[1:], short) >= 0
	})
}

// changes turns a check of one change into a rule.
func changes(match func(f Facts, c change) bool) func(Facts) (string, bool) {
	return func(f Facts) (string, bool) {
		at := slices.IndexFunc(f.changes, func(c change) bool { return match(f, c) })
		if at < 0 {
			return "", false
		}
		return f.changes[at].token, true
	}
}

func recursiveDelete(f Facts, c change) bool {
	if c.effect != wipes {
		return false
	}
	return c.path == "/" || c.covers(f.Call.Home) || c.covers(f.Call.Root) || slices.ContainsFunc(f.Homes, c.covers)
}

// gitDirectory treats .GIT as .git, as some file systems do.
func gitDirectory(f Facts, c change) bool {
	if c.lock {
		return false
	}
	if slices.ContainsFunc(strings.Split(strings.ToLower(c.path), "/"), func(part string) bool { return matches(part, ".git") }) {
		return true
	}
	if c.below == "" || c.sparesGit {
		return false
	}
	return slices.ContainsFunc([]string{"index", "HEAD", "config", "packed-refs"}, func(name string) bool { return c.reaches(f.Call.Root + "/.git/" + name) })
}

func ownDirectory(f Facts, c change) bool {
	return slices.ContainsFunc(f.Own, func(own string) bool {
		return own != "" && (c.isIn(own) || c.reaches(own) || c.effect >= moves && c.covers(own))
	})
}

// unhook matches a change that removes bridge from a settings file, and the commands
// that do that.
func unhook(f Facts) (string, bool) {
	if f.Unhooks {
		return f.Call.Tool, true
	}
	for _, c := range f.Call.Line.Commands {
		got := options(c)
		word := append(got.operands, make([]shell.Arg, 3)...)
		switch program(c) {
		case "bridge", "hookbridge":
			if word[0].Text == "uninstall" && !got.has(0, "dry-run") && !got.has('h', "help") {
				return c.Token, true
			}
		case "claude":
			if word[0].Text == "plugin" && shell.HasWord("uninstall remove rm disable", word[1].Text) && strings.Contains(word[2].Text, "bridge") {
				return c.Token, true
			}
		}
	}
	return "", false
}

func pkillFull(f Facts) (string, bool) {
	for _, c := range f.Call.Line.Commands {
		if program(c) == "pkill" && options(c).has('f', "full") {
			return c.Token, true
		}
	}
	return "", false
}
