package reach

import (
	"io/fs"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"
)

// special are the characters that mean something in the patterns of some shell. Those
// of zsh count only with one of its options.
const special = `*?[^#~`

// Pattern reports whether a word contains something that a shell may expand.
func Pattern(word string) bool { return strings.ContainsAny(word, special) }

// Expand returns the places of all names that a pattern may match, in any shell and with
// any of its options, and base, the directory that contains them. Links that match, or
// that are on the way, are followed.
func (d *Disk) Expand(dir, pattern string) (base Place, all []Place, err error) {
	if Strange(pattern) {
		return Place{}, nil, ErrStrange
	}
	if strings.Contains(pattern, "**") {
		return Place{}, nil, ErrDeep
	}
	fixed, rest := "", pattern
	for rest != "" {
		part, behind, more := strings.Cut(rest, "/")
		if Pattern(part) {
			break
		}
		fixed += part
		if rest = behind; more {
			fixed += "/"
		}
	}
	if base, err = d.Follow(dir, fixed); err != nil {
		return Place{}, nil, err
	}
	all, err = d.expand(base, strings.FieldsFunc(rest, func(r rune) bool { return r == '/' }))
	return base, all, err
}

// expand expands the remaining parts of a pattern from a place.
func (d *Disk) expand(from Place, parts []string) (all []Place, err error) {
	if len(parts) == 0 {
		if d.matches++; d.matches > maxMatches {
			return nil, ErrTooMuch
		}
		return []Place{from}, nil
	}
	onward := func(name string) error {
		next, err := d.Follow(from.Path, name)
		if err != nil {
			return err
		}
		next.Over = append(from.Over[:len(from.Over):len(from.Over)], next.Over...)
		if len(parts) > 1 && !next.Dir() {
			return nil
		}
		more, err := d.expand(next, parts[1:])
		all = append(all, more...)
		return err
	}
	if !Pattern(parts[0]) {
		return all, onward(parts[0])
	}
	if !from.Dir() {
		return nil, nil
	}
	// The directory is read completely first, so that a deep pattern does not keep many
	// directories open.
	var names []string
	if err := d.List(from.Path, func(e fs.DirEntry) error {
		if Match(parts[0], e.Name()) {
			names = append(names, e.Name())
		}
		return nil
	}); err != nil {
		return nil, err
	}
	for _, name := range names {
		if err := onward(name); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// Match reports whether a component of a pattern may match a name, in any shell and with
// any of its options: case does not matter, and a wildcard matches a leading dot. In
// doubt it says yes: brackets, braces and syntax that only some shells know match any
// text.
func Match(pattern, name string) bool {
	if strings.ContainsAny(pattern, "^#~") {
		return true // operators of zsh
	}
	const grouping = `[]{}(),|!+@\`
	if first := strings.IndexAny(pattern, grouping); first >= 0 {
		pattern = pattern[:first] + "*" + pattern[strings.LastIndexAny(pattern, grouping)+1:]
	}
	if !ascii(name) || !ascii(pattern) {
		pattern = strings.ReplaceAll(pattern, "?", "*") // a character or a byte
	}
	return wild(Fold(pattern), Fold(name))
}

// wild matches a whole name against a pattern of * and ?.
func wild(pattern, name string) bool {
	p, n, star, from := 0, 0, -1, 0
	for n < len(name) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, from = p, n
			p++
			continue
		case p < len(pattern) && (pattern[p] == '?' || pattern[p] == name[n]):
			p, n = p+1, n+1
			continue
		case star < 0:
			return false
		}
		from++
		p, n = star+1, from
	}
	return strings.Trim(pattern[p:], "*") == ""
}

// Fold converts a name to lower case, because some file systems ignore case.
func Fold(name string) string {
	if ascii(name) {
		return strings.ToLower(name)
	}
	return strings.Map(func(r rune) rune {
		least := unicode.ToLower(r)
		for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
			least = min(least, unicode.ToLower(next))
		}
		return least
	}, name)
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// Rel is the path of a place relative to dir, with slashes; "." for dir itself.
func Rel(dir, place string) string {
	rest := strings.TrimPrefix(place, strings.TrimSuffix(dir, string(filepath.Separator)))
	if rest = strings.TrimLeft(filepath.ToSlash(rest), "/"); rest == "" {
		return "."
	}
	return rest
}
