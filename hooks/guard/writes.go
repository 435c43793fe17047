package guard

import (
	"path"
	"slices"
	"strings"

	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/internal/shell"
	"github.com/hookbridge/bridge/protocol"
)

// effect says what happens below a path that is written or removed.
type effect int

const (
	// itself: only the path itself changes, as far as the rules can tell.
	itself effect = iota
	// fills: files of any name may be written into it.
	fills
	// moves: everything is moved away or replaced.
	moves
	// wipes: everything is deleted.
	wipes
)

// use says which operands a program writes to.
type use int

const (
	none  use = iota
	every     // all of them
	first
	second
	// target is the last operand, or, if that is a directory, the files in it with the
	// names of the other operands.
	target
	// files are all operands except the program's own script, as with sed.
	files
	// archive is the special case of tar.
	archive
	// download is the working directory, unless the command names another place.
	download
)

// writer says what programs write to.
type writer struct {
	names string
	// short and long are the options with a value, as in shell.Option. out lists those
	// whose value is a file to write; into lists those whose value is the target
	// directory.
	short, long, out, into string
	operands               use
	// effect is what happens below what out names.
	effect effect
}

// writers are the programs that can write to places that a rule protects.
var writers = []writer{
	{names: "rmdir tee sponge chmod ed ex mkfifo gzip gunzip bzip2 bunzip2 xz unxz dos2unix unix2dos patchelf upx", operands: every},
	{names: "link objcopy iconv", short: "fto", long: "output from-code to-code", out: "o output", operands: target},
	{names: "strip zstd", short: "o", out: "o", operands: every},
	{names: "fallocate", short: "lo", long: "length offset", operands: every},
	{names: "setfattr", short: "nvx", long: "name value remove", operands: every},
	{names: "zip", short: "tiixnPb", operands: first},
	{names: "set-content add-content out-file clear-content tee-object new-item", operands: every},
	{names: "copy-item move-item rename-item invoke-webrequest invoke-restmethod expand-archive", operands: target},
	{names: "chown chgrp chattr", long: "reference from", operands: every},
	{names: "setfacl", short: "mxMX", long: "modify remove modify-file remove-file", operands: every},
	{names: "shred", short: "ns", long: "iterations size random-source", operands: every},
	{names: "truncate", short: "sr", long: "size reference", operands: every},
	{names: "touch", short: "drt", long: "date reference time", operands: every},
	{names: "mv cp ln", short: "tS", long: "target-directory suffix", into: "t target-directory", operands: target},
	{names: "install", short: "tSmog", long: "target-directory suffix mode owner group strip-program", into: "t target-directory", operands: target},
	{names: "rsync", short: "efTBM", long: "rsh exclude include exclude-from include-from filter files-from temp-dir compare-dest copy-dest link-dest log-file partial-dir backup-dir suffix chmod chown bwlimit timeout port password-file rsync-path max-size min-size max-delete block-size info debug out-format usermap groupmap",
		out: "log-file backup-dir", operands: target},
	{names: "scp", short: "cDFiJloPSX", operands: target},
	{names: "sed gsed", short: "efl", long: "expression file line-length", operands: files},
	{names: "perl ruby", short: "eEIMF", operands: files},
	{names: "awk gawk", short: "vFfie", long: "assign field-separator file include source", operands: files},
	{names: "yq", operands: files},
	{names: "sort", short: "kotTS", long: "key output field-separator temporary-directory buffer-size batch-size compress-program files0-from random-source parallel", out: "o output"},
	{names: "shuf", short: "ino", long: "input-range head-count output random-source", out: "o output"},
	{names: "uniq", short: "fsw", long: "skip-fields skip-chars check-chars", operands: second},
	{names: "xxd", short: "cglso", operands: second},
	{names: "split", short: "abClnt", operands: second},
	{names: "csplit", short: "fbn", long: "prefix suffix-format digits", out: "f prefix"},
	{names: "curl", short: "AbcCdDeEFHKmoPQrtTuUwxXyYz",
		long: "output output-dir dump-header cookie-jar trace trace-ascii stderr etag-save etag-compare libcurl request header data data-ascii data-raw data-binary data-urlencode json form form-string user user-agent url cookie referer upload-file max-time connect-timeout retry retry-delay proxy proxy-user write-out config cacert capath cert key range resolve limit-rate max-redirs",
		out:  "o output output-dir D dump-header c cookie-jar trace trace-ascii stderr etag-save libcurl", operands: download},
	{names: "wget", short: "OoaPeituUTwQBDIXAR", long: "output-document output-file append-output directory-prefix save-cookies load-cookies execute input-file tries user password user-agent timeout wait quota header referer post-data post-file method body-data body-file limit-rate",
		out: "O output-document o output-file a append-output P directory-prefix save-cookies", operands: download},
	{names: "aria2c", short: "doxsji", long: "dir out", out: "d dir o out", operands: download},
	{names: "tar gtar bsdtar", short: "fCTXIgbVNK", long: "file directory exclude exclude-from files-from use-compress-program transform strip-components owner group mode mtime newer listed-incremental one-top-level label", operands: archive},
	{names: "unzip", short: "dP", out: "d", effect: fills},
	{names: "7z 7za 7zz", short: "o", out: "o", effect: fills},
	{names: "cpio", short: "DFEHRICOM", long: "directory file format", out: "D directory O", effect: fills},
	{names: "patch", short: "iodpBDFgVYzr", long: "input output directory strip reject-file prefix suffix", out: "o output d directory", operands: first},
	{names: "gcc g++ cc c++ clang clang++ ld rustc go", short: "o", out: "o"},
	{names: "gpg gpg2 pandoc age base64", short: "o", long: "output", out: "o output"},
	{names: "time strace ltrace", short: "oef", long: "output", out: "o output"},
	{names: "ssh-keygen", short: "fbtCNP", out: "f"},
}

// changed lists what a call writes or removes.
func (f Facts) changed() (all []change) {
	if claude.Kind(f.Call.Tool) == protocol.ToolWrite {
		for _, p := range f.Call.Paths {
			all = append(all, change{path: p, token: p})
		}
	}
	all = append(all, f.foreign...)
	dir := f.eachCommand(func(c shell.Simple, at string) {
		if claude.Kind(f.Call.Tool) == protocol.ToolShell && f.Call.Tool != claude.ToolBash || slices.Contains(c.Via, "pwsh -Command") {
			c = cmdlet(c)
		}
		entry := shell.HasWord(onEntries, program(c))
		for _, o := range outputs(c) {
			for _, p := range f.targets(o.Arg, at) {
				all = append(all, change{path: p.path, token: c.Token, effect: o.effect, entry: entry && !p.inside, raw: p.raw, lock: o.lock, pattern: p.pattern, each: p.each, below: o.below, sparesGit: o.sparesGit})
			}
		}
	})
	// bridge does not know which command a redirection belongs to, so its path may start in either directory.
	for _, w := range f.Call.Line.Writes {
		for _, at := range slices.Compact([]string{f.Cwd, dir}) {
			for _, p := range f.targets(w, at) {
				all = append(all, change{path: p.path, token: w.Text, raw: p.raw, pattern: p.pattern})
			}
		}
	}
	return all
}

// cmdlet writes a command of PowerShell with the name of its cmdlet, unless its alias is
// the name of a program that does the same.
func cmdlet(c shell.Simple) shell.Simple {
	if name := program(c); name != "" && !shell.HasWord("rm rmdir cp mv tee curl wget", name) {
		c.Args = slices.Clone(c.Args)
		c.Args[0].Text = shell.Cmdlet(name)
	}
	// In Bash, the last operand is the target.
	for i := 1; i+1 < len(c.Args); i++ {
		if shell.HasWord("-destination -destinationpath -outfile -filepath", strings.ToLower(c.Args[i].Text)) {
			to := c.Args[i+1]
			c.Args = append(slices.Delete(slices.Clone(c.Args), i, i+2), to)
			break
		}
	}
	return c
}

// onEntries are programs that replace, remove or move a link itself, not its target.
const onEntries = "rm rmdir unlink mv ln install rsync find"

// output is an operand that is written.
type output struct {
	shell.Arg
	effect
	// lock is as in change.
	lock bool
	// below is a pattern for the names of the files that a search finds below the operand; sparesGit says that the search
	// leaves .git out.
	below     string
	sparesGit bool
}

// gitLock reports the name of a lock that git holds while it writes a file.
func gitLock(name string) bool { return strings.HasSuffix(name, ".lock") }

// as returns the same output for each of the words.
func as(what effect, args ...shell.Arg) (all []output) {
	for _, a := range args {
		all = append(all, output{Arg: a, effect: what})
	}
	return all
}

// outputs lists what a command writes to.
func outputs(c shell.Simple) (all []output) {
	if len(c.Args) == 0 {
		return nil
	}
	name, args := program(c), c.Args[1:]
	switch name {
	case "dd":
		for _, a := range args {
			if value, ok := strings.CutPrefix(a.Text, "of="); ok {
				all = append(all, output{Arg: shell.Arg{Text: value, Known: a.Known}})
			}
		}
	case "find":
		return findOutputs(c)
	case "rm":
		got := options(c)
		if got.has('r', "recursive") || got.has('R', "") {
			return locks(as(wipes, got.operands...))
		}
		return locks(as(itself, got.operands...))
	case "rimraf", "srm", "trash", "trash-put":
		return as(wipes, options(c).operands...)
	case "unlink":
		return locks(as(itself, options(c).operands...))
	case "remove-item":
		// PowerShell: -Recurse has no short form of one letter.
		got := options(c)
		if slices.ContainsFunc(got.opts, func(o string) bool { return len(o) > 1 && strings.HasPrefix("-recurse", strings.ToLower(o)) }) {
			return as(wipes, got.operands...)
		}
		return as(itself, got.operands...)
	case "openssl":
		for i, a := range args {
			if (a.Text == "-out" || a.Text == "-keyout") && i+1 < len(args) {
				all = append(all, output{Arg: args[i+1]})
			}
		}
	case "git":
		if g, ok := gitOf(c); ok {
			return gitOutputs(g)
		}
	}
	for _, w := range writers {
		if shell.HasWord(w.names, name) {
			return w.outputs(name, args)
		}
	}
	return all
}

// locks marks the locks of git among files that are removed.
func locks(all []output) []output {
	for i, o := range all {
		all[i].lock = gitLock(o.Text)
	}
	return all
}

// outputs lists what one of the programs writes to.
func (w writer) outputs(name string, args []shell.Arg) []output {
	if w.operands == archive && len(args) > 0 && !strings.HasPrefix(args[0].Text, "-") {
		// The first word may be options without a dash.
		args = append([]shell.Arg{{Text: "-" + args[0].Text, Known: args[0].Known}}, args[1:]...)
	}
	got := split(args, w.short, w.long)
	n := len(got.operands)
	here := shell.Arg{Text: ".", Known: true}
	all := as(w.effect, got.values(w.out)...)
	for i, o := range all {
		// The go command takes -o=FILE.
		all[i].Text = strings.TrimPrefix(o.Text, "=")
	}
	switch w.operands {
	case none:
	case every:
		return append(all, as(itself, got.operands...)...)
	case first:
		return append(all, as(itself, got.operands[:min(1, n)]...)...)
	case second:
		return append(all, as(itself, got.operands[min(1, n):min(2, n)]...)...)
	case target:
		if dirs := got.values(w.into); len(dirs) > 0 {
			// The option names the directory into which the operands are copied.
			return copies(name, dirs[0], into(got.operands), got.operands)
		}
		if n < 2 {
			break
		}
		if name == "ln" && got.has('n', "no-dereference") {
			return append(all, as(itself, got.operands[n-1])...)
		}
		from := got.operands[:n-1]
		what := into(from)
		switch {
		case slices.ContainsFunc(got.opts, func(o string) bool { return strings.HasPrefix(o, "--del") }):
			what = moves
		case name == "rsync", got.has('T', "no-target-directory"):
			what = fills
		}
		if got.has(0, "remove-source-files") {
			all = append(all, as(itself, from...)...)
		}
		return append(all, copies(name, got.operands[n-1], what, from)...)
	case files:
		return append(all, as(itself, got.edited(name)...)...)
	case archive:
		return append(all, as(fills, got.unpacked(here)...)...)
	case download:
		return got.downloaded(name, all)
	}
	return all
}

// downloaded adds the files that curl and wget name after the last part of an address.
func (w words) downloaded(name string, all []output) []output {
	here := shell.Arg{Text: ".", Known: true}
	named := w.has('O', "remote-name")
	if name == "curl" && (named || w.has('J', "")) || name == "wget" && len(all) == 0 {
		all = append(all, output{Arg: here})
	}
	if name == "curl" && !named {
		return all
	}
	for _, dir := range append(w.values("output-dir P directory-prefix d dir"), here) {
		all = append(all, as(itself, inside(dir, w.operands)...)...)
	}
	return all
}

// copies returns the paths that a copying program writes: its target, or the files in it.
// mv also removes its sources, with everything below them.
func copies(name string, to shell.Arg, what effect, from []shell.Arg) []output {
	all := append([]output{{Arg: to, effect: what}}, as(itself, inside(to, from)...)...)
	if name == "mv" || name == "move-item" || name == "rename-item" {
		all = append(all, as(moves, from...)...)
	}
	return all
}

// into says how copying changes the target directory: it may change any name there, unless every source has a plain
// name.
func into(from []shell.Arg) effect {
	for _, a := range from {
		if base := path.Base(a.Text); !a.Known || base == "." || base == ".." || strings.ContainsAny(base, "*?[{") {
			return fills
		}
	}
	return itself
}

// inside are the paths of the copies in a directory.
func inside(dir shell.Arg, from []shell.Arg) (all []shell.Arg) {
	for _, a := range from {
		if base := path.Base(a.Text); a.Known && base != ".git" && base != "." && base != ".." && base != "/" {
			all = append(all, shell.Arg{Text: strings.TrimSuffix(dir.Text, "/") + "/" + base, Known: dir.Known})
		}
	}
	return all
}

// edited are the files that a program with a script, such as sed, changes in place.
func (w words) edited(name string) []shell.Arg {
	inPlace := w.has('i', "in-place") || w.has(0, "inplace")
	if name == "awk" || name == "gawk" {
		inPlace = slices.ContainsFunc(w.values("i include"), func(a shell.Arg) bool { return a.Text == "inplace" })
	}
	if !inPlace {
		return nil
	}
	operands := w.operands
	// In BSD sed, the suffix of -i is a separate word.
	if len(operands) > 0 && operands[0].Text == "" {
		operands = operands[1:]
	}
	if len(operands) > 0 && len(w.values("e expression E f file source")) == 0 {
		operands = operands[1:]
	}
	return operands
}

// unpacked returns the archive that tar writes, or the directory that it unpacks into.
func (w words) unpacked(here shell.Arg) (all []shell.Arg) {
	if w.has('c', "create") || w.has('r', "append") || w.has('u', "update") {
		all = w.values("f file")
	}
	if w.has('x', "extract") || w.has(0, "get") {
		if all = append(all, w.values("C directory")...); len(all) == 0 {
			all = []shell.Arg{here}
		}
	}
	return all
}

// gitOutputs are the files of the work tree that a git command is told to write,
// restore or remove by their names.
func gitOutputs(g gitCall) (all []output) {
	if len(g.dirs) > 0 {
		return nil
	}
	got := split(g.args, "os", "output output-directory source")
	switch g.sub {
	case "config":
		got := split(g.args, "f", "file type default")
		if len(got.operands) > 1 || slices.ContainsFunc(got.opts, func(o string) bool { return o == "--unset" || o == "--unset-all" || o == "--remove-section" }) {
			if !slices.ContainsFunc(got.opts, func(o string) bool { return strings.HasPrefix(o, "--get") }) {
				return as(itself, got.values("f file")...)
			}
		}
	case "bundle":
		if len(got.operands) > 1 && got.operands[0].Text == "create" {
			return as(itself, got.operands[1])
		}
	case "archive", "format-patch", "diff", "log", "show":
		for _, o := range got.options {
			if o.name != "s" && o.name != "source" {
				all = append(all, output{Arg: o.value})
			}
		}
	case "rm", "mv", "restore", "checkout":
		if got.has(0, "cached") || got.has('S', "staged") {
			return nil
		}
		what := itself
		if g.sub == "rm" || g.sub == "mv" {
			what = moves
		}
		all = as(what, slices.DeleteFunc(got.operands, func(a shell.Arg) bool { return a.Text == "." })...)
	}
	return all
}
