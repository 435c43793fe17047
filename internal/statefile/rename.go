package statefile

import (
	"bytes"
	"fmt"
)

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
