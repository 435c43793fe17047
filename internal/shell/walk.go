package shell

import (
	"path"
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
}

// Arg is a word of a command.
type Arg struct {
	// Text is the value of the word; if Known is false, its source text.
	Text string
	// Known says that no parameter, command or arithmetic expansion was
	// involved. Globs, braces and tildes stay as written.
	Known bool
}

// Line is what [Walk] found.
type Line struct {
	// Commands are all simple commands, in the order of the source; a wrapped
	// command follows its wrapper.
	Commands []Simple
	// Writes are the targets of output redirections.
	Writes []Arg
	// Complete is false if the line could not be parsed or exceeds the limits;
	// Commands then lacks something and a deny rule can not rely on it.
	Complete bool
}

// Walk lists the simple commands of a command line wherever they stand: in
// lists, pipes, blocks, loops, functions, substitutions, behind wrappers and in
// literal scripts. It is meant for deny and ask rules and approves nothing: an
// obfuscated command may escape it.
func Walk(command string) Line {
	w := walker{line: Line{Complete: true}}
	w.script(command, nil)
	return w.line
}

const maxScripts = 5 // nesting of bash -c and the like

type walker struct {
	line Line
}

func (w *walker) script(command string, via []string) {
	if len(command) > maxBytes || len(via) > maxScripts || strings.Count(command, "(")+strings.Count(command, "{")+strings.Count(command, "`") > maxOpeners {
		w.line.Complete = false
		return
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash), syntax.RecoverErrors(5)).Parse(strings.NewReader(command), "")
	if err != nil {
		w.line.Complete = false
	}
	if file == nil {
		return
	}
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Redirect:
			switch n.Op {
			case syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.RdrAll, syntax.AppAll, syntax.RdrInOut, syntax.DplOut:
				if n.Word != nil {
					if a := bestEffort(n.Word, command); !(n.Op == syntax.DplOut && (digitsOnly(a.Text) || a.Text == "-")) {
						w.line.Writes = append(w.line.Writes, a)
					}
				}
			default:
			}
		case *syntax.Stmt:
			w.fed(n, command, via)
		case *syntax.CallExpr:
			args := make([]Arg, 0, len(n.Args))
			for _, word := range n.Args {
				args = append(args, bestEffort(word, command))
			}
			if len(args) > 0 {
				w.add(args, source(command, n), via)
			}
		}
		return true
	})
}

// fed follows a script that a shell reads from a here-document, a here-string
// or from echo.
func (w *walker) fed(s *syntax.Stmt, command string, via []string) {
	if pipe, ok := s.Cmd.(*syntax.BinaryCmd); ok && pipe.Op == syntax.Pipe {
		from, okFrom := pipe.X.Cmd.(*syntax.CallExpr)
		if okFrom && readsScript(pipe.Y, command) && len(from.Args) > 1 {
			if name := bestEffort(from.Args[0], command).Text; name == "echo" || name == "printf" {
				for _, word := range from.Args[1:] {
					if a := bestEffort(word, command); a.Known && !strings.HasPrefix(a.Text, "-") {
						w.script(a.Text, with(via, "pipe"))
					}
				}
			}
		}
		return
	}
	if !readsScript(s, command) {
		return
	}
	for _, red := range s.Redirs {
		switch {
		case red.Hdoc != nil:
			w.script(source(command, red.Hdoc), with(via, "here-document"))
		case red.Op == syntax.WordHdoc && red.Word != nil:
			if a := bestEffort(red.Word, command); a.Known {
				w.script(a.Text, with(via, "here-string"))
			}
		}
	}
}

// readsScript reports whether a statement is a shell, perhaps behind sudo.
func readsScript(s *syntax.Stmt, command string) bool {
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok {
		return false
	}
	for _, word := range call.Args {
		if isShell(path.Base(bestEffort(word, command).Text)) {
			return true
		}
	}
	return false
}

// add records a command and whatever it wraps.
func (w *walker) add(args []Arg, token string, via []string) {
	if len(w.line.Commands) >= 10*maxCommands || len(via) > maxScripts {
		w.line.Complete = false
		return
	}
	w.line.Commands = append(w.line.Commands, Simple{Args: args, Token: token, Via: via})
	name := path.Base(args[0].Text)
	rest := args[1:]
	switch {
	case isShell(name):
		for i, a := range rest {
			if strings.HasPrefix(a.Text, "-") && !strings.HasPrefix(a.Text, "--") && strings.Contains(a.Text, "c") && i+1 < len(rest) {
				w.script(firstOperand(rest[i+1:]).Text, with(via, name+" -c"))
				return
			}
		}
	case name == "eval":
		var words []string
		for _, a := range rest {
			words = append(words, a.Text)
		}
		w.script(strings.Join(words, " "), with(via, "eval"))
	case name == "find":
		for i, a := range rest {
			switch a.Text {
			case "-exec", "-execdir", "-ok", "-okdir":
				end := i + 1
				for end < len(rest) && rest[end].Text != ";" && rest[end].Text != "+" {
					end++
				}
				w.wrapped(rest[i+1:end], token, with(via, "find "+a.Text))
			}
		}
	case name == "trap", name == "watch", name == "su":
		for _, a := range rest {
			if a.Known && strings.ContainsRune(a.Text, ' ') {
				w.script(a.Text, with(via, name))
			}
		}
		w.wrapped(skipOptions(name, rest), token, with(via, name))
	case isWrapper(name):
		if name == "env" {
			for i, a := range rest {
				if s, ok := strings.CutPrefix(a.Text, "--split-string="); ok {
					w.script(s, with(via, "env -S"))
				} else if s, ok := strings.CutPrefix(a.Text, "-S"); ok {
					if s == "" && i+1 < len(rest) {
						s = rest[i+1].Text
					}
					w.script(s, with(via, "env -S"))
				}
			}
		}
		w.wrapped(skipOptions(name, rest), token, with(via, name))
	}
}

func (w *walker) wrapped(args []Arg, token string, via []string) {
	if len(args) > 0 {
		w.add(args, token, via)
	}
}

func with(via []string, name string) []string {
	return append(append([]string(nil), via...), name)
}

func firstOperand(args []Arg) Arg {
	for _, a := range args {
		if !strings.HasPrefix(a.Text, "-") && !strings.HasPrefix(a.Text, "+") {
			return a
		}
	}
	return Arg{}
}

func isShell(name string) bool {
	switch name {
	case "sh", "bash", "zsh", "dash", "ksh", "ash", "fish":
		return true
	}
	return false
}

func isWrapper(name string) bool {
	switch name {
	case "sudo", "doas", "env", "command", "builtin", "exec", "nohup", "nice", "ionice", "timeout", "time", "stdbuf",
		"setsid", "xargs", "parallel", "chroot", "busybox", "toybox", "unshare", "strace", "flock", "caffeinate", "noglob", "nocorrect", "run0", "chrt", "taskset":
		return true
	}
	return false
}

// skipOptions drops the options and leading operands of a wrapper, so that the
// wrapped command remains.
func skipOptions(name string, args []Arg) []Arg {
	valued := "" // letters whose value is the next word
	operands := 0
	switch name {
	case "sudo", "doas", "run0":
		valued = "ugpChDrtTRU"
	case "env":
		valued = "uCS"
	case "nice":
		valued = "n"
	case "ionice":
		valued = "cnp"
	case "timeout":
		valued, operands = "sk", 1
	case "stdbuf":
		valued = "ioe"
	case "xargs":
		valued = "adEILnPs"
	case "parallel":
		valued = "jN"
	case "exec":
		valued = "a"
	case "chroot", "taskset", "chrt":
		operands = 1
	case "flock":
		valued, operands = "wE", 1
	case "strace":
		valued = "oepsuE"
	case "time":
		valued = "of"
	case "watch":
		valued = "n"
	}
	for len(args) > 0 {
		text := args[0].Text
		switch {
		case text == "--":
			args = args[1:]
		case len(text) > 1 && text[0] == '-':
			args = args[1:]
			if text[1] != '-' && strings.IndexByte(valued, text[len(text)-1]) >= 0 && len(args) > 0 {
				args = args[1:]
			}
		case strings.Contains(text, "=") && (name == "env" || name == "sudo" || name == "doas"):
			args = args[1:]
		case operands > 0:
			operands--
			args = args[1:]
		default:
			return args
		}
	}
	return nil
}

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
