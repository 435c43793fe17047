package debuglog

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/gofrs/flock"

	"github.com/hookbridge/bridge/internal/display"
)

// MaxSize is the size in bytes above which the log is renamed to its name with ".1" and
// started again. The previous ".1" is lost.
const MaxSize = 1 << 20

// sink appends lines to the log. It opens the file with the first line; after an error it
// stays silent.
type sink struct {
	path string
	file *os.File
	err  error
}

// Write appends one line with a single write, so that lines of parallel processes do not
// mix.
func (s *sink) Write(line []byte) (int, error) {
	if s.err == nil {
		s.err = s.append(line)
	}
	return len(line), s.err
}

// Sync does nothing: a debug log is not worth waiting for the disk.
func (s *sink) Sync() error { return nil }

func (s *sink) append(line []byte) error {
	text := display.Text(strings.TrimSuffix(string(line), "\n")) + "\n"
	if s.file == nil {
		if err := s.open(); err != nil {
			return err
		}
	}
	info, err := s.file.Stat()
	if err != nil {
		return err
	}
	if info.Size() > 0 && info.Size()+int64(len(text)) > MaxSize {
		if err := s.rotate(); err != nil {
			return err
		}
	}
	_, err = s.file.WriteString(text)
	return err
}

// open opens or creates the log. O_NONBLOCK keeps a FIFO in its place from blocking the
// hook.
func (s *sink) open() error {
	const flags = os.O_WRONLY | os.O_APPEND | os.O_CREATE | syscall.O_NONBLOCK
	file, err := os.OpenFile(s.path, flags, 0o600)
	if errors.Is(err, os.ErrNotExist) {
		if err := os.MkdirAll(filepath.Dir(s.path), 0o700); err != nil {
			return err
		}
		file, err = os.OpenFile(s.path, flags, 0o600)
	}
	if err != nil {
		return err
	}
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return errors.Join(fmt.Errorf("%s is not a regular file", s.path), err, file.Close())
	}
	s.file = file
	return nil
}

// rotate renames the log, unless another process is doing that or has just done it. Only
// opening a new file can fail: a log that cannot be renamed grows further, and a process
// that still has the old file open writes its remaining lines there.
func (s *sink) rotate() error {
	lock := flock.New(s.path + ".lock")
	if locked, err := lock.TryLock(); err != nil || !locked {
		return nil
	}
	defer lock.Close()
	// Windows does not rename an open file.
	if err := s.file.Close(); err != nil {
		return err
	}
	s.file = nil
	// Without a second check, if two processes both found the log full, the later one
	// would rename the new log over the old one.
	if info, err := os.Stat(s.path); err == nil && info.Size() > MaxSize/2 {
		_ = os.Rename(s.path, s.path+".1")
	}
	return s.open()
}

func (s *sink) close() error {
	err := s.err
	if s.file != nil {
		err = errors.Join(err, s.file.Close())
		s.file = nil
	}
	return err
}
