package shell

import (
	"slices"
	"strings"
	"testing"
)

// FuzzOptions compares the option parser with a second one, which reads the words as getopt does, with and without
// POSIXLY_CORRECT. Every word that is a file to the second parser must be a path of an approved line.
func FuzzOptions(f *testing.F) {
	var rows []spelledRow
	for _, some := range tables() {
		for _, at := range spelledRows(some) {
			if r := at.row; !r.raw && !r.words && r.operands >= paths {
				rows = append(rows, at)
			}
		}
	}
	for i := range rows {
		f.Add(uint(i), []byte("\x00\x10\x21\x32\x43\x54"))
		f.Add(uint(i), []byte("\xf0\x01\x82\x13\xa4\x35\xc6\x57"))
	}
	f.Fuzz(func(t *testing.T, at uint, picks []byte) {
		row := rows[at%uint(len(rows))]
		words := vocabulary(row.row)
		var args []string
		for i := 0; i+1 < len(picks) && len(args) < 12; i += 2 {
			word := words[(int(picks[i])<<8|int(picks[i+1]))%len(words)]
			if picks[i] > 200 {
				word += words[int(picks[i+1])%len(words)]
			}
			args = append(args, word)
		}
		line := row.name
		for _, arg := range args {
			line += " " + arg
		}
		r := Analyse(line, Options{NetworkReads: true})
		if r.Verdict != Allow {
			return
		}
		found, _, _, _ := lookup(literal(r.Commands[0]))
		if found != row.row {
			return // an argument is a sub-command
		}
		var listed []string
		for _, p := range r.Paths {
			listed = append(listed, p.Name)
		}
		for _, posix := range []bool{false, true} {
			for _, file := range getopt(row.row, args, posix) {
				if !slices.Contains(listed, file) {
					t.Errorf("%q: with POSIXLY_CORRECT %v %q is a file, and the paths are %q", line, posix, file, listed)
				}
			}
		}
	})
}

func literal(argv []string) (words []word) {
	for _, text := range argv {
		words = append(words, word{text: text, src: text, glob: -1})
	}
	return words
}

// vocabulary is the list of words for a row: its options in their spellings, and operands.
func vocabulary(r *row) []string {
	words := []string{"a", "b/c", "-", "--", "2", "../x", "@f", "=v", "-2", "x=y"}
	for i := range len(r.short) {
		if _, ok := shortKind(r.short, r.short[i]); ok {
			words = append(words, "-"+r.short[i:i+1], r.short[i:i+1])
		}
	}
	for entry := range strings.FieldsSeq(r.long) {
		name := "--" + strings.TrimRight(entry, "=?@")
		words = append(words, name, name+"=", name+"=v", name[:len(name)-1])
	}
	return words
}

// getopt reads arguments as the C library does and returns the files. It shares only the notation of the rows with the
// parser.
func getopt(r *row, args []string, posix bool) (files []string) {
	var operands []string
	pattern := false
	value := func(kind byte, name, text string) {
		pattern = pattern || name == "-e" || name == "-f" || name == "--regexp" || name == "--file" || name == "--files"
		if kind == pathname && text != "-" {
			files = append(files, text)
		}
	}
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch {
		case arg == "--":
			operands = append(operands, args[i+1:]...)
			i = len(args)
		case arg == "-" || !strings.HasPrefix(arg, "-"):
			if posix {
				operands = append(operands, args[i:]...)
				i = len(args)
				break
			}
			operands = append(operands, arg)
		case r.digits && strings.Trim(arg[1:], "0123456789") == "":
		case strings.HasPrefix(arg, "--"):
			name, text, attached := strings.Cut(arg, "=")
			kind, _ := longKind(r.long, name[2:])
			switch {
			case kind == pair:
				i += 2
			case !attached && (kind == required || kind == pathname):
				i++
				if i < len(args) {
					text = args[i]
				}
			}
			value(kind, name, text)
		default:
			for j := 1; j < len(arg); j++ {
				kind, _ := shortKind(r.short, arg[j])
				name := "-" + arg[j:j+1]
				if kind == flag {
					value(kind, name, "")
					continue
				}
				text := arg[j+1:]
				if r.equals {
					text = strings.TrimPrefix(text, "=")
				}
				if arg[j+1:] == "" && kind != optional {
					i++
					if i < len(args) {
						text = args[i]
					}
				}
				value(kind, name, text)
				break
			}
		}
	}
	if r.operands == patternThenPaths && !pattern && len(operands) > 0 {
		operands = operands[1:]
	}
	for _, o := range operands {
		if o != "-" {
			files = append(files, o)
		}
	}
	return files
}
