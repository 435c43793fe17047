package permission

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/hookbridge/bridge/internal/shell"
	"github.com/hookbridge/bridge/internal/statefile"
)

// settled are files with which a repository configures a tool. bridge accepts such a file if no line can choose a
// program or a host.
type settled struct {
	names    string
	harmless func(*lines, string) bool
}

// lines is the state of reading a file line by line.
type lines struct{ section string }

var (
	cargoFiles = settled{".cargo/config .cargo/config.toml", (*lines).cargo}
	npmFiles   = settled{".npmrc", (*lines).npm}
	pinFiles   = settled{".python-version .ruby-version .node-version .nvmrc .java-version .terraform-version .php-version .lua-version .perl-version .swift-version", (*lines).pin}
)

// upward visits the working directory and the directories above it, in which tools look
// for their configuration, until one gives a reason. Directories above the project may
// belong to the same clone, if the client was started in a part of it. The home directory
// and those above it are the user's own.
func upward(at place, visit func(dir string) string) string {
	home, err := filepath.EvalSymlinks(at.getenv("HOME"))
	if err != nil {
		home = ""
	}
	inside := true
	for dir := at.cwd; ; dir = filepath.Dir(dir) {
		if !inside && home != "" && within(dir, home) {
			return ""
		}
		if why := visit(dir); why != "" {
			return why
		}
		inside = inside && dir != at.root
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}

// within reports whether path is dir or below it.
func within(dir, path string) bool {
	rest, ok := strings.CutPrefix(path, strings.TrimSuffix(dir, string(filepath.Separator)))
	return ok && (rest == "" || os.IsPathSeparator(rest[0]))
}

// anyOf returns a sentence about the first of the files that exists.
func anyOf(at place, sentence string, names ...string) string {
	return upward(at, func(dir string) string {
		for _, name := range names {
			file := filepath.Join(dir, name)
			if _, err := os.Lstat(file); !errors.Is(err, fs.ErrNotExist) {
				return sentence + file
			}
		}
		return ""
	})
}

// unsettled returns a sentence about the first of the files with a line that is not
// known to be harmless.
func unsettled(at place, sentence string, files settled) string {
	return upward(at, func(dir string) string {
		for name := range strings.FieldsSeq(files.names) {
			file := filepath.Join(dir, filepath.FromSlash(name))
			text, err := readPlain(file, statefile.MaxSize)
			switch {
			case errors.Is(err, fs.ErrNotExist):
				continue
			case err != nil:
				return sentence + file + ": " + err.Error()
			}
			var state lines
			for line := range strings.SplitSeq(string(text), "\n") {
				if odd(line) || !files.harmless(&state, strings.TrimSpace(line)) {
					return sentence + file
				}
			}
		}
		return ""
	})
}

// odd reports a line with a control character or an escape.
func odd(line string) bool {
	return strings.ContainsFunc(strings.TrimSuffix(line, "\r"), func(r rune) bool { return r < ' ' && r != '\t' || r == '\\' || r >= 0x7f })
}

// cargoKeys are the keys for which cargo runs nothing in any command of the tables.
// rustflags are missing: cargo passes them to rustc, and they can load code.
var cargoKeys = []keys{
	{"alias profile term cargo-new", "*"},
	{"build", "jobs target-dir incremental"},
	{"net", "retry git-fetch-with-cli offline"},
	{"target", "linker runner ar"},
}

// cargo judges a line of plain TOML: a table, or a key and a value on one line.
func (s *lines) cargo(line string) bool {
	if line == "" || line[0] == '#' {
		return true
	}
	if head, ok := strings.CutPrefix(line, "["); ok {
		s.section, ok = strings.CutSuffix(head, "]")
		return ok && bare(s.section, ".")
	}
	key, value, ok := strings.Cut(line, "=")
	if key = strings.TrimSpace(key); !ok || !bare(key, "") || !plainTOML(strings.TrimSpace(value)) {
		return false
	}
	section, _, _ := strings.Cut(s.section, ".")
	for _, known := range cargoKeys {
		if shell.HasWord(known.sections, section) {
			// An older cargo may lack a command of the tables.
			return known.keys == "*" && !(section == "alias" && shell.HasWord("tree metadata locate-project search info version", key)) || shell.HasWord(known.keys, key)
		}
	}
	return false
}

// plainTOML reports a value of one line: a word, a string, or a list of strings.
func plainTOML(value string) bool {
	if list, ok := strings.CutPrefix(value, "["); ok {
		list, ok = strings.CutSuffix(list, "]")
		value = strings.ReplaceAll(list, ",", "")
		if !ok || strings.Count(value, `"`)%2 != 0 {
			return false
		}
		return !strings.ContainsAny(value, "'[]{}#=") && !strings.Contains(value, `"""`)
	}
	if text, ok := strings.CutPrefix(value, `"`); ok {
		text, ok = strings.CutSuffix(text, `"`)
		return ok && !strings.Contains(text, `"`)
	}
	return bare(value, ".")
}

// bare reports a word of letters, digits, -, _ and the further characters.
func bare(word, more string) bool {
	return word != "" && strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"+more) == ""
}

// npmKeys are keys of npm and pnpm that choose no program, directory or host. registry
// is missing: npm asks there for its own newest version.
const npmKeys = "access audit audit-level auto-install-peers color dedupe-peer-dependents enable-pre-post-scripts engine-strict fetch-retries fetch-timeout fund hoist " +
	"hoist-pattern[] ignore-scripts include install-strategy legacy-peer-deps link-workspace-packages lockfile loglevel maxsockets message node-linker omit optional package-lock " +
	"prefer-workspace-packages progress public-hoist-pattern[] resolution-mode resolve-peers-from-workspace-root save save-exact save-prefix save-workspace-protocol shamefully-hoist " +
	"side-effects-cache sign-git-tag strict-peer-dependencies strict-peer-deps tag tag-version-prefix unicode update-notifier"

// npm judges a line of .npmrc. A key that begins with // affects only requests.
func (s *lines) npm(line string) bool {
	if line == "" || line[0] == '#' || line[0] == ';' {
		return true
	}
	key, _, ok := strings.Cut(line, "=")
	key = strings.TrimSpace(key)
	return ok && !strings.Contains(key, "$") && (strings.HasPrefix(key, "//") || shell.HasWord(npmKeys, key))
}

// pin judges the name of a version. It must not be a path, because pyenv and rbenv would run what is there.
func (s *lines) pin(line string) bool {
	return line == "" || bare(line, ".+") && !strings.Contains(line, "..")
}
