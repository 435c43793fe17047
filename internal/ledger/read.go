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

// Filter chooses entries; an empty field chooses all.
type Filter struct {
	// Session is the beginning of a session's id, Project the id of a project.
	Session, Project string
}

func (f Filter) matches(e Entry) bool {
	return strings.HasPrefix(e.Session, f.Session) && (f.Project == "" || e.Project == f.Project)
}

// Entries yields the ledger from its newest line to its oldest, as far as the filter
// chooses it. Lines that are torn or not ours are skipped, and so are files that
// cannot be read.
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

// Follow calls emit with the newest last entries, oldest first, and then with
// each new one as it is written, until ctx is done; only those that the filter chooses
// count. It looks every interval. The error is about a ledger that cannot be read at
// all; one that does not exist yet is waited for.
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

// places says how far each day's file was read. All days are followed: after a
// clock was set back, lines go to a file that is not the newest by its name.
type places map[string]int64

// catchUp emits the newest last entries that are there now.
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

// more emits what was added after at, and moves it on.
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

// readDay reads a day's file from offset on. A file that is shorter than offset
// gives nothing.
func (l Ledger) readDay(day string, offset int64) ([]byte, error) {
	file, info, err := statefile.Open(filepath.Join(l.Dir, day))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	// Our own files end at MaxDay; twice that is somebody else's.
	data := make([]byte, max(0, min(info.Size(), 2*MaxDay)-offset))
	n, err := file.ReadAt(data, offset)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return data[:n], err
}

// complete cuts off a last line that is still being written.
func complete(data []byte) []byte {
	return data[:bytes.LastIndexByte(data, '\n')+1]
}

// backward yields the entries of a day's file that the filter chooses, newest first.
// Lines of other sessions or projects are passed over without being parsed.
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

// mark is what is in each line that the filter chooses, as appendLine writes it;
// it is empty where nothing can be told.
func (f Filter) mark() []byte {
	if session.ValidID(f.Session) {
		return []byte(`"session":"` + f.Session)
	}
	if f.Project != "" {
		return []byte(`"project":"` + f.Project + `"`)
	}
	return nil
}
