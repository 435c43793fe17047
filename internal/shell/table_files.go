package shell

import "strings"

// fileRows are programs that list, measure and compare files.
var fileRows = []row{
	{name: "ls", at: true, check: checkFollow, short: "aAbBcCdDfFgGhHiklLmnNopqQrRsStuUvxXZ1I:T:w:W", operands: paths, globs: anyGlobs, digits: true,
		long: "all almost-all author escape block-size= ignore-backups color? directory dired classify? file-type format= full-time group-directories-first no-group human-readable si dereference dereference-command-line dereference-command-line-symlink-to-dir hide= hyperlink? indicator-style= inode ignore= kibibytes numeric-uid-gid literal hide-control-chars show-control-chars quote-name quoting-style= reverse recursive size sort= time= time-style= tabsize= width= context zero help version"},
	{name: "pwd", short: "LP"},
	{name: "du", at: true, check: checkFollow, short: "0abcDhHklLmPsSxB:d:t:X@", long: "null all apparent-size block-size= bytes total dereference-args max-depth= human-readable inodes count-links dereference no-dereference separate-dirs si summarize threshold= time? time-style= exclude-from@ exclude= one-file-system help version", operands: paths, globs: anyGlobs},
	{name: "df", at: true, short: "aB:hHiklmPTt:x:", long: "all block-size= human-readable si inodes local no-sync output? portability total type= print-type exclude-type= help version", operands: paths, globs: anyGlobs,
		danger: []danger{{"--sync", "writes disk caches to the disk"}}},
	{name: "stat", at: true, short: "Lfc:tx", long: "dereference file-system format= printf= terse help version", operands: paths, globs: anyGlobs},
	{name: "file", at: true, short: "bhikLNnrsv0E", long: "brief mime mime-type mime-encoding dereference no-dereference no-buffer keep-going raw help version", operands: paths, globs: prefixedGlobs,
		danger: []danger{
			{"-C --compile", "writes a compiled magic file"},
			{"-z -Z --uncompress", "starts decompressors"},
			{"-p --preserve-date", "writes the access time back"},
			{"-m --magic-file -f --files-from", "reads a file that names others"},
		}},
	{name: "readlink", at: true, short: "femnqsvz", long: "canonicalize canonicalize-existing canonicalize-missing no-newline quiet silent verbose zero help version", operands: paths, globs: anyGlobs},
	{name: "realpath", at: true, short: "emLPqsz", long: "canonicalize-existing canonicalize-missing logical physical quiet relative-to@ relative-base@ strip no-symlinks zero help version", operands: paths, globs: anyGlobs},
	{name: "basename", at: true, short: "as:z", long: "multiple suffix= zero help version", operands: data, globs: anyGlobs},
	{name: "dirname", at: true, short: "z", long: "zero help version", operands: data, globs: anyGlobs},
	{name: "tree", at: true, short: "adflxqNQpsuhgDFvtcUrnCASJXL:P:I:i", long: "dirsfirst filesfirst noreport prune gitignore matchdirs ignore-case inodes device du si charset= filelimit= timefmt= sort? metafirst help version", operands: paths, globs: noGlobs, check: checkTree,
		danger: []danger{
			{"-o --output", "writes the listing to a file"},
			{"-R", "writes 00Tree.html files when combined with -H"},
			{"-H", "is only useful with -o and -R"},
		}},
	{name: "md5sum|sha1sum|sha224sum|sha256sum|sha384sum|sha512sum", at: true, short: "btwz", long: "binary tag text zero ignore-missing quiet status strict warn help version", operands: paths, globs: prefixedGlobs, danger: sumDanger},
	{name: "b2sum", at: true, short: "btwzl:", long: "binary tag text zero length= ignore-missing quiet status strict warn help version", operands: paths, globs: prefixedGlobs, danger: sumDanger},
	{name: "shasum", at: true, short: "a:bt", long: "algorithm= binary text", operands: paths, globs: prefixedGlobs, danger: sumDanger},
	{name: "md5", at: true, short: "qr", operands: paths, globs: prefixedGlobs},
	{name: "cksum", at: true, operands: paths, globs: anyGlobs},
	{name: "sum", at: true, short: "rs", operands: paths, globs: anyGlobs},
	{name: "cmp", at: true, short: "bi:ln:s", long: "print-bytes ignore-initial= verbose bytes= quiet silent help version", operands: paths, max: 2},
	{name: "diff", at: true, short: "abBcC:dEF:hHiI:nNpqrsS:tTuU:wW:x:X@yZ", digits: true, operands: paths, max: 2, globs: noGlobs, check: checkDiff,
		long:   "normal brief report-identical-files context? unified? ed rcs side-by-side width= left-column suppress-common-lines show-c-function show-function-line= label= expand-tabs initial-tab tabsize= suppress-blank-empty recursive no-dereference new-file unidirectional-new-file ignore-file-name-case no-ignore-file-name-case exclude= exclude-from@ starting-file= ignore-case ignore-tab-expansion ignore-trailing-space ignore-space-change ignore-all-space ignore-blank-lines ignore-matching-lines= text strip-trailing-cr ifdef= line-format= minimal horizon-lines= speed-large-files color? palette= help version",
		danger: []danger{{"-l --paginate", "starts the program pr"}}},
	{name: "tar", raw: true, check: checkTar},
	{name: "unzip", raw: true, check: checkUnzip},
	{name: "zipinfo", at: true, short: "12smlvhtzT", operands: paths, max: 1, check: checkZip},
	{name: "zcat", at: true, operands: paths, globs: prefixedGlobs, check: checkZcat},
	{name: "nm", short: "aACDgnopPrSu", operands: paths, globs: prefixedGlobs},
	{name: "size", operands: paths, globs: prefixedGlobs},
	{name: "readelf", short: "ahlSsendWVrA", operands: paths, globs: prefixedGlobs,
		long: "all file-header program-headers sections section-headers symbols syms dynamic notes relocs version-info wide"},
	{name: "objdump", short: "adDfhpP:rRstTxCw", operands: paths, globs: prefixedGlobs,
		long:   "disassemble? disassemble-all file-headers section-headers headers all-headers syms dynamic-syms reloc demangle?",
		danger: []danger{{"-S --source --source-comment -l --line-numbers", "reads the source files that the object names"}}},
}

var sumDanger = []danger{{"-c --check", "reads files that a list names"}}

// checkTar accepts the listing of an archive: tar tf FILE, with the letters of
// a listing in one word that ends with f. tar has many options that run
// programs (-I, --to-command, --checkpoint-action, -F, --rsh-command).
func checkTar(c *call) *refusal {
	if len(c.args) < 2 {
		return &refusal{"operand", "tar", "Only tar tf with an archive is approved."}
	}
	mode := c.args[0]
	letters := mode.text
	if len(letters) > 0 && letters[0] == '-' {
		letters = letters[1:]
	}
	list := false
	for i := 0; i < len(letters); i++ {
		switch letters[i] {
		case 't':
			list = true
		case 'v', 'z', 'j', 'J':
		case 'f':
			if i != len(letters)-1 {
				return &refusal{"unknown-option", mode.src, "The letter f must be the last of the options of tar."}
			}
		default:
			return &refusal{"unknown-option", mode.src, "Only the listing of an archive is approved."}
		}
	}
	if !list || letters[len(letters)-1] != 'f' {
		return &refusal{"unknown-option", mode.src, "Only the listing of an archive is approved."}
	}
	for i, w := range c.args[1:] {
		if w.glob >= 0 {
			return globRefusal(w)
		}
		if w.text == "" || w.text[0] == '-' {
			return &refusal{"unknown-option", w.src, "Options of tar after the archive are not approved."}
		}
		if i > 0 {
			continue
		}
		for j := 0; j < len(w.text); j++ {
			if w.text[j] == ':' {
				return &refusal{"operand", w.src, "tar connects to the host before the colon."}
			}
		}
		c.paths = append(c.paths, w)
	}
	return nil
}

func checkUnzip(c *call) *refusal {
	if len(c.args) != 2 || c.args[0].text != "-l" && c.args[0].text != "-Z1" || c.args[1].glob >= 0 || c.args[1].text == "" || c.args[1].text[0] == '-' {
		return &refusal{"unknown-option", "unzip", "Only unzip -l with one archive is approved."}
	}
	c.paths = append(c.paths, c.args[1])
	return checkZip(c)
}

// checkZip rejects patterns, which unzip expands itself, and lists the names that it
// tries if there is no such file.
func checkZip(c *call) *refusal {
	for _, w := range c.paths {
		if strings.ContainsAny(w.text, `*?[\`) {
			return &refusal{"operand", w.src, "The program expands the pattern itself."}
		}
	}
	c.orWith(".zip", ".ZIP")
	return nil
}

// checkZcat lists the names that gzip tries if there is no such file.
func checkZcat(c *call) *refusal {
	c.orWith(".gz", ".z", ".Z", "-z", "-gz")
	return nil
}

// orWith also lists the paths with each of the suffixes.
func (c *call) orWith(suffixes ...string) {
	for _, w := range c.paths {
		for _, suffix := range suffixes {
			more := w
			more.text += suffix
			c.paths = append(c.paths, more)
		}
	}
}

// checkTree rejects attached values: tree takes the value of a letter from the next word and then continues with the
// cluster, so -Lo 2 f writes f.
func checkTree(c *call) *refusal {
	for _, o := range c.options {
		if len(o.name) == 2 && o.value != "" && strings.HasPrefix(o.src, "-") {
			return &refusal{"option-value", o.src, "tree takes the value of " + o.name + " from the next word."}
		}
	}
	return checkFollow(c)
}
