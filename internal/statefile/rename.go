package statefile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"time"
)

// insist calls replace up to four times within 60 ms: virus scanners and indexers of
// Windows hold files open for a moment. A file that is gone stays gone.
func insist(sleep func(time.Duration), replace func() error) error {
	for try := 1; ; try++ {
		err := replace()
		if err == nil || errors.Is(err, fs.ErrNotExist) || try == 4 {
			return err
		}
		sleep(time.Duration(try) * 10 * time.Millisecond)
	}
}

// errHalfReplaced means that the system took the old file away and could not give the
// new one its name: only the temporary file holds the state then.
var errHalfReplaced = errors.New("the system replaced only half")

// replaceBy insists on replace, which may leave half of the work: that is done here. A
// file that somebody made in the gap stays.
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
		return fmt.Errorf("%w; the state stands in %s: %w", errHalfReplaced, temp, err)
	}
	return err
}

// renameOver replaces the file by temp where the file system cannot exchange. A
// removal between the last look and the rename is lost: that window is what the
// exchange closes.
func (s slot) renameOver(temp string, base File) error {
	if err := s.unchanged(base); err != nil {
		return err
	}
	return s.dir.Rename(temp, s.base)
}

// unchanged reports a file that is absent or not as it was read.
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
