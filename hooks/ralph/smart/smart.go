// Package smart is the smart ralph dialect: a task file of any form becomes a list of
// tasks, which the session works through one by one, judging each turn by rules and by
// the model's own assessment (docs/reference/smart-ralph.md).
package smart

import (
	"time"

	"github.com/hookbridge/bridge/hooks/ralph/smart/message"
	"github.com/hookbridge/bridge/hooks/ralph/smart/signal"
	"github.com/hookbridge/bridge/hooks/ralph/smart/state"
	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// Where the files are in a project (docs/reference/smart-ralph.md#r3-1). All names are
// below DirName.
const (
	DirName     = ".claude"
	FolderName  = "ralph-smart"
	StateName   = FolderName + "/state.md"
	BackupName  = StateName + ".backup"
	ConfigName  = FolderName + "/config.json"
	HistoryName = FolderName + "/history"
	// PromptName holds the tasks of a session that was started without a file.
	PromptName = FolderName + "/tasks.md"
)

// file is the state of a place as it was read, with its backup where that was
// needed.
type file struct {
	// dir is the path of the directory named DirName.
	dir string
	// read is state.md, and state what it or its backup says.
	read  statefile.File
	state state.State
	// damage says what is wrong with state.md; the state is then that of the
	// backup, whose time is backedUp. With lost there is no good backup either.
	damage   error
	backedUp time.Time
	lost     bool
	// backup is the text of a damaged backup.
	backup []byte
}

// path is the absolute path of state.md.
func (f file) path() string { return f.dir + "/" + StateName }

// load reads the state below dir. A damaged one falls back to its backup (R3-18).
// The error is that of reading state.md.
func load(dir *statefile.Dir, path string) (file, error) {
	read, err := dir.Read(StateName)
	if err != nil {
		return file{}, err
	}
	f := file{dir: path, read: read}
	if f.state, f.damage = state.Parse(read.Data); f.damage == nil {
		return f, nil
	}
	backup, err := dir.Read(BackupName)
	if err != nil {
		f.lost = true
		return f, nil
	}
	old, err := state.Parse(backup.Data)
	if err != nil {
		f.lost, f.backup = true, backup.Data
		if f.state.SessionID == "" {
			f.state.SessionID = old.SessionID
		}
		return f, nil
	}
	f.state, f.backedUp = old, backup.ModTime
	return f, nil
}

// owned is what decides whose the state is.
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

// loop is a session of smart ralph that this session owns or may claim.
type loop struct {
	file
	in    protocol.Input
	env   protocol.Env
	root  string
	store session.Store
	// claim is the session id to write into the file, or empty.
	claim string
	lang  message.Lang

	// What Observe finds.
	runtime  runtime
	signals  signal.Signals
	entries  []protocol.Entry
	repeated bool
	analysis analysisSource
	testNote string
}

// analysisSource is the task file where its text is needed.
type analysisSource struct {
	text string
	err  error
}
