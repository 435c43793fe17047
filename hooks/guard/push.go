package guard

import (
	"path"
	"slices"
	"strings"

	"github.com/hookbridge/bridge/internal/shell"
)

// gitCall is a parsed git command.
type gitCall struct {
	sub  string
	args []shell.Arg
	// dirs are the values of -C, config those of -c.
	dirs   []shell.Arg
	config []string
}

func gitOf(c shell.Simple) (g gitCall, ok bool) {
	if sub, ok := strings.CutPrefix(program(c), "git-"); ok {
		return gitCall{sub: sub, args: c.Args[1:]}, true
	}
	if program(c) != "git" {
		return gitCall{}, false
	}
	short, long, _ := shell.Globals("git")
	args := c.Args[1:]
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		if len(arg.Text) < 2 || arg.Text[0] != '-' {
			g.sub, g.args = arg.Text, args
			for range maxAliases {
				g.unalias()
			}
			return g, true
		}
		name, value, separate := shell.Option(arg, short, long)
		if separate && len(args) > 0 {
			value, args = args[0], args[1:]
		}
		switch name {
		case "C":
			g.dirs = append(g.dirs, value)
		case "c":
			g.config = append(g.config, value.Text)
		}
	}
	return g, false
}

// maxAliases is how many aliases may refer to each other in a row.
const maxAliases = 3

// unalias replaces an alias that the command itself defines with its subcommand.
func (g *gitCall) unalias() {
	for _, setting := range g.config {
		key, value, _ := strings.Cut(setting, "=")
		words := strings.Fields(value)
		if !strings.EqualFold(key, "alias."+g.sub) || len(words) == 0 || words[0][0] == '!' {
			continue
		}
		g.sub = words[0]
		var args []shell.Arg
		for _, word := range words[1:] {
			args = append(args, shell.Arg{Text: word, Known: true})
		}
		g.args = append(args, g.args...)
		return
	}
}

// eachPush visits the pushes with the directory from which each pushes, and the
// branch that the line may have checked out there, or "".
func (f Facts) eachPush(visit func(c shell.Simple, g gitCall, dir, entered string)) {
	entered := map[string]string{}
	f.eachCommand(func(c shell.Simple, dir string) {
		g, ok := gitOf(c)
		if !ok || !shell.HasWord("push send-pack checkout switch", g.sub) {
			return
		}
		for _, d := range g.dirs {
			dir = f.enter(d, dir)
		}
		if g.sub == "push" || g.sub == "send-pack" {
			visit(c, g, dir, entered[dir])
		} else if name := checkedOut(g); name != "" {
			entered[dir] = name
		}
	})
}

// checkedOut is the branch that git checkout or switch enters, or "".
func checkedOut(g gitCall) string {
	if slices.ContainsFunc(g.args, func(a shell.Arg) bool { return a.Text == "--" }) {
		return ""
	}
	got := split(g.args, "bBcC", "create force-create orphan conflict")
	for _, o := range got.options {
		if o.name != "conflict" {
			return o.value.Text
		}
	}
	if len(got.operands) == 1 {
		return got.operands[0].Text
	}
	return ""
}

// pushes returns the first push for which the answer is want.
func (f Facts) pushes(want Decision) (token string, ok bool) {
	f.eachPush(func(c shell.Simple, g gitCall, dir, entered string) {
		// The line may or may not check out the branch, so either branch may be pushed.
		if !ok && (judgePush(g, f.Branches[dir]) == want || entered != "" && judgePush(g, entered) == want) {
			token, ok = c.Token, true
		}
	})
	return token, ok
}

// push says what a push does. force means that it may overwrite or remove branches, all that it pushes all branches.
// refs are the branches that it names.
type push struct {
	force, all bool
	// remove says that it only removes the branches that it names.
	remove bool
	refs   []shell.Arg
}

// pushOf reads a push.
func pushOf(g gitCall) push {
	got := split(g.args, "o", "repo push-option receive-pack exec")
	mirror := got.has(0, "mirror")
	// A push with a lease overwrites the branch, too.
	p := push{force: mirror || got.has('d', "delete") || got.has('f', "") || slices.Contains(got.opts, "--prune"), all: mirror, remove: got.has('d', "delete")}
	for _, o := range got.opts {
		p.force = p.force || strings.HasPrefix(o, "--forc")
		p.all = p.all || o == "--all" || o == "--branches"
	}
	// The first operand after push is the remote.
	p.refs = got.operands[min(1, len(got.operands)):]
	configured := len(p.refs) == 0
	for _, setting := range g.config {
		key, value, set := strings.Cut(setting, "=")
		key = strings.ToLower(key)
		remote := strings.HasPrefix(key, "remote.")
		switch {
		case remote && strings.HasSuffix(key, ".mirror") && (!set || shell.HasWord("true yes on 1", strings.ToLower(value))):
			p.force, p.all = true, true
		case remote && strings.HasSuffix(key, ".push") && configured:
			p.refs = append(p.refs, shell.Arg{Text: value, Known: true})
		case key == "push.default" && value == "matching":
			p.all = true
		}
	}
	return p
}

// judgePush denies a push that rewrites or removes a protected branch, and asks if that
// is unclear. branch is the one that is checked out, or "".
func judgePush(g gitCall, branch string) Decision {
	p := pushOf(g)
	if len(p.refs) == 0 {
		switch {
		case !p.force || p.remove:
			return None
		case p.all || protected(branch):
			return Deny
		case branch == "":
			return Ask
		}
		return None
	}
	answer := None
	for _, ref := range p.refs {
		for _, text := range braces(ref.Text) {
			switch judgeRef(text, branch, p.force) {
			case Deny:
				return Deny
			case Ask:
				answer = Ask
			case None:
			}
		}
	}
	return answer
}

func judgeRef(text, branch string, forced bool) Decision {
	for _, current := range []string{"git branch --show-current", "git rev-parse --abbrev-ref HEAD", "git symbolic-ref --short HEAD"} {
		text = strings.NewReplacer("$("+current+")", "HEAD", "`"+current+"`", "HEAD").Replace(text)
	}
	name, plus := strings.CutPrefix(strings.Trim(text, `"'`), "+")
	from, to, pair := strings.Cut(name, ":")
	if !pair {
		to = from
	}
	switch {
	case pair && from == "" && to == "":
		// All branches that also exist on the remote.
		if forced || plus {
			return Deny
		}
		return None
	case !forced && !plus && (!pair || from != ""):
		return None
	}
	to = strings.TrimPrefix(strings.TrimPrefix(to, "refs/"), "heads/")
	if to == "HEAD" || to == "@" {
		to = branch
	}
	switch {
	case protected(to):
		return Deny
	case to == "":
		return Ask
	}
	if unknown := strings.IndexAny(to, "$`"); unknown >= 0 && protected(strings.Trim(to[:unknown], `"'`)+"*") {
		return Ask
	}
	return None
}

// protected reports a branch that must not be rewritten, or a pattern that matches one.
func protected(name string) bool {
	return slices.ContainsFunc([]string{"main", "master"}, func(branch string) bool {
		// In git, a star also matches slashes, but these names contain none.
		matched, err := path.Match(name, branch)
		return name != "" && err == nil && matched
	})
}
