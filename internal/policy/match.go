package policy

import (
	"path"
	"strings"

	"github.com/hookbridge/bridge/internal/shell"
)

// Call is one tool call as the rules see it.
type Call struct {
	Tool string
	// Text is the whole command line of a shell tool, else empty.
	Text string
	// Line is what was found in Text.
	Line shell.Line
	// Commands are the simple commands found in Text, each as its words joined
	// by one space.
	Commands []string
	// Paths are the absolute paths that a file tool names, links resolved and as
	// written.
	Paths []string
	// Root is the project root; a relative path pattern is relative to it.
	Root string
	// Home is the user's home directory, for patterns that begin with ~/.
	Home string
	// Host is the host that WebFetch asks.
	Host string
}

// Matches reports whether the rule matches the call, and which part of the call
// did. A shell rule matches when any command in the line does: it is meant to
// catch.
func (r Rule) Matches(c Call) (token string, ok bool) {
	if !glob(r.Tool, c.Tool) {
		return "", false
	}
	if !r.HasPattern {
		return c.Tool, true
	}
	switch {
	case c.Text != "":
		for _, command := range append([]string{strings.Join(strings.Fields(c.Text), " ")}, c.Commands...) {
			if r.MatchesCommand(command) {
				return command, true
			}
		}
	case len(c.Paths) > 0:
		for _, p := range c.Paths {
			if matchPath(r.Pattern, p, c.Root, c.Home) {
				return p, true
			}
		}
	case c.Host != "":
		domain, isDomain := strings.CutPrefix(r.Pattern, "domain:")
		if isDomain && (c.Host == domain || strings.HasSuffix(c.Host, "."+domain)) {
			return c.Host, true
		}
	}
	return "", false
}

// MatchesCommand reports whether the pattern matches one command. "git push:*"
// and "git push *" match git push with and without arguments; a * elsewhere
// stands for any text.
func (r Rule) MatchesCommand(command string) bool {
	if !r.HasPattern {
		return true
	}
	pattern := r.Pattern
	if prefix, ok := strings.CutSuffix(pattern, ":*"); ok {
		pattern = prefix + " *"
	}
	if prefix, ok := strings.CutSuffix(pattern, " *"); ok && glob(prefix, command) {
		return true
	}
	return glob(pattern, command)
}

// glob matches s against a pattern in which * stands for any text. It needs time
// linear in the length of s for each star.
func glob(pattern, s string) bool {
	first, rest, star := strings.Cut(pattern, "*")
	if !star {
		return pattern == s
	}
	s, ok := strings.CutPrefix(s, first)
	if !ok {
		return false
	}
	for {
		part, next, more := strings.Cut(rest, "*")
		if !more {
			return strings.HasSuffix(s, part)
		}
		at := strings.Index(s, part)
		if at < 0 {
			return false
		}
		s, rest = s[at+len(part):], next
	}
}

// matchPath matches an absolute path. A pattern is absolute with // or /,
// relative to the home directory with ~/, and relative to the project root
// otherwise; ** spans directories, * does not. A pattern without a slash matches
// the last element of any path below the root, as in a .gitignore file.
func matchPath(pattern, p, root, home string) bool {
	p = path.Clean(strings.ReplaceAll(p, `\`, "/"))
	switch {
	case strings.HasPrefix(pattern, "//"):
		return matchElements(split(pattern[1:]), split(p))
	case strings.HasPrefix(pattern, "/"):
		return matchElements(split(pattern), split(p))
	case strings.HasPrefix(pattern, "~/"):
		return home != "" && matchElements(split(home+pattern[1:]), split(p))
	}
	below, ok := strings.CutPrefix(p, strings.TrimSuffix(root, "/")+"/")
	if !ok {
		return false
	}
	pattern = strings.TrimPrefix(pattern, "./")
	if !strings.Contains(pattern, "/") {
		matched, err := path.Match(pattern, path.Base(below))
		return err == nil && matched
	}
	return matchElements(split(pattern), split(below))
}

func split(p string) []string { return strings.Split(strings.Trim(p, "/"), "/") }

// matchElements matches path elements; ** stands for any number of them.
func matchElements(pattern, elements []string) bool {
	// The position after the last ** is all that has to be tried again.
	star, from := -1, 0
	p, e := 0, 0
	for e < len(elements) {
		switch {
		case p < len(pattern) && pattern[p] == "**":
			star, from = p, e
			p++
			continue
		case p < len(pattern):
			if ok, err := path.Match(pattern[p], elements[e]); err == nil && ok {
				p, e = p+1, e+1
				continue
			}
		}
		if star < 0 {
			return false
		}
		from++
		p, e = star+1, from
	}
	for p < len(pattern) && pattern[p] == "**" {
		p++
	}
	return p == len(pattern)
}
