package smart

import (
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/hookbridge/bridge/hooks/ralph/smart/state"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// with adds the writes that save s.
func (l *loop) with(d protocol.Decision, s state.State, now time.Time) protocol.Decision {
	d.Count = s.Iteration + 1
	d.Writes = append(d.Writes, l.save(s, now)...)
	return d
}

// save replaces state.md and then replaces its backup with the previous text. If somebody
// has removed the file in the meantime, it stays removed.
func (l *loop) save(s state.State, now time.Time) []protocol.Write {
	data := l.stamped(s, now).Bytes()
	writes := []protocol.Write{{
		What: fmt.Sprintf("save iteration %d in %s", s.Iteration, l.path()),
		Do: func() error {
			return l.inDir(func(dir *statefile.Dir) error {
				if err := l.keepDamage(dir, now); err != nil {
					return err
				}
				if err := dir.Replace(StateName, l.read, data, statefile.Volatile); err != nil {
					return err
				}
				if l.claim != "" {
					l.store.DropPending(l.path())
				}
				return nil
			})
		},
	}}
	if l.damage == nil {
		writes = append(writes, protocol.Write{
			What: "back up " + l.path(), Optional: true,
			Do: func() error {
				return l.inDir(func(dir *statefile.Dir) error { return dir.Create(BackupName, l.read.Data, statefile.Volatile) })
			},
		})
	}
	return append(writes, l.remember())
}

// stamped is s with its owner and time set, as it is written.
func (l *loop) stamped(s state.State, now time.Time) state.State {
	if l.claim != "" {
		s.SessionID = l.claim
	}
	s.UpdatedAt, s.Lang = now, l.Speaks()
	return s
}

// remember saves what the hook needs to know at the next stop.
func (l *loop) remember() protocol.Write {
	return protocol.Write{
		What: "remember what the rules saw", Optional: true,
		Do: func() error {
			return saveRuntime(l.env.StateHome, l.path(), l.runtime, statefile.Volatile)
		},
	}
}

func (l *loop) inDir(do func(*statefile.Dir) error) error { return statefile.In(l.dir, do) }

// finish moves the finished session to the history.
func (l *loop) finish(s state.State, now time.Time) (id string, writes []protocol.Write) {
	s = l.stamped(s, now)
	id = historyID(s.StartedAt)
	_ = l.inDir(func(dir *statefile.Dir) error {
		id = freeID(dir, id)
		return nil
	})
	return id, []protocol.Write{{
		What: "move " + l.path() + " to " + HistoryName + "/" + id + ".md",
		Do: func() error {
			return l.inDir(func(dir *statefile.Dir) error {
				if err := l.keepDamage(dir, now); err != nil {
					return err
				}
				return archive(dir, l.path(), s, id, l.env.StateHome, l.store)
			})
		},
	}}
}

// keepDamaged moves a state and a backup that are both unreadable to the history.
func (l *loop) keepDamaged(now time.Time) protocol.Write {
	return protocol.Write{
		What: "keep the damaged " + l.path() + " in " + HistoryName,
		Do: func() error {
			return l.inDir(func(dir *statefile.Dir) error {
				l.store.DropPending(l.path())
				return keepBoth(dir, l.file, now)
			})
		},
	}
}

// keepBoth moves state.md and its backup to the history.
func keepBoth(dir *statefile.Dir, f file, now time.Time) error {
	for _, text := range [][]byte{f.read.Data, f.backup} {
		if text == nil {
			continue
		}
		if err := keep(dir, text, now); err != nil {
			return err
		}
	}
	return errors.Join(dir.Remove(StateName), dir.Remove(BackupName))
}

// keepDamage moves a damaged state.md to the history after its backup was used.
func (f file) keepDamage(dir *statefile.Dir, now time.Time) error {
	if f.damage == nil {
		return nil
	}
	return keep(dir, f.read.Data, now)
}

// keep writes an unreadable text to a new file of the history.
func keep(dir *statefile.Dir, data []byte, now time.Time) error {
	base := HistoryName + "/" + now.UTC().Format(idLayout)
	for n := 1; n < 1000; n++ {
		name := base + suffix(n) + ".corrupt"
		if _, err := dir.Stat(name); errors.Is(err, fs.ErrNotExist) {
			return dir.Create(name, data, statefile.Durable)
		}
	}
	return fmt.Errorf("keep a damaged state in %s: there are too many copies from this second", HistoryName)
}
