package shell

import (
	"maps"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// during sets variables and returns a function that restores them.
func (w *walker) during(set func()) (after func()) {
	before := w.vars
	w.vars = maps.Clone(before)
	if w.vars == nil {
		w.vars = map[string][]Arg{}
	}
	set()
	return func() { w.vars = before }
}

// params sets the name and the arguments of a script.
func (w *walker) params(args []Arg) {
	for i, a := range args[:min(len(args), 10)] {
		w.vars[strconv.Itoa(i)] = []Arg{a}
	}
	if len(args) > 1 && len(args) < maxValues {
		w.vars["@"], w.vars["*"] = args[1:], args[1:]
	}
}

// positional records the arguments that the builtin set gives to the shell.
func (w *walker) positional(args []Arg) {
	for i, a := range args {
		if a.Text == "--" || !strings.HasPrefix(a.Text, "-") && !strings.HasPrefix(a.Text, "+") && (i == 0 || args[i-1].Text != "-o") {
			if a.Text == "--" {
				i++
			}
			w.params(append([]Arg{{}}, args[i:]...))
			return
		}
	}
}

// git analyses what a git command itself runs: an alias that its options define, and the commands of bisect, submodule,
// rebase and others.
func (w *walker) git(args []Arg, token string, via []string) {
	args, alias := gitAliases(args)
	if len(args) == 0 {
		return
	}
	sub, rest := strings.ToLower(args[0].Text), args[1:]
	if script, ok := alias[sub]; ok {
		w.script(script+" "+Join(rest), with(via, "git alias"))
		return
	}
	switch sub {
	case "bisect":
		if len(rest) > 0 && rest[0].Text == "run" {
			w.add(rest[1:], token, with(via, "git bisect run"))
		}
	case "submodule":
		if rest = skipOptions(rest); len(rest) > 0 && rest[0].Text == "foreach" {
			w.script(Join(skipOptions(rest[1:])), with(via, "git submodule foreach"))
		}
	case "rebase", "difftool", "filter-branch":
		for i, a := range rest {
			name, value, separate := Option(a, "x", "exec extcmd tree-filter index-filter env-filter msg-filter commit-filter parent-filter tag-name-filter")
			if !strings.HasPrefix(a.Text, "-") || value.Text == "" && !separate {
				continue
			}
			if separate && i+1 < len(rest) {
				value = rest[i+1]
			}
			w.script(value.Text, with(via, "git "+sub+" "+name))
		}
	}
}

// gitAliases returns the words after the options of git, and the aliases that these options define as command lines.
func gitAliases(args []Arg) (rest []Arg, alias map[string]string) {
	short, long, _ := Globals("git")
	alias = map[string]string{}
	for len(args) > 0 && len(args[0].Text) > 1 && args[0].Text[0] == '-' {
		name, value, separate := Option(args[0], short, long)
		if args = args[1:]; separate && len(args) > 0 {
			value, args = args[0], args[1:]
		}
		key, script, _ := strings.Cut(value.Text, "=")
		if name == "c" && len(key) > 6 && strings.EqualFold(key[:6], "alias.") && strings.HasPrefix(script, "!") {
			alias[strings.ToLower(key[6:])] = script[1:]
		}
	}
	return args, alias
}

// skipOptions removes the options at the beginning of the words.
func skipOptions(args []Arg) []Arg {
	for len(args) > 0 && strings.HasPrefix(args[0].Text, "-") {
		args = args[1:]
	}
	return args
}

// powerShell analyses the line after -Command, as far as its syntax is the same as that of Bash.
func (w *walker) powerShell(args []Arg, via []string) {
	for i, a := range args {
		if option := strings.ToLower(a.Text); len(option) > 1 && strings.HasPrefix("-command", option) {
			w.script(Join(args[i+1:]), with(via, "pwsh -Command"))
			return
		}
	}
}

// Inside returns a command and the commands that it runs after a wrapper or in a script.
func Inside(args []Arg) Line {
	w := walker{line: Line{Complete: true, Subshells: []int{0}}, vars: map[string][]Arg{}}
	w.add(args, Join(args), nil)
	return w.line
}

// substituted are the words that a command substitution prints, if it is a whole word and its command prints its own
// operands.
func (w *walker) substituted(word *syntax.Word, src string) []Arg {
	parts, quoted := word.Parts, false
	if len(parts) == 1 {
		if q, ok := parts[0].(*syntax.DblQuoted); ok {
			parts, quoted = q.Parts, true
		}
	}
	if len(parts) != 1 {
		return nil
	}
	sub, ok := parts[0].(*syntax.CmdSubst)
	if w.nested++; w.nested > maxScripts {
		ok = false
	}
	defer func() { w.nested-- }()
	if !ok || len(sub.Stmts) != 1 || len(sub.Stmts[0].Redirs) > 0 {
		return nil
	}
	words := w.printed(sub.Stmts[0], src, false)
	if quoted && len(words) > 1 {
		return nil
	}
	return words
}

// printed are the words that a statement prints, as far as its operands show them: echo and printf print the operands,
// ls the names in a directory, which the path of a program, realpath and dirname a path. lines says that blanks do not
// separate the words.
func (w *walker) printed(s *syntax.Stmt, src string, lines bool) (words []Arg) {
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 {
		return nil
	}
	args := w.all(call, src)
	operands := make([]Arg, 0, len(args))
	for _, a := range args[1:] {
		if !strings.HasPrefix(a.Text, "-") {
			operands = append(operands, a)
		}
	}
	separators := strings.NewReplacer(`\n`, "\n", `\0`, "\n", `\t`, " ")
	text := func(a Arg) {
		if !a.Known {
			words = append(words, a)
			return
		}
		split := strings.Fields
		if lines {
			split = func(s string) []string { return strings.Split(strings.Trim(s, "\n"), "\n") }
		}
		for _, word := range split(separators.Replace(a.Text)) {
			words = append(words, Arg{word, a.Known})
		}
	}
	switch name := Program(args[0].Text); name {
	case "echo", "printf":
		if lines && name == "echo" {
			text(Arg{Join(operands), true})
			break
		}
		for _, a := range operands {
			if !strings.ContainsRune(a.Text, '%') {
				text(a)
			}
		}
	case "cat", "tee":
		for _, red := range s.Redirs {
			if red.Hdoc != nil {
				text(Arg{source(src, red.Hdoc), true})
			}
		}
	case "ls", "dir", "vdir":
		if words = operands; len(words) == 0 {
			words = []Arg{{"*", true}}
		}
	case "which", "realpath":
		words = operands
	case "command", "type", "readlink":
		if len(args) == 3 && HasWord("-v -p -P -f", args[1].Text) {
			words = operands
		}
	case "dirname":
		for _, a := range operands {
			words = append(words, Arg{strings.TrimRight(a.Text, "/") + "/..", a.Known})
		}
	}
	return words
}

// Separate is how many commands of a line run by themselves and not inside another command.
func Separate(commands []Simple) (n int) {
	for _, c := range commands {
		if len(c.Via) == 0 {
			n++
		}
	}
	return n
}
