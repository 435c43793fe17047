package statefile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"time"
)

// insist calls replace up to four times within 60 ms, because virus scanners and indexers
// on Windows keep files open for a moment. A file that is gone stays gone.
func insist(sleep func(time.Duration), replace func() error) error {
	for try := 1; ; try++ {
		err := replace()
		if err == nil || errors.Is(err, fs.ErrNotExist) || try == 4 {
			return err
		}
		sleep(time.Duration(try) * 10 * time.Millisecond)
	}
}

// errHalfReplaced means that the system removed the old file but could not rename the new
// one. Only the temporary file then has the state.
var errHalfReplaced = errors.New("the system replaced the file only halfway")

// replaceBy insists on replace and completes its work if replace stopped halfway. A file
// that another process created in the gap stays.
func (s slot) replaceBy(sleep func(time.Duration), temp string, replace func() error) error {
	half := false
	err := insist(sleep, func() error {
		if !half {
			err := replace()
			if !errors.Is(err, errHalfReplaced) {
				return err
			}
			half = true
		}
		if _, err := s.dir.Lstat(s.base); err == nil {
			half = false
			return fmt.Errorf("%s: %w", s.base, ErrChanged)
		}
		return s.dir.Rename(temp, s.base)
	})
	if err != nil && half {
		return fmt.Errorf("%w; the state is in %s: %w", errHalfReplaced, temp, err)
	}
	return err
}

// renameOver replaces the file with temp if the file system cannot exchange names. A file that is removed between the
// last check and the rename comes back; the exchange has no such gap.
func (s slot) renameOver(temp string, base File) error {
	if err := s.unchanged(base); err != nil {
		return err
	}
	return s.dir.Rename(temp, s.base)
}

// unchanged returns an error if a file is absent or not as it was read.
func (s slot) unchanged(base File) error {
	now, err := s.read()
	if err != nil {
		return err
	}
	if !bytes.Equal(now.Data, base.Data) {
		return fmt.Errorf("%s: %w", s.base, ErrChanged)
	}
	return nil
}
