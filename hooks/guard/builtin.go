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
		{"force-push", Deny, "it would rewrite or remove a protected branch for everybody. Push to a branch of its own, or push without force", forcePush},
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
	for _, d := range f.deletions() {
		if d.path == "/" || within(f.Call.Home, d.path) || within(f.Call.Root, d.path) {
			return d.token, true
		}
	}
	return "", false
}

// change is a path that a command writes or removes, and the part of the call that
// says so.
type change struct{ path, token string }

// deletions lists what a command line removes with all below it.
func (f Facts) deletions() (all []change) {
	f.eachCommand(func(c shell.Simple, dir string) {
		opts, operands := options(c)
		switch program(c) {
		case "rm":
			if !has(opts, 'r', "recursive") && !has(opts, 'R', "") {
				return
			}
		case "find":
			// A search for something is not for everything.
			if !plainFindDelete(c) {
				return
			}
			operands = slices.DeleteFunc(operands, func(a shell.Arg) bool { return digits(a.Text) })
			if len(operands) == 0 {
				operands = []shell.Arg{{Text: "."}}
			}
		default:
			return
		}
		for _, operand := range operands {
			if target, ok := f.target(operand, dir); ok {
				all = append(all, change{target, c.Token})
			}
		}
	})
	return all
}

// plainFindDelete reports a find that deletes whatever it meets.
func plainFindDelete(c shell.Simple) bool {
	deletes := false
	for _, a := range c.Args[1:] {
		switch {
		case a.Text == "-delete":
			deletes = true
		case a.Text == "-depth", a.Text == "-mindepth", a.Text == "-maxdepth", a.Text == "-xdev", a.Text == "-mount":
		case strings.HasPrefix(a.Text, "-"), a.Text == "!", a.Text == "(":
			return false
		}
	}
	return deletes
}

func digits(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// eachCommand visits the commands with the directory in which each runs, as far as
// a cd before it tells; it is empty when nobody can know.
func (f Facts) eachCommand(visit func(c shell.Simple, dir string)) {
	dir := f.Cwd
	for _, c := range f.Line.Commands {
		visit(c, dir)
		if name := program(c); name != "cd" && name != "pushd" {
			continue
		}
		_, operands := options(c)
		to := shell.Arg{Text: "~"}
		if len(operands) > 0 {
			to = operands[0]
		}
		var ok bool
		if dir, ok = f.target(to, dir); !ok {
			dir = ""
		}
	}
}

// target resolves an operand as far as it can be known: quotes off, the home
// directory and the working directory filled in, a trailing wildcard away.
func (f Facts) target(arg shell.Arg, dir string) (abs string, ok bool) {
	text := arg.Text
	if !arg.Known {
		text = strings.NewReplacer(`"`, "", `'`, "").Replace(text)
	}
	fill := func(value string, names ...string) {
		for _, name := range names {
			if rest, found := strings.CutPrefix(text, name); found && (rest == "" || rest[0] == '/') && value != "" {
				text = value + rest
				return
			}
		}
	}
	fill(f.Call.Home, "${HOME}", "$HOME", "${HOME:?}", "~")
	fill(dir, "${PWD}", "$PWD", "$(pwd)", "`pwd`")
	fill(f.Call.Root, "${CLAUDE_PROJECT_DIR}", "$CLAUDE_PROJECT_DIR")
	// All that is in a directory is as much as the directory.
	dirPart, last := path.Split(strings.TrimRight(text, "/"))
	switch last {
	case "*", "**", ".*", "{*,.*}", "{.*,*}", ".[!.]*", "{,.}*":
		if text = dirPart; text == "" {
			text = "."
		}
	}
	if strings.ContainsAny(text, "$`*?[{") || arg.Text == "" {
		return "", false
	}
	if !path.IsAbs(text) {
		if dir == "" {
			return "", false
		}
		text = path.Join(dir, text)
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
		// A lease only makes sure of what is overwritten.
		forced, all := has(opts, 'd', "delete"), has(opts, 0, "mirror")
		for _, o := range opts {
			forced = forced || strings.HasPrefix(o, "--force") || !strings.HasPrefix(o, "--") && strings.Contains(o, "f")
			all = all || o == "--all" || o == "--branches"
		}
		forced = forced || has(opts, 0, "mirror")
		// The first operand behind push is the remote.
		refs := operands[min(at+2, len(operands)):]
		if len(refs) == 0 && forced && (all || f.Branch == "" || slices.Contains(protected, f.Branch)) {
			return c.Token, true
		}
		for _, ref := range refs {
			name, plus := strings.CutPrefix(ref.Text, "+")
			removed := false
			if from, to, ok := strings.Cut(name, ":"); ok {
				name, removed = to, from == ""
			}
			name = strings.TrimPrefix(name, "refs/heads/")
			name = strings.TrimPrefix(name, "heads/")
			if name == "HEAD" || name == "@" {
				name = f.Branch
			}
			if (forced || plus || removed) && slices.Contains(protected, name) {
				return c.Token, true
			}
		}
	}
	return "", false
}

// written lists what a call writes or removes.
func (f Facts) written() (all []change) {
	switch f.Call.Tool {
	case "Write", "Edit", "MultiEdit", "NotebookEdit":
		for _, p := range f.Call.Paths {
			all = append(all, change{p, p})
		}
	}
	add := func(arg shell.Arg, dir, token string) {
		if target, ok := f.target(arg, dir); ok {
			all = append(all, change{target, token})
		}
	}
	dir := f.Cwd
	f.eachCommand(func(c shell.Simple, at string) {
		dir = at
		opts, operands := options(c)
		switch program(c) {
		case "sed", "perl":
			if !has(opts, 'i', "in-place") {
				return
			}
			fallthrough
		case "rm", "rmdir", "tee", "truncate", "mv", "unlink", "shred", "touch", "chmod", "chown":
			for _, operand := range operands {
				add(operand, at, c.Token)
			}
		case "cp", "install", "ln", "rsync":
			if len(operands) > 1 {
				add(operands[len(operands)-1], at, c.Token)
			}
			if has(opts, 't', "target-directory") && len(operands) > 0 {
				add(operands[0], at, c.Token)
			}
			for _, o := range opts {
				if name, value, ok := strings.Cut(o, "="); ok && len(name) > 2 && strings.HasPrefix("--target-directory", name) {
					add(shell.Arg{Text: value}, at, c.Token)
				}
			}
		case "dd":
			for _, operand := range operands {
				if value, ok := strings.CutPrefix(operand.Text, "of="); ok {
					add(shell.Arg{Text: value, Known: operand.Known}, at, c.Token)
				}
			}
		}
	})
	// Where a redirection stands among the commands is not known: both directories
	// may be meant.
	for _, w := range f.Line.Writes {
		add(w, f.Cwd, w.Text)
		if dir != f.Cwd {
			add(w, dir, w.Text)
		}
	}
	return append(all, f.deletions()...)
}

func gitDirectory(f Facts) (string, bool) {
	for _, w := range f.written() {
		// Some file systems take .GIT for it.
		if strings.Contains(strings.ToLower(w.path)+"/", "/.git/") {
			return w.token, true
		}
	}
	return "", false
}

func ownDirectory(f Facts) (string, bool) {
	for _, own := range f.Own {
		if own == "" {
			continue
		}
		for _, w := range f.written() {
			if within(w.path, own) {
				return w.token, true
			}
		}
		for _, d := range f.deletions() {
			if within(own, d.path) {
				return d.token, true
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
