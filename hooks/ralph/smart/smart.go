// Package smart is the smart ralph dialect: a task file of any form becomes a list
// of tasks, which the session works through one by one, judging each turn by rules
// and by the model's own assessment (seed 003).
package smart

import (
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/hookbridge/bridge/hooks"
	"github.com/hookbridge/bridge/hooks/ralph/smart/assess"
	"github.com/hookbridge/bridge/hooks/ralph/smart/message"
	"github.com/hookbridge/bridge/hooks/ralph/smart/plan"
	"github.com/hookbridge/bridge/hooks/ralph/smart/signal"
	"github.com/hookbridge/bridge/hooks/ralph/smart/state"
	"github.com/hookbridge/bridge/internal/clean"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/internal/settings"
	"github.com/hookbridge/bridge/internal/statefile"
)

// Where the files are in a project (seed 003, sections 2.4, 5 and 8.1; R3-1). All
// names are below DirName.
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
	return session.Owned{Path: f.path(), SessionID: f.state.SessionID, Stamp: stamp, ModTime: f.read.ModTime}
}

// loop is a session of smart ralph that this session owns or may claim.
type loop struct {
	file
	in    hooks.Input
	env   hooks.Env
	root  string
	store session.Store
	// claim is the session id to write into the file, or empty.
	claim string
	// lang and settings are read when the loop is decided about.
	lang     message.Lang
	settings settings.Config

	// What Observe finds.
	runtime  runtime
	signals  signal.Signals
	entries  []hooks.Entry
	repeated bool
	analysis analysisSource
	testNote string
}

// analysisSource is the task file where its text is needed.
type analysisSource struct {
	text string
	err  error
}

// Find looks for the state of the session, nearest place first.
func Find(s *hooks.Stop) (hooks.Found, error) {
	var found hooks.Found
	var best *loop
	bestOwn := false
	store := session.NewStore(project.StateHome(s.Env.Getenv))
	refused := session.Locate(s, DirName, func(dir *statefile.Dir, path string) bool {
		f, err := load(dir, path)
		if errors.Is(err, fs.ErrNotExist) {
			return true
		}
		if err != nil {
			found.Notices = append(found.Notices, unusable(path+"/"+StateName, err))
			return true
		}
		if !f.state.Active && !f.lost {
			return true
		}
		l := &loop{file: f, in: s.Input, env: s.Env, root: s.Root, store: store}
		switch f.owned().Ownership(s.Input.SessionID, s.Env.Now, store.Pending(s.Env.Now)) {
		case session.Own:
			best, bestOwn = l, true
		case session.Claimable:
			if best == nil {
				l.claim = s.Input.SessionID
				best = l
			}
		case session.Stale:
			found.Notices = append(found.Notices, staleNotice(f))
		case session.Foreign:
		}
		return !bestOwn
	})
	for _, r := range refused {
		if r.Holds(StateName) {
			found.Notices = append(found.Notices, unusable(r.Path+"/"+StateName, r.Err))
		}
	}
	if best != nil {
		best.configure()
		found.Active = best
	}
	return found, nil
}

// configure reads what the user decided. A configuration that cannot be read is
// none; the router has said so.
func (l *loop) configure() {
	l.settings, _ = settings.Load(project.ConfigHome(l.env.Getenv))
	l.lang = message.LangOf(l.settings.Lang, l.env.Getenv)
}

// confidence is the threshold in percent.
func (l *loop) confidence() int {
	if n := l.settings.Smart.ConfidenceThreshold; n > 0 && n <= 100 {
		return n
	}
	return defaultConfidence
}

func unusable(path string, err error) hooks.KeyedNotice {
	what, remedy := "it could not be read ("+err.Error()+")", "Check the permissions of that place."
	switch {
	case errors.Is(err, statefile.ErrNotRegular):
		what, remedy = "it is no plain file", "Put a plain file in its place, or remove it with bridge ralph clean."
	case errors.Is(err, statefile.ErrTooLarge):
		what, remedy = "it is larger than 1 MiB", "Shorten the descriptions in it."
	case errors.Is(err, statefile.ErrForeignOwner):
		what, remedy = "its directory belongs to another user", "Work in a directory of your own."
	case errors.Is(err, statefile.ErrWorldWritable):
		what, remedy = "everybody may write its directory", "If it is yours: chmod o-w that directory."
	}
	return hooks.KeyedNotice{
		Key:  "unusable-smart:" + project.ID(path),
		Text: fmt.Sprintf("Smart ralph: %s is left alone, because %s. %s", clean.Text(path), what, remedy),
	}
}

func staleNotice(f file) hooks.KeyedNotice {
	return hooks.KeyedNotice{
		Key: "stale-smart:" + project.ID(f.path()),
		Text: fmt.Sprintf("Smart ralph: %s has no session id and was not started here within a day (last change %s), so it is left alone. "+
			"To adopt it: bridge ralph resume. To drop it: bridge ralph cancel.", clean.Text(f.path()), f.read.ModTime.Format(time.DateTime)),
	}
}

// Label names the loop for the user.
func (l *loop) Label() string { return "smart ralph" }

// ReadsToolResults implements hooks.ToolResultReader: test runs and errors stand
// in them.
func (l *loop) ReadsToolResults() bool { return true }

// canAsk reports whether somebody can answer a question in this session: not in
// print mode, and not where every question is answered or dismissed by rule.
func (l *loop) canAsk() bool {
	switch l.in.PermissionMode {
	case "dontAsk", "bypassPermissions":
		return false
	}
	entry := l.env.Getenv("CLAUDE_CODE_ENTRYPOINT")
	return len(entry) < 3 || entry[:3] != "sdk"
}

// assessment finds the assessment of this turn, or nil. What an older turn said
// never counts (R3-21): the final message is of this turn; an earlier text only
// if the transcript is known to show this turn, or the block names this
// iteration.
func (l *loop) assessment(turn hooks.Turn) *assess.Assessment {
	fits := func(a assess.Assessment) bool {
		return (a.Task == 0 || a.Task == l.state.CurrentIndex+1) && (a.Iteration == 0 || a.Iteration == l.state.Iteration+1)
	}
	if a, ok := assess.Find(turn.Final); ok {
		if !fits(a) || l.repeated && a.Iteration == 0 {
			return nil
		}
		return &a
	}
	current := isCurrent(turn, l.entries)
	for i := len(l.entries) - 1; i >= 0; i-- {
		if l.entries[i].Kind != hooks.EntryText {
			continue
		}
		if a, ok := assess.FindAlone(l.entries[i].Text); ok && fits(a) && (current || a.Iteration > 0) {
			return &a
		}
	}
	return nil
}

// planned finds the task list of this turn.
func (l *loop) planned(turn hooks.Turn) ([]plan.Task, error) {
	tasks, err := plan.ParseAnalysis(turn.Final)
	if err == nil || !isCurrent(turn, l.entries) {
		return tasks, err
	}
	for i := len(l.entries) - 1; i >= 0; i-- {
		if l.entries[i].Kind != hooks.EntryText {
			continue
		}
		if tasks, other := plan.ParseAnalysis(l.entries[i].Text); other == nil {
			return tasks, nil
		}
	}
	return nil, err
}

// isCurrent reports whether the transcript shows this turn up to its end: it lags
// behind the client, and may still show the one before.
func isCurrent(turn hooks.Turn, entries []hooks.Entry) bool {
	for i := len(entries) - 1; i >= 0; i-- {
		if entries[i].Kind == hooks.EntryText {
			return turn.HasFinal && entries[i].Text == turn.Final
		}
	}
	return false
}
