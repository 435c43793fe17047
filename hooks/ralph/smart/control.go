package smart

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/hookbridge/bridge/hooks/ralph/smart/decide"
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
	ErrDamaged = errors.New("the state and its backup are damaged: " + display.Bridge + " ralph check shows where")
	// ErrNothingOpen means that all tasks are finished.
	ErrNothingOpen = errors.New("all tasks of the session are finished; start a new session with " + display.Bridge + " ralph smart")
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
			all = append(all, kind().Broken(path+"/"+StateName, err))
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
		Iteration: s.Iteration, Limit: s.MaxIterations, Phase: string(s.Phase), Progress: progress(s),
		StartedAt: s.StartedAt, UpdatedAt: l.read.ModTime, EndsBy: endsBy(s), Stop: display.Bridge + " ralph cancel",
	}
	switch {
	case l.lost:
		st.State = protocol.LoopBroken
	case !s.Active && s.IsUnfinished():
		st.State, st.Problem = protocol.LoopPaused, s.EndReason
	case !s.Active:
		st.State = protocol.LoopEnded
	case l.store.Stale(l.owned(), l.env.Now):
		st.State, st.Problem = protocol.LoopStale, kind().StaleProblem(l.path())
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

func progress(s state.State) string {
	if len(s.Tasks) == 0 {
		return "no tasks yet"
	}
	text := fmt.Sprintf("task %d/%d", min(s.CurrentIndex+1, len(s.Tasks)), len(s.Tasks))
	if t := s.Current(); t != nil {
		text += fmt.Sprintf(" (%d%%)", t.Completion)
	}
	return text
}

func endsBy(s state.State) string {
	const done, stall = "all tasks done", "%d in a row without progress"
	switch {
	case s.MaxIterations > 0 && s.StallDetection > 0:
		return fmt.Sprintf(done+", %d iterations, or "+stall, s.MaxIterations, s.StallDetection)
	case s.MaxIterations > 0:
		return fmt.Sprintf(done+" or %d iterations", s.MaxIterations)
	case s.StallDetection > 0:
		return fmt.Sprintf(done+" or %d iterations in a row without progress", s.StallDetection)
	}
	return done
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

// resume continues the session on behalf of the session that asks.
func (l *loop) resume(opts protocol.ResumeOptions) (string, error) {
	fail := func(err error) (string, error) { return "", fmt.Errorf("resume smart ralph: %w", err) }
	s := l.state.Clone()
	if l.lost {
		return fail(ErrDamaged)
	}
	err := held(l.file, l.store, opts)
	if err != nil {
		return fail(err)
	}
	if s.MaxIterations, err = opts.Limit(s.Iteration, s.MaxIterations); err != nil {
		return fail(err)
	}
	if !takeUp(&s, opts) {
		return l.nothingLeft(s, opts)
	}
	edited := l.edited(l.env.Now)
	if err := l.rewrite(s); err != nil {
		return fail(err)
	}
	if err := l.handOver(s, opts); err != nil {
		return fail(err)
	}
	return edited + resumedText(l.lang, s, opts, l.textOf(s)), nil
}

// held returns an error if another session may still be working on it.
func held(f file, store session.Store, opts protocol.ResumeOptions) error {
	s := f.state
	if !s.Active || s.SessionID == "" || s.SessionID == opts.SessionID || opts.Force {
		return nil
	}
	return store.Held(s.SessionID, f.read.ModTime, opts.Now)
}

// takeUp binds s to the session that asks. It returns false if no task is left.
func takeUp(s *state.State, opts protocol.ResumeOptions) bool {
	if decide.Resume(s, opts.Skip) {
		return false
	}
	s.SessionID, s.UpdatedAt = opts.SessionID, opts.Now
	// In a session, the model reads what this command prints. In a terminal nobody does,
	// so the first stop tells the model.
	s.Briefed = opts.SessionID != ""
	return true
}

// handOver forgets the errors that stopped the session. If this command knows no session,
// it also lets the next session claim the state.
func (l *loop) handOver(s state.State, opts protocol.ResumeOptions) error {
	r := loadRuntime(l.env.StateHome, l.path(), s.StartedAt)
	r.Error, r.Repeats = "", 0
	if err := saveRuntime(l.env.StateHome, l.path(), r, statefile.Durable); err != nil {
		return err
	}
	if opts.SessionID == "" {
		return l.store.AddPending(l.path())
	}
	l.store.DropPending(l.path())
	return nil
}

// nothingLeft archives a session after its last open task was skipped.
func (l *loop) nothingLeft(s state.State, opts protocol.ResumeOptions) (string, error) {
	if !opts.Skip {
		return "", fmt.Errorf("resume smart ralph: %w", ErrNothingOpen)
	}
	edited := l.edited(l.env.Now)
	err := l.inDir(func(dir *statefile.Dir) error {
		if err := l.keepDamage(dir, l.env.Now); err != nil {
			return err
		}
		return archive(dir, l.path(), s, freeID(dir, historyID(s.StartedAt)), l.env.StateHome, l.store)
	})
	if err != nil {
		return "", fmt.Errorf("skip the task: %w", err)
	}
	return edited + l.lang.Summary(s), nil
}

// textOf returns the text of the task file if the session has no tasks yet and needs it.
func (l *loop) textOf(s state.State) string {
	if len(s.Tasks) > 0 {
		return ""
	}
	l.runtime = loadRuntime(l.env.StateHome, l.path(), s.StartedAt)
	return l.taskText().text
}

// resumedText is what resume prints: in a session the prompt for the model, in a terminal
// a line for the person.
func resumedText(lang message.Lang, s state.State, opts protocol.ResumeOptions, taskText string) string {
	if opts.SessionID == "" {
		head := lang.WaitsForSession()
		if len(s.Tasks) > 0 {
			head = lang.Resumed(s) + "\n" + head
		}
		return head
	}
	if len(s.Tasks) == 0 {
		return lang.Start(s, true) + "\n" + lang.Parse(s.TaskFile, taskText)
	}
	return lang.Resumed(s) + "\n\n" + lang.Resume(s)
}
