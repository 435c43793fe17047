package permission

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/hookbridge/bridge/internal/policy"
	"github.com/hookbridge/bridge/internal/shell"
)

// place is where a call runs.
type place struct {
	cwd, root string
	search    []string
	getenv    func(string) string
}

// vet looks at the file system before an Allow counts: the paths must lie inside
// the project, nothing that the repository configures may turn a reading command
// into a running one, and no ask rule of the client may match.
func vet(v Verdict, call policy.Call, at place) Verdict {
	if v.Kind != Allow {
		return v
	}
	if rule, err := policy.ClientAsk(call, at.search, at.getenv); err != nil {
		return Verdict{Kind: Ask, Rule: "client-settings-unreadable", Token: call.Tool, Why: err.Error()}
	} else if rule != "" {
		return Verdict{Kind: Ask, Rule: "client-ask-rule", Token: call.Tool, Why: "the ask rule " + rule + " may match it"}
	}
	for _, p := range v.paths {
		if !contained(p, at.cwd, at.root) {
			return Verdict{Kind: Ask, Rule: "path", Token: p.Name, Why: fmt.Sprintf("%q lies outside the project or may hold secrets", p.Name)}
		}
	}
	if v.dir != "" {
		// Contained, as one of the paths above.
		if !filepath.IsAbs(v.dir) {
			v.dir = filepath.Join(at.cwd, v.dir)
		}
		at.cwd = v.dir
	}
	for _, c := range v.conditions {
		if why := broken(c, at); why != "" {
			return Verdict{Kind: Ask, Rule: string(c), Token: v.Token, Why: why}
		}
	}
	return v
}

// broken says why a condition does not hold, or nothing.
func broken(c shell.Condition, at place) string {
	switch c {
	case shell.GitConfig:
		if key := gitRunsPrograms(at.cwd, at.root); key != "" {
			return "the repository's git configuration sets " + key + ", which can run a program"
		}
		return ""
	case shell.RustToolchain:
		return anyOf(at, "the repository chooses a Rust toolchain in ", "rust-toolchain", "rust-toolchain.toml", ".cargo/config", ".cargo/config.toml")
	case shell.GoToolchain:
		// Which Go is installed cannot be known without running it.
		if at.getenv("GOTOOLCHAIN") == "local" {
			return ""
		}
		return anyOf(at, "the go command may download the toolchain that the repository names in ", "go.mod", "go.work")
	case shell.NpmConfig:
		return anyOf(at, "the repository configures npm in ", ".npmrc")
	case shell.VersionFiles:
		return anyOf(at, "the repository names the tool's version in ", ".tool-versions", "mise.toml", ".mise.toml")
	}
	return "the condition " + string(c) + " is not known"
}

// anyOf returns a sentence about the first of the files that exists between the
// working directory and the project root.
func anyOf(at place, sentence string, names ...string) string {
	for dir := at.cwd; ; dir = filepath.Dir(dir) {
		for _, name := range names {
			file := filepath.Join(dir, name)
			if _, err := os.Lstat(file); err == nil {
				return sentence + file
			}
		}
		if dir == at.root || dir == filepath.Dir(dir) {
			return ""
		}
	}
}
