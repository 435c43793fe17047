//go:build linux

package permission_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/bridge/internal/shell"
)

// lineMaker makes command lines of rows of the table: their options in every spelling,
// alone and together, with operands that lead out of the project, name response files,
// secrets and output files.
type lineMaker struct {
	rng     *rand.Rand
	outside string
}

func (m *lineMaker) pick(from []string) string { return from[m.rng.IntN(len(from))] }

func (m *lineMaker) chance(percent int) bool { return m.rng.IntN(100) < percent }

var (
	plainOperands = strings.Fields("a.txt b.txt nums.txt sub src src/main.go docs a.json README.md ./a.txt sub/../a.txt docs/a.md more/d/e a.o lib nested bare.git empty missing 2 1 foo")
	// No path here may lead out of the fixture, because a command with a wrong row would really change it.
	oddOperands = strings.Fields("- . .. -- *.txt s*/*.go link link/x link.txt l*k/x sub/deep/y ../outside/x OUT/x OUT @resp @OUT/x @a.txt .env keys/id_rsa prod.env e*v --output=written written -o -k -rf =x =OUT/x evil.so resp ext::sh https://127.0.0.1:9/x a..b ~")
	gitOperands = strings.Fields("HEAD main HEAD~1 main..feature HEAD:a.txt v1.0 v1.1 feature origin a.txt src lib stash@{0} @ @{0} refs/heads/main HEAD^{tree} HEAD:lib -- user.name GIT_EDITOR")
	plainValues = strings.Fields("1 2 10 0 a.txt foo x never always auto json short full name %H %s , : = n 1,2 utf-8 all i lines size bytes text b d yes main HEAD size=2 .txt a 3d")
	oddValues   = strings.Fields("=1 =a.txt =OUT/x OUT/x ../outside/x link/x @resp @OUT/x written -o ./evil.so .env %G? %(signature) ../evil -1 --plugin=./evil.so 1,$w -")
)

// forms are arguments for commands that need some, or whose options are not a list.
var forms = map[string][]string{
	"find":       {". -name '*.txt'", "sub -type f", ". -maxdepth 1 -ls", "-L . -name x", "src -newer a.txt -print", ". -printf '%p\\n'", ". -delete", ". -exec ls {} +", ". -fprint written", "link/ -name x", ". -samefile a.txt", ". -user root", ". -perm -1 -empty", "-H link -name x", ". -regex '.*' -prune -o -print0", ". -lname '*'", ". -mtime -1 -size +1c -quit", ". -files0-from resp"},
	"tar":        {"tf a.tar", "-tzf a.tar.gz", "tvf a.tar a.txt", "tjf a.tar", "xf a.tar", "-tf a.tar --to-command=./ls", "tf @resp", "tf link/x", "-tf host:a.tar"},
	"unzip":      {"-l a.zip", "-Z1 a.zip", "a.zip", "-l *.zip", "-l link/x"},
	"xxd":        {"a.txt", "-l 16 a.txt", "-ps a.txt", "-c8 -g 2 a.txt", "a.txt written", "-r a.txt", "-s 2 -b a.txt", "-i a.txt"},
	"printf":     {"'%s\\n' a b", "%d 5", "x", "%n PATH", "-v x y", "'%5.2f|%x' 1 2", "%b 'a\\n'", "%q 'a b'", "-- %s x"},
	"echo":       {"a b", "-n x", "-e 'a\\tb'", "*.txt", "link/*", "@resp"},
	"true":       {"", "--help", "a"},
	"false":      {""},
	"test":       {"-f a.txt", "a = b", "-n x", "1 -lt 2", "-e link/x", "a.txt -nt b.txt", "! -d sub", "-v x"},
	"[":          {"-f a.txt ]", "a = b ]", "! -d sub ]", "1 -eq 1 ]"},
	"git config": {"--get user.name", "--get-all remote.origin.url", "get user.email", "--local --get core.bare", "-l", "user.name x", "--show-origin --get init.defaultBranch", "--get http.extraHeader", "--name-only --get user.name", "--global --get user.name"},
	"sed":        {"-n 1,2p a.txt", "s/foo/x/ a.txt", "-n -e p a.txt", "-e 's/a/b/g;2d' a.txt b.txt", "'1w written' a.txt", "-i s/a/b/ a.txt", "'s/a/b/w written' a.txt", "1e a.txt", "'$!d' a.txt", "y/abc/xyz/ a.txt", "-n '$=' a.txt", "p a.txt -e p", "--expression=p a.txt", "-s -n '$p' a.txt b.txt", "-z p a.txt", "'r link/x' a.txt", "-n /foo/,/bar/p a.txt", "-E 's/(a)/\\1/' a.txt", "'2q' a.txt", "--posix -n 1p a.txt"},
	"awk":        awks, "gawk": awks, "mawk": awks,
	"jq":   {". a.json", "-r '.[].name' a.json", "-c map(.x) a.json", "-n 1", "-s length a.json", "--arg a b '.[0].name + $a' a.json", "env a.json", "'input_filename' a.json", "'import \"x\" as x; .' a.json", "-R . a.txt", "keys a.json link.txt", "--tab . a.json", "--indent 1 . a.json", "'@base64' a.json", "--argjson a 1 '$a' a.json", "-L . . a.json"},
	"grep": greps, "egrep": greps, "fgrep": greps, "git grep": {"foo", "-n foo", "-e foo -- src", "-c foo HEAD", "foo link"},
	"rg": greps, "fd": {"txt", "-e txt", ".", "-t f"}, "fdfind": {"txt", "-e txt", ".", "-t f", "-x ls"},
	"top":              {"-b -n 1", "-bn1", "-b -n 1 -o PID"},
	"sleep":            {"0.01", "0", "0.1s"},
	"docker stats":     {"--no-stream"},
	"cargo tree":       {"--frozen", "--frozen -i p"},
	"cargo metadata":   {"--no-deps --format-version 1", "--frozen --format-version 1"},
	"git branch":       {"--list", "--list 'f*'", "-a", "--merged main", "-d feature", "x"},
	"git tag":          {"-l", "--list 'v*'", "--merged main", "x"},
	"date":             {"+%s", "-u +%F", "-d yesterday", "-r a.txt"},
	"seq":              {"3", "1 2 9", "1 3"},
	"expr":             {"1 + 2", "length foo"},
	"factor":           {"12"},
	"numfmt":           {"--to=iec 2048", "--from=si 1K"},
	"base64":           {"a.txt", "-d a.txt"},
	"tr":               {"a b", "-d a"},
	"look":             {"a sorted.txt"},
	"vmstat":           {"", "1 1", "-s"},
	"printenv":         {"HOME", "LANG", "PATH"},
	"command -v":       {"ls", "cd nothing"},
	"type":             {"ls", "-a ls"},
	"which":            {"ls", "-a ls"},
	"id":               {"", "root"},
	"getconf":          {"PAGE_SIZE"},
	"sysctl -n":        {"kernel.ostype", "kernel.ostype=x"},
	"lsof":             {"-p 1", "-i:1", "a.txt", "-i@127.0.0.2"},
	"ps":               {"", "aux", "-ef", "-eo pid,cmd", "-eux", "-p 1", "-C bash", "-eo pid,environ"},
	"pgrep":            {"bash", "-l bash"},
	"pidof":            {"bash"},
	"go list":          {"."},
	"npm config get":   {"save-exact"},
	"go env":           {"GOPATH", "-json GOROOT"},
	"git stash show":   {"", "-p", "stash@{0}"},
	"git notes show":   {"HEAD"},
	"git check-ignore": {"-v x.log", "a.txt"},
	"git check-attr":   {"diff a.txt", "-a a.txt"},
	"git cat-file":     {"-p HEAD", "-t HEAD", "-s HEAD", "-e HEAD", "--textconv HEAD:a.txt"},
	"git symbolic-ref": {"HEAD", "--short HEAD", "HEAD refs/heads/x"},
	"git var":          {"GIT_EDITOR", "GIT_PAGER", "GIT_AUTHOR_IDENT"},
	"git merge-base":   {"main feature", "--is-ancestor feature main"},
	"git range-diff":   {"main~1..main main~1..main"},
	"git ls-tree":      {"HEAD", "-r HEAD"},
	"git diff":         {"", "HEAD~1", "--stat", "main feature", "--no-index a.txt b.txt", "--no-index sub docs", "--cached", "-- lib"},
	"git blame":        {"a.txt", "-L 1,2 a.txt"},
	"git annotate":     {"a.txt"},
	"git ls-remote":    {"", "origin", "https://127.0.0.1:9/x"},
	"git remote show":  {"origin"},
	"git diff-tree":    {"HEAD", "-p HEAD"},
	"git diff-index":   {"HEAD"},
	"git rev-list":     {"HEAD", "--count HEAD"},
	"git rev-parse":    {"HEAD", "--show-toplevel", "--git-dir"},
	"git show-branch":  {"main feature"},
	"git cherry":       {"main feature"},
	"git shortlog":     {"-sn HEAD", "HEAD"},
	"git reflog show":  {"main"},
	"cal":              {"", "2024", "-3"},
	"lsb_release":      {"-a", "-ds"},
	"journalctl":       {"-n 1", "--disk-usage", "-u x --no-pager"},
	"dpkg -s":          {"bash"},
	"dpkg -S":          {"/bin/bash"},
	"dpkg -L":          {"bash"},
	"apt-cache policy": {"bash"}, "apt-cache show": {"bash"}, "apt-cache search": {"nothing-like-this"}, "apt-cache depends": {"bash"},
}

var (
	awks  = []string{"'{print $1}' a.txt", "-F, '{print NR}' data.csv", "-v n=1 'NR>n' a.txt", "'{print > \"written\"}' a.txt", "'BEGIN{system(\"ls\")}'", "'/foo/' a.txt b.txt", "-F : '{print}' a.txt", "'{print | \"cat\"}' a.txt", "'END{print NR}' a.txt", "'length > 2' link.txt", "-f resp a.txt", "'{print}' a.txt -F x"}
	greps = []string{"foo a.txt", "-n foo a.txt b.txt", "-rn foo src", "-e foo a.txt", "foo -r docs", "-f a.txt b.txt", "-c foo", "foo .", "-r S3 .", "-f OUT/x a.txt", "foo link.txt", "--include=*.go -r foo src", "'@resp' a.txt"}
)

// fill puts the fixture's directory into a word.
func (m *lineMaker) fill(word string) string { return strings.ReplaceAll(word, "OUT", m.outside) }

func (m *lineMaker) operand(row shell.Listed) string {
	switch {
	case strings.HasPrefix(row.Command, "git ") && m.chance(60):
		return m.pick(gitOperands)
	case m.chance(20):
		return m.fill(m.pick(oddOperands))
	}
	return m.pick(plainOperands)
}

func (m *lineMaker) value() string {
	if m.chance(15) {
		return m.fill(m.pick(oddValues))
	}
	return m.pick(plainValues)
}

// option spells an option, correctly or not.
func (m *lineMaker) option(row shell.Listed, o shell.ListedOption) string {
	name, attached := o.Name, "="
	if !strings.HasPrefix(name, "--") {
		attached = m.pick([]string{"", "", "", "="})
	} else if m.chance(4) && len(name) > 4 {
		name = name[:3+m.rng.IntN(len(name)-3)] // an abbreviation
	} else if m.chance(2) {
		name = name[1:]
	}
	switch o.Arity {
	case shell.NoValue:
		if len(name) == 2 && m.chance(30) {
			// A cluster, which may end with an option that takes a value.
			other := row.Options[m.rng.IntN(len(row.Options))]
			if len(other.Name) == 2 {
				return name + m.option(row, other)[1:]
			}
		}
		if m.chance(3) {
			return name + "=" + m.value()
		}
		return name
	case shell.OptionalValue:
		switch m.rng.IntN(4) {
		case 0:
			return name + attached + m.value()
		case 1:
			return name + " " + m.value()
		}
		return name
	case shell.TwoValues:
		return name + " " + m.value() + " " + m.value()
	case shell.RequiredValue:
	}
	if m.chance(50) {
		return name + attached + m.value()
	}
	return name + " " + m.value()
}

// command makes a command from a row. If an option is given, the command contains it.
func (m *lineMaker) command(row shell.Listed, must *shell.ListedOption) string {
	var options, operands []string
	if must != nil {
		options = append(options, m.option(row, *must))
	}
	if len(row.Options) > 0 {
		for range m.rng.IntN(4) {
			options = append(options, m.option(row, row.Options[m.rng.IntN(len(row.Options))]))
		}
	}
	program, _, _ := strings.Cut(row.Command, " ")
	if len(row.Dangers) > 0 && m.chance(3) && !shell.HasWord(machine, program) {
		options = append(options, m.option(row, shell.ListedOption{Name: m.pick(row.Dangers), Arity: shell.Arity(m.rng.IntN(3))}))
	}
	if known := forms[row.Command]; len(known) > 0 && m.chance(85) {
		operands = append(operands, m.fill(m.pick(known)))
	} else if row.Operands {
		n := m.rng.IntN(3)
		if row.Max > 0 {
			n = min(n, row.Max)
		}
		for range n {
			operands = append(operands, m.operand(row))
		}
	}
	if m.chance(5) && row.Operands {
		operands = append(operands, m.operand(row))
	}
	m.rng.Shuffle(len(options), func(i, j int) { options[i], options[j] = options[j], options[i] })
	words := slices.Concat(options, operands)
	if m.chance(15) {
		words = slices.Concat(operands, options)
	}
	return strings.TrimSpace(row.Command + " " + strings.Join(words, " "))
}

// line makes a command line: mostly a command, sometimes one in another directory, of
// two commands, or with a redirection.
func (m *lineMaker) line(row shell.Listed, rows []shell.Listed, must *shell.ListedOption) string {
	line := m.command(row, must)
	switch m.rng.IntN(25) {
	case 0:
		line = "cd ./" + m.pick([]string{"sub", "src", "bare.git", "nested", "empty", "lib", "within", "link", "more/d/../d", "missing"}) + " && " + line
	case 1:
		line += m.pick([]string{" | ", " && ", "; ", " || "}) + m.command(rows[m.rng.IntN(len(rows))], nil)
	case 2:
		line += m.pick([]string{" < a.txt", " 2>/dev/null", " 2>&1", " < link.txt", " > written", " <<< foo"})
	}
	return line
}

// machine lists programs with options that change the machine itself.
const machine = "date hostname journalctl ss systemctl docker kubectl sysctl"

// slow are programs that start slowly or always print the same. They run once with each option, and a few more times.
const slow = "npm npx pip pip3 java javac cargo rustc go kubectl docker terraform apt apt-cache lsof node python python3 journalctl systemctl lsb_release top dpkg vmstat psql curl clang clang++ gh helm ffmpeg bun deno sleep"

// missing reports a program that is neither built into bash nor installed.
func missing(program string) bool {
	if slices.Contains(strings.Fields("echo printf true false test [ pwd type command"), program) {
		return false
	}
	for _, dir := range filepath.SplitList(oraclePath()) {
		if info, err := os.Stat(filepath.Join(dir, program)); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return false
		}
	}
	return true
}
