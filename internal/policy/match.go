package policy

import (
	"path"
	"strings"

	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/internal/reach"
	"github.com/hookbridge/bridge/internal/shell"
	"github.com/hookbridge/bridge/protocol"
)

// Call is one tool call as the rules see it.
type Call struct {
	Tool string
	// Text is the whole command line of a shell tool, else empty.
	Text string
	// Line is the analysis of Text.
	Line shell.Line
	// Commands are the simple commands in Text. Each is in the list as its words joined
	// by one space and, if that differs, also in the form that rules use
	// (shell.Simple.Plain).
	Commands []string
	// Paths are the absolute paths that a file tool names, links resolved and as
	// written.
	Paths []string
	// Targets are the paths without links: the places where the call really reads or writes. It is empty if they are
	// unknown.
	Targets []string
	// Only are patterns of the names that a search reads, as in shell.Below.
	Only []string
	// Root is the project root; a relative path pattern is relative to it.
	Root string
	// Home is the user's home directory, for patterns that begin with ~/.
	Home string
	// Host is the host that WebFetch asks.
	Host string
}

// Matches reports whether a deny or ask rule matches the call, and which part of the call did. It matches generously: a
// shell rule matches if any command in the line does, a file rule if the path as written or the file to which it leads
// does.
func (r Rule) Matches(c Call) (token string, ok bool) {
	if !r.forTool(c.Tool) && !r.covers(c.Tool) {
		return "", false
	}
	if !r.HasPattern {
		return c.Tool, true
	}
	switch {
	case c.Text != "":
		if c.Tool != claude.ToolBash && r.matchesForeign(c.Text) {
			return c.Text, true
		}
		for _, command := range append([]string{plainText(c.Text)}, c.Commands...) {
			if r.MatchesCommand(command) {
				return command, true
			}
		}
	case len(c.Paths) > 0:
		for _, p := range c.Paths {
			if r.catches(p, c.Root, c.Home) {
				return p, true
			}
		}
	case c.Host != "":
		if r.matchesHost(c.Host) {
			return c.Host, true
		}
	}
	return "", false
}

// Permits reports whether an allow rule covers everything that the call does, and which part of the call the rule names.
// bridge parses only Bash, so a line of another shell must be one plain command. A file rule is compared with the file
// to which the path leads. Lines of Bash are judged command by command (MatchesCommand).
func (r Rule) Permits(c Call) (token string, ok bool) {
	if !r.forTool(c.Tool) && !(r.covers(c.Tool) && claude.Kind(c.Tool) == protocol.ToolWrite) {
		return "", false
	}
	if !r.HasPattern {
		return c.Tool, true
	}
	switch {
	case c.Text != "":
		text := plainText(c.Text)
		return text, c.Tool != claude.ToolBash && onePlainCommand(c.Text) && r.MatchesCommand(text)
	case len(c.Paths) > 0:
		for _, p := range c.Targets {
			if !matchPath(r.Pattern, p, c.Root, c.Home) && (r.real == "" || !matchElements(split(r.real), split(p))) {
				return "", false
			}
			token = p
		}
		return token, len(c.Targets) > 0
	case c.Host != "":
		return c.Host, r.matchesHost(c.Host)
	}
	return "", false
}

// forTool reports whether the rule is about a tool. mcp__server stands for all tools of
// the server, as it does for the client.
func (r Rule) forTool(tool string) bool {
	return glob(r.Tool, tool) || isServer(r.Tool) && strings.HasPrefix(tool, r.Tool+"__")
}

// covers reports whether a rule with a path also applies to a tool of another name: a rule for Edit covers all tools
// that change files, as in the client (anthropics/claude-code#75315), and a rule for Read all tools that read them.
func (r Rule) covers(tool string) bool {
	kind := claude.Kind(tool)
	return r.HasPattern && (r.Tool == claude.ToolEdit && kind == protocol.ToolWrite ||
		r.Tool == claude.ToolRead && (kind == protocol.ToolRead || kind == protocol.ToolSearch))
}

// catches reports whether a deny or ask rule applies to a file or directory, or to a directory above it. Upper case
// counts as lower case, because on some systems both are the same file.
func (r Rule) catches(p, root, home string) bool {
	pattern, p, root, home := reach.Fold(r.Pattern), reach.Fold(path.Clean(p)), reach.Fold(root), reach.Fold(home)
	for {
		if matchPath(pattern, p, root, home) {
			return true
		}
		above := path.Dir(p)
		if above == p || above == "." {
			return false
		}
		p = above
	}
}

// isServer reports the name of an MCP server.
func isServer(tool string) bool {
	return strings.HasPrefix(tool, "mcp__") && strings.Count(tool, "__") == 1 && !strings.Contains(tool, "*")
}

func (r Rule) matchesHost(host string) bool {
	domain, isDomain := strings.CutPrefix(strings.ToLower(r.Pattern), "domain:")
	return isDomain && (host == domain || strings.HasSuffix(host, "."+domain))
}

// matchesForeign matches a line of a shell other than Bash: each part between characters
// that separate or enclose commands. Case does not matter.
func (r Rule) matchesForeign(text string) bool {
	r.Pattern = strings.ToLower(r.Pattern)
	for part := range strings.FieldsFuncSeq(strings.ToLower(text), func(c rune) bool { return strings.ContainsRune(";|&\n\r(){}", c) }) {
		// The name of a command may contain quotes and backticks anywhere.
		for _, line := range []string{part, strings.NewReplacer(`"`, "", "'", "", "`", "").Replace(part)} {
			if words := foreignCommand(line); len(words) > 0 && r.matchesWords(words) {
				return true
			}
		}
	}
	return false
}

func (r Rule) matchesWords(words []string) bool {
	if r.MatchesCommand(strings.Join(words, " ")) {
		return true
	}
	words[0] = shell.Program(strings.Trim(words[0], `"'`))
	if r.MatchesCommand(strings.Join(words, " ")) {
		return true
	}
	// The rule may name the cmdlet and the line an alias of it, or the other way round.
	words[0] = shell.Cmdlet(words[0])
	if first, rest, more := strings.Cut(r.Pattern, " "); more {
		r.Pattern = shell.Cmdlet(first) + " " + rest
	} else if first, prefix := strings.CutSuffix(r.Pattern, ":*"); prefix {
		r.Pattern = shell.Cmdlet(first) + ":*"
	} else {
		r.Pattern = shell.Cmdlet(r.Pattern)
	}
	return r.MatchesCommand(strings.Join(words, " "))
}

// foreignCommand is a command of PowerShell without the parts that may precede it: the variable to which its result is
// assigned, the dot that runs it in the current scope, and return.
func foreignCommand(part string) []string {
	for {
		part = strings.TrimSpace(part)
		if _, value, ok := strings.Cut(part, "="); ok && strings.HasPrefix(part, "$") {
			part = value
			continue
		}
		words := strings.Fields(part)
		if len(words) < 2 || !shell.HasWord(". return exit throw", words[0]) {
			return words
		}
		part = strings.TrimPrefix(part, words[0])
	}
}

// plainText reduces the space between the words of a line to one blank.
func plainText(text string) string { return strings.Join(strings.Fields(text), " ") }

// onePlainCommand reports a line that is one command without quotes, variables,
// patterns, separators or redirections in any shell.
func onePlainCommand(text string) bool {
	for i := range len(text) {
		c := text[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !letter && strings.IndexByte(" ._-/\\:=+,", c) < 0 {
			return false
		}
	}
	return strings.TrimSpace(text) != ""
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
	// If a match fails, only the position after the last ** has to be tried again.
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
