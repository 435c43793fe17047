package permission

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hookbridge/bridge/internal/policy"
	"github.com/hookbridge/bridge/internal/shell"
)

// place is where a call runs. cwd and root have no links; given is the working
// directory as the client names it.
type place struct {
	cwd, root string
	given     string
	// settings are the directories of the project's settings of the client.
	settings []string
	// secrets are the names of secrets that the user added.
	secrets []string
	// unread names the rule of bridge against reading a file; nil if there is none.
	unread func(string) string
	getenv func(string) string
}

// vet checks the file system before an Allow counts. Paths must be inside the project.
// The repository's configuration must not make a reading command run a program, and its
// variables must not choose the program. No ask rule of the client may match.
func vet(v Verdict, call policy.Call, at place) Verdict {
	if v.Kind != Allow {
		return v
	}
	if slices.ContainsFunc(append(call.Paths, call.Text), func(text string) bool { return strings.ContainsRune(text, utf8.RuneError) }) {
		return Verdict{Kind: Ask, Rule: "lost-character", Token: call.Tool, Why: "it contains U+FFFD, which replaces a character that could not be read"}
	}
	if rule, err := policy.ClientAsk(call, at.settings, at.getenv); errors.Is(err, policy.ErrProjectEnv) {
		return Verdict{Kind: Ask, Rule: "project-env", Token: call.Tool, Why: err.Error()}
	} else if err != nil {
		return Verdict{Kind: Ask, Rule: "client-settings-unreadable", Token: call.Tool, Why: err.Error()}
	} else if rule.Text != "" {
		return Verdict{Kind: Ask, Rule: "client-ask-rule", Token: call.Tool, Why: "the ask rule " + rule.Text + " in " + rule.Source + " may match it", By: []policy.Rule{rule}}
	}
	if !samePath(filepath.Clean(at.given), at.cwd) && len(v.conditions) > 0 {
		// Some programs derive a parent directory from the name, others read it from the disk.
		return Verdict{Kind: Ask, Rule: "path", Token: at.given, Why: "the working directory is named by a link, so programs may disagree about its parent"}
	}
	l := newLook(at)
	for _, p := range v.paths {
		if why := l.path(p); why != "" {
			return Verdict{Kind: Ask, Rule: "path", Token: p.Name, Why: fmt.Sprintf("%q %s", p.Name, why)}
		}
	}
	if v.dir != "" {
		dir, why := l.dir(v.dir)
		if why == "" && len(v.conditions) > 0 && !samePath(named(at.cwd, v.dir), dir) {
			why = "leads through a link, so programs may disagree about the parent directory"
		}
		if why != "" {
			return Verdict{Kind: Ask, Rule: "path", Token: v.dir, Why: fmt.Sprintf("%q %s", v.dir, why)}
		}
		at.cwd = dir
	}
	for _, c := range v.conditions {
		if why := broken(c, at, l); why != "" {
			return Verdict{Kind: Ask, Rule: string(c), Token: v.Token, Why: why}
		}
	}
	return v
}

// samePath compares paths as the system does.
func samePath(a, b string) bool {
	return a == b || filepath.Separator == '\\' && strings.EqualFold(a, b)
}

// broken returns the reason why a condition is not met, or "".
func broken(c shell.Condition, at place, l *look) string {
	switch c {
	case shell.GitConfig:
		return gitDoubt(at.cwd, false)
	case shell.GitRemote:
		return gitDoubt(at.cwd, true)
	case shell.TrackedFiles:
		return tracksSecrets(at.cwd, l)
	case shell.RustToolchain:
		if why := anyOf(at, "the repository chooses a Rust toolchain in ", "rust-toolchain", "rust-toolchain.toml"); why != "" {
			return why
		}
		return unsettled(at, "the repository configures cargo with more than bridge knows to be harmless in ", cargoFiles)
	case shell.GoToolchain:
		// bridge would have to run Go to find out its version.
		if at.getenv("GOTOOLCHAIN") == "local" {
			return ""
		}
		return anyOf(at, "the go command may download the toolchain that the repository names in ", "go.mod", "go.work")
	case shell.NpmConfig:
		return unsettled(at, "the repository configures npm with more than bridge knows to be harmless in ", npmFiles)
	case shell.VersionFiles:
		if why := unsettled(at, "the repository sets the tool's version to more than a plain name in ", pinFiles); why != "" {
			return why
		}
		return anyOf(at, "the repository sets the tool's version in ", ".tool-versions", "mise.toml", ".mise.toml", "mise.local.toml", ".mise.local.toml",
			"mise/config.toml", ".mise/config.toml", ".config/mise.toml", ".config/mise/config.toml")
	}
	return "the condition " + string(c) + " is not known"
}
