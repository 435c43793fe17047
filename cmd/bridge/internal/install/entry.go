// Package install adds bridge to the settings of Claude Code and removes it again. The
// plan is a pure function of the file's text; everything that does not belong to bridge
// stays the same to the byte.
package install

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/client/claude/settingsfile"
	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/protocol"
)

// grace is how much longer the client waits than a hook may take.
const grace = 5 * time.Second

// Entry is the hook line of one event.
type Entry struct {
	Event protocol.Event
	// Hook is the value of --hook.
	Hook string
	// Timeout is in seconds; 0 means none, because the client limits
	// SessionEnd itself.
	Timeout int
	// Block says that a hook that cannot run counts as a denial.
	Block bool
}

// Entries returns the line of each event that bridge answers, in the order of the hook
// table. Only lines in the user's own settings may block if bridge is missing: a teammate
// without bridge must not be locked out by a file of the project.
func Entries(scope settingsfile.Scope, config protocol.Config) []Entry {
	var all []Entry
	for _, row := range protocol.WiredRows() {
		for _, event := range row.Events {
			if slices.ContainsFunc(all, func(e Entry) bool { return e.Event == event }) {
				continue
			}
			// Every event has a hook of its own name.
			hook, _ := protocol.ParseHook(string(event))
			e := Entry{Event: event, Hook: hook.Name, Block: row.Fail == protocol.FailClosed && scope != settingsfile.Project}
			if !event.Row().Hurried {
				e.Timeout = int(math.Ceil((config.Deadline(hook.Row()) + grace).Seconds()))
			}
			all = append(all, e)
		}
	}
	return all
}

// Select keeps the entries whose hook or event is named; no names keep all.
func Select(all []Entry, names []string) ([]Entry, error) {
	if len(names) == 0 {
		return all, nil
	}
	var chosen []Entry
	for _, name := range names {
		hook, ok := protocol.ParseHook(strings.TrimSpace(name))
		if !ok {
			return nil, fmt.Errorf("there is no hook %q%s", name, display.Meant(strings.TrimSpace(name), protocol.HookNames()))
		}
		for _, t := range hook.Types {
			row, _ := protocol.Lookup(t)
			for _, e := range all {
				if slices.Contains(row.Events, e.Event) && !slices.Contains(chosen, e) {
					chosen = append(chosen, e)
				}
			}
		}
	}
	return chosen, nil
}

// handler returns the entry as a settings file holds it, in exec form.
func (e Entry) handler(command string) (jsontext.Value, error) {
	h := struct {
		Type      string   `json:"type"`
		Command   string   `json:"command"`
		Args      []string `json:"args"`
		Timeout   int      `json:"timeout,omitzero"`
		OnFailure string   `json:"onFailure,omitempty"`
	}{"command", command, []string{"--hook=" + e.Hook}, e.Timeout, ""}
	if e.Block {
		h.OnFailure = "block"
	}
	return json.Marshal(h)
}

// is reports whether a line already equals the entry.
func (e Entry) is(l settingsfile.HookLine, command string) bool {
	timeout := 0.0
	if l.Timeout != nil {
		timeout = *l.Timeout
	}
	return l.Type == "command" && l.Command == command && slices.Equal(l.Args, []string{"--hook=" + e.Hook}) &&
		timeout == float64(e.Timeout) && (l.OnFailure == "block") == e.Block && !l.Async && l.If == "" && (!l.HasMatcher || l.Matcher == "" || l.Matcher == "*")
}
