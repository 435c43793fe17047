package smart

import (
	"time"

	"github.com/go-json-experiment/json"

	"github.com/hookbridge/bridge/hooks/ralph/smart/signal"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/statefile"
)

// runtime holds what the hook remembers about a session between two stops, and what a
// person chose on the command line. It is in our own state directory, because a
// repository must not name a command to run or a file to read
// (docs/design.md#nothing-executed; docs/reference/smart-ralph.md#r3-1).
type runtime struct {
	// StartedAt is the start time in the state file. It keeps the record of an older
	// session from being used for this one.
	StartedAt time.Time `json:"started_at"`
	// Git is the state of HEAD and index at the last stop. Files is the list of git
	// status, if that was asked for.
	Git   string `json:"git,omitempty"`
	Files string `json:"files,omitempty"`
	// Baseline is how many files git status listed when the work began.
	Baseline int `json:"baseline,omitempty"`
	// Error is the error that ended the last iteration. Repeats is how many iterations in
	// a row ended with it.
	Error   string `json:"error,omitempty"`
	Repeats int    `json:"repeats,omitempty"`
	// LastCall is the id of the newest tool call seen so far.
	LastCall string `json:"last_call,omitempty"`
	// LastMessage identifies the final message of the last stop.
	LastMessage string `json:"last_message,omitempty"`
	// Carried are the signals of a turn that ended without an assessment. They count for
	// the assessment that was then asked for.
	Carried *signal.Signals `json:"carried,omitempty"`
	// Doubted is the number of the task of which a completion was doubted, from 1.
	Doubted int `json:"doubted,omitzero"`
	// Told identifies the task that the model was last told by its title, or is "".
	Told string `json:"told,omitempty"`
	// TaskFile is the absolute path that the person gave.
	TaskFile    string `json:"task_file,omitempty"`
	GitStatus   bool   `json:"git_status,omitempty"`
	TestCommand string `json:"test_command,omitempty"`
}

func runtimes(stateHome string) statefile.Own { return statefile.OwnIn(stateHome, "smart") }

func runtimeName(statePath string) string { return project.ID(statePath) + ".json" }

// loadRuntime returns the record of the session that began at startedAt, or an empty one.
// Without a state directory nothing is remembered.
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
