package smart_test

import (
	"path/filepath"
	"testing"

	"github.com/hookbridge/bridge/hooks/ralph/smart"
	"github.com/hookbridge/bridge/protocol"
)

// TestHowASessionEnded: the history says whether somebody cancelled a session or skipped
// its last task.
func TestHowASessionEnded(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		end    func(w *world) (string, error)
		reason string
	}{
		"cancelled": {func(w *world) (string, error) {
			return w.order(func(c protocol.Controlled) (string, error) { return c.Cancel() })
		}, "cancelled"},
		"skipped": {func(w *world) (string, error) { return w.resume(protocol.ResumeOptions{Force: true, Skip: true}) }, "done"},
	} {
		w := newWorld(t)
		w.start("1. 一", nil)
		w.decide(say("<task-analysis>\n## 任务 1: 一\n</task-analysis>"))
		text, err := test.end(w)
		if err != nil || text == "" || w.exists(stateFile) {
			t.Errorf("%s: %q, %v", name, text, err)
		}
		entries, err := smart.History(filepath.Join(w.root, smart.DirName))
		if err != nil || len(entries) != 1 || entries[0].EndReason != test.reason {
			t.Errorf("%s: %+v, %v", name, entries, err)
		}
	}
}
