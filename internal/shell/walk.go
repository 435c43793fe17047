package shell

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Simple is a simple command found anywhere in a command line.
type Simple struct {
	// Args is the argv, best effort.
	Args []Arg
	// Token is the source text of the command. Inside a string that is itself a
	// script (bash -c '...') it is the text of that script.
	Token string
	// Via names the wrappers around the command, outermost first: sudo, env,
	// xargs, bash -c, eval, find -exec.
	Via []string
	// Dirs are the directories that the wrappers enter before it runs, outermost
	// first.
	Dirs []Arg
	// Subshell is the number of the subshell, substitution, function or script that it is in, an index of Line.Subshells:
	// a cd there has no effect outside.
	Subshell int
}

// Arg is a word of a command.
type Arg struct {
	// Text is the value of the word; if Known is false, its source text.
	Text string
	// Known says that no parameter, command or arithmetic expansion was
	// involved, or only of a variable whose value the line gives. Globs, braces and
	// tildes stay as written.
	Known bool
}

// Line is what [Walk] found.
type Line struct {
	// Commands are all simple commands, in the order of the source; a wrapped
	// command follows its wrapper.
	Commands []Simple
	// Writes are the targets of output redirections.
	Writes []Arg
	// Subshells holds for each subshell the number of the one around it; the first is
	// the line itself.
	Subshells []int
	// Complete is false if the line could not be parsed or exceeds the limits. Commands is then incomplete, and a deny
	// rule cannot rely on it.
	Complete bool
	// OverLimit says that the line exceeds the limits. Commands covers only the part that was read.
	OverLimit bool
}

// Walk lists the simple commands anywhere in a command line: in lists, pipes, blocks, loops, functions, substitutions,
// after wrappers and in literal scripts. It is meant for deny and ask rules and approves nothing: an obfuscated command
// may escape it.
func Walk(command string) Line {
	w := walker{line: Line{Complete: true, Subshells: []int{0}}, vars: map[string][]Arg{}}
	w.script(command, nil)
	return w.line
}

// Limits of a walk. It approves nothing, so they are wider than those of an
// analysis: the text of a file in a here-document is ordinary.
const (
	maxScripts      = 5 // nesting of bash -c and the like
	maxWalkBytes    = 256 << 10
	maxWalkCommands = 5000
)

type walker struct {
	line Line
	// vars are the values of the variables that the line has assigned so far. choice is the index of the value to use if
	// there are several, choices their number.
	vars            map[string][]Arg
	choice, choices int
	// dirs are the directories that the wrappers of a script enter.
	dirs []Arg
	// subshell is the number of the current subshell, nested the current depth of nested substitutions.
	subshell, nested int
}

// enter begins a subshell inside the current one.
func (w *walker) enter() {
	w.line.Subshells = append(w.line.Subshells, w.subshell)
	w.subshell = len(w.line.Subshells) - 1
}

// overLimit records that a part of the line was not read.
func (w *walker) overLimit() { w.line.Complete, w.line.OverLimit = false, true }

// full reports that no more commands or redirections are recorded.
func (w *walker) full() bool {
	return len(w.line.Commands) >= maxWalkCommands || len(w.line.Writes) >= maxWalkCommands
}

// readable returns the part of a line that is within the limits. It counts how deep brackets are nested without parsing
// the line, so brackets in quotes and comments count as well.
func readable(command string) string {
	depth := 0
	for i := range min(len(command), maxWalkBytes) {
		switch command[i] {
		case '(', '{':
			if depth++; depth > maxOpeners {
				return command[:i]
			}
		case ')', '}':
			depth = max(depth-1, 0)
		}
	}
	return command[:min(len(command), maxWalkBytes)]
}

func (w *walker) script(command string, via []string) {
	if len(via) > maxScripts || w.full() {
		w.overLimit()
		return
	}
	if len(via) > 0 && via[len(via)-1] != "eval" {
		defer func(around int) { w.subshell = around }(w.subshell)
		w.enter()
	}
	if part := readable(command); part != command {
		w.overLimit()
		command = part
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash), syntax.RecoverErrors(5)).Parse(strings.NewReader(command), "")
	if err != nil {
		w.line.Complete = false
		// The user's shell may be the other one.
		if zsh, err := syntax.NewParser(syntax.Variant(syntax.LangZsh)).Parse(strings.NewReader(command), ""); err == nil {
			file = zsh
		}
	}
	if file == nil {
		return
	}
	var around []int
	syntax.Walk(file, func(n syntax.Node) bool {
		if n == nil {
			last := len(around) - 1
			w.subshell, around = around[last], around[:last]
			return true
		}
		around = append(around, w.subshell)
		w.visit(n, command, via)
		return true
	})
}

// visit records what a node of a script contains, apart from the nodes below it.
func (w *walker) visit(n syntax.Node, command string, via []string) {
	switch n := n.(type) {
	case *syntax.Subshell, *syntax.CmdSubst, *syntax.ProcSubst, *syntax.FuncDecl:
		w.enter()
	case *syntax.Redirect:
		w.redirect(n, command)
	case *syntax.Stmt:
		w.fed(n, command, via)
	case *syntax.ForClause:
		if loop, ok := n.Loop.(*syntax.WordIter); ok && loop.Name != nil && len(loop.Items) > 0 {
			w.set(loop.Name.Value, loop.Items, command)
		}
	case *syntax.DeclClause:
		w.assign(n.Args, command)
	case *syntax.CallExpr:
		if len(n.Args) == 0 {
			w.assign(n.Assigns, command)
			return
		}
		w.each(func() {
			args := w.all(n, command)
			if len(n.Assigns) > 0 {
				// The assignments apply to what the command runs.
				defer w.during(func() { w.assign(n.Assigns, command) })()
			}
			w.add(args, source(command, n), via)
		})
	}
}

// redirect records the target of an output redirection.
func (w *walker) redirect(n *syntax.Redirect, command string) {
	switch n.Op {
	case syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.RdrAll, syntax.AppAll, syntax.RdrInOut, syntax.DplOut:
	default:
		return
	}
	switch {
	case n.Word == nil:
	case w.full():
		w.overLimit()
	default:
		w.each(func() {
			if a := w.one(n.Word, command); n.Op != syntax.DplOut || a.Text != "-" && !digitsOnly(a.Text) {
				w.line.Writes = append(w.line.Writes, a)
			}
		})
	}
}

// add records a command, if there is one, and the commands that it wraps.
func (w *walker) add(args []Arg, token string, via []string) {
	if len(args) == 0 {
		return
	}
	if len(via) > maxScripts || w.full() {
		w.overLimit()
		return
	}
	w.line.Commands = append(w.line.Commands, Simple{Args: args, Token: token, Via: via, Dirs: w.dirs, Subshell: w.subshell})
	name, rest := path.Base(args[0].Text), args[1:]
	switch {
	case HasWord("read mapfile readarray getopts unset", name):
		for _, a := range rest {
			delete(w.vars, a.Text)
		}
	case name == "set":
		w.positional(rest)
	case HasWord(shells, name):
		w.shell(name, rest, via)
	case name == "git":
		w.git(rest, token, via)
	case HasWord("pwsh powershell", strings.ToLower(Program(name))):
		w.powerShell(rest, via)
	case name == "eval", HasWord("iex invoke-expression", strings.ToLower(name)):
		w.script(Join(rest), with(via, "eval"))
	case HasWord("find gfind bfs fd fdfind", name):
		for i, a := range rest {
			if HasWord(FindRuns, a.Text) || name[0] == 'f' && name[1] == 'd' && HasWord("-x -X --exec --exec-batch", a.Text) {
				w.add(FindCommand(rest[i+1:]), token, with(via, "find "+a.Text))
			}
		}
	case name == "trap":
		for _, a := range rest {
			if a.Known && strings.ContainsRune(a.Text, ' ') {
				w.script(a.Text, with(via, name))
			}
		}
	default:
		w.wrapped(name, rest, token, via)
	}
}

// shell analyses the script after the -c of a shell, with its arguments.
func (w *walker) shell(name string, args []Arg, via []string) {
	for i, a := range args {
		if strings.HasPrefix(a.Text, "-") && !strings.HasPrefix(a.Text, "--") && strings.Contains(a.Text, "c") && i+1 < len(args) {
			script, params := firstOperand(args[i+1:])
			defer w.during(func() { w.params(params) })()
			w.script(script.Text, with(via, name+" -c"))
			return
		}
	}
}

// wrapped analyses the command that a wrapper runs.
func (w *walker) wrapped(name string, args []Arg, token string, via []string) {
	wrapping, ok := wrapperOf(name)
	if !ok {
		return
	}
	defer func(before []Arg) { w.dirs = before }(w.dirs)
	if wrapping.sub != "" {
		before := wrapping
		before.operands = 0
		words, _ := before.behind(args)
		if len(words) == 0 || !HasWord(wrapping.sub, words[0].Text) {
			return
		}
		args = words[1:]
	}
	behind, dirs := wrapping.behind(args)
	if wrapping.sub != "" {
		if end := slices.IndexFunc(args, func(a Arg) bool { return a.Text == "--" }); end >= 0 {
			behind = args[end+1:]
		}
	}
	w.dirs = append(w.dirs[:len(w.dirs):len(w.dirs)], dirs...)
	for _, script := range wrapping.scripts(args) {
		w.script(script.Text, with(via, name+" -c"))
	}
	// watch, parallel and su take a command line in one word.
	if len(behind) > 0 && behind[0].Known && strings.ContainsRune(behind[0].Text, ' ') {
		w.script(behind[0].Text, with(via, name))
	}
	w.add(behind, token, with(via, name))
}

// FindRuns are the actions of find that run a command.
const FindRuns = "-exec -execdir -ok -okdir"

// FindCommand returns the command that such an action runs, from the words after it.
func FindCommand(args []Arg) []Arg {
	if end := slices.IndexFunc(args, func(a Arg) bool { return a.Text == ";" || a.Text == "+" }); end >= 0 {
		return args[:end]
	}
	return args
}

// Join writes words with a space between them.
func Join(args []Arg) string {
	texts := make([]string, len(args))
	for i, a := range args {
		texts[i] = a.Text
	}
	return strings.Join(texts, " ")
}

func with(via []string, name string) []string {
	return append(via[:len(via):len(via)], name)
}

// firstOperand returns the words from the first one that is not an option.
func firstOperand(args []Arg) (Arg, []Arg) {
	for i, a := range args {
		if !strings.HasPrefix(a.Text, "-") && !strings.HasPrefix(a.Text, "+") {
			return a, args[i+1:]
		}
	}
	return Arg{}, nil
}

// shells are the programs that run a script.
const shells = "sh bash zsh dash ksh mksh ash fish csh tcsh yash rbash"

// bestEffort returns the value of a word, or its source if it is expanded.
// $'...' is decoded for the escapes that spell characters.
func bestEffort(w *syntax.Word, src string) Arg {
	var b strings.Builder
	for _, part := range w.Parts {
		switch p := part.(type) {
		case *syntax.Lit:
			plain(p.Value, false, &b)
		case *syntax.SglQuoted:
			if p.Dollar {
				b.WriteString(ansi(p.Value))
			} else {
				b.WriteString(p.Value)
			}
		case *syntax.DblQuoted:
			for _, q := range p.Parts {
				lit, ok := q.(*syntax.Lit)
				if !ok {
					return Arg{Text: strings.Trim(source(src, w), `"`)}
				}
				plain(lit.Value, true, &b)
			}
		default:
			return Arg{Text: source(src, w)}
		}
	}
	return Arg{Text: b.String(), Known: true}
}

// plain appends s without its backslashes.
func plain(s string, quoted bool, b *strings.Builder) {
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && (!quoted || strings.IndexByte("$`\"\\\n", s[i+1]) >= 0) {
			i++
		}
		b.WriteByte(s[i])
	}
}

// ansi decodes \xHH, \NNN and the one-letter escapes of $'...'.
func ansi(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		base, max := 8, 3
		switch s[i] {
		case 'x':
			base, max = 16, 2
			i++
		case 'n':
			b.WriteByte('\n')
			continue
		case 't':
			b.WriteByte('\t')
			continue
		}
		value, n := 0, 0
		for ; n < max && i+n < len(s); n++ {
			d := strings.IndexByte("0123456789abcdef", s[i+n]|0x20)
			if s[i+n] >= '0' && s[i+n] <= '9' {
				d = int(s[i+n] - '0')
			}
			if d < 0 || d >= base {
				break
			}
			value = value*base + d
		}
		if n == 0 {
			if i < len(s) {
				b.WriteByte(s[i])
			}
			continue
		}
		b.WriteByte(byte(value))
		i += n - 1
	}
	return b.String()
}
