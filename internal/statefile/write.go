package statefile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Durability says whether a write survives a power cut. Counters on the hook path do
// not need to: they survive kill -9 by rename, and an fsync costs more than a whole
// hook (docs/design.md#writes).
type Durability bool

// The two durabilities.
const (
	Volatile Durability = false
	Durable  Durability = true
)

// Replace replaces the file that was read as base with data. A removed file stays removed (ErrGone), and a file that
// somebody changed since it was read stays as it is (ErrChanged). The mode is kept.
//
// Where the system can exchange two names in one step, there is no moment at which a removal could be undone; elsewhere
// a file that is removed between the last check and the rename comes back (see exchange).
func (d *Dir) Replace(name string, base File, data []byte, durable Durability) error {
	at, err := d.slot(name)
	if err == nil {
		_, err = at.regular()
	}
	if err != nil {
		return goneOr(err)
	}
	temp, err := at.writeTemp(data, base.Mode, durable)
	if err != nil {
		return err
	}
	swapped, err := at.exchange(temp, base)
	if errors.Is(err, errHalfReplaced) {
		return err
	}
	// After the exchange the temporary name holds what was replaced.
	defer at.dir.Remove(temp)
	if err != nil {
		return goneOr(err)
	}
	if !swapped {
		return at.sync(durable)
	}
	old, err := slot{at.dir, temp, at.root, at.parent}.read()
	if err == nil && bytes.Equal(old.Data, base.Data) {
		return at.sync(durable)
	}
	// A version that cannot be read, for example because it exceeds MaxSize, cannot be
	// the one that was read as base.
	if _, back := at.exchange(temp, File{}); back != nil && !errors.Is(back, fs.ErrNotExist) {
		return fmt.Errorf("restore the changed %s: %w", name, back)
	}
	if err != nil {
		return fmt.Errorf("%s: %w: %w", name, ErrChanged, err)
	}
	return fmt.Errorf("%s: %w", name, ErrChanged)
}

func goneOr(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return ErrGone
	}
	return err
}

// Create writes a new file, or a new version of one of our own records; only
// start and resume commands and our bookkeeping use it. Absent directories
// below the state directory are created.
func (d *Dir) Create(name string, data []byte, durable Durability) error {
	at, _, err := d.place(name)
	if err != nil {
		return err
	}
	temp, err := at.writeTemp(data, 0o600, durable)
	if err != nil {
		return err
	}
	if err := at.dir.Rename(temp, at.base); err != nil {
		at.dir.Remove(temp)
		return err
	}
	return at.sync(durable)
}

// place finds the slot of a file that is to be written, and its current content or nil. It creates absent directories.
func (d *Dir) place(name string) (slot, fs.FileInfo, error) {
	at, err := d.slot(name)
	if errors.Is(err, fs.ErrNotExist) {
		if err := d.makeParents(name); err != nil {
			return slot{}, nil, err
		}
		at, err = d.slot(name)
	}
	if err != nil {
		return slot{}, nil, err
	}
	info, err := at.regular()
	if errors.Is(err, fs.ErrNotExist) {
		return at, nil, nil
	}
	return at, info, err
}

// Overwrite writes data over one of our own records without a temporary file, or creates it. It is a single write that
// never shortens the file: spaces overwrite the rest of a longer version. A power cut can leave a damaged record, so use
// it only for records that bridge can do without.
func (d *Dir) Overwrite(name string, data []byte) error {
	at, info, err := d.place(name)
	if err != nil {
		return err
	}
	if info == nil {
		return d.Create(name, data, Volatile)
	}
	f, err := at.dir.OpenFile(at.base, os.O_WRONLY|openNonblock, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	opened, err := f.Stat()
	if err != nil {
		return err
	}
	if !os.SameFile(info, opened) {
		return fmt.Errorf("%s: %w", name, ErrChanged)
	}
	if missing := int(opened.Size()) - len(data); missing > 0 && opened.Size() <= MaxSize {
		data = append(data, bytes.Repeat([]byte{' '}, missing)...)
	}
	_, err = f.Write(data)
	return err
}

// Append adds data at the end of one of our own records, or creates it. It is one write,
// so simultaneous appends do not mix.
func (d *Dir) Append(name string, data []byte) error {
	at, _, err := d.place(name)
	if err != nil {
		return err
	}
	f, err := at.dir.OpenFile(at.base, os.O_WRONLY|os.O_APPEND|os.O_CREATE|openNonblock, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// Remove removes the file. An absent file is no error.
func (d *Dir) Remove(name string) error {
	at, err := d.slot(name)
	if err == nil {
		err = at.dir.Remove(at.base)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// writeTemp writes data beside name and returns the temporary name.
func (s slot) writeTemp(data []byte, mode fs.FileMode, durable Durability) (string, error) {
	s.sweep()
	temp := tempName(s.base, os.Getpid())
	f, err := s.dir.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL|openNonblock, mode)
	if errors.Is(err, fs.ErrExist) {
		// A killed process with the same number left the file.
		s.dir.Remove(temp)
		f, err = s.dir.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL|openNonblock, mode)
	}
	if err != nil {
		return "", err
	}
	_, err = f.Write(data)
	if err == nil {
		// The umask may have removed permissions that the replaced file has.
		err = f.Chmod(mode)
	}
	if err == nil && durable == Durable {
		err = f.Sync()
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		s.dir.Remove(temp)
		return "", fmt.Errorf("write %s: %w", s.base, err)
	}
	return temp, nil
}

// tempName is the name under which the process pid prepares a new version.
func tempName(name string, pid int) string {
	return "." + name + "." + strconv.Itoa(pid) + ".tmp"
}

// CreateTemp creates, beside the file at path, the temporary file for its new version. It
// is for files that are not state files. Temporary files that killed processes left are
// removed.
func CreateTemp(path string) (*os.File, error) {
	Sweep(path)
	return os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"."+strconv.Itoa(os.Getpid())+".*.tmp")
}

// Sweep removes temporary files of the file at path that killed processes left.
func Sweep(path string) {
	if dir, err := os.OpenRoot(filepath.Dir(path)); err == nil {
		slot{dir: dir, base: filepath.Base(path)}.sweep()
		dir.Close()
	}
}

// sweep removes temporary files of name that killed processes left. It recognises only
// the names that bridge gives them, so files of other programs stay.
func (s slot) sweep() {
	f, err := openToRead(".", s.dir.OpenFile)
	if err != nil {
		return
	}
	defer f.Close()
	names, err := f.Readdirnames(-1)
	if err != nil {
		return
	}
	for _, n := range names {
		rest, ok := strings.CutPrefix(n, "."+s.base+".")
		if !ok {
			continue
		}
		rest, ok = strings.CutSuffix(rest, ".tmp")
		if !ok {
			continue
		}
		number, _, _ := strings.Cut(rest, ".")
		pid, err := strconv.Atoi(number)
		if err != nil || pid == os.Getpid() || s.inUse(n, pid) {
			continue
		}
		s.dir.Remove(n)
	}
}

// inUse reports whether a temporary file may still belong to a running hook. No hook runs for a minute; after that time,
// a process with this number is a different one.
func (s slot) inUse(name string, pid int) bool {
	if !processAlive(pid) {
		return false
	}
	info, err := s.dir.Lstat(name)
	return err == nil && time.Since(info.ModTime()) < time.Minute
}

func (s slot) sync(durable Durability) error {
	if durable != Durable {
		return nil
	}
	f, err := s.dir.Open(".")
	if err != nil {
		return err
	}
	defer f.Close()
	return syncDir(f)
}
