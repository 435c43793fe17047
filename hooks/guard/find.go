package guard

import (
	"path"
	"slices"
	"strings"

	"github.com/hookbridge/bridge/internal/shell"
)

// finding is a parsed find command.
type finding struct {
	from []shell.Arg
	// deletes and writes say what it does with the files that it finds. all says that
	// it finds everything below.
	deletes, writes, all bool
	// git says that it may find .git, locks that it finds only git's lock files, spares that it leaves .git out.
	git, locks, spares bool
	// wrote is a pattern for the names of the files that it deletes or writes, or "" if that is unknown.
	wrote string
	out   []output
}

// findOf parses a find: first its starting points, then its expression.
func findOf(c shell.Simple) finding {
	r := findReader{finding: finding{all: true}, args: c.Args[1:]}
	for ; r.at < len(r.args); r.at++ {
		switch text := r.args[r.at].Text; {
		case slices.Contains([]string{"-H", "-L", "-P", "-O0", "-O1", "-O2", "-O3"}, text):
			continue
		case text == "-D":
			r.at++
			continue
		case text != "" && !strings.HasPrefix(text, "-") && text != "!" && text != "(":
			r.from = append(r.from, r.args[r.at])
			continue
		}
		break
	}
	for ; r.at < len(r.args); r.at++ {
		switch r.args[r.at].Text {
		case "!", "-not":
			r.not = !r.not
			continue
		}
		r.primary()
		r.not = false
	}
	r.alternative()
	r.all = r.finds
	// The test may exclude the name, or the file may be deeper.
	r.git = r.git && !r.deep && !r.other
	r.locks = r.locks && !r.other
	if len(r.from) == 0 {
		r.from = []shell.Arg{{Text: ".", Known: true}}
	}
	return r.finding
}

// findReader reads the words of a find; at is the current word.
type findReader struct {
	finding
	args             []shell.Arg
	at               int
	not, deep, other bool
	// depth is how many brackets are open.
	depth int
	// acts says that this alternative deletes or writes what it finds. tested is its last test of names or paths, named
	// its last test of names. shallow says that it does not descend.
	acts, shallow bool
	tested, named string
	// finds says that an alternative deletes everything; taken says that an earlier alternative finds everything.
	finds, taken bool
}

// alternative ends a part of the expression; -o separates the parts.
func (r *findReader) alternative() {
	r.finds = r.finds || r.acts && r.all
	r.taken = r.taken || r.all
	r.acts, r.tested, r.named = false, "", ""
}

// acted notes that this alternative deletes or writes its files.
func (r *findReader) acted() {
	switch {
	case r.shallow:
	case r.named != "":
		r.wrote = r.named
	case r.all:
		r.wrote = "*"
	}
}

// value returns the word after a test or action, which is its argument.
func (r *findReader) value() (a shell.Arg, ok bool) {
	if r.at++; r.at >= len(r.args) {
		return shell.Arg{}, false
	}
	return r.args[r.at], true
}

// primary reads one test or action.
func (r *findReader) primary() {
	switch text := r.args[r.at].Text; text {
	case "-H", "-L", "-P", "-O0", "-O1", "-O2", "-O3",
		"-depth", "-d", "-xdev", "-mount", "-follow", "-noleaf", "-print", "-print0", "-ls", "-true":
	case "-delete":
		r.deletes, r.acts = true, true
		r.acted()
	case "(":
		r.open()
	case ")":
		r.depth--
	case "-prune":
		r.spares = r.spares || strings.Contains(r.tested, ".git")
	case "-mindepth", "-maxdepth":
		depth, ok := r.value()
		r.deep = r.deep || text == "-mindepth" && ok && depth.Text != "0" && depth.Text != "1"
		r.shallow = r.shallow || text == "-maxdepth" && ok && (depth.Text == "0" || depth.Text == "1")
	case "-o", "-or", ",":
		if r.other = true; r.depth > 0 {
			r.all = false
			break
		}
		r.alternative()
		r.all = !r.taken
	case "-type":
		// After all files are deleted, only empty directories are left.
		if kind, ok := r.value(); ok && !strings.ContainsAny(kind.Text, "fd") {
			r.all = false
		}
	case "-name", "-iname", "-path", "-ipath", "-wholename":
		r.name()
	case "-fprint", "-fprint0", "-fls", "-fprintf":
		if file, ok := r.value(); ok {
			r.out = append(r.out, output{Arg: file})
		}
	case "-exec", "-execdir", "-ok", "-okdir":
		r.run()
	default:
		// With such a test, find does not find everything.
		r.all = false
	}
}

// name reads a test of names. With a test that excludes one name, find still finds nearly everything.
func (r *findReader) name() {
	pattern, ok := r.value()
	r.spares = r.spares || r.not && strings.Contains(pattern.Text, ".git")
	vague := func(part string) bool { return part == "." || everything(part) }
	parts := strings.Split(pattern.Text, "/")
	if !ok || r.not || !slices.ContainsFunc(parts, func(part string) bool { return !vague(part) }) {
		return
	}
	r.all, r.tested = false, pattern.Text
	if len(parts) == 1 {
		r.named = pattern.Text
	}
	r.locks = r.locks || gitLock(pattern.Text)
	found, err := path.Match(path.Base(pattern.Text), ".git")
	r.git = r.git || found && err == nil && (len(parts) == 1 || !everything(path.Base(pattern.Text)))
}

// open reads an opening bracket, and skips a negated expression in brackets.
func (r *findReader) open() {
	if !r.not {
		r.all = false
		r.depth++
		return
	}
	for depth := 1; depth > 0 && r.at+1 < len(r.args); {
		switch r.at++; r.args[r.at].Text {
		case "(":
			depth++
		case ")":
			depth--
		default:
			r.spares = r.spares || strings.Contains(r.args[r.at].Text, ".git")
		}
	}
}

// run reads the command that a find starts, up to its end.
func (r *findReader) run() {
	run := shell.FindCommand(r.args[r.at+1:])
	r.at += 1 + len(run)
	if len(run) == 0 {
		return
	}
	acts := false
	found := func(a shell.Arg) bool { return strings.HasPrefix(a.Text, "{}") }
	inside := shell.Inside(run)
	if slices.ContainsFunc(inside.Writes, found) {
		r.writes = true
		r.acted()
	}
	for _, c := range inside.Commands {
		switch name := program(c); name {
		case "rm", "unlink", "shred":
			if len(c.Via) > 0 && !slices.ContainsFunc(c.Args, found) {
				continue
			}
			r.deletes, acts = true, true
			r.acted()
		default:
			if !slices.ContainsFunc(outputs(c), func(o output) bool { return found(o.Arg) }) {
				continue
			}
			r.writes = true
			// Changing permissions in .git does no harm.
			if !shell.HasWord("chmod chown chgrp touch setfacl", name) {
				r.acted()
			}
		}
	}
	if r.acts = r.acts || acts; !acts {
		// The command may be only a test of the files that were found.
		r.all = false
	}
}

// findOutputs are the directories in which a find writes or deletes something.
func findOutputs(c shell.Simple) []output {
	f := findOf(c)
	if f.deletes || f.writes {
		what := itself
		if f.deletes && f.all {
			what = wipes
		}
		for _, a := range f.from {
			f.out = append(f.out, output{Arg: a, effect: what, lock: f.locks && !f.writes, below: f.wrote, sparesGit: f.spares})
			if f.git && f.deletes {
				f.out = append(f.out, output{Arg: shell.Arg{Text: a.Text + "/.git", Known: a.Known}, effect: wipes})
			}
		}
	}
	return f.out
}
