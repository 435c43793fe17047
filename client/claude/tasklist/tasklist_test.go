package tasklist

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestLongList: at most maxTasks tasks are read, and a longer list never counts as done.
func TestLongList(t *testing.T) {
	t.Parallel()
	for n, done := range map[int]bool{1: true, maxTasks: true, maxTasks + 1: false, 2 * maxTasks: false} {
		home := t.TempDir()
		dir := filepath.Join(home, ".claude", "tasks", "s1")
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		for i := range n {
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i+1, ".json")), []byte(`{"subject":"Do it","status":"completed"}`), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		tasks := Read("s1", time.Time{}, func(name string) string {
			if name == "HOME" || name == "USERPROFILE" {
				return home
			}
			return ""
		})
		if tasks.Done() != done || tasks.Completed != min(n, maxTasks) || tasks.Partial == done {
			t.Errorf("%d finished tasks: %+v", n, tasks)
		}
	}
}
