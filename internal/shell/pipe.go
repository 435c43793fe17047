package shell

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// passing are programs that print what they read, in whatever order.
const passing = "sort uniq cat tac tee"

// fed follows text that comes from a here-document, a here-string or a pipe: a script
// that a shell reads, or words that xargs reads.
func (w *walker) fed(s *syntax.Stmt, command string, via []string) {
	if pipe, ok := s.Cmd.(*syntax.BinaryCmd); ok && (pipe.Op == syntax.Pipe || pipe.Op == syntax.PipeAll) {
		from := w.origin(pipe.X, command)
		if call, ok := pipe.Y.Cmd.(*syntax.CallExpr); ok && !w.xargs(from, w.all(call, command), command, via) && readsScript(pipe.Y, command) {
			w.piped(from, command, via)
		}
		return
	}
	if len(s.Redirs) > 0 && readsScript(s, command) {
		w.inline(s, command, via)
	}
}

// inline follows a script in the redirections of a statement.
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

// origin is the statement in a pipe that prints the text that arrives at its end.
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

// piped follows the script that a statement prints for a shell.
func (w *walker) piped(from *syntax.Stmt, command string, via []string) {
	call, ok := from.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 {
		return
	}
	args := w.all(call, command)
	switch path.Base(args[0].Text) {
	case "echo", "printf":
		for _, a := range args[1:] {
			if a.Known && !strings.HasPrefix(a.Text, "-") {
				w.script(a.Text, with(via, "pipe"))
			}
		}
	case "cat", "tee":
		w.inline(from, command, via)
	}
}

// xargs follows the command that xargs builds from the words that it reads, if they are
// known from the statement that prints them: echo and printf print their operands, ls
// prints the names in the directory, and all that find prints counts as one word. ok is
// false if args are not a call of xargs.
func (w *walker) xargs(from *syntax.Stmt, args []Arg, command string, via []string) (ok bool) {
	at := slices.IndexFunc(args, func(a Arg) bool { return path.Base(a.Text) == "xargs" })
	if at < 0 {
		return false
	}
	if _, wraps := wrapperOf(path.Base(args[0].Text)); !wraps {
		return false
	}
	wrapping, _ := wrapperOf("xargs")
	run, _ := wrapping.behind(args[at+1:])
	call, printing := from.Cmd.(*syntax.CallExpr)
	if len(run) == 0 || !printing || len(call.Args) == 0 {
		return true
	}
	mark := replaced(args[at+1 : len(args)-len(run)])
	printed := w.all(call, command)
	var words []Arg
	switch path.Base(printed[0].Text) {
	case "find":
		printed = append(slices.Clip(printed), Arg{"-exec", true})
		printed = append(append(printed, put(run, mark, Arg{"{}", true})...), Arg{"+", true})
		w.add(printed, source(command, call), with(via, "xargs"))
		return true
	case "echo", "printf":
		for _, a := range printed[1:] {
			if strings.HasPrefix(a.Text, "-") || strings.ContainsRune(a.Text, '%') {
				continue
			}
			for word := range strings.FieldsSeq(strings.NewReplacer(`\n`, " ", `\0`, " ", `\t`, " ").Replace(a.Text)) {
				words = append(words, Arg{word, a.Known})
			}
		}
	case "ls":
		for _, a := range printed[1:] {
			if !strings.HasPrefix(a.Text, "-") {
				words = append(words, a)
			}
		}
		if len(words) == 0 || mark != "" {
			words = append(words, Arg{"*", true})
		}
	}
	token := source(command, call) + " | " + Join(args)
	if mark == "" && len(words) > 0 {
		w.add(append(slices.Clip(run), words...), token, with(via, "xargs"))
		return true
	}
	for _, word := range words {
		w.add(put(run, mark, word), token, with(via, "xargs"))
	}
	return true
}

// replaced is the mark that xargs replaces by what it reads, or "".
func replaced(options []Arg) string {
	for i, a := range options {
		switch text := a.Text; {
		case text == "-I" && i+1 < len(options):
			return options[i+1].Text
		case strings.HasPrefix(text, "-I"):
			return text[2:]
		case text == "-i", text == "--replace":
			return "{}"
		case strings.HasPrefix(text, "-i"):
			return text[2:]
		case strings.HasPrefix(text, "--replace="):
			return strings.TrimPrefix(text, "--replace=")
		}
	}
	return ""
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

// readsScript reports whether a statement is a shell, perhaps behind sudo.
func readsScript(s *syntax.Stmt, command string) bool {
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok {
		return false
	}
	for _, word := range call.Args {
		if HasWord(shells, path.Base(bestEffort(word, command).Text)) {
			return true
		}
	}
	return false
}
