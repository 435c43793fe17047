// Package guard looks at a tool call before it runs: the user's deny and ask
// rules, and a few calls of which nobody wants to be surprised. In the client's
// auto mode no permission dialog comes, so this is the gate there (design section
// 2). What it does not know it has no opinion about.
package guard

import (
	"path"
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

// Verdict is a decision and why it was made. Reason names the safe way.
type Verdict struct {
	Decision            Decision
	Rule, Token, Reason string
}

// Facts are what the built-in rules look at. All paths are absolute, clean and
// with forward slashes.
type Facts struct {
	Call policy.Call
	Line shell.Line
	Cwd  string
	// Branch is the branch that is checked out, or empty when it is not known.
	Branch string
	// Own are the directories of bridge's own state and configuration.
	Own []string
	// Unhooks says that the call writes a settings file of the client so that
	// bridge no longer stands in it, or all hooks are off.
	Unhooks bool
	// Background is about the session's background tasks.
	Background Background
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
		{"recursive-delete", Deny, "it would delete everything below the root, the home directory or the project. Name the one directory that is to go, such as rm -r ./build", recursiveDelete},
		{"force-push", Deny, "it would rewrite a protected branch for everybody. Push to a branch of its own, or push without force", forcePush},
		{"git-directory", Deny, "what stands in .git is git's own. Use the git command for it", gitDirectory},
		{"own-directory", Deny, "bridge keeps its records and the user's rules there. Use the bridge commands, or ask the user", ownDirectory},
		{"unhook", Ask, "it takes bridge out of the client's settings, or switches all hooks off. The user decides that", func(f Facts) (string, bool) { return f.Call.Tool, f.Unhooks }},
		{"pkill-full", Deny, "pkill -f matches whole command lines, and may end this session or the user's other programs. Use pkill -x NAME, or kill with the process id", pkillFull},
	}
}

// builtin asks the built-in rules in order.
func builtin(f Facts) Verdict {
	for _, r := range rules() {
		if token, ok := r.match(f); ok {
			return Verdict{r.decision, r.id, token, r.reason}
		}
	}
	return Verdict{}
}

// program is the name of a command without its directory.
func program(c shell.Simple) string {
	if len(c.Args) == 0 {
		return ""
	}
	return path.Base(c.Args[0].Text)
}

// options splits the words behind the program into options and operands.
func options(c shell.Simple) (opts []string, operands []shell.Arg) {
	for i := 1; i < len(c.Args); i++ {
		text := c.Args[i].Text
		if text == "--" {
			return opts, append(operands, c.Args[i+1:]...)
		}
		if len(text) > 1 && text[0] == '-' {
			opts = append(opts, text)
			continue
		}
		operands = append(operands, c.Args[i])
	}
	return opts, operands
}

// has reports whether an option is given, in its long form, abbreviated or in a
// cluster of short ones.
func has(opts []string, short byte, long string) bool {
	for _, o := range opts {
		if name, ok := strings.CutPrefix(o, "--"); ok {
			name, _, _ = strings.Cut(name, "=")
			if len(name) > 2 && strings.HasPrefix(long, name) {
				return true
			}
			continue
		}
		if short != 0 && strings.IndexByte(o[1:], short) >= 0 {
			return true
		}
	}
	return false
}

func recursiveDelete(f Facts) (string, bool) {
	for _, c := range f.Line.Commands {
		if program(c) != "rm" {
			continue
		}
		opts, operands := options(c)
		if !has(opts, 'r', "recursive") && !has(opts, 'R', "") {
			continue
		}
		for _, operand := range operands {
			target, ok := f.target(operand.Text)
			if ok && (target == "/" || target == f.Call.Home || within(f.Call.Root, target)) {
				return c.Token, true
			}
		}
	}
	return "", false
}

// target resolves an operand as far as it can be known: quotes off, the home
// directory filled in, a trailing wildcard away.
func (f Facts) target(text string) (abs string, ok bool) {
	text = strings.Trim(text, `"'`)
	for _, home := range []string{"${HOME}", "$HOME", "~"} {
		if rest, found := strings.CutPrefix(text, home); found && (rest == "" || rest[0] == '/') && f.Call.Home != "" {
			text = f.Call.Home + rest
		}
	}
	for _, tail := range []string{"/*", "/.*", "/{*,.*}"} {
		if rest, found := strings.CutSuffix(text, tail); found {
			text = rest + "/"
		}
	}
	if text == "*" {
		text = "."
	}
	if text == "" || strings.ContainsAny(text, "$`*?[{") {
		return "", false
	}
	if !path.IsAbs(text) {
		text = path.Join(f.Cwd, text)
	}
	return path.Clean(text), true
}

// within reports whether p is dir or lies below it.
func within(p, dir string) bool {
	return p != "" && (p == dir || strings.HasPrefix(p, strings.TrimSuffix(dir, "/")+"/"))
}

func forcePush(f Facts) (string, bool) {
	protected := []string{"main", "master"}
	for _, c := range f.Line.Commands {
		if program(c) != "git" {
			continue
		}
		opts, operands := options(c)
		at := slices.IndexFunc(operands, func(a shell.Arg) bool { return a.Text == "push" })
		if at < 0 {
			continue
		}
		forced := false
		for _, o := range opts {
			name, _, _ := strings.Cut(o, "=")
			forced = forced || name == "--force" || name == "--mirror" || !strings.HasPrefix(o, "--") && strings.Contains(o, "f")
		}
		// The first operand behind push is the remote.
		refs := operands[min(at+2, len(operands)):]
		if len(refs) == 0 && forced && (f.Branch == "" || slices.Contains(protected, f.Branch)) {
			return c.Token, true
		}
		for _, ref := range refs {
			name, plus := strings.CutPrefix(ref.Text, "+")
			if _, to, ok := strings.Cut(name, ":"); ok {
				name = to
			}
			name = strings.TrimPrefix(name, "refs/heads/")
			if name == "HEAD" {
				name = f.Branch
			}
			if (forced || plus) && slices.Contains(protected, name) {
				return c.Token, true
			}
		}
	}
	return "", false
}

// written lists what a call writes or removes, as absolute paths with the part of
// the call that names them.
func (f Facts) written() (paths []string) {
	switch f.Call.Tool {
	case "Write", "Edit", "MultiEdit", "NotebookEdit":
		paths = append(paths, f.Call.Paths...)
	}
	add := func(text string) {
		if target, ok := f.target(text); ok {
			paths = append(paths, target)
		}
	}
	for _, w := range f.Line.Writes {
		add(w.Text)
	}
	for _, c := range f.Line.Commands {
		_, operands := options(c)
		switch program(c) {
		case "rm", "rmdir", "tee", "truncate", "mv", "unlink":
			for _, operand := range operands {
				add(operand.Text)
			}
		case "cp", "install", "ln":
			if len(operands) > 1 {
				add(operands[len(operands)-1].Text)
			}
		}
	}
	return paths
}

func gitDirectory(f Facts) (string, bool) {
	for _, p := range f.written() {
		if strings.Contains(p+"/", "/.git/") {
			return p, true
		}
	}
	return "", false
}

func ownDirectory(f Facts) (string, bool) {
	for _, p := range f.written() {
		for _, own := range f.Own {
			if own != "" && within(p, own) {
				return p, true
			}
		}
	}
	return "", false
}

func pkillFull(f Facts) (string, bool) {
	for _, c := range f.Line.Commands {
		if program(c) != "pkill" {
			continue
		}
		if opts, _ := options(c); has(opts, 'f', "full") {
			return c.Token, true
		}
	}
	return "", false
}
