package smart

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/hookbridge/bridge/hooks/ralph/smart/message"
	"github.com/hookbridge/bridge/hooks/ralph/smart/state"
	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// ErrNoHistory means that the history has no session with this id.
var ErrNoHistory error = &protocol.Said{Chinese: "历史里没有这个会话; " + display.Bridge + " ralph resume --history 会列出它们", English: "the history has no such session; " + display.Bridge + " ralph resume --history lists them"}

// Restore restores a session of the history. The current session is archived first
// (R3-42). The counters of the restored session are kept.
func Restore(c Scene, id string, opts protocol.ResumeOptions) (string, error) {
	if !validID(id) {
		return "", fmt.Errorf("restore %.80q: %w", id, ErrNoHistory)
	}
	var text, replaced string
	err := c.locked(func(dir *statefile.Dir) error {
		name := HistoryName + "/" + id + ".md"
		old, err := dir.Read(name)
		if errors.Is(err, fs.ErrNotExist) {
			return ErrNoHistory
		}
		if err != nil {
			return err
		}
		s, err := state.Parse(old.Data)
		if err != nil {
			return err
		}
		before := s.Clone()
		if s.MaxIterations, err = opts.Limit(s.Iteration, s.MaxIterations); err != nil {
			return err
		}
		if !takeUp(&s, opts.SessionID, opts) {
			return ErrNothingOpen
		}
		current, err := load(dir, c.dirPath())
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return fmt.Errorf("read the current session: %w", err)
		case current.lost:
			err = keepBoth(dir, current, c.Env.Now)
		default:
			if err := replaceable(current, c.store(), opts); err != nil {
				return &protocol.Said{Chinese: "项目当前的会话会被移到历史里", English: "the project's current session would move to the history", Err: err}
			}
			replaced, err = c.putAway(dir, current, "replaced")
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("archive the current session: %w", err)
		}
		if len(s.Unclear()) > 0 {
			if err := (&file{read: old, state: s}).keepDamage(dir, c.Env.Now); err != nil {
				return err
			}
		}
		// A backup that is still here belongs to another session.
		if err := dir.Remove(BackupName); err != nil {
			return err
		}
		if err := dir.Create(StateName, s.Bytes(), statefile.Durable); err != nil {
			return err
		}
		l := &loop{file: file{dir: c.dirPath(), state: s}, env: c.Env, root: c.Root, store: c.store(), lang: spoken(s, c.Lang)}
		if err := l.handOver(s); err != nil {
			return err
		}
		if replaced != "" {
			replaced += "\n"
		}
		text = replaced + l.lang.Resumption(message.Resumption{Before: before, After: s, Asked: opts.SessionID}) + l.prompt(s, opts.SessionID)
		return dir.Remove(name)
	})
	if err != nil {
		return "", fmt.Errorf("restore %s: %w", id, err)
	}
	return text, nil
}
