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
