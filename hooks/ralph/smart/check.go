package smart

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/hookbridge/bridge/hooks/ralph/smart/message"
	"github.com/hookbridge/bridge/hooks/ralph/smart/state"
	"github.com/hookbridge/bridge/internal/statefile"
)

// Report says how bridge understands a state file.
type Report struct {
	Path string
	// State holds what could be read; Broken says that the file cannot be used.
	State  state.State
	Broken bool
	// Backup says that bridge would use the backup instead.
	Backup bool
	// Lang is the language of the session.
	Lang message.Lang
}

// Check reads the state file at path or, if path is empty, the state file of the
// project. The error is fs.ErrNotExist if there is none.
func Check(c Scene, path string) (Report, error) {
	var data []byte
	var known state.State
	r := Report{Path: path}
	if path == "" {
		r.Path = filepath.FromSlash(c.statePath())
		err := statefile.In(c.dirPath(), func(dir *statefile.Dir) error {
			f, err := load(dir, c.dirPath())
			data, known, r.Backup = f.read.Data, f.state, f.damage != nil && !f.lost
			return err
		})
		if err != nil {
			return r, fmt.Errorf("check %s: %w", StateName, err)
		}
	} else {
		var err error
		if data, err = statefile.ReadFile(path, statefile.MaxSize); err != nil {
			return r, fmt.Errorf("check %s: %w", path, err)
		}
	}
	var err error
	r.State, err = state.Parse(data)
	r.Broken, r.Lang = errors.Is(err, state.ErrBroken), spoken(r.State, spoken(known, c.Lang))
	return r, nil
}
