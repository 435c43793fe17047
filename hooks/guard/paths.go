package guard

import (
	"path"
	"slices"
	"strings"

	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/internal/shell"
)

// within reports whether p is dir or below it.
func within(p, dir string) bool {
	return p != "" && (p == dir || strings.HasPrefix(p, strings.TrimSuffix(dir, "/")+"/"))
}

// eachCommand visits each command with the directory in which it runs, which depends on
// earlier cds and on its wrappers. It returns the directory in which the line ends. An
// unknown directory is empty.
func (f Facts) eachCommand(visit func(c shell.Simple, dir string)) (last string) {
	dirs := map[int]string{0: f.Cwd}
	// The directory before the last cd, for cd -.
	before := map[int]string{}
	for _, c := range f.Call.Line.Commands {
		// A subshell that begins here starts in the directory of the shell around it.
		around := c.Subshell
		dir, entered := dirs[around]
		for !entered {
			around = f.Call.Line.Subshells[around]
			dir, entered = dirs[around]
		}
		dirs[c.Subshell] = dir
		at := dir
		for _, d := range c.Dirs {
			at = f.enter(d, at)
		}
		visit(c, at)
		switch program(c) {
		case "popd":
			dirs[c.Subshell], before[c.Subshell] = before[c.Subshell], ""
		case "cd", "pushd":
			to := append(options(c).operands, shell.Arg{Text: "~"})
			if to[0].Text == "-" || to[0].Text == "$OLDPWD" {
				dirs[c.Subshell] = before[c.Subshell]
			} else {
				dirs[c.Subshell] = f.enter(to[0], dir)
			}
			before[c.Subshell] = dir
		}
	}
	return dirs[0]
}

// maxPath is the length of the longest path that a system accepts.
const maxPath = 4096

// enter is the directory that a cd in dir leads to, or "".
func (f Facts) enter(to shell.Arg, dir string) string {
	if all := f.targets(to, dir); len(all) == 1 && !all[0].pattern && to.Text != "-" && len(all[0].path) < maxPath {
		return all[0].path
	}
	return ""
}

// place is the path that an operand names. inside says that the operand means the content of that path, so a link there
// is followed.
type place struct {
	path   string
	inside bool
	// pattern says that the path contains patterns; each says that the operand means every entry of the place.
	pattern, each bool
	// raw is the path with its "..", which leads to another directory after a link; it is "" if there is no "..".
	raw string
}

// targets resolves an operand as far as possible: it removes quotes, expands braces, fills
// in the home directory, the working directory and the project, and removes trailing
// patterns that match everything.
func (f Facts) targets(arg shell.Arg, dir string) (all []place) {
	text := arg.Text
	if !arg.Known {
		text = strings.NewReplacer(`"`, "", `'`, "").Replace(text)
	}
	if text == "" {
		return nil
	}
	for _, one := range braces(text) {
		if p, ok := f.target(one, dir); ok {
			all = append(all, p)
		}
	}
	return all
}

func (f Facts) target(text, dir string) (at place, ok bool) {
	fill := func(value string, names ...string) {
		for _, name := range names {
			rest, found := strings.CutPrefix(text, name)
			if variable, ok := strings.CutPrefix(name, "$"); !found && ok {
				rest, found = expansion(text, variable)
			}
			if found && (rest == "" || rest[0] == '/') && value != "" {
				text = value + rest
				return
			}
		}
	}
	fill(f.Call.Home, "$HOME", "~", "~"+path.Base(f.Call.Home))
	fill(dir, "$PWD", "~+", "$(pwd)", "`pwd`")
	fill(f.Call.Root, "$"+claude.EnvProjectDir, "$(git rev-parse --show-toplevel)", "`git rev-parse --show-toplevel`")
	fill(f.Call.Root+"/.git", "$(git rev-parse --git-dir)", "`git rev-parse --git-dir`", "$(git rev-parse --git-common-dir)")
	at.inside = len(text) > 1 && strings.HasSuffix(text, "/")
	// Everything in a directory counts as the directory itself.
	for {
		dirPart, last := path.Split(strings.TrimRight(text, "/"))
		if !everything(last) {
			break
		}
		at.inside, at.each = true, true
		if text = dirPart; text == "" {
			text = "."
		}
	}
	if text == "" || strings.ContainsAny(text, "$`") {
		return place{}, false
	}
	at.pattern = strings.ContainsAny(text, "*?[")
	if !path.IsAbs(text) {
		if dir == "" {
			return place{}, false
		}
		text = dir + "/" + text
	}
	if strings.Contains(text, "..") {
		at.raw = text
	}
	at.path = path.Clean(text)
	return at, true
}

// expansion removes ${x} from the beginning of a text. It also knows the forms with a default value, and those that
// remove a slash from the end.
func expansion(text, variable string) (rest string, ok bool) {
	if text, ok = strings.CutPrefix(text, "${"+variable); !ok {
		return "", false
	}
	how, rest, ok := strings.Cut(text, "}")
	return rest, ok && (how == "" || how == "%/" || how == "%%/" || strings.IndexByte(":?-=", how[0]) >= 0)
}

// everything reports a pattern that matches nearly all names, such as *, .*, ???* and [!.]*, or a pattern of Bash or zsh
// that means everything except some names.
func everything(pattern string) bool {
	if strings.HasPrefix(pattern, "!(") || len(pattern) > 1 && pattern[0] == '^' || strings.HasPrefix(pattern, "*~") || strings.HasPrefix(pattern, "*(") {
		return true
	}
	pattern = strings.TrimPrefix(pattern, ".")
	star := false
	for pattern != "" {
		switch pattern[0] {
		case '*':
			star = true
			pattern = pattern[1:]
		case '?':
			pattern = pattern[1:]
		case '[':
			end := strings.IndexByte(pattern[min(2, len(pattern)):], ']') + 2
			if strings.HasPrefix(pattern, "[[:") && end+1 < len(pattern) && pattern[end+1] == ']' {
				end++
			}
			if end < 2 || !wide(pattern[1:end]) {
				return false
			}
			pattern = pattern[end+1:]
		default:
			return false
		}
	}
	return star
}

// wide reports a class that contains the first character of most names.
func wide(class string) bool {
	if class != "" && (class[0] == '!' || class[0] == '^') {
		return true
	}
	return slices.ContainsFunc([]string{"a-z", "A-z", "[:al", "[:lower", "[:graph", "[:print"}, func(part string) bool { return strings.Contains(class, part) })
}

// maxBraces is how many words of a brace expansion are checked.
const maxBraces = 64

// braces expands {a,b} as the shell does; ${x} and {} stay.
func braces(text string) []string {
	done, open := []string(nil), []string{text}
	for len(open) > 0 && len(done)+len(open) < maxBraces {
		word := open[0]
		open = open[1:]
		start, parts, end := firstBraces(word)
		if parts == nil {
			done = append(done, word)
			continue
		}
		for _, part := range parts {
			open = append(open, word[:start]+part+word[end:])
		}
	}
	return append(done, open...)
}

// firstBraces finds the first braces with a comma of their own.
func firstBraces(word string) (start int, parts []string, end int) {
	for start = 0; start < len(word); start++ {
		if word[start] != '{' || start > 0 && word[start-1] == '$' {
			continue
		}
		depth, from := 0, start+1
		parts = nil
		for i := start; i < len(word); i++ {
			switch {
			case word[i] == '{':
				depth++
			case word[i] == ',' && depth == 1:
				parts, from = append(parts, word[from:i]), i+1
			case word[i] == '}':
				depth--
			}
			if depth > 0 {
				continue
			}
			if parts != nil {
				return start, append(parts, word[from:i]), i + 1
			}
			break
		}
	}
	return 0, nil, 0
}
