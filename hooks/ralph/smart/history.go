package smart

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hookbridge/bridge/hooks/ralph/smart/state"
	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/internal/statefile"
)

// idLayout is the form of a history id, in UTC (R3-42).
const idLayout = "20060102-150405"

func historyID(startedAt time.Time) string { return startedAt.UTC().Format(idLayout) }

func suffix(n int) string {
	if n < 2 {
		return ""
	}
	return "-" + strconv.Itoa(n)
}

// freeID returns the id, with -2, -3 and so on appended if it is taken.
func freeID(dir *statefile.Dir, id string) string {
	for n := 1; ; n++ {
		if _, err := dir.Stat(HistoryName + "/" + id + suffix(n) + ".md"); errors.Is(err, fs.ErrNotExist) || n > 1000 {
			return id + suffix(n)
		}
	}
}

// archive moves the session to the history under id. If somebody has removed the state in
// the meantime, the session was cancelled, and archive returns ErrGone.
func archive(dir *statefile.Dir, path string, s state.State, id, stateHome string, store session.Store) error {
	if _, err := dir.Stat(StateName); errors.Is(err, fs.ErrNotExist) {
		return statefile.ErrGone
	}
	s.Active = false
	if err := dir.Create(HistoryName+"/"+id+".md", s.Bytes(), statefile.Durable); err != nil {
		return fmt.Errorf("write the history: %w", err)
	}
	store.DropPending(path)
	dropRuntime(stateHome, path)
	return errors.Join(dir.Remove(StateName), dir.Remove(BackupName))
}

// Entry is one session of the history.
type Entry struct {
	ID       string
	TaskFile string
	// Completed is the number of finished tasks, out of Total.
	Completed, Total int
	Iterations       int
	// EndReason is a word such as "done", "cancelled" or "stalled".
	EndReason string
	StartedAt time.Time
	// Problem says why the session cannot be restored; it is empty if it can.
	Problem string
}

// History lists the sessions of the history below the state directory at path,
// newest first.
func History(path string) ([]Entry, error) {
	dir, err := statefile.OpenDir(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("open the history: %w", err)
	}
	defer dir.Close()
	names, err := dir.Names(HistoryName)
	if err != nil {
		return nil, fmt.Errorf("read the history: %w", err)
	}
	var entries []Entry
	for _, name := range names {
		id, ok := strings.CutSuffix(name, ".md")
		if !ok || !validID(id) {
			continue
		}
		e := Entry{ID: id}
		file, err := dir.Read(HistoryName + "/" + name)
		var s state.State
		if err == nil {
			s, err = state.Parse(file.Data)
		}
		if err != nil {
			e.Problem = err.Error()
		} else {
			e.TaskFile, e.Completed, e.Total = s.TaskFile, s.Count(state.Completed), len(s.Tasks)
			e.Iterations, e.EndReason, e.StartedAt = s.Iteration, s.EndReason, s.StartedAt
		}
		entries = append(entries, e)
	}
	slices.SortFunc(entries, func(a, b Entry) int { return strings.Compare(b.ID, a.ID) })
	return entries, nil
}

// validID accepts the ids that historyID and freeID produce, because the id becomes part
// of a path.
func validID(id string) bool {
	return len(id) >= len(idLayout) && len(id) <= 64 && strings.Trim(id, "0123456789-") == ""
}
