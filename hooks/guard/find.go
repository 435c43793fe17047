package guard

import (
	"path"
	"slices"
	"strings"

	"github.com/hookbridge/bridge/internal/shell"
)

// finding is a find taken apart.
type finding struct {
	from []shell.Arg
	// deletes and writes say what it does with the files that it finds. all says that
	// it finds everything below.
	deletes, writes, all bool
	// git says that it may find .git; locks says that it finds only locks of git.
	git, locks bool
	out        []output
}

// findOf parses a find: first its starting points, then its expression.
func findOf(c shell.Simple) finding {
	r := findReader{finding: finding{all: true}, args: c.Args[1:]}
	for ; r.at < len(r.args); r.at++ {
		switch text := r.args[r.at].Text; {
		case slices.Contains([]string{"-H", "-L", "-P", "-O0", "-O1", "-O2", "-O3"}, text):
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
	// The name may be excluded, or be deeper.
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
		r.deletes = true
	case "-mindepth", "-maxdepth":
		depth, ok := r.value()
		r.deep = r.deep || text == "-mindepth" && ok && depth.Text != "0" && depth.Text != "1"
	case "-o", "-or", ",":
		r.all, r.other = false, true
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
		// A search with such a test does not find everything.
		r.all = false
	}
}

// name reads a test of names. A search that excludes one name still finds nearly
// everything.
func (r *findReader) name() {
	pattern, ok := r.value()
	if !ok || r.not || everything(path.Base(pattern.Text)) {
		return
	}
	r.all = false
	r.locks = r.locks || gitLock(pattern.Text)
	found, err := path.Match(path.Base(pattern.Text), ".git")
	r.git = r.git || found && err == nil
}

// run reads the command that a find starts, up to its end.
func (r *findReader) run() {
	run := shell.Simple{Args: shell.FindCommand(r.args[r.at+1:])}
	r.at += 1 + len(run.Args)
	switch program(run) {
	case "rm", "unlink", "shred":
		r.deletes = true
	case "":
	default:
		// The command may be a test of the files that are found.
		r.all = false
		r.writes = r.writes || slices.ContainsFunc(outputs(run), func(o output) bool { return strings.HasPrefix(o.Text, "{}") })
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
			f.out = append(f.out, output{a, what, f.locks && !f.writes})
			if f.git && f.deletes {
				f.out = append(f.out, output{Arg: shell.Arg{Text: a.Text + "/.git", Known: a.Known}, effect: wipes})
			}
		}
	}
	return f.out
}
