package e2e

// Settings is the part of a client settings file that tests use.
type Settings struct {
	Env         map[string]string      `json:"env,omitempty"`
	Permissions *Permissions           `json:"permissions,omitempty"`
	Hooks       map[string][]HookGroup `json:"hooks,omitempty"`
}

// Permissions are rules such as "Bash(echo *)". Rules replace --dangerously-skip-permissions, which does not work as
// root.
type Permissions struct {
	Allow       []string `json:"allow,omitempty"`
	Ask         []string `json:"ask,omitempty"`
	Deny        []string `json:"deny,omitempty"`
	DefaultMode string   `json:"defaultMode,omitempty"`
}

// HookGroup is one matcher with its hooks.
type HookGroup struct {
	Matcher string `json:"matcher,omitempty"`
	Hooks   []Hook `json:"hooks"`
}

// Hook is one command hook; with Args the client starts Command directly, without a shell.
type Hook struct {
	Type      string   `json:"type"`
	Command   string   `json:"command"`
	Args      []string `json:"args,omitempty"`
	Timeout   int      `json:"timeout,omitempty"` // seconds
	OnFailure string   `json:"onFailure,omitempty"`
	// StatusMessage is shown while the hook runs.
	StatusMessage string `json:"statusMessage,omitempty"`
}

// Exec is a hook in exec form.
func Exec(path string, args ...string) Hook {
	return Hook{Type: "command", Command: path, Args: args, Timeout: 30}
}

// On sets the hooks of one event, without a matcher, and returns s.
func (s Settings) On(event string, hooks ...Hook) Settings {
	groups := map[string][]HookGroup{event: {{Hooks: hooks}}}
	for e, g := range s.Hooks {
		if e != event {
			groups[e] = g
		}
	}
	s.Hooks = groups
	return s
}
