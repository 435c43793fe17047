// Package git reads git directories without running git. The caller decides what to
// trust.
package git

import (
	"iter"
	"os"
	"path/filepath"
	"strings"

	"github.com/hookbridge/bridge/internal/statefile"
)

// Dir returns the git directory of the work tree at tree, or "". In a linked work
// tree and in a submodule .git is a file that names it.
func Dir(tree string) string {
	git := filepath.Join(tree, ".git")
	info, err := os.Lstat(git)
	if err != nil {
		return ""
	}
	if info.Mode().IsRegular() {
		text, _ := statefile.ReadFile(git, statefile.MaxSize)
		if target, ok := link(tree, text); ok {
			return target
		}
	}
	return git
}

// Super returns the work tree of which the one at tree is a submodule, or "". The .git
// file of a submodule names a place below the .git of that work tree; it counts only in a
// directory that statefile.OpenDir accepts.
func Super(tree string) string {
	// In nearly every project .git is a directory, and checking that costs less than
	// opening it.
	if info, err := os.Lstat(filepath.Join(tree, ".git")); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	file, err := statefile.ReadIn(tree, ".git")
	if err != nil {
		return ""
	}
	target, _ := link(tree, file.Data)
	super, _, ok := strings.Cut(filepath.ToSlash(filepath.Clean(target)), "/.git/modules/")
	if !ok {
		return ""
	}
	return filepath.FromSlash(super)
}

// link reads the .git file of the work tree at tree.
func link(tree string, text []byte) (target string, ok bool) {
	target, ok = strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir:")
	return from(tree, strings.TrimSpace(target)), ok
}

// from makes a path in a file in dir absolute.
func from(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// Common returns the directory that the work tree shares with other work trees. git is the git directory of the work
// tree; the two differ only for a linked work tree.
func Common(git string) string {
	text, _ := statefile.ReadFile(filepath.Join(git, "commondir"), statefile.MaxSize)
	if common := strings.TrimSpace(string(text)); common != "" {
		return from(git, common)
	}
	return git
}

// Head reads the text of a HEAD: the ref that is checked out, such as refs/heads/main, or the commit. If the text is
// neither, both are "".
func Head(text []byte) (ref, commit string) {
	head := strings.TrimSpace(string(text))
	if ref, ok := strings.CutPrefix(head, "ref: "); ok {
		return ref, ""
	}
	if len(head) < 40 || strings.Trim(head, "0123456789abcdef") != "" {
		return "", ""
	}
	return "", head
}

// ConfigLine is a line of a configuration. Key is "" if the line sets nothing.
type ConfigLine struct {
	// Section is the name of the section in lower case, Sub that of the sub-section
	// as it is written, with its quotes.
	Section, Sub string
	// Key is in lower case.
	Key, Value string
	// Odd says why the line is not plain; the other fields may then be wrong. It is "" for a plain line: a section head,
	// perhaps with a quoted sub-section, or a key with its value, alone on the line and without escapes.
	Odd string
}

// Config reads a configuration line by line. It understands fewer forms than git.
func Config(text string) iter.Seq[ConfigLine] {
	return func(yield func(ConfigLine) bool) {
		var section ConfigLine
		for line := range strings.SplitSeq(text, "\n") {
			line = strings.TrimSuffix(line, "\r")
			l, text := section, strings.TrimLeft(line, " \t")
			switch key, value, ok := strings.Cut(text, "="); {
			case text == "" || text[0] == '#' || text[0] == ';':
				l.Odd = ""
			case text[0] == '[':
				section = head(text)
				l = section
				if text != line {
					l.Odd = "an unusual line"
				}
			default:
				l.Key, l.Value = strings.ToLower(strings.TrimRight(key, " \t")), strings.Trim(value, " \t")
				if !ok || !word(l.Key) || l.Section == "" {
					l.Odd = "an unusual line"
				}
			}
			if strings.ContainsFunc(line, func(r rune) bool { return r < ' ' && r != '\t' || r == '\\' || r == 0x7f }) {
				l.Odd = "an escape or a control character"
			}
			if !yield(l) {
				return
			}
		}
	}
}

// head reads a section head.
func head(text string) ConfigLine {
	text, ok := strings.CutSuffix(strings.TrimRight(text[1:], " \t"), "]")
	section, sub, hasSub := strings.Cut(text, " ")
	section = strings.ToLower(section)
	plain := !hasSub || strings.Count(sub, `"`) == 2 && sub[0] == '"' && sub[len(sub)-1] == '"'
	if !ok || !plain || !word(section) {
		return ConfigLine{Odd: "an unusual section"}
	}
	return ConfigLine{Section: section, Sub: sub}
}

// word reports whether a text can be the name of a section or key.
func word(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}
