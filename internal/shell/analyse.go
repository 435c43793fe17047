package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Analyse reports whether a command line only reads.
func Analyse(command string, opts Options) Result {
	a := analysis{src: command, opts: opts}
	r := a.line()
	if r != nil {
		a.result.Verdict, a.result.Rule, a.result.Token, a.result.Why, a.result.Conditions = NoOpinion, r.rule, r.token, r.why, nil
		return a.result
	}
	a.result.Verdict = Allow
	a.result.Rule = strings.Join(a.rules, "+")
	a.result.Token = a.token
	a.result.Why = "Every command of the line only reads."
	slices.Sort(a.result.Conditions)
	a.result.Conditions = slices.Compact(a.result.Conditions)
	return a.result
}

// analysis is the state of one walk over a command line.
type analysis struct {
	src    string
	opts   Options
	result Result
	rules  []string
	token  string // source of the first program and sub-command
	// spine are the calls at the beginning that may be cd, as long as all earlier ones were cd.
	spine []*syntax.CallExpr
	// changes is the source of an allowed call that may change the directory of the others, or their meaning. judged says
	// that at least one call was judged by the tables.
	changes string
	judged  bool
}

func (a *analysis) line() *refusal {
	if r := screen(a.src); r != nil {
		return r
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(a.src), "")
	if err != nil {
		return &refusal{"syntax", "", "The command line is not valid bash."}
	}
	if len(file.Stmts) == 0 {
		return &refusal{"empty", "", "There is no command."}
	}
	if len(file.Stmts) == 1 {
		a.spine = spine(nil, file.Stmts[0], 0)
	}
	for _, s := range file.Stmts {
		if r := a.statement(s, 0); r != nil {
			return r
		}
	}
	if a.changes != "" && a.judged {
		return &refusal{"shell-state", a.changes, "A command that the settings allow may change the directory or the shell in which the others run."}
	}
	return a.sameInZsh()
}

// changesShell are the builtins that change the shell in which they run.
const changesShell = "cd chdir pushd popd source . eval exec builtin command export declare typeset local readonly unset set setopt unsetopt emulate " +
	"shopt alias unalias trap enable hash read mapfile readarray printf let getopts umask autoload zmodload fc"

// spine returns the calls at the beginning of a statement that are joined only by &&: each runs only if the earlier ones
// succeeded.
func spine(calls []*syntax.CallExpr, s *syntax.Stmt, depth int) []*syntax.CallExpr {
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		return append(calls, c)
	case *syntax.BinaryCmd:
		if c.Op != syntax.AndStmt || depth > maxDepth {
			return nil
		}
		if calls = spine(calls, c.X, depth+1); calls == nil {
			return nil
		}
		if next, ok := c.Y.Cmd.(*syntax.CallExpr); ok {
			calls = append(calls, next)
		}
		return calls
	}
	return nil
}

func (a *analysis) statement(s *syntax.Stmt, depth int) *refusal {
	switch {
	case depth > maxDepth:
		return &refusal{"too-deep", "", "The command line is nested too deeply to be analysed."}
	case s.Background, s.Disown:
		return &refusal{"background", a.source(s), "A command in the background outlives the approval."}
	case s.Coprocess:
		return &refusal{"compound", a.source(s), "A coprocess is not approved."}
	case s.Negated:
		return &refusal{"compound", a.source(s), "A negated command is not approved."}
	case s.Cmd == nil:
		return &refusal{"redirect", a.source(s), "A redirection without a command is not approved."}
	}
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		if r := a.call(c); r != nil {
			return r
		}
	case *syntax.BinaryCmd:
		switch c.Op {
		case syntax.AndStmt, syntax.OrStmt, syntax.Pipe:
		default:
			return &refusal{"operator", c.Op.String(), "Only |, && and || are approved between commands."}
		}
		if len(s.Redirs) > 0 {
			return &refusal{"redirect", a.source(s.Redirs[0]), "A redirection of several commands is not approved."}
		}
		if r := a.statement(c.X, depth+1); r != nil {
			return r
		}
		return a.statement(c.Y, depth+1)
	default:
		return &refusal{"compound", a.source(s), "Only simple commands are approved: no blocks, loops, conditions, functions or declarations."}
	}
	for _, red := range s.Redirs {
		if r := a.redirect(red); r != nil {
			return r
		}
	}
	return nil
}

// redirect accepts copies between the standard descriptors, output to
// /dev/null, and input from a literal file or word.
func (a *analysis) redirect(red *syntax.Redirect) *refusal {
	src := a.source(red)
	fd := ""
	if red.N != nil {
		fd = red.N.Value
	}
	target, r := unquote(red.Word, a.source(red.Word))
	if r != nil {
		return &refusal{"redirect", src, "The target of the redirection is not a literal word."}
	}
	if target.glob >= 0 {
		return &refusal{"redirect", src, "The target of the redirection is a pattern."}
	}
	const null = "/dev/null"
	input, output, ok := fd == "" || fd == "0", fd == "" || fd == "1" || fd == "2", false
	switch red.Op {
	case syntax.DplOut:
		ok = output && HasWord("1 2", target.text)
	case syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.RdrAll, syntax.AppAll:
		ok = output && target.text == null
	case syntax.RdrIn:
		if ok = target.text == null; !ok && input && plainFile(target.text) {
			ok = true
			a.path(target)
		}
	case syntax.WordHdoc:
		ok = input
	case syntax.Hdoc, syntax.DashHdoc:
		return &refusal{"here-document", src, "A here-document is not approved."}
	default:
	}
	if !ok {
		return &refusal{"redirect", src, "Only redirections to /dev/null, between descriptors and from a file are approved."}
	}
	return nil
}

// plainFile reports a name that is not a device: bash opens /dev/tcp/host/port and /dev/udp/host/port itself.
func plainFile(name string) bool {
	clean := strings.ReplaceAll(name, "//", "/")
	return name != "" && !strings.HasPrefix(clean, "/dev") && !strings.HasPrefix(clean, "/proc") && !strings.Contains(clean, "/.")
}

func (a *analysis) call(c *syntax.CallExpr) *refusal {
	if len(c.Assigns) > 0 {
		return &refusal{"assignment", a.source(c.Assigns[0]), "A variable can change what a program does."}
	}
	if len(a.result.Commands) == maxCommands {
		return &refusal{"too-many-commands", a.source(c), "The line has too many commands to be analysed."}
	}
	words := make([]word, 0, len(c.Args))
	argv := make([]string, 0, len(c.Args))
	for i, arg := range c.Args {
		w, r := unquote(arg, a.source(arg))
		if i == 0 && w.text == "[" {
			w.glob = -1 // the test command, not a pattern
		}
		if r != nil {
			a.result.Commands = append(a.result.Commands, argv)
			return r
		}
		words = append(words, w)
		argv = append(argv, w.text)
	}
	a.result.Commands = append(a.result.Commands, argv)
	if len(a.spine) > 0 && c == a.spine[0] && argv[0] == "cd" && words[0].glob < 0 {
		a.spine = a.spine[1:]
		return a.changeDir(words)
	}
	a.spine = nil
	if a.opts.Allowed != nil && a.opts.Allowed(argv) {
		if HasWord(changesShell, argv[0]) {
			a.changes = a.source(c)
		}
		a.name("allow-rule", words[:1])
		return nil
	}
	a.judged = true
	found, name, args, r := lookup(words)
	if r != nil {
		return r
	}
	if found.network && !a.opts.NetworkReads {
		return &refusal{"network-read", words[0].src, "The command " + name + " reads over the network, which the settings do not approve."}
	}
	m := call{row: found, name: name, args: args}
	if !found.raw {
		if r := m.parse(); r != nil {
			return r
		}
	}
	if found.check != nil {
		if r := found.check(&m); r != nil {
			return r
		}
	}
	a.note(&m)
	a.name(strings.ReplaceAll(name, " ", "-"), words[:len(words)-len(args)])
	return nil
}

// note adds the paths and conditions of a call to the result.
func (a *analysis) note(m *call) {
	m.below.Names = m.below.Names || HasWord(namesOnly, m.name) && !m.has("-X", "--exclude-from")
	for _, p := range m.paths {
		a.path(p)
		last := &a.result.Paths[len(a.result.Paths)-1]
		last.Below = m.below
		last.Glob = last.Glob || m.row.operands != revisions && zshPattern(p.text)
	}
	a.result.Network = a.result.Network || m.row.network
	for need := range strings.FieldsSeq(string(m.row.needs)) {
		a.result.Conditions = append(a.result.Conditions, Condition(need))
	}
}

func (a *analysis) name(rule string, head []word) {
	if a.token == "" && len(head) > 0 {
		for _, w := range head {
			a.token += " " + w.src
		}
		a.token = a.token[1:]
	}
	if !slices.Contains(a.rules, rule) {
		a.rules = append(a.rules, rule)
	}
}

// namesOnly are the programs that show names, sizes, times and the like of files, but not their content.
const namesOnly = "ls stat du df realpath readlink basename dirname find fd fdfind tree test [ echo"

// changeDir accepts cd with one operand that CDPATH cannot redirect.
func (a *analysis) changeDir(words []word) *refusal {
	if len(words) != 2 {
		return &refusal{"cd", words[0].src, "Only cd with one directory is approved."}
	}
	dir := words[1]
	switch {
	case dir.glob >= 0:
		return globRefusal(dir)
	case strings.HasPrefix(dir.text, "/"), strings.HasPrefix(dir.text, "./"), strings.HasPrefix(dir.text, "../"), dir.text == ".", dir.text == "..":
	default:
		return &refusal{"cd", dir.src, "The directory must begin with /, ./ or ../, because CDPATH can redirect any other."}
	}
	a.path(dir)
	a.result.Paths[len(a.result.Paths)-1].Names = true
	if a.result.Dir == "" || strings.HasPrefix(dir.text, "/") {
		a.result.Dir = dir.text
	} else {
		a.result.Dir += "/" + dir.text
	}
	a.name("cd", words[:1])
	return nil
}

func (a *analysis) path(w word) {
	a.result.Paths = append(a.result.Paths, Path{Name: w.text, Command: len(a.result.Commands) - 1, Dir: a.result.Dir, Glob: w.glob >= 0})
}

// source returns the text of a node as written.
func (a *analysis) source(n syntax.Node) string { return source(a.src, n) }

func source(src string, n syntax.Node) string {
	from, to := int(n.Pos().Offset()), int(n.End().Offset())
	if from < 0 || to > len(src) || from > to {
		return ""
	}
	return src[from:to]
}

// sameInZsh parses the line once more as zsh, which is the user's shell on many
// machines, and requires the same commands and words.
func (a *analysis) sameInZsh() *refusal {
	differs := &refusal{"zsh-differs", "", "zsh reads the line differently from bash."}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangZsh)).Parse(strings.NewReader(a.src), "")
	if err != nil {
		return differs
	}
	next, same := 0, true
	syntax.Walk(file, func(n syntax.Node) bool {
		c, ok := n.(*syntax.CallExpr)
		if !ok {
			return same
		}
		if next == len(a.result.Commands) || len(c.Assigns) > 0 || len(c.Args) != len(a.result.Commands[next]) {
			same = false
			return false
		}
		for i, arg := range c.Args {
			w, r := unquote(arg, "")
			same = same && r == nil && w.text == a.result.Commands[next][i]
		}
		next++
		return same
	})
	if !same || next != len(a.result.Commands) {
		return differs
	}
	return nil
}
