package install

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/hookbridge/bridge/client/claude/settingsfile"
	"github.com/hookbridge/bridge/internal/statefile"
)

func (s Site) backup() string { return s.Path + settingsfile.BackupSuffix }

// keep keeps the settings as they were before bridge beside the file. A text with lines of
// bridge is not that: it never replaces a copy, and if the original is known, that one is
// kept instead.
func (s Site) keep(before []byte, r record, known bool) error {
	if holdsBridge(before) {
		if _, there := s.kept(); there || known && !r.Existed {
			return nil
		}
		if known {
			before = r.Original
		}
	}
	if copied, there := s.kept(); there && !known && !bytes.Equal(copied, before) {
		// bridge has not made it, or no longer knows why; the record has the original.
		return nil
	}
	if err := settingsfile.Keep(s.backup(), before); err != nil {
		return fmt.Errorf("keep a copy of %s: %w", s.Path, err)
	}
	return nil
}

// kept is the copy beside the settings file. A link is none: it may lead to a file of the
// user.
func (s Site) kept() (text []byte, there bool) {
	if info, err := os.Lstat(s.backup()); err != nil || !info.Mode().IsRegular() {
		return nil, false
	}
	text, err := statefile.ReadFile(s.backup(), settingsfile.MaxSize)
	// One that cannot be read is somebody's.
	return text, err == nil || !errors.Is(err, fs.ErrNotExist)
}

// drop removes the copy if one of the texts, which are on the disk, has all that it has
// besides lines of bridge. It returns the path of a copy that stays.
func (s Site) drop(r record, texts ...[]byte) (stays string, err error) {
	copied, there := s.kept()
	if !there {
		return "", nil
	}
	without, _, err := Uninstall(copied, r.Had, r.BlockCap)
	for _, text := range texts {
		if len(copied) > 0 && (bytes.Equal(copied, text) || err == nil && bytes.Equal(without, text)) {
			return "", os.Remove(s.backup())
		}
	}
	return s.backup(), nil
}

// rewrite writes the settings without bridge. A file that nobody has changed needs no copy:
// its original is known.
func (s Site) rewrite(before, after []byte, r record, known, untouched bool) error {
	if !untouched {
		if err := s.keep(before, r, known && !holdsBridge(r.Original)); err != nil {
			return err
		}
	}
	return s.write(after)
}

// copies keeps the original after an uninstallation if the user may want it, and removes
// the copy beside the file if it is of no use.
func (s Site) copies(c *Change, r record, wanted bool) error {
	texts := [][]byte{c.After}
	if wanted {
		// The original has these lines with their comments.
		kept := s.Path + firstSuffix
		if err := settingsfile.Keep(kept, r.Original); err != nil {
			return fmt.Errorf("keep a copy of the settings as they were before: %w", err)
		}
		c.PutBack, c.FirstCopy, texts = r.Removed, kept, append(texts, r.Original)
	}
	stays, err := s.drop(r, texts...)
	if err != nil {
		return fmt.Errorf("remove the copy of the settings: %w", err)
	}
	c.Backup = stays
	return nil
}
