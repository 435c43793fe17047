package protocol

import "time"

// Request is one call of a hook.
type Request struct {
	Hook  Hook
	Input Input
	Env   Env
	// Places finds the project. It searches only when it is called for the first time, so
	// that a hook without work does not pay for the search.
	Places func() Places
	// Audit holds the names of the fields that the whitelist dropped. It is filled for
	// sensitive types only.
	Audit []string
}

// Stop is the part of the request that finders and listers see.
func (r Request) Stop() *Stop {
	places := r.Places()
	return &Stop{Input: r.Input, Env: r.Env, Places: places.Search, Root: places.Root}
}

// Env is what a handler may know about its process and its user. It is resolved once per
// call; handlers do not look anything up again.
type Env struct {
	// Getenv reads one environment variable.
	Getenv func(string) string
	// Now is the time at which the hook started.
	Now time.Time
	// StateHome is the directory of our own records; ConfigHome is the directory of the
	// user's configuration. Both are empty if no home directory is known.
	StateHome, ConfigHome string
	// Config is the user's configuration, the zero Config if it cannot be read.
	Config Config
	// Off are the kill switches that apply.
	Off KillSwitches
	// DryRun says that the handler only has to find out what it would do. It takes no
	// lock, because that creates a file, and runs no program of the user.
	DryRun bool
	// Notices returns what the user should be told about the environment once a session, as far as it is known at the
	// time of the call. It is nil if nobody reads the notices.
	Notices func() []KeyedNotice
	// Source identifies the hook line that was called, by its arguments and CLAUDE_PLUGIN_ROOT. The client uses the same
	// pair to remove duplicates.
	Source string
}

// Places are the directories of a project.
type Places struct {
	// Root is the project root (docs/design.md#project-root), or empty when there is
	// none.
	Root string
	// Search lists the directories in which state is searched, nearest first: from the
	// working directory up to the root, then CLAUDE_PROJECT_DIR.
	Search []string
}
