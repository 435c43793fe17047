package smart

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/hookbridge/bridge/hooks/ralph/smart/config"
	"github.com/hookbridge/bridge/hooks/ralph/smart/decide"
	"github.com/hookbridge/bridge/hooks/ralph/smart/message"
	"github.com/hookbridge/bridge/hooks/ralph/smart/plan"
	"github.com/hookbridge/bridge/hooks/ralph/smart/signal"
	"github.com/hookbridge/bridge/hooks/ralph/smart/state"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// Scene is the project that a command works in.
type Scene struct {
	Root string
	Env  protocol.Env
	Lang message.Lang
	// SessionID is empty in a terminal.
	SessionID string
}

func (c Scene) dirPath() string   { return filepath.Join(c.Root, DirName) }
func (c Scene) statePath() string { return c.dirPath() + "/" + StateName }
func (c Scene) store() session.Store {
	return session.NewStore(c.Env.StateHome)
}

// locked runs a command under the project's lock with the state directory open.
func (c Scene) locked(do func(*statefile.Dir) error) error {
	_, err := project.Locked(c.Env, c.Root, func() (string, error) {
		dir, err := statefile.MakeDirWithin(c.dirPath(), c.Root)
		if err != nil {
			return "", err
		}
		defer dir.Close()
		return "", do(dir)
	})
	return err
}

// StartOptions are the options of bridge ralph smart.
type StartOptions struct {
	// TaskFile is the name that the person gave; Path is its absolute path. Both are
	// empty for a prompt, which is stored in the project.
	TaskFile, Path string
	Text           string
	Values         config.Values
	// Tasks are given if no model has to find them (--no-ai).
	Tasks []plan.Task
	// New archives an unfinished session; with Force, also one that may still be running.
	New, Force  bool
	GitStatus   bool
	TestCommand string
}

// ErrConflict means that there already is a session of smart ralph. Its text says which
// one, and what can be done (R3-44).
var ErrConflict = errors.New("there is already a Smart Ralph session")

// Conflict is an ErrConflict with what a person needs to decide.
type Conflict struct {
	State state.State
	// Seen is when the state was last written.
	Seen string
	// Running says that a session may be working on it; otherwise it can be continued or
	// replaced.
	Running bool
	text    string
}

func (e Conflict) Error() string        { return e.text }
func (e Conflict) Is(target error) bool { return target == ErrConflict }

// Start creates the state of a new session. warning says what was moved to the history.
func Start(c Scene, opts StartOptions) (s state.State, warning string, err error) {
	s = state.State{
		Active: true, TaskFile: opts.TaskFile, SessionID: c.SessionID, Phase: state.Analyzing, Briefed: c.SessionID != "",
		MaxIterations: opts.Values.MaxIterations, CompletionThreshold: opts.Values.CompletionThreshold, AutoApprove: opts.Values.AutoApprove,
		StrictMode: opts.Values.StrictMode, Verbose: opts.Values.Verbose, StallDetection: opts.Values.StallDetection,
		StartedAt: c.Env.Now.UTC().Truncate(time.Second), UpdatedAt: c.Env.Now, Lang: protocol.Lang(c.Lang),
	}
	if opts.TaskFile == "" {
		s.TaskFile = DirName + "/" + PromptName
	}
	if opts.Tasks != nil {
		decide.Begin(&s, opts.Tasks)
	}
	if data := s.Bytes(); len(data) > statefile.MaxSize {
		return s, "", &protocol.Said{
			Chinese: fmt.Sprintf("任务列表有 %d 字节, 状态文件最多能放 %d 字节", len(data), statefile.MaxSize),
			English: fmt.Sprintf("start smart ralph: the task list has %d bytes; at most %d fit into a state file", len(data), statefile.MaxSize),
		}
	}
	err = c.locked(func(dir *statefile.Dir) error {
		if warning, err = makeRoom(c, dir, opts); err != nil {
			return err
		}
		if opts.TaskFile == "" {
			name, err := storePrompt(dir, opts.Text)
			if err != nil {
				return err
			}
			s.TaskFile = DirName + "/" + name
		}
		if err := dir.Remove(BackupName); err != nil {
			return err
		}
		if err := dir.Create(StateName, s.Bytes(), statefile.Durable); err != nil {
			return err
		}
		r := runtime{StartedAt: s.StartedAt, TaskFile: opts.Path, GitStatus: opts.GitStatus, TestCommand: opts.TestCommand, Git: signal.GitPlace(c.Root)}
		if s.Briefed {
			r.Told = current(s)
		}
		err := saveRuntime(c.Env.StateHome, c.statePath(), r, statefile.Durable)
		if err == nil && c.SessionID == "" {
			err = c.store().AddPending(c.statePath())
		}
		if err != nil {
			// A start that was reported as failed must not begin working at the next
			// stop.
			return errors.Join(err, dir.Remove(StateName))
		}
		if c.SessionID != "" {
			c.store().DropPending(c.statePath())
		}
		return nil
	})
	if err == nil && opts.GitStatus {
		err = c.baseline(s.StartedAt)
	}
	if err != nil && !errors.Is(err, ErrConflict) {
		err = fmt.Errorf("start smart ralph: %w", err)
	}
	return s, warning, err
}

// baseline records the output of git status before the work begins, so that older changes
// do not count as progress (R3-27). git may take seconds, so it runs without the lock; if
// a stop came in the meantime, that stop has recorded it already.
func (c Scene) baseline(startedAt time.Time) error {
	const wait, most = 5 * time.Second, 1 << 20
	out, err := gitStatusOf(c.Root, wait, most)
	if err != nil {
		return nil
	}
	return c.locked(func(*statefile.Dir) error {
		r := loadRuntime(c.Env.StateHome, c.statePath(), startedAt)
		if !r.GitStatus || r.Files != "" {
			return nil
		}
		r.Files, r.Baseline = project.ID(out), strings.Count(out, "\x00")
		return saveRuntime(c.Env.StateHome, c.statePath(), r, statefile.Durable)
	})
}

// makeRoom deals with an existing session. A session that may still be running prevents a
// start, unless it is to be replaced by force; an unfinished one does, unless opts.New is
// set. A replaced session moves to the history, and said tells where.
func makeRoom(c Scene, dir *statefile.Dir, opts StartOptions) (said string, err error) {
	f, err := load(dir, c.dirPath())
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("read the existing session: %w", err)
	}
	if f.lost {
		return c.Lang.Lost(errors.New(c.Lang.Damage(f.damage)), DirName+"/"+HistoryName), keepBoth(dir, f, c.Env.Now)
	}
	lang := spoken(f.state, c.Lang)
	seen := f.read.ModTime.UTC().Format(time.DateTime) + " UTC"
	switch running := c.running(f); {
	case running && !(opts.New && opts.Force):
		return "", Conflict{State: f.state, Seen: seen, Running: true, text: lang.Running(f.state, seen, c.SessionID)}
	case opts.New && !opts.Force && c.held(f):
		return "", Conflict{State: f.state, Seen: seen, Running: true, text: lang.Running(f.state, seen, c.SessionID)}
	case f.state.IsUnfinished() && !opts.New:
		return "", Conflict{State: f.state, Seen: seen, text: lang.Unfinished(f.state, seen)}
	}
	return c.putAway(dir, f, "replaced")
}

// running reports whether a session may be working on the state: the one that gave the command, or
// another one that is not known to have stopped working on it.
func (c Scene) running(f file) bool {
	s := f.state
	if !s.Active || s.SessionID == "" {
		return false
	}
	return s.SessionID == c.SessionID || c.store().Held(s.SessionID, f.read.ModTime, c.Env.Now) != nil
}

// held reports whether the work, though paused or blocked, belongs to another session
// that may still be running. Without force, a session can neither continue nor replace
// such work.
func (c Scene) held(f file) bool {
	_, err := heir(f, c.store(), protocol.ResumeOptions{SessionID: c.SessionID, Now: c.Env.Now})
	return err != nil && c.SessionID != "" && f.state.IsUnfinished()
}

// putAway moves the existing session to the history and says where it is.
func (c Scene) putAway(dir *statefile.Dir, f file, reason string) (said string, err error) {
	if err := f.keepDamage(dir, c.Env.Now); err != nil {
		return "", err
	}
	s := f.state.Clone()
	if s.EndReason == "" || s.Active {
		s.EndReason = reason
	}
	id := freeID(dir, historyID(s.StartedAt))
	if err := archive(dir, c.statePath(), s, id, c.Env.StateHome, c.store()); err != nil {
		return "", err
	}
	return c.Lang.Replaced(DirName+"/"+HistoryName+"/"+id+".md", id), nil
}

// Change holds the values that a command line gives a session that continues. Fields that
// are nil change nothing.
type Change struct {
	State       func(*state.State)
	TestCommand *string
	GitStatus   *bool
}

// Continue continues the existing session instead of starting one. name and path are the
// task file that the person named, if any.
func Continue(c Scene, name, path string, change Change, opts protocol.ResumeOptions) (text string, err error) {
	var startedAt time.Time
	err = c.locked(func(dir *statefile.Dir) error {
		f, err := load(dir, c.dirPath())
		if errors.Is(err, fs.ErrNotExist) {
			return errors.New(c.Lang.NothingToContinue())
		}
		if err != nil {
			return fmt.Errorf("read the existing session: %w", err)
		}
		l := &loop{file: f, env: c.Env, root: c.Root, store: c.store(), lang: spoken(f.state, c.Lang), change: change}
		if its := loadRuntime(c.Env.StateHome, c.statePath(), f.state.StartedAt).TaskFile; path != "" && its != path && (its != "" || f.state.TaskFile != name) {
			return errors.New(l.lang.OtherFile(f.state.TaskFile, name))
		}
		startedAt = f.state.StartedAt
		text, err = l.resume(opts)
		return err
	})
	if err == nil && change.GitStatus != nil && *change.GitStatus {
		err = c.baseline(startedAt)
	}
	return text, err
}
