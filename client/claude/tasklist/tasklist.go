// Package tasklist reads the task lists that the client keeps for a session: one file for each task, or the older list
// of todos.
package tasklist

import (
	"cmp"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/hookbridge/bridge/client/claude"
	"github.com/hookbridge/bridge/internal/display"
	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/internal/statefile"
)

// Tasks counts the tasks on the session's lists.
type Tasks struct {
	// Known is false if the session has no list, which is different from an empty list.
	Known                          bool
	Pending, InProgress, Completed int
	// Partial says that not all tasks were read: the lists are too long, or part of them
	// cannot be read.
	Partial bool
	// Next is the first open task.
	Next string
}

// Open is how many tasks are not finished.
func (t Tasks) Open() int { return t.Pending + t.InProgress }

// Done reports whether there are lists and everything on them is finished.
func (t Tasks) Done() bool { return t.Known && !t.Partial && t.Open() == 0 }

// maxTasks is how many tasks are read.
const maxTasks = 200

// Read reads the lists of one session. The lists of other sessions and of the project
// never count (Yeachan-Heo/oh-my-claudecode#45). A list without an open task counts only
// if it was changed since the given time, because an older one is about other work.
func Read(sessionID string, since time.Time, getenv func(string) string) Tasks {
	home := claude.Home(getenv)
	if home == "" || !session.ValidID(sessionID) {
		return Tasks{}
	}
	var t Tasks
	t.readDir(filepath.Join(home, "tasks", sessionID), since)
	t.readTodos(filepath.Join(home, "todos"), sessionID, since)
	return t
}

// task is an entry of either list.
type task struct{ status, text string }

// parse reads an entry. It fails only if the entry is not an object: a subject of an
// unexpected type must not prevent a list from being finished.
func parse(data []byte) (task, error) {
	o, err := statefile.ParseObject(data)
	return task{o.Text("status"), o.Text("subject") + o.Text("content")}, err
}

func (t *Tasks) readDir(path string, since time.Time) {
	dir, err := statefile.OpenDir(path)
	if err != nil {
		return
	}
	defer dir.Close()
	names, err := dir.Names(".")
	if err != nil {
		return
	}
	names = slices.DeleteFunc(names, func(name string) bool { return filepath.Ext(name) != ".json" })
	// The file names are numbers.
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b)) })
	list := Tasks{Partial: len(names) > maxTasks}
	touched := false
	for _, name := range names[:min(len(names), maxTasks)] {
		file, err := dir.Read(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		var entry task
		if err == nil {
			entry, err = parse(file.Data)
			touched = touched || !file.ModTime.Before(since.Truncate(time.Second))
		}
		if err != nil {
			list.Partial = true
			continue
		}
		list.add(entry)
	}
	t.merge(list, touched)
}

// readTodos reads the todo list of the session. The client names the file after the
// session and the agent; for the main agent, that is the session id again.
func (t *Tasks) readTodos(path, sessionID string, since time.Time) {
	dir, err := statefile.OpenDir(path)
	if err != nil {
		return
	}
	defer dir.Close()
	for _, name := range []string{sessionID + "-agent-" + sessionID + ".json", sessionID + ".json"} {
		file, err := dir.Read(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		var entries []jsontext.Value
		if err == nil {
			err = json.Unmarshal(file.Data, &entries, jsontext.AllowInvalidUTF8(true))
		}
		if err != nil {
			t.Partial = true
			continue
		}
		var list Tasks
		for _, data := range entries {
			entry, err := parse(data)
			list.Partial = list.Partial || err != nil
			list.add(entry)
		}
		t.merge(list, !file.ModTime.Before(since.Truncate(time.Second)))
		return
	}
}

func (t *Tasks) add(entry task) {
	switch entry.status {
	case "completed", "cancelled", "canceled", "deleted":
		t.Completed++
		t.Known = true
		return
	case "pending":
		t.Pending++
	case "in_progress":
		t.InProgress++
	default:
		return
	}
	t.Known = true
	t.Next = cmp.Or(t.Next, display.Text(entry.text))
}

func (t *Tasks) merge(list Tasks, touched bool) {
	t.Partial = t.Partial || list.Partial
	if !list.Known || list.Open() == 0 && !touched {
		return
	}
	t.Known = true
	t.Pending += list.Pending
	t.InProgress += list.InProgress
	t.Completed += list.Completed
	t.Next = cmp.Or(t.Next, list.Next)
}
