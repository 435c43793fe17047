package smart

import (
	"fmt"

	"github.com/hookbridge/bridge/hooks/ralph/smart/decide"
	"github.com/hookbridge/bridge/hooks/ralph/smart/message"
	"github.com/hookbridge/bridge/hooks/ralph/smart/state"
	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// resume continues the session, whatever stopped it, and says what was done. An active
// session gets another limit, or skips its task.
func (l *loop) resume(opts protocol.ResumeOptions) (string, error) {
	s := l.state.Clone()
	if l.lost {
		return "", l.cannot(ErrDamaged)
	}
	owner, held := heir(l.file, l.store, opts)
	if held != nil && (opts.SessionID != "" || opts.Skip && s.Active) {
		// While a session works on a task, its next assessment is about that task, so
		// only that session may skip it.
		return "", l.cannot(held)
	}
	if l.change.State != nil {
		l.change.State(&s)
	}
	var err error
	if s.MaxIterations, err = opts.Limit(s.Iteration, s.MaxIterations); err != nil {
		return "", l.cannot(err)
	}
	// The model of a session that keeps working needs no new prompt.
	if held == nil || !s.Active {
		if !takeUp(&s, owner, opts) {
			return l.nothingLeft(s, opts)
		}
	}
	edited := l.edited(l.env.Now)
	if err := l.rewrite(s); err != nil {
		return "", l.cannot(err)
	}
	if err := l.handOver(s); err != nil {
		return "", l.cannot(err)
	}
	did := l.lang.Resumption(message.Resumption{Before: l.state, After: s, Asked: opts.SessionID, TestCommand: l.change.TestCommand, GitStatus: l.change.GitStatus})
	return edited + did + l.prompt(s, opts.SessionID), nil
}

// heir is the session that gets the work. A terminal has no session, so a resume from a
// terminal leaves the work with its session if that may still be running; held says so.
func heir(f file, store session.Store, opts protocol.ResumeOptions) (owner string, held error) {
	s := f.state
	if s.SessionID == "" || s.SessionID == opts.SessionID || opts.Force {
		return opts.SessionID, nil
	}
	if held = store.Held(s.SessionID, f.read.ModTime, opts.Now); held != nil {
		return s.SessionID, held
	}
	return opts.SessionID, nil
}

// replaceable returns an error if a command must not move the state to the history,
// because it holds unfinished work, paused or not, of another session that may still be
// running.
func replaceable(f file, store session.Store, opts protocol.ResumeOptions) error {
	_, held := heir(f, store, opts)
	if !f.state.IsUnfinished() {
		return nil
	}
	return held
}

// takeUp activates the state for the owner. It returns false if no task is left.
func takeUp(s *state.State, owner string, opts protocol.ResumeOptions) bool {
	if decide.Resume(s, opts.Skip) {
		return false
	}
	s.SessionID, s.UpdatedAt = owner, opts.Now
	// In a session, the model reads what this command prints. In a terminal nobody does,
	// so the first stop tells the model.
	s.Briefed = opts.SessionID != ""
	return true
}

// handOver forgets the errors that stopped the session. A state without an owner waits for
// the next session that stops.
func (l *loop) handOver(s state.State) error {
	r := loadRuntime(l.env.StateHome, l.path(), s.StartedAt)
	r.Error, r.Repeats = "", 0
	if command := l.change.TestCommand; command != nil {
		r.TestCommand = *command
	}
	if on := l.change.GitStatus; on != nil && *on != r.GitStatus {
		r.GitStatus, r.Files = *on, ""
	}
	if err := saveRuntime(l.env.StateHome, l.path(), r, statefile.Durable); err != nil {
		return err
	}
	if s.SessionID == "" {
		return l.store.AddPending(l.path())
	}
	l.store.DropPending(l.path())
	return nil
}

// nothingLeft archives a session after its last open task was skipped.
func (l *loop) nothingLeft(s state.State, opts protocol.ResumeOptions) (string, error) {
	if !opts.Skip {
		return "", l.cannot(ErrNothingOpen)
	}
	edited := l.edited(l.env.Now)
	id := ""
	err := l.inDir(func(dir *statefile.Dir) error {
		if err := l.keepDamage(dir, l.env.Now); err != nil {
			return err
		}
		id = freeID(dir, historyID(s.StartedAt))
		return archive(dir, l.path(), s, id, l.env.StateHome, l.store)
	})
	if err != nil {
		return "", fmt.Errorf("skip the task: %w", err)
	}
	return edited + l.lang.Summary(s) + "\n" + l.lang.Archived(DirName+"/"+HistoryName+"/"+id+".md", false, id), nil
}

// textOf returns the text of the task file if the session has no tasks yet and needs it.
func (l *loop) textOf(s state.State) string {
	if len(s.Tasks) > 0 {
		return ""
	}
	l.runtime = loadRuntime(l.env.StateHome, l.path(), s.StartedAt)
	return l.taskText().text
}

// prompt is what the model of the session that asked reads next; it is empty in a
// terminal.
func (l *loop) prompt(s state.State, asked string) string {
	switch {
	case asked == "":
		return ""
	case len(s.Tasks) == 0:
		return "\n\n" + l.lang.Start(s, true) + "\n" + l.lang.Parse(s.TaskFile, l.textOf(s))
	}
	return "\n\n" + l.lang.Resume(s)
}

// cannot is the error of a command that could not continue the session, in its language.
func (l *loop) cannot(err error) error {
	return toldError{l.lang.CannotResume(err), err}
}

// toldError is an error with its text in the language of the session.
type toldError struct {
	text string
	error
}

func (e toldError) Error() string { return e.text }
func (e toldError) Unwrap() error { return e.error }

// In implements protocol.Bilingual: the session has one language.
func (e toldError) In(protocol.Lang) string { return e.text }
