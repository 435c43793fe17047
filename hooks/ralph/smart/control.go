package smart

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/hookbridge/bridge/hooks/ralph/smart/message"
	"github.com/hookbridge/bridge/hooks/ralph/smart/state"
	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

var (
	// ErrDamaged means that neither the state nor its backup can be read.
	ErrDamaged error = &protocol.Said{Chinese: "状态和它的备份都已损坏: " + display.Bridge + " ralph check 会指出位置", English: "the state and its backup are damaged: " + display.Bridge + " ralph check shows where"}
	// ErrNothingOpen means that all tasks are finished.
	ErrNothingOpen error = &protocol.Said{Chinese: "这个会话的任务都已结束; 用 " + display.Bridge + " ralph smart 启动新会话", English: "all tasks of the session are finished; start a new session with " + display.Bridge + " ralph smart"}
)

// List returns the sessions of the project, whoever owns them.
func List(s *protocol.Stop) ([]protocol.Controlled, error) {
	var all []protocol.Controlled
	store := session.NewStore(s.Env.StateHome)
	session.Locate(s, DirName, FolderName, func(dir *statefile.Dir, path string) bool {
		f, err := load(dir, path)
		if errors.Is(err, fs.ErrNotExist) {
			return true
		}
		if err != nil {
			all = append(all, kind(message.LangOf(s.Env.Config.Lang, s.Env.Getenv)).Broken(path+"/"+StateName, err))
			return true
		}
		all = append(all, loopOf(s, f, store).controlled())
		return true
	})
	return all, nil
}

func (l *loop) controlled() protocol.Controlled {
	c := protocol.Controlled{
		Status: l.status(), Adoptable: true,
		Cancel: func() (string, error) {
			text, err := l.locked(l.cancel)
			if errors.Is(err, statefile.ErrGone) {
				return l.lang.EndedMeanwhile(), nil
			}
			return text, err
		},
	}
	if !l.lost {
		c.Resume = func(opts protocol.ResumeOptions) (string, error) {
			return l.locked(func() (string, error) { return l.resume(opts) })
		}
	}
	if l.state.Active && !l.lost {
		c.Pause = func() (string, error) { return l.locked(l.pause) }
	}
	return c
}

// locked runs a command under the lock, where the state is read again.
func (l *loop) locked(order func() (string, error)) (string, error) {
	return project.Locked(l.env, l.root, func() (string, error) {
		err := l.inDir(func(dir *statefile.Dir) (err error) {
			f, err := load(dir, l.dir)
			if errors.Is(err, fs.ErrNotExist) {
				err = statefile.ErrGone
			}
			if err == nil {
				l.file = f
			}
			return err
		})
		if err != nil {
			return "", fmt.Errorf("read smart ralph's session: %w", err)
		}
		return order()
	})
}

func (l *loop) status() protocol.Status {
	s := l.state
	st := protocol.Status{
		Kind: "smart", Label: l.Label(), Path: l.path(), State: protocol.LoopActive, SessionID: s.SessionID,
		Iteration: s.Iteration, Limit: s.MaxIterations, Phase: string(s.Phase), Progress: l.lang.Progress(s), About: s.TaskFile,
		StartedAt: s.StartedAt, UpdatedAt: l.read.ModTime, EndsBy: l.lang.EndsBy(s), Stop: display.Bridge + " ralph cancel",
		Lang: l.Speaks(),
	}
	switch {
	case l.lost:
		st.State = protocol.LoopBroken
	case !s.Active && s.IsUnfinished():
		st.State, st.Problem = protocol.LoopPaused, l.lang.Ended(s.EndReason)
	case !s.Active:
		st.State = protocol.LoopEnded
	case l.store.Stale(l.owned(), l.env.Now):
		st.State, st.Problem = protocol.LoopStale, kind(l.lang).StaleProblem(l.path())
	case s.SessionID != "" && !l.store.Ended(session.Key{SessionID: s.SessionID}).IsZero():
		st.State, st.Problem = protocol.LoopStale, l.Speaks().In("它的会话已经结束; ", "its session has ended; ")+kind(l.lang).Adopt+l.Speaks().In(" 可以继续它", " continues it")
	}
	if problem := l.problem(); problem != "" && st.State != protocol.LoopStale {
		st.Problem = problem
	}
	return st
}

// problem says what a person should fix in state.md, in one line.
func (l *loop) problem() string {
	unclear := l.state.Unclear()
	switch {
	case l.lost:
		return "state.md: " + l.lang.Damage(l.damage)
	case l.damage != nil:
		return l.lang.BackupUsed(l.damage)
	case len(unclear) > 0:
		return "state.md: " + l.lang.Problem(unclear[0])
	}
	return ""
}

// cancel moves the session to the history.
func (l *loop) cancel() (string, error) {
	var text string
	edited := ""
	if !l.lost {
		edited = l.edited(l.env.Now)
	}
	err := l.inDir(func(dir *statefile.Dir) error {
		if l.lost {
			text = l.lang.Lost(l.said(), l.lostAs(l.env.Now))
			l.store.DropPending(l.path())
			dropRuntime(l.env.StateHome, l.path())
			return keepBoth(dir, l.file, l.env.Now)
		}
		if err := l.keepDamage(dir, l.env.Now); err != nil {
			return err
		}
		s := l.state.Clone()
		if s.Phase != state.Done {
			s.Phase, s.EndReason = state.Stopped, "cancelled"
		}
		id := freeID(dir, historyID(s.StartedAt))
		text = edited + l.lang.Cancelled(s, id)
		return archive(dir, l.path(), s, id, l.env.StateHome, l.store)
	})
	if err != nil {
		return "", fmt.Errorf("cancel smart ralph: %w", err)
	}
	return text, nil
}

func (l *loop) pause() (string, error) {
	if l.lost {
		return "", fmt.Errorf("pause smart ralph: %w", ErrDamaged)
	}
	s := l.state.Clone()
	s.Active, s.Phase, s.EndReason = false, state.Stopped, "paused"
	edited := l.edited(l.env.Now)
	if err := l.rewrite(s); err != nil {
		return "", fmt.Errorf("pause smart ralph: %w", err)
	}
	return edited + l.lang.PausedByHand(s), nil
}

// rewrite replaces state.md and its backup, for a command that a person gave.
func (l *loop) rewrite(s state.State) error {
	s.UpdatedAt, s.Lang = l.env.Now, l.Speaks()
	return l.inDir(func(dir *statefile.Dir) error {
		if err := l.keepDamage(dir, l.env.Now); err != nil {
			return err
		}
		if err := dir.Replace(StateName, l.read, s.Bytes(), statefile.Durable); err != nil {
			return err
		}
		if l.damage != nil {
			return nil
		}
		return dir.Create(BackupName, l.read.Data, statefile.Durable)
	})
}
