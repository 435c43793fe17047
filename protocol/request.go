package protocol

import "time"

// Request is one call of a hook.
type Request struct {
	Hook  Hook
	Input Input
	Env   Env
	// Places finds the project. It is looked for when somebody asks first: a hook that
	// has nothing to do does not pay for it.
	Places func() Places
	// Audit holds the names of the fields that the whitelist dropped. It is
	// filled for sensitive types only.
	Audit []string
}

// Stop is the request as finders and listers look at it.
func (r Request) Stop() *Stop {
	places := r.Places()
	return &Stop{Input: r.Input, Env: r.Env, Places: places.Search, Root: places.Root}
}

// Env is what a handler may know about its process and its user. What is in it was
// resolved once for the call; nobody looks for it again.
type Env struct {
	// Getenv reads one environment variable.
	Getenv func(string) string
	// Now is the time at which the hook started.
	Now time.Time
	// StateHome is the directory of our own records and ConfigHome that of the user's
	// configuration. Both are empty when no home is known.
	StateHome, ConfigHome string
	// Config is the user's configuration, the zero Config if it cannot be read.
	Config Config
	// Off are the kill switches that count.
	Off KillSwitches
	// DryRun says that somebody only wants to know what a handler would do: no lock is
	// taken, because that makes a file, and no program of the user is run.
	DryRun bool
	// Source identifies the hook line that was called, for the client's own
	// de-duplication rule: its arguments and CLAUDE_PLUGIN_ROOT.
	Source string
}

// Places are the directories of a project.
type Places struct {
	// Root is the project root (docs/design.md#project-root), or empty when there is
	// none.
	Root string
	// Search lists where state is searched, nearest first: from the working
	// directory up to the root, then CLAUDE_PROJECT_DIR.
	Search []string
}
