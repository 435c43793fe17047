package smart

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/statefile"
	"github.com/hookbridge/bridge/protocol"
)

// RunningError means that another session is working on a task.
type RunningError struct{ SessionID string }

func (e RunningError) Error() string { return e.In(protocol.English) }

// In implements protocol.Bilingual.
func (e RunningError) In(lang protocol.Lang) string {
	return lang.In("会话 "+e.SessionID+" 正在执行任务", "session "+e.SessionID+" is working on a task")
}

// Clean lists the files of smart ralph in the project and, with remove, removes them
// (R3-41). If another session is working on a task, it returns a RunningError instead.
// The configuration is kept unless all is set. Names are relative to the project's state
// directory.
func Clean(c Scene, all, remove bool) (names []string, err error) {
	dir, err := statefile.OpenDirWithin(c.dirPath(), c.Root)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("clean smart ralph: %w", err)
	}
	defer dir.Close()
	work := func() error {
		names = nil
		if f, err := load(dir, c.dirPath()); remove && err == nil && !f.lost && f.state.Active && f.state.SessionID != "" && f.state.SessionID != c.SessionID {
			return RunningError{f.state.SessionID}
		}
		// A link that came with a repository must not redirect the removal to other
		// files.
		for _, name := range []string{FolderName, HistoryName} {
			if info, err := dir.Stat(name); err == nil && !info.IsDir() {
				return fmt.Errorf("%s/%s is not a directory: %w", DirName, name, statefile.ErrNotRegular)
			}
		}
		known := []string{StateName, BackupName}
		stored, err := prompts(dir)
		if err != nil {
			return err
		}
		known = append(known, stored...)
		if all {
			known = append(known, ConfigName)
		}
		history, err := dir.Names(HistoryName)
		if err != nil {
			return err
		}
		for _, name := range history {
			known = append(known, HistoryName+"/"+name)
		}
		for _, name := range known {
			info, err := dir.Stat(name)
			if err != nil || info.IsDir() {
				continue
			}
			names = append(names, name)
			if remove {
				if err := dir.Remove(name); err != nil {
					return err
				}
			}
		}
		if remove {
			c.store().DropPending(c.statePath())
			dropRuntime(c.Env.StateHome, c.statePath())
			// Directories that still contain something are kept.
			_, _ = dir.Remove(HistoryName), dir.Remove(FolderName)
		}
		return nil
	}
	if !remove {
		return names, work()
	}
	if _, err := project.Locked(c.Env, c.Root, func() (string, error) { return "", work() }); err != nil {
		return names, fmt.Errorf("clean smart ralph: %w", err)
	}
	return names, nil
}
