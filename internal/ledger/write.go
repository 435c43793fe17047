// Package ledger keeps one line for each decision of a hook: what was decided, by which
// rule, and how long it took. It answers "why did it block?" without containing what was
// said (docs/design.md#ledger).
//
// Each day has one file, YYYY-MM-DD.jsonl in UTC. A line is a single write with O_APPEND,
// so lines of parallel processes do not mix.
package ledger

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

const (
	// MaxDay is the size in bytes at which a day's file is full. Parallel processes may exceed it by one line each.
	MaxDay = 20_000_000
	// KeepDays is the age in days after which a file may be removed. Whenever the file of
	// a new day is created, the oldest such file is removed.
	KeepDays = 30

	fileName = "2006-01-02.jsonl"
)

// Ledger is the directory of the day files, usually
// $XDG_STATE_HOME/bridge/ledger. A Ledger without a directory keeps nothing.
type Ledger struct {
	Dir string
	// Report receives errors; the hook does not see them. It may be nil.
	Report func(error)
}

// Append adds one line. It never fails, because the hook's answer matters more.
func (l Ledger) Append(e Entry) {
	if l.Dir == "" {
		return
	}
	if err := l.append(e); err != nil && l.Report != nil {
		l.Report(fmt.Errorf("ledger: %w", err))
	}
}

func (l Ledger) append(e Entry) (err error) {
	file, created, err := l.openDay(e.Time)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file", file.Name())
	}
	line := make([]byte, 0, 512)
	if torn(file, info.Size()) {
		line = append(line, '\n')
	}
	line = e.appendLine(line)
	if info.Size()+int64(len(line)) > MaxDay {
		return nil
	}
	if _, err := file.Write(line); err != nil {
		return err
	}
	if created {
		return l.removeOld(e.Time)
	}
	return nil
}

// openDay opens the file of a day; created says that this call created the file, which is true in only one process.
// O_NONBLOCK keeps a FIFO in the file's place from blocking the hook.
func (l Ledger) openDay(day time.Time) (file *os.File, created bool, err error) {
	const flags = os.O_RDWR | os.O_APPEND | syscall.O_NONBLOCK
	path := filepath.Join(l.Dir, day.UTC().Format(fileName))
	file, err = os.OpenFile(path, flags, 0)
	if !errors.Is(err, fs.ErrNotExist) {
		return file, false, err
	}
	if err := os.MkdirAll(l.Dir, 0o700); err != nil {
		return nil, false, err
	}
	file, err = os.OpenFile(path, flags|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		file, err = os.OpenFile(path, flags, 0)
		return file, false, err
	}
	return file, err == nil, err
}

// torn reports whether a file of that size ends in the middle of a line, as after a full
// disk.
func torn(file *os.File, size int64) bool {
	var last [1]byte
	if size == 0 {
		return false
	}
	_, err := file.ReadAt(last[:], size-1)
	return err == nil && last[0] != '\n'
}

// removeOld removes the oldest file that is more than KeepDays older than now. It removes
// only that one, because the clock may be wrong: one call in 2100 must not delete the
// whole ledger. Only files whose name is a day are touched.
func (l Ledger) removeOld(now time.Time) error {
	days, err := l.days()
	if err != nil || len(days) == 0 || days[0] >= now.UTC().AddDate(0, 0, -KeepDays).Format(fileName) {
		return err
	}
	return os.Remove(filepath.Join(l.Dir, days[0]))
}

// days lists the names of the day files, oldest first.
func (l Ledger) days() ([]string, error) {
	entries, err := os.ReadDir(l.Dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if _, err := time.Parse(fileName, e.Name()); err == nil && e.Type().IsRegular() {
			names = append(names, e.Name())
		}
	}
	return names, nil
}
