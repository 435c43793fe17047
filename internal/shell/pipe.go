package shell

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// passing are programs that print what they read, in any order.
const passing = "sort uniq cat tac tee"

// fed analyses text from a here-document, a here-string or a pipe: a script that a shell reads, or words that xargs
// reads.
func (w *walker) fed(s *syntax.Stmt, command string, via []string) {
	if pipe, ok := s.Cmd.(*syntax.BinaryCmd); ok && (pipe.Op == syntax.Pipe || pipe.Op == syntax.PipeAll) {
		w.piped(w.origin(pipe.X, command), alone(pipe.Y), command, via)
		return
	}
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok {
		return
	}
	for _, red := range s.Redirs {
		if from := process(red.Word); red.Op == syntax.RdrIn && from != nil {
			w.piped(w.origin(from, command), s, command, via)
		}
	}
	if len(call.Args) == 0 {
		return
	}
	if args := w.all(call, command); len(s.Redirs) > 0 && xargsIn(args) >= 0 {
		w.xargs(s, args, command, via)
	} else if readsScript(s, command) {
		if len(s.Redirs) > 0 {
			w.inline(s, command, via)
		}
		for _, word := range call.Args[1:] {
			if from := process(word); from != nil {
				w.scriptOf(w.origin(from, command), command, via)
			}
		}
	}
}

// piped analyses what a statement does with the output of another one.
func (w *walker) piped(from, to *syntax.Stmt, command string, via []string) {
	call, ok := to.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 {
		return
	}
	if args := w.all(call, command); xargsIn(args) >= 0 {
		w.xargs(from, args, command, via)
	} else if readsScript(to, command) {
		w.scriptOf(from, command, via)
	}
}

// alone removes the brackets around a single statement.
func alone(s *syntax.Stmt) *syntax.Stmt {
	for {
		var in []*syntax.Stmt
		switch c := s.Cmd.(type) {
		case *syntax.Block:
			in = c.Stmts
		case *syntax.Subshell:
			in = c.Stmts
		}
		if len(in) != 1 {
			return s
		}
		s = in[0]
	}
}

// process is the statement in a word <(…), or nil.
func process(word *syntax.Word) *syntax.Stmt {
	if word == nil || len(word.Parts) != 1 {
		return nil
	}
	sub, ok := word.Parts[0].(*syntax.ProcSubst)
	if !ok || sub.Op != syntax.CmdIn || len(sub.Stmts) != 1 {
		return nil
	}
	return sub.Stmts[0]
}

// inline analyses a script in the redirections of a statement.
func (w *walker) inline(s *syntax.Stmt, command string, via []string) {
	for _, red := range s.Redirs {
		switch {
		case red.Hdoc != nil:
			w.script(source(command, red.Hdoc), with(via, "here-document"))
		case red.Op == syntax.WordHdoc && red.Word != nil:
			if a := w.one(red.Word, command); a.Known {
				w.script(a.Text, with(via, "here-string"))
			}
		}
	}
}

// origin is the statement in a pipe whose output arrives at the end of the pipe.
func (w *walker) origin(s *syntax.Stmt, command string) *syntax.Stmt {
	for {
		pipe, ok := s.Cmd.(*syntax.BinaryCmd)
		if !ok || pipe.Op != syntax.Pipe && pipe.Op != syntax.PipeAll {
			return s
		}
		last, ok := pipe.Y.Cmd.(*syntax.CallExpr)
		if !ok || len(last.Args) == 0 || !HasWord(passing, path.Base(bestEffort(last.Args[0], command).Text)) {
			return pipe.Y
		}
		s = pipe.X
	}
}

// all returns the words of a call, with the values of the variables that the line sets.
func (w *walker) all(call *syntax.CallExpr, command string) (args []Arg) {
	for _, word := range call.Args {
		args = w.words(args, word, command)
	}
	return args
}

// scriptOf analyses the script that a statement prints for a shell.
func (w *walker) scriptOf(from *syntax.Stmt, command string, via []string) {
	call, ok := from.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 {
		return
	}
	args := w.all(call, command)
	switch path.Base(args[0].Text) {
	case "echo":
		for args = args[1:]; len(args) > 0 && strings.HasPrefix(args[0].Text, "-"); {
			args = args[1:]
		}
		w.script(Join(args), with(via, "pipe"))
	case "printf":
		for _, a := range args[1:] {
			if a.Known && !strings.HasPrefix(a.Text, "-") {
				w.script(a.Text, with(via, "pipe"))
			}
		}
	case "cat", "tee":
		w.inline(from, command, via)
	}
}

// xargsIn is the index of xargs among the words of a call, perhaps after a wrapper, or -1.
func xargsIn(args []Arg) int {
	at := slices.IndexFunc(args, func(a Arg) bool { return path.Base(a.Text) == "xargs" })
	if at > 0 {
		if _, wraps := wrapperOf(path.Base(args[0].Text)); !wraps {
			return -1
		}
	}
	return at
}

// xargs analyses the command that xargs builds from the words that it reads, as far as the statement that prints them
// shows the words (printed). If find prints them, there is one command for everything that it finds. The statement may
// be the call itself, if xargs reads from a redirection.
func (w *walker) xargs(from *syntax.Stmt, args []Arg, command string, via []string) {
	at := xargsIn(args)
	wrapping, _ := wrapperOf("xargs")
	run, _ := wrapping.behind(args[at+1:])
	call, printing := from.Cmd.(*syntax.CallExpr)
	if len(run) == 0 || !printing || len(call.Args) == 0 {
		return
	}
	mark, whole := replaced(args[at+1 : len(args)-len(run)])
	printed := w.all(call, command)
	if Program(printed[0].Text) == "find" {
		printed = append(slices.Clip(printed), Arg{"-exec", true})
		printed = append(append(printed, put(run, mark, Arg{"{}", true})...), Arg{"+", true})
		w.add(printed, source(command, call), with(via, "xargs"))
		return
	}
	words := w.printed(from, command, whole)
	if base := Program(printed[0].Text); mark != "" && HasWord("ls dir vdir", base) {
		words = append(words, Arg{"*", true})
	}
	for _, red := range from.Redirs {
		text := Arg{}
		switch {
		case red.Hdoc != nil:
			text = Arg{source(command, red.Hdoc), true}
		case red.Op == syntax.WordHdoc && red.Word != nil:
			text = w.one(red.Word, command)
		}
		for word := range strings.FieldsSeq(text.Text) {
			if xargsIn(printed) >= 0 {
				words = append(words, Arg{word, text.Known})
			}
		}
	}
	token := source(command, call) + " | " + Join(args)
	if mark == "" && len(words) > 0 {
		w.add(append(slices.Clip(run), words...), token, with(via, "xargs"))
		return
	}
	for _, word := range words {
		w.add(put(run, mark, word), token, with(via, "xargs"))
	}
}

// replaced is the mark that xargs replaces with what it reads, or "". whole says that blanks do not separate its input.
func replaced(options []Arg) (mark string, whole bool) {
	for i, a := range options {
		switch text := a.Text; {
		case text == "-I" && i+1 < len(options):
			return options[i+1].Text, true
		case strings.HasPrefix(text, "-I"):
			return text[2:], true
		case text == "-i", text == "--replace":
			return "{}", true
		case strings.HasPrefix(text, "-i"):
			return text[2:], true
		case strings.HasPrefix(text, "--replace="):
			return strings.TrimPrefix(text, "--replace="), true
		case text == "-0", text == "--null":
			whole = true
		}
	}
	return "", whole
}

// put replaces a mark in a command with a word; without a mark it appends the word.
func put(run []Arg, mark string, word Arg) []Arg {
	if mark == "" {
		return append(slices.Clip(run), word)
	}
	filled := slices.Clone(run)
	for i, a := range filled {
		if strings.Contains(a.Text, mark) {
			filled[i] = Arg{strings.ReplaceAll(a.Text, mark, word.Text), a.Known && word.Known}
		}
	}
	return filled
}

// readsScript reports whether a statement is a shell, perhaps after sudo, or another program that runs the lines that it
// reads.
func readsScript(s *syntax.Stmt, command string) bool {
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok {
		return false
	}
	for i, word := range call.Args {
		name := path.Base(bestEffort(word, command).Text)
		if HasWord(shells, name) || i == 0 && HasWord("su at batch source .", name) {
			return true
		}
	}
	return false
}
