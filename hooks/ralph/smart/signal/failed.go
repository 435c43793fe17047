package signal

import (
	"slices"
	"strings"
)

// failing holds the commands of a turn whose last run failed, by the names that a
// criterion may use for them.
type failing string

func (f failing) names() []string { return strings.Split(string(f), "\n") }

// ran notes how a command line ended.
func (f *failing) ran(command string, failed bool) {
	for _, name := range commandNames(command) {
		kept := slices.DeleteFunc(f.names(), func(n string) bool { return n == name || n == "" })
		if failed {
			kept = append(kept, name)
		}
		*f = failing(strings.Join(kept, "\n"))
	}
}

// Unmet returns the first criterion that names a command whose last run failed.
func (s Signals) Unmet(criteria []string) string {
	for _, c := range criteria {
		lower := strings.ToLower(c)
		if slices.ContainsFunc(s.Failed.names(), func(name string) bool { return name != "" && containsWord(lower, name) }) {
			return c
		}
	}
	return ""
}

// commandNames returns how a criterion may call what a command line runs: "tsc", "docker
// build", "npm run lint" and, for what builds or checks, the word for it.
func commandNames(command string) (names []string) {
	for _, segment := range strings.FieldsFunc(strings.ToLower(command), func(r rune) bool { return strings.ContainsRune(";|&\n", r) }) {
		words := unwrap(strings.Fields(segment))
		if len(words) == 0 {
			continue
		}
		name := base(words[0])
		switch name {
		case "cd", "ls", "cat", "head", "tail", "grep", "egrep", "fgrep", "rg", "ag", "find", "fd", "test", "[", "diff", "cmp", "which", "command", "type", "echo", "printf", "true", "false", "sed", "awk", "wc", "sleep", "pgrep", "kill", "pkill", "set", "export", "source", ".", "git", "curl", "wget", "ping":
			// A failure of these says little: a search may rightly find nothing.
			continue
		case "npm", "pnpm", "yarn", "bun", "go", "cargo", "docker", "podman", "make", "just", "task", "dotnet", "mvn", "gradle", "gradlew", "python", "python3", "node", "deno", "terraform", "kubectl", "helm", "mix", "rake", "composer", "swift", "flutter", "bazel", "sh", "bash", "ruby", "php":
			rest := slices.DeleteFunc(slices.Clone(words[1:]), func(w string) bool { return strings.HasPrefix(w, "-") })
			if len(rest) > 1 && (rest[0] == "run" || rest[0] == "compose") {
				name += " " + rest[0]
				rest = rest[1:]
			}
			if len(rest) == 0 && name != "make" {
				continue
			}
			if len(rest) > 0 {
				name += " " + rest[0]
			}
		}
		names = append(names, name)
		for _, kind := range kinds {
			if has(name, kind.programs) {
				names = append(names, kind.words...)
			}
		}
	}
	return names
}

// kinds are the words that criteria use for what builds or checks the code.
var kinds = []struct{ programs, words []string }{
	{[]string{"lint", "ruff", "flake8", "clippy"}, []string{"lint", "linter", "lint errors"}},
	{[]string{"build", "make", "tsc", "javac", "compile"}, []string{"build", "builds", "compile", "compiles", "构建", "编译"}},
}

// containsWord reports whether a text contains words that are not part of longer ones.
func containsWord(text, words string) bool {
	letter := func(s string, at int) bool {
		return at >= 0 && at < len(s) && (s[at] >= 'a' && s[at] <= 'z' || s[at] >= '0' && s[at] <= '9' || s[at] == '_')
	}
	for from := 0; ; {
		i := strings.Index(text[from:], words)
		if i < 0 {
			return false
		}
		start, end := from+i, from+i+len(words)
		if words[0] >= 0x80 || !letter(text, start-1) && !letter(text, end) {
			return true
		}
		from = end
	}
}
