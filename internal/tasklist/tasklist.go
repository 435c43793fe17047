// Package tasklist reads the lists of tasks that the client keeps for a session:
// one file for each task, and the older list of todos.
package tasklist

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/hookbridge/bridge/internal/clean"
	"github.com/hookbridge/bridge/internal/project"
	"github.com/hookbridge/bridge/internal/session"
	"github.com/hookbridge/bridge/internal/statefile"
)

// Tasks counts the tasks on the session's lists.
type Tasks struct {
	// Known is false when the session has no list. No list is not an empty list.
	Known                          bool
	Pending, InProgress, Completed int
	// Next is the first open task.
	Next string
}

// Open is how many tasks are not finished.
func (t Tasks) Open() int { return t.Pending + t.InProgress }

// maxTasks is how many tasks are looked at.
const maxTasks = 200

// Read reads the lists of one session. Those of other sessions and of the
// project are nobody's here (#45). A list without an open task counts only when
// it was touched since the given time: an older one tells of other work.
func Read(sessionID string, since time.Time, getenv func(string) string) Tasks {
	home := project.ClientHome(getenv)
	if home == "" || !session.ValidID(sessionID) {
		return Tasks{}
	}
	var t Tasks
	t.readDir(filepath.Join(home, "tasks", sessionID), since)
	t.readTodos(filepath.Join(home, "todos"), sessionID, since)
	return t
}

// task is an entry of either list.
type task struct {
	Status  string `json:"status"`
	Subject string `json:"subject"`
	Content string `json:"content"`
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
	// The names are numbers.
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b)) })
	var list Tasks
	touched := false
	for i, name := range names {
		if filepath.Ext(name) != ".json" || i >= maxTasks {
			continue
		}
		file, err := dir.Read(name)
		if err != nil {
			continue
		}
		var entry task
		if json.Unmarshal(file.Data, &entry) == nil {
			list.add(entry)
			touched = touched || !file.ModTime.Before(since.Truncate(time.Second))
		}
	}
	t.merge(list, touched)
}

// readTodos reads the todo list of the session. The client names it after the
// session and the agent, which for the main agent is the session again.
func (t *Tasks) readTodos(path, sessionID string, since time.Time) {
	dir, err := statefile.OpenDir(path)
	if err != nil {
		return
	}
	defer dir.Close()
	for _, name := range []string{sessionID + "-agent-" + sessionID + ".json", sessionID + ".json"} {
		file, err := dir.Read(name)
		if err != nil {
			continue
		}
		var entries []task
		if json.Unmarshal(file.Data, &entries) != nil {
			continue
		}
		var list Tasks
		for _, entry := range entries {
			list.add(entry)
		}
		t.merge(list, !file.ModTime.Before(since.Truncate(time.Second)))
		return
	}
}

func (t *Tasks) add(entry task) {
	switch entry.Status {
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
	t.Next = cmp.Or(t.Next, clean.Text(entry.Subject+entry.Content))
}

func (t *Tasks) merge(list Tasks, touched bool) {
	if !list.Known || list.Open() == 0 && !touched {
		return
	}
	t.Known = true
	t.Pending += list.Pending
	t.InProgress += list.InProgress
	t.Completed += list.Completed
	t.Next = cmp.Or(t.Next, list.Next)
}
