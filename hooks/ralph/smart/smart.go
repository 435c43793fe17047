// Package smart is the smart ralph dialect. A task file in any format becomes a list of
// tasks, which the session works through one by one. Each turn is judged by rules and by
// the model's own assessment (docs/reference/smart-ralph.md).
package smart

import (
	"cmp"
	"time"

	"github.com/hookbridge/bridge/hooks/ralph/smart/message"
	"github.com/hookbridge/bridge/hooks/ralph/smart/signal"
	"github.com/hookbridge/bridge/hooks/ralph/smart/state"
	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// The files in a project (docs/reference/smart-ralph.md#r3-1). All names are below
// DirName.
const (
	DirName     = ".claude"
	FolderName  = "ralph-smart"
	StateName   = FolderName + "/state.md"
	BackupName  = StateName + ".backup"
	ConfigName  = FolderName + "/config.json"
	HistoryName = FolderName + "/history"
	// PromptName holds the prompt of a session that was started without a task file. A
	// later prompt with another text gets a file of its own (promptFile).
	PromptName = FolderName + "/tasks.md"
)

// file is the state as it was read, from the backup if necessary.
type file struct {
	// dir is the path of the directory named DirName.
	dir string
	// read is the state.md that was read; state is its content, or that of its backup.
	read  statefile.File
	state state.State
	// damage says what is wrong with state.md; state then comes from the backup, which
	// was written at backedUp. lost says that the backup cannot be used either.
	damage   error
	backedUp time.Time
	lost     bool
	// unsure says that state.md does not tell whether the session is active. It then
	// counts as paused, because a person may have paused it.
	unsure bool
	// keptAs is the name under which a damaged or unclear state.md is kept.
	keptAs string
	// backup is the text of a damaged backup.
	backup []byte
}

// path is the absolute path of state.md.
func (f file) path() string { return f.dir + "/" + StateName }

// load reads the state below dir and falls back to the backup if state.md is damaged
// (R3-18). The error is the error of reading state.md.
func load(dir *statefile.Dir, path string) (file, error) {
	read, err := dir.Read(StateName)
	if err != nil {
		return file{}, err
	}
	f := file{dir: path, read: read}
	f.state, f.damage = state.Parse(read.Data)
	told := f.state
	f.unsure = !told.SaysActive()
	if f.damage == nil {
		return f, nil
	}
	backup, err := dir.Read(BackupName)
	if err != nil {
		f.lost = true
		return f, nil
	}
	old, err := state.Parse(backup.Data)
	owner := cmp.Or(told.SessionID, old.SessionID)
	if err != nil {
		f.lost, f.backup = true, backup.Data
		f.state.SessionID = owner
		return f, nil
	}
	f.state, f.backedUp = old, backup.ModTime
	f.state.SessionID = owner
	if f.state.Active && !told.Active {
		// The backup is older and may not show that the session was stopped.
		f.state.Active, f.state.Phase, f.state.EndReason = false, state.Stopped, cmp.Or(told.EndReason, "damaged")
	}
	return f, nil
}

// idle reports whether the session ignores stops. A state that does not say whether it is
// active is reported once.
func (f file) idle() bool { return !f.state.Active && !f.unsure }

// owned holds what decides which session owns the state.
func (f file) owned() session.Owned {
	stamp := f.state.UpdatedAt
	if f.state.StartedAt.After(stamp) {
		stamp = f.state.StartedAt
	}
	if f.damage != nil {
		// The time in a backup is older than the file.
		stamp = time.Time{}
	}
	return session.Owned{Path: f.path(), SessionID: f.state.SessionID, Stamp: stamp, ModTime: f.read.ModTime, ChangeTime: f.read.ChangeTime}
}

// loop is a smart ralph session that this session owns or may claim.
type loop struct {
	file
	in    protocol.Input
	env   protocol.Env
	root  string
	store session.Store
	// claim is the session id to write into the file, or empty.
	claim string
	lang  message.Lang
	// change holds the values of a command line for a session that continues.
	change Change

	// Observe fills in the fields below.
	runtime runtime
	signals signal.Signals
	entries []protocol.Entry
	// same says that the final message equals that of the last stop; repeated says that
	// the message may belong to that stop.
	same, repeated bool
	analysis       analysisSource
	testNote       string
}

// analysisSource is the task file, if its text is needed.
type analysisSource struct {
	text string
	err  error
}
