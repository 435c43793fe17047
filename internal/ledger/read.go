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
	"strings"
	"time"

	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/internal/statefile"
)

// Filter selects entries; an empty field selects all.
type Filter struct {
	// Session is the beginning of a session id; Project is the id of a project.
	Session, Project string
}

func (f Filter) matches(e Entry) bool {
	return strings.HasPrefix(e.Session, f.Session) && (f.Project == "" || e.Project == f.Project)
}

// Entries yields the selected entries of the ledger, from the newest to the oldest. Torn
// or foreign lines and unreadable files are skipped.
func (l Ledger) Entries(filter Filter) iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		days, err := l.days()
		if err != nil {
			l.report(err)
			return
		}
		for _, day := range slices.Backward(days) {
			data, err := l.readDay(day, 0)
			l.report(err)
			for e := range backward(data, filter) {
				if !yield(e) {
					return
				}
			}
		}
	}
}

// Follow calls emit with the last entries, oldest first, and then with each new one as it
// is written, until ctx is done. Only entries that the filter selects count. It checks
// for new lines at each interval. It returns an error only if a ledger cannot be read at
// all; it waits for one that does not exist yet.
func (l Ledger) Follow(ctx context.Context, filter Filter, last int, every time.Duration, emit func(Entry)) error {
	at, err := l.catchUp(filter, last, emit)
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
		if err := l.more(at, filter, emit); err != nil {
			return err
		}
	}
}

// places says how far each day's file was read. All days are followed: after the clock
// was set back, lines go to a file whose name is not the newest.
type places map[string]int64

// catchUp emits the newest existing entries, at most last.
func (l Ledger) catchUp(filter Filter, last int, emit func(Entry)) (places, error) {
	days, err := l.days()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("ledger: %w", err)
	}
	at := places{}
	var newest []Entry
	for _, day := range slices.Backward(days) {
		if len(newest) == last {
			if info, err := os.Stat(filepath.Join(l.Dir, day)); err == nil {
				at[day] = info.Size()
			}
			continue
		}
		data, err := l.readDay(day, 0)
		l.report(err)
		data = complete(data)
		at[day] = int64(len(data))
		for e := range backward(data, filter) {
			if newest = append(newest, e); len(newest) == last {
				break
			}
		}
	}
	for _, e := range slices.Backward(newest) {
		emit(e)
	}
	return at, nil
}

// more emits the lines added after at, and advances at.
func (l Ledger) more(at places, filter Filter, emit func(Entry)) error {
	days, err := l.days()
	if errors.Is(err, fs.ErrNotExist) {
		clear(at)
		return nil
	}
	if err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
	for _, day := range days {
		if info, err := os.Stat(filepath.Join(l.Dir, day)); err == nil && info.Size() <= at[day] {
			continue
		}
		data, err := l.readDay(day, at[day])
		l.report(err)
		data = complete(data)
		at[day] += int64(len(data))
		for line := range bytes.Lines(data) {
			if e, ok := parseEntry(line); ok && filter.matches(e) {
				emit(e)
			}
		}
	}
	return nil
}

func (l Ledger) report(err error) {
	if err != nil && l.Report != nil {
		l.Report(fmt.Errorf("ledger: %w", err))
	}
}

// readDay reads a day's file from offset on. If the file is shorter than offset, it
// returns nothing.
func (l Ledger) readDay(day string, offset int64) ([]byte, error) {
	file, info, err := statefile.Open(filepath.Join(l.Dir, day))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	// Our own files end at MaxDay; a file of twice that size is not ours.
	data := make([]byte, max(0, min(info.Size(), 2*MaxDay)-offset))
	n, err := file.ReadAt(data, offset)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return data[:n], err
}

// complete removes a last line that is still being written.
func complete(data []byte) []byte {
	return data[:bytes.LastIndexByte(data, '\n')+1]
}

// backward yields the selected entries of a day's file, newest first. It skips lines of
// other sessions or projects without parsing them.
func backward(data []byte, filter Filter) iter.Seq[Entry] {
	mark := filter.mark()
	return func(yield func(Entry) bool) {
		if !bytes.Contains(data, mark) {
			return
		}
		for len(data) > 0 {
			if len(mark) > 0 {
				i := bytes.LastIndex(data, mark)
				if i < 0 {
					return
				}
				if end := bytes.IndexByte(data[i:], '\n'); end >= 0 {
					data = data[:i+end+1]
				}
			}
			data = bytes.TrimSuffix(data, []byte("\n"))
			i := bytes.LastIndexByte(data, '\n')
			if e, ok := parseEntry(data[i+1:]); ok && filter.matches(e) && !yield(e) {
				return
			}
			data = data[:i+1]
		}
	}
}

// mark is a text that every selected line contains, as appendLine writes it. It is empty
// if there is no such text.
func (f Filter) mark() []byte {
	if session.ValidID(f.Session) {
		return []byte(`"session":"` + f.Session)
	}
	if f.Project != "" {
		return []byte(`"project":"` + f.Project + `"`)
	}
	return nil
}
