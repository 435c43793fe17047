package smart

import (
	"time"

	"github.com/go-json-experiment/json"

	"github.com/hookbridge/bridge/hooks/ralph/smart/signal"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/statefile"
)

// runtime is what the hook remembers about a session between two stops and what a
// person decided on the command line. It lies in our own state directory: a repository
// must not name a command or a file to read (docs/design.md#nothing-executed;
// docs/reference/smart-ralph.md#r3-1).
type runtime struct {
	// StartedAt is that of the state file, so that an older record is not taken
	// for this session's.
	StartedAt time.Time `json:"started_at"`
	// Git is the place of HEAD and index at the last stop, Files the list of git
	// status, if that is asked for.
	Git   string `json:"git,omitempty"`
	Files string `json:"files,omitempty"`
	// Baseline is how many files git status listed before the work began.
	Baseline int `json:"baseline,omitempty"`
	// Error is the error at the end of the last iteration, and Repeats how many
	// in a row ended with it.
	Error   string `json:"error,omitempty"`
	Repeats int    `json:"repeats,omitempty"`
	// LastCall is the id of the newest tool call that was seen.
	LastCall string `json:"last_call,omitempty"`
	// LastMessage identifies the final message of the last stop.
	LastMessage string `json:"last_message,omitempty"`
	// Carried are the signals of a turn that ended without an assessment: they
	// count for the one that is asked for.
	Carried *signal.Signals `json:"carried,omitempty"`
	// TaskFile is the absolute path that the person named.
	TaskFile    string `json:"task_file,omitempty"`
	GitStatus   bool   `json:"git_status,omitempty"`
	TestCommand string `json:"test_command,omitempty"`
}

func runtimes(stateHome string) statefile.Own { return statefile.OwnIn(stateHome, "smart") }

func runtimeName(statePath string) string { return project.ID(statePath) + ".json" }

// loadRuntime returns the record of the session that began at startedAt, or an
// empty one. Without a state home nothing is remembered.
func loadRuntime(stateHome, statePath string, startedAt time.Time) runtime {
	var r runtime
	file, err := runtimes(stateHome).Read(runtimeName(statePath))
	if err != nil || json.Unmarshal(file.Data, &r) != nil || !r.StartedAt.Equal(startedAt) {
		return runtime{StartedAt: startedAt}
	}
	return r
}

// saveRuntime writes the record.
func saveRuntime(stateHome, statePath string, r runtime, durable statefile.Durability) error {
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return runtimes(stateHome).Save(runtimeName(statePath), data, durable)
}

// dropRuntime forgets the record.
func dropRuntime(stateHome, statePath string) {
	_ = runtimes(stateHome).Remove(runtimeName(statePath))
}
