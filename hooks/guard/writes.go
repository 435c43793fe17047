package guard

import (
	"path"
	"slices"
	"strings"

	"github.com/hookbridge/bridge/internal/shell"
)

// change is a path that a call writes or removes, and the part of the call that
// says so.
type change struct {
	path, token string
	effect
}

// effect says what happens below a path that is written or removed.
type effect int

const (
	// itself: nothing that the rules could know of.
	itself effect = iota
	// fills: files of any name may be written into it.
	fills
	// moves: all goes elsewhere or is replaced.
	moves
	// wipes: all is deleted.
	wipes
)

// use says which operands a program writes to.
type use int

const (
	none  use = iota
	every     // all of them
	first
	second
	// target is the last one, or what stands in it under the names of the others.
	target
	// files are all behind the program's own script.
	files
)

// writer says what a program writes to.
type writer struct {
	// short and long are the options with a value, as in shell.Option; out are those
	// of them that name what is written.
	short, long, out string
	operands         use
}

// writerOf is the writer of a program; programs that write only what no rule looks
// at are not listed.
func writerOf(name string) (w writer, ok bool) {
	switch name {
	case "rmdir", "unlink", "tee", "sponge", "chmod", "ed":
		return writer{operands: every}, true
	case "chown", "chgrp", "chattr":
		return writer{long: "reference from", operands: every}, true
	case "setfacl":
		return writer{short: "mxMX", long: "modify remove modify-file remove-file", operands: every}, true
	case "shred":
		return writer{short: "ns", long: "iterations size random-source", operands: every}, true
	case "truncate":
		return writer{short: "sr", long: "size reference", operands: every}, true
	case "touch":
		return writer{short: "drt", long: "date reference time", operands: every}, true
	case "mv", "cp", "ln":
		return writer{short: "tS", long: "target-directory suffix", out: "t target-directory", operands: target}, true
	case "install":
		return writer{short: "tSmog", long: "target-directory suffix mode owner group strip-program", out: "t target-directory", operands: target}, true
	case "rsync":
		return writer{short: "efTBM", long: "rsh exclude include exclude-from include-from filter files-from temp-dir compare-dest copy-dest link-dest log-file partial-dir backup-dir suffix chmod chown bwlimit timeout port password-file rsync-path max-size min-size max-delete block-size info debug out-format usermap groupmap",
			out: "log-file backup-dir", operands: target}, true
	case "scp":
		return writer{short: "cDFiJloPSX", operands: target}, true
	case "sed", "gsed":
		return writer{short: "efl", long: "expression file line-length", operands: files}, true
	case "perl", "ruby":
		return writer{short: "eEIMF", operands: files}, true
	case "awk", "gawk":
		return writer{short: "vFfie", long: "assign field-separator file include source", operands: files}, true
	case "yq":
		return writer{operands: files}, true
	case "sort":
		return writer{short: "kotTS", long: "key output field-separator temporary-directory buffer-size batch-size compress-program files0-from random-source parallel", out: "o output"}, true
	case "shuf":
		return writer{short: "ino", long: "input-range head-count output random-source", out: "o output"}, true
	case "uniq":
		return writer{short: "fsw", long: "skip-fields skip-chars check-chars", operands: second}, true
	case "xxd":
		return writer{short: "cglso", operands: second}, true
	case "split":
		return writer{short: "abClnt", operands: second}, true
	case "csplit":
		return writer{short: "fbn", long: "prefix suffix-format digits", out: "f prefix"}, true
	case "curl":
		return writer{short: "AbcCdDeEFHKmoPQrtTuUwxXyYz",
			long: "output output-dir dump-header cookie-jar trace trace-ascii stderr etag-save etag-compare libcurl request header data data-ascii data-raw data-binary data-urlencode json form form-string user user-agent url cookie referer upload-file max-time connect-timeout retry retry-delay proxy proxy-user write-out config cacert capath cert key range resolve limit-rate max-redirs",
			out:  "o output output-dir D dump-header c cookie-jar trace trace-ascii stderr etag-save libcurl"}, true
	case "wget":
		return writer{short: "OoaPeituUTwQBDIXAR", long: "output-document output-file append-output directory-prefix save-cookies load-cookies execute input-file tries user password user-agent timeout wait quota header referer post-data post-file method body-data body-file limit-rate",
			out: "O output-document o output-file a append-output P directory-prefix save-cookies"}, true
	case "aria2c":
		return writer{short: "doxsji", long: "dir out", out: "d dir o out"}, true
	case "tar", "gtar", "bsdtar":
		return writer{short: "fCTXIgbVNK", long: "file directory exclude exclude-from files-from use-compress-program transform strip-components owner group mode mtime newer listed-incremental one-top-level label"}, true
	case "unzip":
		return writer{short: "dP", out: "d"}, true
	case "7z", "7za", "7zz":
		return writer{short: "o", out: "o"}, true
	case "cpio":
		return writer{short: "DFEHRICOM", long: "directory file format", out: "D directory O"}, true
	case "patch":
		return writer{short: "iodpBDFgVYzr", long: "input output directory strip reject-file prefix suffix", out: "o output d directory", operands: first}, true
	case "gcc", "g++", "cc", "c++", "clang", "clang++", "ld", "rustc", "go":
		return writer{short: "o", out: "o"}, true
	case "gpg", "gpg2", "pandoc", "age", "base64":
		return writer{short: "o", long: "output", out: "o output"}, true
	case "time", "strace", "ltrace":
		return writer{short: "oef", long: "output", out: "o output"}, true
	case "ssh-keygen":
		return writer{short: "fbtCNP", out: "f"}, true
	}
	return writer{}, false
}

// changed lists what a call writes or removes.
func (f Facts) changed() (all []change) {
	switch f.Call.Tool {
	case "Write", "Edit", "MultiEdit", "NotebookEdit":
		for _, p := range f.Call.Paths {
			all = append(all, change{path: p, token: p})
		}
	}
	dir := f.eachCommand(func(c shell.Simple, at string) {
		for _, o := range outputs(c) {
			for _, p := range f.targets(o.Arg, at) {
				all = append(all, change{p, c.Token, o.effect})
			}
		}
	})
	// Where a redirection stands among the commands is not known: both directories
	// may be meant.
	for _, w := range f.Call.Line.Writes {
		for _, at := range slices.Compact([]string{f.Cwd, dir}) {
			for _, p := range f.targets(w, at) {
				all = append(all, change{path: p, token: w.Text})
			}
		}
	}
	return all
}

// output is an operand that is written.
type output struct {
	shell.Arg
	effect
}

// outputs lists what a command writes to.
func outputs(c shell.Simple) (all []output) {
	if len(c.Args) == 0 {
		return nil
	}
	name, args := program(c), c.Args[1:]
	add := func(args ...shell.Arg) {
		for _, a := range args {
			all = append(all, output{Arg: a})
		}
	}
	switch name {
	case "dd":
		for _, a := range args {
			if value, ok := strings.CutPrefix(a.Text, "of="); ok {
				add(shell.Arg{Text: value, Known: a.Known})
			}
		}
		return all
	case "find":
		return findOutputs(c)
	case "rm":
		opts, operands := options(c)
		what := itself
		if has(opts, 'r', "recursive") || has(opts, 'R', "") {
			what = wipes
		}
		for _, a := range operands {
			all = append(all, output{a, what})
		}
		return all
	case "openssl":
		for i, a := range args {
			if (a.Text == "-out" || a.Text == "-keyout") && i+1 < len(args) {
				add(args[i+1])
			}
		}
		return all
	case "git":
		g, ok := gitOf(c)
		if !ok {
			return nil
		}
		return gitOutputs(g)
	case "tar", "gtar", "bsdtar":
		// The first word may be options without a dash.
		if len(args) > 0 && !strings.HasPrefix(args[0].Text, "-") {
			args = append([]shell.Arg{{Text: "-" + args[0].Text, Known: args[0].Known}}, args[1:]...)
		}
	}
	w, ok := writerOf(name)
	if !ok {
		return nil
	}
	opts, values, operands := split(args, w.short, w.long)
	for _, v := range values {
		if strings.Contains(" "+w.out+" ", " "+v.name+" ") {
			if w.operands != target || !strings.HasPrefix(v.name, "t") {
				add(v.value)
			} else {
				// What is named is the directory; the operands are copied into it.
				all = append(all, output{v.value, into(operands)})
				add(inside(v.value, operands)...)
				if name == "mv" {
					all = append(all, moved(operands)...)
				}
				return all
			}
		}
	}
	n := len(operands)
	switch w.operands {
	case none:
	case every:
		add(operands...)
	case first:
		add(operands[:min(1, n)]...)
	case second:
		add(operands[min(1, n):min(2, n)]...)
	case target:
		if n < 2 {
			break
		}
		to := operands[n-1]
		what := into(operands[:n-1])
		switch {
		case slices.ContainsFunc(opts, func(o string) bool { return strings.HasPrefix(o, "--del") }):
			what = moves
		case name == "rsync", has(opts, 'T', "no-target-directory"):
			what = fills
		}
		all = append(all, output{to, what})
		add(inside(to, operands[:n-1])...)
		if name == "mv" {
			all = append(all, moved(operands[:n-1])...)
		}
	case files:
		add(edited(name, opts, values, operands)...)
	}
	switch name {
	case "tar", "gtar", "bsdtar":
		for _, a := range unpacked(opts, values) {
			all = append(all, output{a, fills})
		}
	case "unzip", "7z", "7za", "7zz", "cpio":
		for i := range all {
			all[i].effect = fills
		}
	case "curl":
		if has(opts, 'O', "remote-name") || has(opts, 'J', "") {
			add(shell.Arg{Text: ".", Known: true})
		}
	case "wget":
		if len(all) == 0 {
			add(shell.Arg{Text: ".", Known: true})
		}
	}
	return all
}

// moved are the sources of mv, which go with all below them.
func moved(from []shell.Arg) (all []output) {
	for _, a := range from {
		all = append(all, output{a, moves})
	}
	return all
}

// into is what copying files into a directory does to it: it fills it, unless each
// of them has a plain name.
func into(from []shell.Arg) effect {
	for _, a := range from {
		if base := path.Base(a.Text); !a.Known || base == "." || base == ".." || strings.ContainsAny(base, "*?[{") {
			return fills
		}
	}
	return itself
}

// inside are the places that copies have in a directory.
func inside(dir shell.Arg, from []shell.Arg) (all []shell.Arg) {
	for _, a := range from {
		if base := path.Base(a.Text); a.Known && base != ".git" && base != "." && base != ".." && base != "/" {
			all = append(all, shell.Arg{Text: strings.TrimSuffix(dir.Text, "/") + "/" + base, Known: dir.Known})
		}
	}
	return all
}

// edited are the files that a program with a script of its own changes in place.
func edited(name string, opts []string, values []option, operands []shell.Arg) []shell.Arg {
	given := func(names ...string) bool {
		return slices.ContainsFunc(values, func(v option) bool { return slices.Contains(names, v.name) })
	}
	switch name {
	case "awk", "gawk":
		if !slices.ContainsFunc(values, func(v option) bool { return (v.name == "i" || v.name == "include") && v.value.Text == "inplace" }) {
			return nil
		}
	default:
		if !has(opts, 'i', "in-place") && !has(opts, 0, "inplace") {
			return nil
		}
	}
	// The sed of BSD takes the suffix of -i as a word of its own.
	if len(operands) > 0 && operands[0].Text == "" {
		operands = operands[1:]
	}
	if !given("e", "expression", "E", "f", "file", "source") && len(operands) > 0 {
		operands = operands[1:]
	}
	return operands
}

// unpacked are the archive that tar writes, or the directory that it unpacks into.
func unpacked(opts []string, values []option) (all []shell.Arg) {
	creates := has(opts, 'c', "create") || has(opts, 'r', "append") || has(opts, 'u', "update")
	extracts := has(opts, 'x', "extract") || has(opts, 0, "get")
	for _, v := range values {
		if creates && (v.name == "f" || v.name == "file") || extracts && (v.name == "C" || v.name == "directory") {
			all = append(all, v.value)
		}
	}
	if extracts && len(all) == 0 {
		all = []shell.Arg{{Text: ".", Known: true}}
	}
	return all
}

// gitOutputs are the files of the work tree that a git command is told to write,
// restore or remove by their names.
func gitOutputs(g gitCall) (all []output) {
	if len(g.dirs) > 0 {
		return nil
	}
	opts, values, operands := split(g.args, "os", "output output-directory source")
	switch g.sub {
	case "archive", "format-patch", "diff", "log", "show":
		for _, v := range values {
			if v.name != "s" && v.name != "source" {
				all = append(all, output{Arg: v.value})
			}
		}
	case "rm", "mv", "restore", "checkout":
		if has(opts, 0, "cached") || has(opts, 'S', "staged") {
			return nil
		}
		what := itself
		if g.sub == "rm" || g.sub == "mv" {
			what = moves
		}
		for _, a := range operands {
			if a.Text != "." {
				all = append(all, output{a, what})
			}
		}
	}
	return all
}
