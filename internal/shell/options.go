package shell

import (
	"slices"
	"strings"
)

// call is a simple command matched to a row, with its arguments sorted.
type call struct {
	row      *row
	name     string // the program and sub-command
	args     []word // after the program and sub-command
	options  []option
	operands []word
	paths    []word
	below    Below
}

// option is one option as given.
type option struct {
	name  string // "-o" or "--output"
	value string
	src   string // source of the value
}

func (c *call) has(names ...string) bool {
	return slices.ContainsFunc(c.options, func(o option) bool { return slices.Contains(names, o.name) })
}

// The kinds of options, in the notation of the rows.
const (
	flag     = ' '
	required = ':'
	optional = '?'
	pathname = '@'
	pair     = '2' // takes the next two words: jq --arg name value
)

// parse sorts c.args into options, operands and paths by the rules of getopt:
// options may follow operands, "--" ends them, short options may be clustered
// and carry their value attached.
func (c *call) parse() *refusal {
	args := c.args
	if r := c.responseFile(); r != nil {
		return r
	}
	ended := false
	// In other versions of the program, a long option may take no value from the next
	// word, and an option after an operand may be an operand. Words that would then be
	// operands are listed as paths, too.
	var maybe []word
	for i := 0; i < len(args); i++ {
		w := args[i]
		behind := len(c.operands) > 0
		if ended || w.text == "-" || !strings.HasPrefix(w.text, "-") {
			if r := c.operand(w, ended); r != nil {
				return r
			}
			// Go's flag package stops at the first operand.
			ended = ended || c.row.words
			continue
		}
		if behind {
			maybe = append(maybe, w)
		}
		if w.text == "--" {
			ended = true
			continue
		}
		if c.row.digits && digitsOnly(w.text[1:]) {
			c.options = append(c.options, option{name: w.text})
			continue
		}
		if behind && c.row.optionsFirst {
			return &refusal{"option-behind-operand", w.src, "Some versions of " + c.name + " read an option after the first operand as another operand."}
		}
		used, r := c.option(w, args[i+1:])
		if r != nil {
			return r
		}
		if behind || strings.HasPrefix(w.text, "--") {
			maybe = append(maybe, args[i+1:i+1+used]...)
		}
		i += used
	}
	c.place()
	if c.row.operands >= paths && !c.row.words {
		c.paths = append(c.paths, maybe...)
	}
	return c.banned()
}

// responseFile approves a word that begins with @ only if the row says that it is an ordinary word.
func (c *call) responseFile() *refusal {
	for _, w := range c.args {
		if !c.row.at && strings.HasPrefix(w.text, "@") {
			return &refusal{"response-file", w.src, "The program may read more arguments from the file whose name follows the @."}
		}
	}
	return nil
}

// option parses one word of options and returns how many of the words after it
// are its values.
func (c *call) option(w word, rest []word) (int, *refusal) {
	text := w.text
	var name, value string
	attached := false
	switch {
	case c.row.words:
		name, value, attached = strings.Cut(strings.TrimPrefix(strings.TrimPrefix(text, "-"), "-"), "=")
	case strings.HasPrefix(text, "--"):
		name, value, attached = strings.Cut(text[2:], "=")
	default:
		return c.cluster(w, rest)
	}
	kind, ok := longKind(c.row.long, name)
	if !ok {
		return 0, c.unknown(w, "--"+name)
	}
	if w.glob >= 0 && (!attached || w.glob <= strings.IndexByte(text, '=')) {
		return 0, globRefusal(w)
	}
	full := "--" + name
	switch {
	case attached && (kind == flag && !c.row.words || kind == pair):
		return 0, &refusal{"option-value", w.src, "The option " + full + " takes no value."}
	case attached || kind == flag || kind == optional:
		return 0, c.add(w, full, value, kind)
	}
	used, r := c.separate(w, full, kind, rest)
	if kind == pair && r == nil {
		_, r = c.separate(w, full, kind, rest[1:])
		used++
	}
	return used, r
}

// cluster parses -abc, -n5 and the like.
func (c *call) cluster(w word, rest []word) (int, *refusal) {
	if w.glob >= 0 {
		return 0, globRefusal(w)
	}
	letters := w.text[1:]
	for i := 0; i < len(letters); i++ {
		name := "-" + letters[i:i+1]
		kind, ok := shortKind(c.row.short, letters[i])
		if !ok {
			return 0, c.unknown(w, name)
		}
		value := letters[i+1:]
		if kind == flag {
			c.options = append(c.options, option{name: name})
			continue
		}
		if after, ok := strings.CutPrefix(value, "="); ok && c.row.equals {
			return 0, c.add(w, name, after, kind)
		}
		if value != "" || kind == optional {
			return 0, c.add(w, name, value, kind)
		}
		return c.separate(w, name, kind, rest)
	}
	return 0, nil
}

// separate takes the next word as the value of an option.
func (c *call) separate(w word, name string, kind byte, rest []word) (int, *refusal) {
	if len(rest) == 0 {
		return 0, &refusal{"option-value", w.src, "The option " + name + " lacks its value."}
	}
	v := rest[0]
	// If another version of the program took no value here, the word would be
	// an option of its own.
	if strings.HasPrefix(v.text, "-") && v.text != "-" && !digitsOnly(v.text[1:]) {
		return 0, &refusal{"option-like-value", v.src, "A value that looks like an option is not approved."}
	}
	if v.glob >= 0 {
		return 0, globRefusal(v)
	}
	return 1, c.add(v, name, v.text, kind)
}

func (c *call) add(w word, name, value string, kind byte) *refusal {
	c.options = append(c.options, option{name, value, w.src})
	if kind == pathname {
		w.text = value
		c.reads(w)
	}
	return nil
}

// reads lists the words that are paths, or mean the input.
func (c *call) reads(words ...word) {
	for _, w := range words {
		if w.text != "-" {
			c.paths = append(c.paths, w)
		}
	}
}

func (c *call) operand(w word, ended bool) *refusal {
	if ended && strings.HasPrefix(w.text, "-") && w.text != "-" && !(c.row.operands == patternThenPaths && len(c.operands) == 0) {
		return &refusal{"option-like-operand", w.src, "An operand that looks like an option is not approved."}
	}
	switch c.row.operands {
	case none:
		return &refusal{"operand", w.src, "The command " + c.name + " is approved without operands only."}
	case data, paths, patternThenPaths, revisions:
	}
	if c.row.max > 0 && len(c.operands) == c.row.max {
		return &refusal{"operand", w.src, "The command " + c.name + " may write to, or interpret, a further operand."}
	}
	if w.glob >= 0 {
		switch c.row.globs {
		case noGlobs:
			return globRefusal(w)
		case prefixedGlobs:
			if w.glob == 0 {
				return globRefusal(w)
			}
		case anyGlobs:
		}
	}
	c.operands = append(c.operands, w)
	return nil
}

// place lists the operands that are paths.
func (c *call) place() {
	from := len(c.operands)
	switch c.row.operands {
	case none, data:
		// The program prints the names that a pattern matches.
		for _, w := range c.operands {
			if w.glob >= 0 {
				c.paths = append(c.paths, w)
			}
		}
	case paths, revisions:
		from = 0
	case patternThenPaths:
		from = 1
		// The shell expands a pattern to file names.
		if c.has("-e", "-f", "--regexp", "--file", "--files") || len(c.operands) > 0 && c.operands[0].glob >= 0 {
			from = 0
		}
	}
	c.reads(c.operands[min(from, len(c.operands)):]...)
}

func (c *call) banned() *refusal {
	for _, w := range c.operands {
		if c.row.bans != nil && c.row.bans.match(w.text) {
			return &refusal{c.row.bans.rule, w.src, c.row.bans.why}
		}
	}
	return nil
}

// unknown rejects an option that the row does not list.
func (c *call) unknown(w word, name string) *refusal {
	for _, d := range c.row.danger {
		for spelled := range strings.FieldsSeq(d.options) {
			if spelled == name || len(name) > 2 && strings.HasPrefix(spelled, name) {
				return &refusal{"dangerous-option", w.src, "The option " + spelled + " of " + c.name + " " + d.why + "."}
			}
		}
	}
	if long, ok := strings.CutPrefix(name, "--"); ok && long != "" && (strings.HasPrefix(c.row.long, long) || strings.Contains(c.row.long, " "+long)) {
		return &refusal{"abbreviated-option", w.src, "The abbreviation " + name + " means different options in different versions of " + c.name + "."}
	}
	return &refusal{"unknown-option", w.src, "The option " + name + " of " + c.name + " is not known to be read-only."}
}

// noGlob rejects the first word that the shell expands.
func noGlob(words []word) *refusal {
	if at := slices.IndexFunc(words, func(w word) bool { return w.glob >= 0 }); at >= 0 {
		return globRefusal(words[at])
	}
	return nil
}

func globRefusal(w word) *refusal {
	return &refusal{"glob", w.src, "The shell expands the pattern, and a file name could act as an option or a further operand."}
}

// longKind finds name in a list such as "all sort= color? file@ arg==".
func longKind(list, name string) (byte, bool) {
	if name == "" {
		return 0, false
	}
	for entry := range strings.FieldsSeq(list) {
		if !strings.HasPrefix(entry, name) {
			continue
		}
		switch entry[len(name):] {
		case "":
			return flag, true
		case "=":
			return required, true
		case "?":
			return optional, true
		case "@":
			return pathname, true
		case "==":
			return pair, true
		}
	}
	return 0, false
}

// shortKind finds the letter in a list such as "an:U?f@".
func shortKind(list string, letter byte) (byte, bool) {
	if letter == required || letter == optional || letter == pathname {
		return 0, false
	}
	i := strings.IndexByte(list, letter)
	if i < 0 {
		return 0, false
	}
	if i+1 < len(list) {
		switch list[i+1] {
		case required, optional, pathname:
			return list[i+1], true
		}
	}
	return flag, true
}

func digitsOnly(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
