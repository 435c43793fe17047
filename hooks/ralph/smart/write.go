package smart

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/hookbridge/bridge/hooks/ralph/smart/state"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// with adds the writes that save s.
func (l *loop) with(d protocol.Decision, s state.State, now time.Time) protocol.Decision {
	d.Count = s.Iteration + 1
	l.runtime.Told = current(s)
	d.Writes = append(d.Writes, l.save(s, now)...)
	return d
}

// current identifies the current task, or is "".
func current(s state.State) string {
	if s.Phase == state.Running && s.CurrentIndex < len(s.Tasks) {
		return project.ID(s.Tasks[s.CurrentIndex].Title)
	}
	return ""
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

// lostAs names the files to which keepBoth will move a state and its backup.
func (l *loop) lostAs(now time.Time) string {
	names := []string{DirName + "/" + HistoryName}
	_ = l.inDir(func(dir *statefile.Dir) error {
		var free []string
		for n := 1; n < maxCopies && len(free) < 2; n++ {
			name := copyName(now, n, "corrupt")
			if _, err := dir.Stat(name); errors.Is(err, fs.ErrNotExist) {
				free = append(free, DirName+"/"+name)
			}
		}
		if l.backup == nil && len(free) > 1 {
			free = free[:1]
		}
		if len(free) > 0 {
			names = free
		}
		return nil
	})
	return strings.Join(names, ", ")
}

// keepDamage copies state.md to the history before the next write replaces it, if it is
// damaged or contains something that bridge cannot understand.
func (f *file) keepDamage(dir *statefile.Dir, now time.Time) error {
	if f.damage == nil && len(f.state.Unclear()) == 0 {
		return nil
	}
	name, err := f.keepName(dir, now)
	if err != nil {
		return err
	}
	return dir.Create(name, f.read.Data, statefile.Durable)
}

// keepName is the name of that copy. It is chosen once, because a message names it.
func (f *file) keepName(dir *statefile.Dir, now time.Time) (name string, err error) {
	if f.keptAs == "" {
		kind := "edited"
		if f.damage != nil {
			kind = "corrupt"
		}
		f.keptAs, err = freeName(dir, now, kind)
	}
	return f.keptAs, err
}

// keep writes an unreadable text to a new file of the history.
func keep(dir *statefile.Dir, data []byte, now time.Time) error {
	name, err := freeName(dir, now, "corrupt")
	if err != nil {
		return err
	}
	return dir.Create(name, data, statefile.Durable)
}

// maxCopies limits the copies from one second.
const maxCopies = 1000

// copyName is the n-th name for a copy from this second.
func copyName(now time.Time, n int, kind string) string {
	return HistoryName + "/" + now.UTC().Format(idLayout) + suffix(n) + "." + kind
}

// freeName is the name of a new file of the history.
func freeName(dir *statefile.Dir, now time.Time, kind string) (string, error) {
	for n := 1; n < maxCopies; n++ {
		name := copyName(now, n, kind)
		if _, err := dir.Stat(name); errors.Is(err, fs.ErrNotExist) {
			return name, nil
		}
	}
	return "", fmt.Errorf("keep a state in %s: there are too many copies from this second", HistoryName)
}

// edited says what was wrong with state.md and where it is kept, before it is replaced. It
// is empty if all of it could be read, and ends with a line break otherwise.
func (l *loop) edited(now time.Time) string {
	unclear := l.state.Unclear()
	if l.damage == nil && len(unclear) == 0 {
		return ""
	}
	path := DirName + "/" + HistoryName
	_ = l.inDir(func(dir *statefile.Dir) error {
		name, err := l.keepName(dir, now)
		if err == nil {
			path = DirName + "/" + name
		}
		return err
	})
	if l.damage == nil {
		return l.lang.Unclear(unclear, path) + "\n"
	}
	return l.lang.Recovered(l.said(), l.backedUp.Format(time.DateTime), path) + "\n"
}

// said is the damage in the language of the session.
func (l *loop) said() error { return errors.New(l.lang.Damage(l.damage)) }
