package ledger

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"
)

// Entries yields the ledger from its newest line to its oldest. Lines that are
// torn or not ours are skipped, and so are files that cannot be read.
func (l Ledger) Entries() iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		days, err := l.days()
		if err != nil {
			l.report(err)
			return
		}
		for _, day := range slices.Backward(days) {
			data, err := l.readDay(day, 0)
			l.report(err)
			for e := range backward(data) {
				if !yield(e) {
					return
				}
			}
		}
	}
}

// Follow calls emit with the newest last entries, oldest first, and then with
// each new one as it is written, until ctx is done. It looks every interval. The
// error is about a ledger that cannot be read at all; one that does not exist
// yet is waited for.
func (l Ledger) Follow(ctx context.Context, last int, every time.Duration, emit func(Entry)) error {
	at, err := l.catchUp(last, emit)
	if err != nil {
		return err
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		if at, err = l.more(at, emit); err != nil {
			return err
		}
	}
}

// place is how far a day's file was read: all complete lines before offset.
type place struct {
	day    string
	offset int64
}

// catchUp emits the newest last entries that are there now.
func (l Ledger) catchUp(last int, emit func(Entry)) (at place, err error) {
	days, err := l.days()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return place{}, fmt.Errorf("ledger: %w", err)
	}
	var newest []Entry
	for i, day := range slices.Backward(days) {
		data, err := l.readDay(day, 0)
		l.report(err)
		data = complete(data)
		if i == len(days)-1 {
			at = place{day, int64(len(data))}
		}
		for e := range backward(data) {
			if len(newest) == last {
				break
			}
			newest = append(newest, e)
		}
		if len(newest) == last {
			break
		}
	}
	for _, e := range slices.Backward(newest) {
		emit(e)
	}
	return at, nil
}

// more emits what was added after at.
func (l Ledger) more(at place, emit func(Entry)) (place, error) {
	days, err := l.days()
	if errors.Is(err, fs.ErrNotExist) {
		return place{}, nil
	}
	if err != nil {
		return at, fmt.Errorf("ledger: %w", err)
	}
	for _, day := range days {
		if day < at.day {
			continue
		}
		if day > at.day {
			at = place{day: day}
		}
		data, err := l.readDay(day, at.offset)
		l.report(err)
		data = complete(data)
		at.offset += int64(len(data))
		for line := range bytes.Lines(data) {
			if e, ok := parseEntry(line); ok {
				emit(e)
			}
		}
	}
	return at, nil
}

func (l Ledger) report(err error) {
	if err != nil && l.Report != nil {
		l.Report(fmt.Errorf("ledger: %w", err))
	}
}

// readDay reads a day's file from offset on. A file that is shorter than offset
// gives nothing.
func (l Ledger) readDay(day string, offset int64) ([]byte, error) {
	file, err := os.OpenFile(filepath.Join(l.Dir, day), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file", file.Name())
	}
	// Our own files end at MaxDay; twice that is somebody else's.
	return io.ReadAll(io.NewSectionReader(file, offset, max(0, 2*MaxDay-offset)))
}

// complete cuts off a last line that is still being written.
func complete(data []byte) []byte {
	return data[:bytes.LastIndexByte(data, '\n')+1]
}

// backward yields the entries of a day's file, newest first.
func backward(data []byte) iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		for len(data) > 0 {
			data = bytes.TrimSuffix(data, []byte("\n"))
			i := bytes.LastIndexByte(data, '\n')
			if e, ok := parseEntry(data[i+1:]); ok && !yield(e) {
				return
			}
			data = data[:i+1]
		}
	}
}
