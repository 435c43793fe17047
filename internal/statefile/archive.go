package statefile

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Backup is the name to which Archive moves a file.
func Backup(name string) string { return name + ".bak" }

// Archive moves the file to its backup name. An older backup with another text first moves to a free name of its own,
// because it may be the only copy of a prompt (docs/design.md#endings). An absent file is not an error: somebody else
// removed it. A directory with the name of the backup is renamed first, because it must not keep a loop from ending.
func (d *Dir) Archive(name string) error {
	at, err := d.slot(name)
	if err == nil {
		at.sweep()
		if _, err = at.dir.Lstat(at.base); err == nil {
			if err = at.freeBackup(); err == nil {
				err = at.dir.Rename(at.base, Backup(at.base))
			}
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// freeBackup moves an older backup away, so that a rename to the backup name loses nothing.
func (s slot) freeBackup() error {
	backup := Backup(s.base)
	info, err := s.dir.Lstat(backup)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.Mode().IsRegular() && s.sameText(backup):
		return nil
	}
	for n := 1; n < 1000; n++ {
		aside := backup + "." + strconv.Itoa(n)
		if _, err := s.dir.Lstat(aside); errors.Is(err, fs.ErrNotExist) {
			return s.dir.Rename(backup, aside)
		}
	}
	return s.dir.Rename(backup, backup+"."+strconv.FormatInt(time.Now().UnixNano(), 10))
}

// Older returns those of the names that hold older backups of the file, the lowest number
// first: name.bak.1, name.bak.2 and so on.
func Older(names []string, name string) []string {
	number := func(of string) int {
		n, err := strconv.Atoi(strings.TrimPrefix(of, Backup(name)+"."))
		if err != nil || !strings.HasPrefix(of, Backup(name)+".") {
			return 0
		}
		return n
	}
	var older []string
	for _, of := range names {
		if number(of) > 0 {
			older = append(older, of)
		}
	}
	slices.SortFunc(older, func(a, b string) int { return cmp.Compare(number(a), number(b)) })
	return older
}

// Thin removes the oldest of the file's older backups if there are more than keep. The
// backup itself stays.
func (d *Dir) Thin(name string, keep int) error {
	folder, base := path.Split(name)
	names, err := d.Names(cmp.Or(folder, "."))
	if err != nil {
		return err
	}
	older := Older(names, base)
	if len(older) <= keep {
		return nil
	}
	written := map[string]time.Time{}
	for _, n := range older {
		info, err := d.Stat(folder + n)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		written[n] = info.ModTime()
	}
	older = slices.DeleteFunc(older, func(n string) bool { _, file := written[n]; return !file })
	slices.SortStableFunc(older, func(a, b string) int { return written[b].Compare(written[a]) })
	for _, n := range older[min(keep, len(older)):] {
		if err := d.Remove(folder + n); err != nil {
			return err
		}
	}
	return nil
}

// sameText reports whether the file and its backup hold the same text. The front matter does not count: it changes with
// each iteration, but the prompt after it does not.
func (s slot) sameText(backup string) bool {
	now, err := s.read()
	if err != nil {
		return false
	}
	old, err := slot{s.dir, backup, s.root, s.parent}.read()
	if err != nil {
		return false
	}
	is, errIs := ParseFrontMatter(now.Data)
	was, errWas := ParseFrontMatter(old.Data)
	if errIs != nil || errWas != nil {
		return bytes.Equal(now.Data, old.Data)
	}
	return is.Body() == was.Body()
}
