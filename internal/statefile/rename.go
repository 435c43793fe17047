package statefile

import (
	"bytes"
	"fmt"
	"path/filepath"
)

// renameOver replaces name by temp where the file system cannot exchange. A
// removal between the last look and the rename is lost: that window is what the
// exchange closes.
func (d *Dir) renameOver(temp, name string, base File) error {
	if err := d.unchanged(name, base); err != nil {
		return err
	}
	return d.root.Rename(filepath.FromSlash(temp), filepath.FromSlash(name))
}

// unchanged reports a file that is absent or not as it was read.
func (d *Dir) unchanged(name string, base File) error {
	now, err := d.Read(name)
	if err != nil {
		return err
	}
	if !bytes.Equal(now.Data, base.Data) {
		return fmt.Errorf("%s: %w", name, ErrChanged)
	}
	return nil
}
